"""Edits: instant functions on a score. What an edit does not name stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from core.brief.brief import Brief, PartPlan
from core.music import pitch
from core.music.arrangement import folded
from core.music.catalogue import Catalogue
from core.music.chords import QUALITIES, Chord
from core.music.keys import Key, writable
from core.music.score import Note, Part, Score

TEMPO_LIMITS = (30.0, 300.0)


@dataclass(frozen=True, slots=True)
class SetTempo:
    """Quarters a minute."""

    tempo: float


@dataclass(frozen=True, slots=True)
class ScaleTempo:
    factor: float


@dataclass(frozen=True, slots=True)
class SetKey:
    """Another tonic, mode or both (None: as it is). The melody keeps its shape."""

    tonic: int | None = None
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class Transpose:
    semitones: int


@dataclass(frozen=True, slots=True)
class SetInstrument:
    """Gives a role to another instrument."""

    role: str
    instrument: str


@dataclass(frozen=True, slots=True)
class Mute:
    role: str


@dataclass(frozen=True, slots=True)
class SetTitle:
    title: str


Edit = SetTempo | ScaleTempo | SetKey | Transpose | SetInstrument | Mute | SetTitle


class Inapplicable(Exception):
    """An edit that cannot be applied; nothing has changed. `code` names the sentence that says why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, {key: str(value) for key, value in values.items()}


def apply(edit: Edit, score: Score, brief: Brief, catalogue: Catalogue) -> tuple[Score, Brief]:
    """The edited score with the brief that now describes it. Raises Inapplicable."""
    match edit:
        case SetTempo(tempo):
            return _tempo(tempo, score, brief)
        case ScaleTempo(factor):
            return _tempo(round(score.tempo * factor), score, brief)
        case SetKey(tonic, mode):
            key = Key(score.key.tonic if tonic is None else tonic, mode or score.key.mode)
            return _key(writable(key), score, brief, catalogue)
        case Transpose(semitones):
            return _transposed(semitones, score, brief, catalogue)
        case SetInstrument(role, instrument):
            return _instrument(role, instrument, score, brief, catalogue)
        case Mute(role):
            return _muted(role, score, brief)
        case SetTitle(title):
            return replace(score, title=title), replace(brief, title=title)
        case _:
            assert_never(edit)


def _tempo(tempo: float, score: Score, brief: Brief) -> tuple[Score, Brief]:
    kept = float(min(max(tempo, TEMPO_LIMITS[0]), TEMPO_LIMITS[1]))
    if kept == score.tempo:
        raise Inapplicable("edit-same-tempo", tempo=f"{kept:g}")
    return replace(score, tempo=kept), replace(brief, tempo=kept, asked=brief.asked | {"tempo"})


def _key(key: Key, score: Score, brief: Brief, catalogue: Catalogue) -> tuple[Score, Brief]:
    """Every note moves with its degree; what lies outside the scale moves with the tonic."""
    if key == score.key:
        raise Inapplicable("edit-same-key")
    old = score.key
    shift = (pitch.pitch_class(key.tonic) - pitch.pitch_class(old.tonic)) % 12
    shift = shift - 12 if shift > 6 else shift
    steps = _degree_map(old, key)

    def moved(tpc: int) -> int:
        return key.tonic + steps.get(tpc - old.tonic, tpc - old.tonic)

    def note(each: Note) -> Note:
        new = moved(each.tpc)
        target = each.pitch + shift
        return replace(each, pitch=pitch.nearest(pitch.pitch_class(new), target), tpc=new)

    changed = _pitched(score, note, catalogue)
    chords = tuple(replace(span, chord=_moved_chord(span.chord, moved)) for span in score.chords)
    return replace(changed, key=key, chords=chords), replace(brief, key=key, asked=brief.asked | {"key"})


def _degree_map(old: Key, new: Key) -> dict[int, int]:
    """Fifths above the old tonic -> fifths above the new one, degree for degree; five-note scales map whole."""
    if old.mode == new.mode:
        return {}
    heptatonic = len(old.info.steps) == 7 and len(new.info.steps) == 7
    if heptatonic:
        return dict(zip(old.info.steps, new.info.steps, strict=True))
    return dict(zip((t - old.tonic for t in old.harmony), (t - new.tonic for t in new.harmony), strict=True))


def _moved_chord(chord: Chord, moved: Callable[[int], int]) -> Chord:
    """The chord of the moved tones; its own quality on the moved root where the tones spell none we know."""
    root = moved(chord.root)
    tones = tuple(moved(tone) - root for tone in chord.tones)
    quality = next((name for name, (steps, _) in QUALITIES.items() if steps == tones), chord.quality)
    return Chord(root, quality, None if chord.bass is None else moved(chord.bass))


def _transposed(semitones: int, score: Score, brief: Brief, catalogue: Catalogue) -> tuple[Score, Brief]:
    if semitones % 12 == 0:
        changed = _pitched(score, lambda n: replace(n, pitch=n.pitch + semitones), catalogue)
        return changed, brief
    fifths = semitones * 7 % 12
    wanted = Key(score.key.tonic + (fifths - 12 if fifths > 6 else fifths), score.key.mode)
    return _key(writable(wanted), score, brief, catalogue)


def _pitched(score: Score, change: Callable[[Note], Note], catalogue: Catalogue) -> Score:
    """Every pitched part changed and kept inside its instrument's range."""
    return replace(
        score,
        parts=tuple(p if p.drums else _in_range(p, tuple(map(change, p.notes)), catalogue) for p in score.parts),
    )


def _in_range(part: Part, notes: tuple[Note, ...], catalogue: Catalogue) -> Part:
    instrument = catalogue.instruments.get(part.instrument)
    if instrument is None:
        return replace(part, notes=notes)
    low, high = instrument.low, instrument.high
    # A whole line moves by octaves first, so that its shape stays; single notes only where it is too wide.
    pitches = [note.pitch for note in notes]
    shift = 0
    while pitches and min(pitches) + shift < low and max(pitches) + shift + 12 <= high:
        shift += 12
    while pitches and max(pitches) + shift > high and min(pitches) + shift - 12 >= low:
        shift -= 12
    moved = (replace(note, pitch=note.pitch + shift) for note in notes)
    return replace(part, notes=tuple(sorted(folded(note, low, high) for note in moved)))


def _instrument(role: str, name: str, score: Score, brief: Brief, catalogue: Catalogue) -> tuple[Score, Brief]:
    part = score.part(role)
    if part is None:
        raise Inapplicable("edit-no-part")
    if part.instrument == name:
        raise Inapplicable("edit-same-instrument")
    instrument = catalogue.instruments[name]
    label = instrument.en[0].title()
    taken = {other.name for other in score.parts if other != part}
    label = next(n for n in (label, *(f"{label} {i}" for i in range(2, 20))) if n not in taken)
    new = _in_range(replace(part, name=label, program=instrument.program, instrument=name), part.notes, catalogue)
    parts = tuple(new if old == part else old for old in score.parts)
    plans = tuple(PartPlan(role, name) if p.role == role else p for p in brief.parts)
    return replace(score, parts=parts), replace(brief, parts=plans, asked=brief.asked | {"parts"})


def _muted(role: str, score: Score, brief: Brief) -> tuple[Score, Brief]:
    part = score.part(role)
    if part is None or part.muted:
        raise Inapplicable("edit-no-part")
    if len(score.sounding) <= 1:
        raise Inapplicable("edit-last-part")
    parts = tuple(replace(old, muted=True) if old.role == role else old for old in score.parts)
    plans = tuple(p for p in brief.parts if p.role != role)
    return replace(score, parts=parts), replace(brief, parts=plans, asked=brief.asked | {"parts"})
