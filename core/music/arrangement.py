"""Arrangement: the written lines become the parts of one score."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.brief.brief import PartPlan
from core.music import pitch
from core.music.catalogue import Catalogue
from core.music.comping import comp, voicings
from core.music.counterpoint import counter, follow
from core.music.meter import QUARTER, Meter
from core.music.plan import Plan
from core.music.score import ChordSpan, Note, Part, Score, chord_at, numbered, without_overlap


@dataclass(frozen=True, slots=True)
class Lines:
    """What the musicians handed in; None where a part was not wanted or could not be written."""

    melody: tuple[Note, ...]
    bass: tuple[Note, ...] | None
    drums: tuple[Note, ...] | None


def arrange(plan: Plan, chords: tuple[ChordSpan, ...], lines: Lines, catalogue: Catalogue) -> Score:
    brief = plan.brief
    parts: list[Part] = []
    voices: list[tuple[Note, ...]] = [lines.melody] if lines.melody else []
    for wanted in brief.parts:
        notes = _mannered(wanted, _notes(wanted, plan, chords, lines, voices, catalogue), plan, chords)
        if notes:
            parts.append(_part(wanted, notes, parts, plan, catalogue))
    if brief.ending == "cold":
        parts = [replace(part, notes=stopped(part.notes, plan.end - brief.meter.bar, brief.meter)) for part in parts]
    return Score(
        title=brief.title,
        key=brief.key,
        meter=brief.meter,
        tempo=brief.tempo,
        bars=brief.bars,
        sections=plan.sections,
        chords=chords,
        parts=tuple(parts),
        feel=plan.feel,
        seed=plan.number,
        genre=brief.genre,
        effects=brief.ask.effects is not False,
        chain=tuple(plan.style.effects.items()),
    )


def _notes(
    wanted: PartPlan,
    plan: Plan,
    chords: tuple[ChordSpan, ...],
    lines: Lines,
    voices: list[tuple[Note, ...]],
    catalogue: Catalogue,
) -> tuple[Note, ...]:
    match wanted.role:
        case "melody":
            return lines.melody
        case "bass":
            return lines.bass or ()
        case "drums":
            return lines.drums or ()
        case "chords" | "pad":
            hand = voicings(plan, chords, catalogue, wanted.role)
            figures = ("pad",) if wanted.role == "pad" else None
            return comp(plan, chords, hand, lines.melody, catalogue, figures)
        case _:
            instrument = catalogue.instruments[wanted.instrument]
            if plan.canon_delay and voices:
                voices.append(follow(plan, voices[0], len(voices), instrument))
                return voices[-1]
            line = counter(plan, chords, tuple(voices), instrument, wanted.role, catalogue)
            voices.append(line)
            return line


def _mannered(wanted: PartPlan, notes: tuple[Note, ...], plan: Plan, chords: tuple[ChordSpan, ...]) -> tuple[Note, ...]:
    """The part as it was asked to play: only now and then, in octaves, in long notes."""
    bar = plan.brief.meter.bar
    match wanted.manner:
        case "sparse":
            return tuple(n for n in notes if n.onset // bar % 4 == 3 or n.onset >= plan.end - bar)
        case "octaves":
            return in_octaves(notes, chords)
        case "held":
            return tuple(n for n in notes if n.onset % bar == 0)
        case _:
            return notes


def in_octaves(notes: tuple[Note, ...], chords: tuple[ChordSpan, ...]) -> tuple[Note, ...]:
    """The same strokes on the chords' basses, each with its octave above."""
    struck = {note.onset: note for note in notes}
    result = []
    for onset, note in sorted(struck.items()):
        tpc = chord_at(chords, onset).chord.bass_tone
        low = pitch.nearest(pitch.pitch_class(tpc), 41)
        result += [replace(note, pitch=low, tpc=tpc), replace(note, pitch=low + 12, tpc=tpc)]
    return tuple(result)


def _part(wanted: PartPlan, notes: tuple[Note, ...], earlier: list[Part], plan: Plan, catalogue: Catalogue) -> Part:
    if wanted.role == "drums":
        kit = catalogue.grooves[plan.groove].kit if plan.groove else 0
        return Part("Drums", "drums", kit, notes, "drums")
    instrument = catalogue.instruments[wanted.instrument]
    name = numbered(instrument.en[0].title(), {part.name for part in earlier})
    inside = tuple(folded(note, instrument.low, instrument.high) for note in notes)
    return Part(name, wanted.role, instrument.program, one_voice(without_overlap(inside)), wanted.instrument)


def stopped(notes: tuple[Note, ...], last_bar: int, meter: Meter) -> tuple[Note, ...]:
    """A cold ending: the last bar is one short stroke together, then nothing."""
    limit = last_bar + min(QUARTER, meter.bar // 3)
    kept = (note for note in notes if note.onset <= last_bar or note.onset < limit)
    return tuple(
        replace(note, duration=min(note.duration, limit - note.onset)) if note.end > limit else note for note in kept
    )


def one_voice(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Notes that begin together end together, and before the next ones begin: what one staff voice can write."""
    struck: dict[int, list[Note]] = {}
    for note in notes:
        struck.setdefault(note.onset, []).append(note)
    onsets = sorted(struck)
    written = []
    for onset, following in zip(onsets, [*onsets[1:], None], strict=True):
        end = min(note.end for note in struck[onset])
        end = end if following is None else min(end, following)
        by_pitch = {note.pitch: replace(note, duration=end - onset) for note in struck[onset]}
        written += [by_pitch[pitch] for pitch in sorted(by_pitch)]
    return tuple(written)


def folded(note: Note, low: int, high: int) -> Note:
    """The note, moved by octaves into what the instrument can play."""
    midi = note.pitch
    while midi < low:
        midi += 12
    while midi > high:
        midi -= 12
    return note if midi == note.pitch else replace(note, pitch=midi)
