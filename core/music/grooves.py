"""Drums: a groove for each section's energy, a fill into the next, a crash after it, and a real end."""

from __future__ import annotations

import random
from dataclasses import replace

from core.music.catalogue import Catalogue, GrooveFamily
from core.music.chance import chance, generator
from core.music.figures import adapted, level_of
from core.music.meter import SIXTEENTH, Meter, beats, group_onsets
from core.music.plan import Plan
from core.music.score import Note, Section, section_at, without_overlap

# General MIDI percussion keys.
KEYS = {
    "kick": 36, "snare": 38, "stick": 37, "clap": 39, "hat": 42, "pedal": 44, "openhat": 46, "tom3": 43, "tom2": 47,
    "tom1": 50, "crash": 49, "ride": 51, "bell": 53, "tamb": 54, "cowbell": 56, "shaker": 70, "conga": 63,
    "conga2": 64, "clave": 75, "brush": 38,
}  # fmt: skip
_ACCENTS = {"X": 1, "x": 0, "o": -2}
_CYMBAL_FREE = frozenset({"bossa", "folk", "jig", "ambient", "brushes", "lofi", "reggae"})


def family_of(plan: Plan, catalogue: Catalogue) -> GrooveFamily:
    assert plan.groove is not None
    return catalogue.grooves[plan.groove]


def kick_row(plan: Plan, catalogue: Catalogue, level: int) -> list[bool]:
    """Where the kick falls in a bar, by sixteenths: what a locked bass follows. Without drums, the beats."""
    steps = plan.brief.meter.bar // SIXTEENTH
    if plan.groove is None:
        heads = {onset // SIXTEENTH for onset, _ in beats(plan.brief.meter)}
        return [step in heads for step in range(steps)]
    family = family_of(plan, catalogue)
    row = family.grooves[min(level, len(family.grooves) - 1)].get("kick", "x" + "." * 15)
    return [sign in "xXo" for sign in adapted(row, family.meter, plan.brief.meter)]


def drums(plan: Plan, catalogue: Catalogue) -> tuple[Note, ...]:
    """The drum part. Notes last a sixteenth; `accent` marks ghosts and accents."""
    family = family_of(plan, catalogue)
    rng = generator(plan.seed, "drums")
    m = plan.brief.meter
    notes: list[Note] = []
    for bar in range(plan.brief.bars):
        section = section_at(plan.sections, bar)
        if bar == plan.brief.bars - 1 and not plan.feel.fade:
            notes += _end(bar * m.bar, plan)
            continue
        level = _level(section, bar, plan)
        if level is None:
            continue
        hits = _groove(family, level, m, bar * m.bar, rng)
        if len(set(m.grouping)) > 1:
            hits = _grouped(hits, m, bar * m.bar, rng)
        if plan.brief.feel == "half time":
            hits = _half_time(hits, m, bar * m.bar)
        if _leads_on(section, bar, plan):
            hits = _filled(hits, family, section, m, bar * m.bar, rng)
        if bar == section.bar and bar > 0 and plan.groove not in _CYMBAL_FREE and section.energy >= 0.5:
            hits.append(Note(bar * m.bar, SIXTEENTH, KEYS["crash"], 0, 0))
        notes += hits
    return without_overlap(tuple(notes))


def _level(section: Section, bar: int, plan: Plan) -> int | None:
    """0 to 2; None where the drums wait: the first half of a quiet intro."""
    if section.name == "intro" and bar < section.bar + section.bars // 2 and section.energy < 0.4:
        return None
    if plan.brief.density == "sparse":
        return 0
    return level_of(section.energy)


def _groove(family: GrooveFamily, level: int, m: Meter, start: int, rng: random.Random) -> list[Note]:
    groove = family.grooves[min(level, len(family.grooves) - 1)]
    hits = []
    for name, row in groove.items():
        for step, sign in enumerate(adapted(row, family.meter, m)):
            if sign not in _ACCENTS:
                continue
            lone = name in ("hat", "shaker", "tamb") and step % 4 != 0
            if lone and chance(rng, 0.05):
                continue  # a hit left out now and then
            hits.append(Note(start + step * SIXTEENTH, SIXTEENTH, KEYS[name], 0, _ACCENTS[sign]))
    if level > 0 and "snare" in groove and chance(rng, 0.18):
        ghost = rng.choice((7, 9, 15)) * SIXTEENTH
        if ghost < m.bar and not any(n.pitch == KEYS["snare"] and n.onset == start + ghost for n in hits):
            hits.append(Note(start + ghost, SIXTEENTH, KEYS["snare"], 0, -2))
    return hits


_BACKS = frozenset({KEYS["snare"], KEYS["stick"], KEYS["clap"]})
_STRUCK = _BACKS | {KEYS[name] for name in ("kick", "tom1", "tom2", "tom3")}


def _grouped(hits: list[Note], m: Meter, start: int, rng: random.Random) -> list[Note]:
    """The heads of unequal groups stand out: struck, accented, and the strokes between them fewer and softer."""
    heads = {start + onset for onset in group_onsets(m)}
    kept = []
    for note in hits:
        if note.pitch not in _STRUCK:
            kept.append(note)
        elif note.onset in heads:
            kept.append(replace(note, accent=min(2, max(1, note.accent + 1))))
        elif chance(rng, 0.5):
            kept.append(replace(note, accent=-2))
    struck = {note.onset for note in kept if note.pitch in _STRUCK}
    kept += [Note(head, SIXTEENTH, KEYS["kick"], 0, 1) for head in sorted(heads - struck)]
    return kept


def _half_time(hits: list[Note], m: Meter, start: int) -> list[Note]:
    """One back-beat in the middle of the bar instead of two."""
    middle = start + m.bar // 2
    rest = [note for note in hits if note.pitch not in _BACKS or note.accent < 0]
    backs = [note.pitch for note in hits if note.pitch in _BACKS and note.accent >= 0]
    rest = [note for note in rest if not (note.pitch == KEYS["kick"] and note.onset == middle)]
    return [*rest, Note(middle, SIXTEENTH, backs[0] if backs else KEYS["snare"], 0, 1)]


def _leads_on(section: Section, bar: int, plan: Plan) -> bool:
    """The last bar before another section."""
    return bar == section.bar + section.bars - 1 and bar < plan.brief.bars - 1


def _filled(
    hits: list[Note], family: GrooveFamily, section: Section, m: Meter, start: int, rng: random.Random
) -> list[Note]:
    """A fill over the end of the bar; the kick goes on beneath it."""
    fill = family.fills[min(level_of(section.energy), len(family.fills) - 1)]
    if chance(rng, 0.4):
        fill = rng.choice(family.fills)
    new = []
    for name, row in fill.items():
        # A fill belongs at the bar's end, whatever its meter.
        fitted = row[-(m.bar // SIXTEENTH) :].rjust(m.bar // SIXTEENTH, ".")
        new += [
            Note(start + step * SIXTEENTH, SIXTEENTH, KEYS[name], 0, _ACCENTS[sign])
            for step, sign in enumerate(fitted)
            if sign in _ACCENTS
        ]
    if not new:
        return hits
    first = min(note.onset for note in new)
    kept = [n for n in hits if n.onset < first or n.pitch in (KEYS["kick"], KEYS["pedal"])]
    grown = [
        replace(note, accent=min(2, note.accent + (1 if i >= len(new) - 2 else 0)))
        for i, note in enumerate(sorted(new))
    ]
    return [*kept, *grown]


def _end(start: int, plan: Plan) -> list[Note]:
    """The last bar: one stroke together, and silence."""
    soft = plan.groove in _CYMBAL_FREE
    last = Note(start, SIXTEENTH, KEYS["ride" if soft else "crash"], 0, 0)
    return [Note(start, SIXTEENTH, KEYS["kick"], 0, 0), last]
