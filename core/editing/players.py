"""Who plays: other instruments, parts muted, brought back, added, moved."""

from __future__ import annotations

from dataclasses import replace

from core.brief.arranging import MOST_PLAYERS
from core.brief.brief import PartPlan
from core.editing.edits import AddPart, Inapplicable
from core.editing.song import Song, in_range
from core.music.arrangement import one_voice
from core.music.counterpoint import counter
from core.music.score import Note, Part, numbered


def _named(instrument: str, song: Song, but: Part | None = None) -> str:
    label = song.catalogue.instruments[instrument].en[0].title()
    taken = {part.name for part in song.score.parts if part != but}
    return numbered(label, taken)


def with_instrument(song: Song, role: str, name: str) -> Song:
    part = song.score.part(role)
    if part is None or part.muted:
        raise Inapplicable("edit-no-part")
    if part.instrument == name:
        raise Inapplicable("edit-same-instrument")
    program = song.catalogue.instruments[name].program
    new = in_range(
        replace(part, name=_named(name, song, part), program=program, instrument=name), part.notes, song.catalogue
    )
    parts = tuple(new if old == part else old for old in song.score.parts)
    plans = tuple(PartPlan(role, name) if plan.role == role else plan for plan in song.brief.parts)
    return song.changed(replace(song.score, parts=parts), parts=plans, asked=song.brief.asked | {"parts"})


def muted(song: Song, role: str) -> Song:
    """`role` may be an instrument's name as well."""
    part = _part(song, role)
    if part is None or part.muted:
        raise Inapplicable("edit-no-part")
    if len(song.score.sounding) <= 1:
        raise Inapplicable("edit-last-part")
    parts = tuple(replace(old, muted=True) if old == part else old for old in song.score.parts)
    plans = tuple(
        plan for plan in song.brief.parts if (plan.role, plan.instrument) != (part.role, part.instrument or "drums")
    )
    return song.changed(replace(song.score, parts=parts), parts=plans, asked=song.brief.asked | {"parts"})


def _part(song: Song, name: str) -> Part | None:
    return song.score.part(name) or next((p for p in song.score.parts if p.instrument == name), None)


def brought_back(song: Song, role: str) -> Song:
    part = _part(song, role)
    if part is not None and not part.muted:
        raise Inapplicable("edit-already-plays")
    if part is not None:
        parts = tuple(replace(old, muted=False) if old == part else old for old in song.score.parts)
        plans = (*song.brief.parts, PartPlan(part.role, part.instrument or "drums"))
        return song.changed(replace(song.score, parts=parts), parts=plans)
    return _written(song, role)


def _written(song: Song, role: str) -> Song:
    """A part of the rhythm section that this song never had."""
    if role not in ("bass", "drums", "chords"):
        raise Inapplicable("edit-no-part")
    style = song.plan.style
    source = {"bass": style.bass, "chords": style.chords}.get(role)
    name = max(source.instruments, key=lambda n: source.instruments[n]) if source else "drums"
    with_plan = song.changed(song.score, parts=(*song.brief.parts, PartPlan(role, name)))
    notes = with_plan.rewritten(role)
    if not notes:
        raise Inapplicable("edit-no-part")
    if role == "drums":
        groove = with_plan.plan.groove
        part = Part("Drums", "drums", song.catalogue.grooves[groove].kit if groove else 0, notes, "drums")
    else:
        instrument = song.catalogue.instruments[name]
        part = in_range(Part(_named(name, song), role, instrument.program, (), name), notes, song.catalogue)
    return with_plan.changed(replace(song.score, parts=(*song.score.parts, part)))


def with_added(song: Song, edit: AddPart) -> Song:
    """One more voice against the melody, placed after it in the score."""
    melody = song.score.part("melody")
    if melody is None:
        raise Inapplicable("edit-no-part")
    if len(song.score.parts) >= MOST_PLAYERS:
        raise Inapplicable("edit-too-many-parts")
    role = next(r for r in ("counter", "harmony", "pad") if r == "pad" or song.score.part(r) is None)
    instrument = song.catalogue.instruments[edit.instrument]
    if edit.manner == "doubling":
        notes = melody.notes
    else:
        own = counter(
            song.plan, song.score.chords, (melody.notes,), instrument, "counter", song.catalogue, above=edit.above
        )
        notes = own if edit.manner == "own" else _in_rests(own, melody.notes, song)
    part = Part(_named(edit.instrument, song), role, instrument.program, (), edit.instrument)
    end = max(note.end for note in melody.notes)  # a song that was rebarred may stop before its last bar does
    notes = tuple(replace(n, duration=min(n.duration, end - n.onset)) for n in notes if n.onset < end)
    part = in_range(part, one_voice(notes), song.catalogue)
    parts = (song.score.parts[0], part, *song.score.parts[1:])
    plans = (*song.brief.parts[:1], PartPlan(role, edit.instrument), *song.brief.parts[1:])
    return song.changed(replace(song.score, parts=parts), parts=plans, asked=song.brief.asked | {"parts"})


def _in_rests(notes: tuple[Note, ...], melody: tuple[Note, ...], song: Song) -> tuple[Note, ...]:
    """Only where the melody is silent or holds a note: an answer. The last note stays, to end together."""
    beat = song.score.meter.unit
    busy = [(note.onset, min(note.end, note.onset + 2 * beat)) for note in melody]
    free = [n for n in notes if not any(low <= n.onset < high for low, high in busy)]
    return tuple(dict.fromkeys([*free, notes[-1]]))


def moved(song: Song, role: str, octaves: int) -> Song:
    """`role` may be an instrument's name as well."""
    part = _part(song, role)
    if part is None:
        raise Inapplicable("edit-no-part")
    shift = 12 * octaves
    instrument = song.catalogue.instruments.get(part.instrument)
    pitches = [note.pitch + shift for note in part.notes]
    if instrument is None or min(pitches) < instrument.low or max(pitches) > instrument.high:
        raise Inapplicable("edit-out-of-range")
    notes = tuple(replace(note, pitch=note.pitch + shift) for note in part.notes)
    return song.changed(song.score.with_part(replace(part, notes=notes)))


def with_volume(song: Song, role: str, decibels: float) -> Song:
    part = _part(song, role)
    if part is None:
        raise Inapplicable("edit-no-part")
    return song.changed(song.score.with_part(replace(part, gain=max(-18.0, min(12.0, part.gain + decibels)))))
