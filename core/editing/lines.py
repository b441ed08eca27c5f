"""Rewriting lines: bars sung anew, varied, answered, thinned or filled."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from core.editing.edits import Inapplicable
from core.editing.song import Song, within
from core.music import pitch
from core.music.chance import chance, generator
from core.music.habits import habits
from core.music.melody import Singer, Slot, along_scale, harmonic, spelled
from core.music.meter import QUARTER, weight
from core.music.rhythm import Taste, draw, vocabulary
from core.music.sampling import UNIT, Line, Scores, sample
from core.music.score import Note, Part, chord_at


def redone(song: Song, first: int, last: int) -> Song:
    """The melody of bars `first` to `last` (from 1) with new rhythms and pitches, out of what stands before."""
    if not song.melody:
        raise Inapplicable("edit-no-part")
    if not 1 <= first <= last <= song.score.bars:
        raise Inapplicable("edit-no-bars", bars=song.score.bars)
    rng = generator(song.seed, "redo", first, last)
    return _resung(song, range(first - 1, last), rng, fresh_rhythm=True, pull=0)


def varied(song: Song) -> Song:
    """Half of the bars play about what stood there; the last two stay."""
    if not song.melody:
        raise Inapplicable("edit-no-part")
    rng = generator(song.seed, "vary")
    bars = [bar for bar in range(song.score.bars - 2) if chance(rng, 0.55)] or [0]
    for bar in bars:
        song = _resung(song, range(bar, bar + 1), rng, fresh_rhythm=chance(rng, 0.5), pull=40)
    return song


def _melody(song: Song) -> Part:
    part = song.score.part("melody")
    if part is None:
        raise Inapplicable("edit-no-part")
    return part


def _singer(song: Song) -> Singer:
    pitches = [note.pitch for note in song.melody]
    instrument = song.catalogue.instruments[_melody(song).instrument]
    low, high = max(instrument.low, min(pitches) - 2), min(instrument.high, max(pitches) + 2)
    return Singer(song.plan, habits(song.plan), song.catalogue.statistics, low, max(high, low + 7))


def _resung(song: Song, bars: range, rng: random.Random, fresh_rhythm: bool, pull: int) -> Song:
    singer, bar, score = _singer(song), song.score.meter.bar, song.score
    low, high = bars.start * bar, bars.stop * bar
    old = [note for note in song.melody if low <= note.onset < high]
    onsets = _onsets(song, bars, rng) if fresh_rhythm or not old else [note.onset for note in old]
    slots = [
        Slot(onset, min(end, high) - onset, onset // bar - bars.start, 0)
        for onset, end in zip(onsets, [*onsets[1:], high], strict=True)
    ]
    if not slots:
        return song
    rows = [
        harmonic(slot, chord_at(score.chords, slot.onset), singer) + _near(slot, old, song.melody, singer, pull)
        for slot in slots
    ]
    before = [singer.index(n.pitch) for n in song.melody if n.onset < low][-2:]
    context = (before[-2] if len(before) > 1 else None, before[-1] if before else None)
    drawn = sample(Line(np.array(rows, dtype=np.int64), singer.pair, singer.triple, {}), context, rng)
    fresh = tuple(
        Note(slot.onset, slot.duration, midi, spelled(midi, chord_at(score.chords, slot.onset).chord.tones, song.plan))
        for slot, midi in ((s, singer.pitches[i]) for s, i in zip(slots, drawn, strict=True))
    )
    return song.with_part("melody", within(song.melody, fresh, low, high))


def _onsets(song: Song, bars: range, rng: random.Random) -> list[int]:
    m = song.score.meter
    style = song.plan.style.melody
    table = vocabulary(m, style.reference, song.catalogue.statistics)
    notes = len(song.melody) / song.score.bars
    found: list[int] = []
    for bar in bars:
        start = bar * m.bar
        taken = frozenset({tuple(n.onset - start for n in song.melody if start <= n.onset < start + m.bar)})
        taste = Taste(
            max(1.0, notes), style.syncopation * 0.8, QUARTER // 2 if song.score.tempo > 104 else QUARTER // 4
        )
        found += [start + onset for onset in draw(table, m, taste, rng, taken)]
    return found


def _near(slot: Slot, old: list[Note], melody: tuple[Note, ...], singer: Singer, pull: int) -> Scores:
    """Towards what stood there, or, without a pull, about the middle of the melody."""
    here = next((n.pitch for n in reversed(old) if n.onset <= slot.onset), None)
    if pull and here is not None:
        return np.array([-pull * min(5, abs(midi - here)) for midi in singer.pitches], dtype=np.int64)
    centre = sorted(n.pitch for n in melody)[len(melody) // 2]
    return np.array([round(-UNIT * ((midi - centre) / 4.5) ** 2 / 2) for midi in singer.pitches], dtype=np.int64)


def answered(song: Song) -> Song:
    """In each section the second half takes up the first half's rhythm two steps lower, and closes as it did."""
    if not song.melody:
        raise Inapplicable("edit-no-part")
    singer, bar = _singer(song), song.score.meter.bar
    for section in song.score.sections:
        half = section.bars // 2
        if half < 1:
            continue
        low, high = (section.bar + half) * bar, (section.bar + section.bars - 1) * bar
        shift = half * bar
        first = [n for n in song.melody if section.bar * bar <= n.onset < section.bar * bar + (high - low)]
        fresh = tuple(_echo(note, shift, singer, song) for note in first if low <= note.onset + shift < high)
        song = song.with_part("melody", within(song.melody, _ended_by(fresh, high), low, high))
    return song


def _echo(note: Note, shift: int, singer: Singer, song: Song) -> Note:
    """Two steps lower; on a strong beat the chord tone nearest to that."""
    onset = note.onset + shift
    midi = along_scale(note.pitch, -2, singer)
    chord = chord_at(song.score.chords, onset).chord
    if weight(song.score.meter, onset) >= 2:
        midi = min((pitch.nearest(pc, midi) for pc in chord.pitch_classes), key=lambda p: abs(p - midi))
    return replace(note, onset=onset, pitch=midi, tpc=spelled(midi, chord.tones, song.plan))


def _ended_by(notes: tuple[Note, ...], end: int) -> tuple[Note, ...]:
    return tuple(replace(note, duration=min(note.duration, end - note.onset)) for note in notes)


def thinned(notes: tuple[Note, ...], song: Song) -> tuple[Note, ...]:
    """Without the notes off the beat; the one before lasts on. Where all stand on beats, every other weak one goes."""
    m = song.score.meter
    onsets = sorted({note.onset for note in notes})
    off = [o for o in onsets[:-1] if weight(m, o) < 2]
    if len(off) < 0.15 * len(onsets):
        off += [o for i, o in enumerate(onsets[:-1]) if weight(m, o) == 2 and i % 2]
    dropped = set(off[: max(1, len(onsets) * 4 // 10)]) if len(off) > len(onsets) * 0.6 else set(off)
    kept = [o for o in onsets if o not in dropped]
    following = dict(zip(kept, [*kept[1:], None], strict=True))
    result = []
    for note in notes:
        if note.onset in dropped:
            continue
        end, until = note.end, following[note.onset]
        while until is not None and (later := next((n for n in notes if n.onset == end and n.onset in dropped), None)):
            end = later.end
        result.append(replace(note, duration=(min(end, until) if until is not None else end) - note.onset))
    return tuple(result)


def filled(notes: tuple[Note, ...], song: Song) -> tuple[Note, ...]:
    """Longer notes of a line split by a neighbour on the way to the next one; chords are struck twice."""
    groups = sorted({note.onset for note in notes})
    lone = len(groups) == len(notes)
    singer = _singer(song) if lone else None
    result: list[Note] = []
    for note, following in pairwise([*notes, notes[-1]]):
        half = note.duration // 2
        if note.duration < QUARTER or note.end >= song.score.length or half % (QUARTER // 4):
            result.append(note)
            continue
        way = 1 if following.pitch > note.pitch else -1
        midi = along_scale(note.pitch, way, singer) if singer else note.pitch
        tones = chord_at(song.score.chords, note.onset + half).chord.tones
        second = replace(note, onset=note.onset + half, duration=note.duration - half, pitch=midi)
        result += [
            replace(note, duration=half),
            replace(second, tpc=spelled(midi, tones, song.plan) if singer else note.tpc),
        ]
    return tuple(result)


def with_density(song: Song, role: str, more: bool) -> Song:
    part = song.score.part(role)
    if part is None or not part.notes:
        raise Inapplicable("edit-no-part")
    change: Callable[[tuple[Note, ...], Song], tuple[Note, ...]] = filled if more else thinned
    notes = change(part.notes, song)
    if notes == part.notes:
        raise Inapplicable("edit-no-more-notes" if more else "edit-no-fewer-notes")
    return song.changed(song.score.with_part(replace(part, notes=notes)))
