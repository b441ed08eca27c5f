"""A song on the bench: its score, the brief that describes it, and what rewriting a part needs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.brief.brief import Brief, PartPlan
from core.music import bass, grooves
from core.music.arrangement import folded, one_voice
from core.music.catalogue import Catalogue
from core.music.comping import comp, voicings
from core.music.plan import Plan, plan
from core.music.score import Note, Part, Score, without_overlap


@dataclass(frozen=True, slots=True)
class Song:
    """`seed` is the edit's own chance: the same edit of the same song with the same seed gives the same."""

    score: Score
    brief: Brief
    catalogue: Catalogue
    seed: int

    def changed(self, score: Score, **brief: object) -> Song:
        """With another score; the brief keeps in step with what both of them say."""
        same = {
            "key": score.key, "tempo": score.tempo, "meter": score.meter, "bars": score.bars, "title": score.title,
        }  # fmt: skip
        return replace(self, score=score, brief=replace(self.brief, **{**same, **brief}))  # type: ignore[arg-type]

    @property
    def plan(self) -> Plan:
        """The plan that the score as it stands would come from."""
        planned = plan(self.brief, self.catalogue, self.score.seed)
        return replace(planned, sections=self.score.sections, feel=self.score.feel)

    @property
    def melody(self) -> tuple[Note, ...]:
        part = self.score.part("melody")
        return part.notes if part else ()

    def with_part(self, role: str, notes: tuple[Note, ...]) -> Song:
        """With other notes in the part of that role, kept inside its instrument's range."""
        part = self.score.part(role)
        if part is None:
            return self
        return self.changed(self.score.with_part(in_range(part, notes, self.catalogue)))

    def rewritten(self, role: str) -> tuple[Note, ...]:
        """The part of that role as the band would write it for the score's chords and sections now."""
        planned, chords = self.plan, self.score.chords
        match role:
            case "bass":
                return bass.bass_line(planned, chords, self.catalogue, self.melody)
            case "drums":
                return grooves.drums(planned, self.catalogue) if planned.groove else ()
            case _:
                hand = voicings(planned, chords, self.catalogue, role)
                return one_voice(comp(planned, chords, hand, self.melody, self.catalogue))

    def accompanied(self, first: int = 0, last: int | None = None) -> Song:
        """Chords and bass written anew in the bars from `first` up to `last` (from 0; all by default)."""
        song, bar = self, self.score.meter.bar
        low, high = first * bar, (self.score.bars if last is None else last) * bar
        for role in ("chords", "bass"):
            part = song.score.part(role)
            if part is None or not song.brief.has(role):  # a muted part keeps what it had
                continue
            fresh = tuple(note for note in song.rewritten(role) if low <= note.onset < high)
            song = song.with_part(role, within(part.notes, fresh, low, high))
        return song

    def with_plan(self, role: str, instrument: str) -> Brief:
        """The brief with one more part, in score order."""
        return replace(self.brief, parts=(*self.brief.parts, PartPlan(role, instrument)))


def within(old: tuple[Note, ...], fresh: tuple[Note, ...], low: int, high: int) -> tuple[Note, ...]:
    """The old notes outside of a stretch, the fresh ones inside."""
    kept = [replace(n, duration=min(n.duration, low - n.onset)) for n in old if n.onset < low]
    return tuple(sorted([*kept, *fresh, *(n for n in old if n.onset >= high)]))


def in_range(part: Part, notes: tuple[Note, ...], catalogue: Catalogue) -> Part:
    """The part with these notes: the whole line by octaves first, so that its shape stays, then single notes."""
    instrument = catalogue.instruments.get(part.instrument)
    if instrument is None or part.drums or not notes:
        return replace(part, notes=tuple(sorted(notes)))
    low, high, shift = instrument.low, instrument.high, 0
    pitches = [note.pitch for note in notes]
    while min(pitches) + shift < low and max(pitches) + shift + 12 <= high:
        shift += 12
    while max(pitches) + shift > high and min(pitches) + shift - 12 >= low:
        shift -= 12
    moved = (folded(replace(note, pitch=note.pitch + shift), low, high) for note in notes)
    return replace(part, notes=without_overlap(tuple(moved)))
