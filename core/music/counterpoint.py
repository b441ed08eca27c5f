"""Counterpoint: further voices with a rhythm of their own, consonant with those already written."""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import replace

import numpy as np

from core.music import pitch
from core.music.catalogue import Catalogue, Instrument
from core.music.chance import chance, generator
from core.music.habits import habits
from core.music.melody import Singer, Slot, harmonic, spelled
from core.music.meter import QUARTER, Meter, strong
from core.music.plan import Plan
from core.music.rhythm import Taste, draw, vocabulary
from core.music.sampling import UNIT, Line, Scores, sample
from core.music.score import ChordSpan, Note, chord_at

# What an interval class above or below another voice gains (1/64 nat): thirds and sixths sing, seconds rub.
_CONSONANCE = {0: -10, 1: -120, 2: -60, 3: 34, 4: 34, 5: -6, 6: -50, 7: 4, 8: 30, 9: 34, 10: -40, 11: -110}


def voice_range(instrument: Instrument, melody: tuple[Note, ...], role: str) -> tuple[int, int]:
    """An octave and a half below the melody's middle, inside the instrument's best register."""
    middle = sorted(note.pitch for note in melody)[len(melody) // 2] if melody else 72
    centre = middle - {"counter": 7, "harmony": 12, "bass": 24, "above": -9}.get(role, 9)
    centre = min(max(centre, instrument.usual_low + 7), instrument.usual_high - 7)
    return max(instrument.low, centre - 9), min(instrument.high, centre + 9)


def counter(
    plan: Plan,
    chords: tuple[ChordSpan, ...],
    others: tuple[tuple[Note, ...], ...],
    instrument: Instrument,
    role: str,
    catalogue: Catalogue,
    sparse: bool = False,
    above: bool = False,
) -> tuple[Note, ...]:
    """A voice against the `others` (the melody first): it moves where they hold and holds where they move."""
    rng = generator(plan.seed, "counter", role, instrument.name, len(others))
    low, high = voice_range(instrument, others[0] if others else (), "above" if above else role)
    singer = Singer(
        plan, habits(replace(plan, seed=plan.seed + 31 * (1 + len(others)))), catalogue.statistics, low, high
    )
    m = plan.brief.meter
    notes: list[Note] = []
    lines = [_Sounding(other) for other in others]
    rhythms: dict[tuple[str, int], tuple[int, ...]] = {}
    for section in plan.sections:
        for first in range(0, section.bars, 4):
            slots = _slots(
                section.label,
                section.bar,
                first,
                min(4, section.bars - first),
                rhythms,
                plan,
                others,
                catalogue,
                rng,
                sparse,
            )
            rows = [
                harmonic(slot, chord_at(chords, slot.onset), singer)
                + _vertical(slot, lines, singer, m, above)
                + _centred(singer)
                for slot in slots
            ]
            if not rows:
                continue
            line = Line(np.array(rows, dtype=np.int64), singer.pair, singer.triple, {})
            before = [singer.index(note.pitch) for note in notes[-2:]]
            context = (before[-2] if len(before) > 1 else None, before[-1] if before else None)
            notes += [
                Note(slot.onset, slot.duration, singer.pitches[i])
                for slot, i in zip(slots, sample(line, context, rng), strict=True)
            ]
    return tuple(_spelled(note, chords, plan) for note in notes)


def _spelled(note: Note, chords: tuple[ChordSpan, ...], plan: Plan) -> Note:
    return replace(note, tpc=spelled(note.pitch, chord_at(chords, note.onset).chord.tones, plan))


def _slots(
    label: str,
    section_bar: int,
    first: int,
    count: int,
    rhythms: dict[tuple[str, int], tuple[int, ...]],
    plan: Plan,
    others: tuple[tuple[Note, ...], ...],
    catalogue: Catalogue,
    rng: random.Random,
    sparse: bool,
) -> list[Slot]:
    m = plan.brief.meter
    table = vocabulary(m, plan.style.melody.reference, catalogue.statistics)
    onsets: list[int] = []
    for bar in range(first, first + count):
        start = (section_bar + bar) * m.bar
        if sparse and chance(rng, 0.7) and section_bar + bar != plan.brief.bars - 1:
            continue
        if section_bar + bar == plan.brief.bars - 1:
            onsets.append(start)
            continue
        busy = sum(1 for note in (others[0] if others else ()) if start <= note.onset < start + m.bar)
        key = (label, bar)
        if key not in rhythms:
            usual = m.bar / QUARTER * 0.62
            wanted = usual * (0.6 if busy > m.bar / QUARTER else 1.25)
            taken = frozenset(
                tuple(note.onset - start for note in other if start <= note.onset < start + m.bar) for other in others
            )
            rhythms[key] = draw(table, m, Taste(max(1.0, wanted), 0.15), rng, taken)
        onsets += [start + onset for onset in rhythms[key]]
    end = (section_bar + first + count) * m.bar
    slots = []
    for onset, following in zip(onsets, [*onsets[1:], end], strict=True):
        duration = min(following - onset, 2 * m.bar) if not sparse else min(following - onset, m.bar)
        slots.append(Slot(onset, duration, onset // m.bar - section_bar, 0))
    return slots


class _Sounding:
    """Which note of a voice sounds at a tick."""

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self.onsets = [note.onset for note in notes]

    def at(self, tick: int) -> int | None:
        place = bisect_right(self.onsets, tick) - 1
        if place < 0 or self.notes[place].end <= tick:
            return None
        return self.notes[place].pitch


def _vertical(slot: Slot, lines: list[_Sounding], singer: Singer, m: Meter, above: bool) -> Scores:
    """Consonance with every voice that sounds when the note begins; voices do not cross."""
    row = np.zeros(len(singer.pitches), dtype=np.int64)
    weight = 3 if strong(m, slot.onset % m.bar) else 2
    for line in lines:
        for tick in (slot.onset, slot.onset + slot.duration // 2):
            other = line.at(tick)
            if other is None:
                continue
            row += np.array(
                [
                    _CONSONANCE[abs(other - midi) % 12] * weight // 4
                    - (90 if (midi <= other if above else midi >= other) else 0)
                    for midi in singer.pitches
                ],
                dtype=np.int64,
            )
    return row


def _centred(singer: Singer) -> Scores:
    centre = (singer.low + singer.high) / 2
    return np.array([round(-UNIT * ((midi - centre) / 6) ** 2 / 2) for midi in singer.pitches], dtype=np.int64)


def follow(plan: Plan, leader: tuple[Note, ...], place: int, instrument: Instrument) -> tuple[Note, ...]:
    """A canon's further voice: the leader's line `place` × the delay later, by octaves where the instrument lies.

    In the last bar all voices close on the tonic chord.
    """
    delay, last = place * plan.canon_delay * plan.brief.meter.bar, plan.end - plan.brief.meter.bar
    middle = sum(note.pitch for note in leader) / len(leader)
    wanted = min(middle, (instrument.usual_low + instrument.usual_high) / 2 + 4)
    shift = 12 * round((wanted - middle) / 12)
    notes = [
        replace(
            note,
            onset=note.onset + delay,
            pitch=note.pitch + shift,
            duration=min(note.duration, last - note.onset - delay),
        )
        for note in leader
        if note.onset + delay < last
    ]
    before = notes[-1].pitch if notes else round(wanted)
    tones = plan.brief.key.harmony[0:5:2]  # the tonic triad
    tpc = min(tones, key=lambda t: abs(pitch.nearest(pitch.pitch_class(t), before) - before))
    return (*notes, Note(last, plan.brief.meter.bar, pitch.nearest(pitch.pitch_class(tpc), before), tpc))
