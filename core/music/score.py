"""The score: one immutable value that every file and picture is derived from.

It holds NOTATED time in ticks (`meter.QUARTER` to a quarter). What a player adds to it (swing,
velocity, small timing) is computed by `core.music.feel`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

from core.music.chords import Chord
from core.music.keys import Key
from core.music.meter import QUARTER, Meter


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """`pitch` is a MIDI number; for drums, a General MIDI percussion key. `tpc` is its spelling."""

    onset: int
    duration: int
    pitch: int
    tpc: int = 0
    accent: int = 0  # -2 (ghost) … 2

    @property
    def end(self) -> int:
        return self.onset + self.duration


@dataclass(frozen=True, slots=True)
class Part:
    """`role`: melody, counter, harmony, chords, pad, bass or drums. `program`: General MIDI from 0."""

    name: str
    role: str
    program: int
    notes: tuple[Note, ...]
    instrument: str = ""  # the instrument's name in config/instruments.yaml
    gain: float = 0.0  # dB against the balance of its role
    muted: bool = False
    lyrics: tuple[tuple[int, str], ...] = ()  # onset of a note, its syllable

    @property
    def drums(self) -> bool:
        return self.role == "drums"


@dataclass(frozen=True, slots=True)
class ChordSpan:
    """A chord and where it sounds."""

    onset: int
    duration: int
    chord: Chord

    @property
    def end(self) -> int:
        return self.onset + self.duration


@dataclass(frozen=True, slots=True)
class Section:
    """`label` names the material (two A's share theirs); `energy` runs from 0 to 1."""

    name: str
    label: str
    bar: int
    bars: int
    energy: float

    @property
    def kind_is_body(self) -> bool:
        return self.name not in ("intro", "outro")


@dataclass(frozen=True, slots=True)
class Feel:
    """How the band plays.

    swing: where the off-beat falls in its pair, .5 straight to .67 triplet; swing_unit: ticks of one
    of the pair (an eighth or a sixteenth). laid_back: seconds by which snare, chords and melody come
    late. humanise: 0 machine-like to 1. dynamics: dB added per section, by index.
    """

    swing: float = 0.5
    swing_unit: int = 2520
    laid_back: float = 0.0
    humanise: float = 0.5
    dynamics: tuple[float, ...] = ()
    fade: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What is other from that tick on; None where it stays. A meter changes at a bar line alone."""

    onset: int
    meter: Meter | None = None
    key: Key | None = None
    tempo: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """`tempo` counts quarters a minute. `bars` is the length of every part, see `core.music.grid`.

    `key`, `meter` and `tempo` are those at the beginning; `changes` come after it, in order. `pickup`: ticks of an
    anacrusis, which ends the first bar; what lies before it in that bar is silent and not written.
    """

    title: str
    key: Key
    meter: Meter
    tempo: float
    bars: int
    sections: tuple[Section, ...]
    chords: tuple[ChordSpan, ...]
    parts: tuple[Part, ...]
    feel: Feel
    seed: int
    genre: str = ""
    effects: bool = True  # whether the chain below is on
    chain: tuple[tuple[str, float], ...] = ()  # the style's sound effects, see core.audio.effects
    changes: tuple[Change, ...] = ()
    pickup: int = 0

    @property
    def length(self) -> int:
        """Ticks."""
        steps = [(self.meter, 0), *((c.meter, c.onset) for c in self.changes if c.meter)]
        bars, length = self.bars, 0
        for (meter, start), (_, end) in pairwise(steps):
            bars -= (end - start) // meter.bar
            length = end
        return length + bars * steps[-1][0].bar

    @property
    def pickup_onset(self) -> int:
        """The tick at which the writing begins: 0 without a pickup."""
        return self.meter.bar - self.pickup if self.pickup else 0

    @property
    def seconds(self) -> float:
        return self.seconds_at(self.length)

    def seconds_at(self, tick: float) -> float:
        """When that tick sounds, in seconds from the beginning, through every change of tempo."""
        now, since, tempo = 0.0, 0, self.tempo
        for change in self.changes:
            if change.tempo and change.onset < tick:
                now += (change.onset - since) / QUARTER * 60 / tempo
                since, tempo = change.onset, change.tempo
        return now + (tick - since) / QUARTER * 60 / tempo

    @property
    def even(self) -> bool:
        """Whether one meter holds throughout."""
        return not any(change.meter for change in self.changes)

    @property
    def chord_marks(self) -> dict[int, str]:
        """Chord symbols by onset; `N.C.` where one ends before the next begins."""
        marks = {span.end: "N.C." for span in self.chords if span.end < self.length}
        return marks | {span.onset: span.chord.symbol for span in self.chords}

    def key_at(self, tick: int) -> Key:
        key = self.key
        for change in self.changes:
            if change.key and change.onset <= tick:
                key = change.key
        return key

    @property
    def sounding(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.notes and not part.muted)

    def part(self, role: str) -> Part | None:
        return next((part for part in self.parts if part.role == role), None)

    def with_part(self, new: Part) -> Score:
        """The same score with the part of that name replaced."""
        return replace(self, parts=tuple(new if old.name == new.name else old for old in self.parts))


def chord_at(chords: tuple[ChordSpan, ...], tick: int) -> ChordSpan:
    """The chord that sounds at a tick; the first one before the song begins."""
    low, high = 0, len(chords)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if chords[middle].onset <= tick else (low, middle)
    return chords[low]


def section_at(sections: tuple[Section, ...], bar: int) -> Section:
    return next((s for s in sections if s.bar <= bar < s.bar + s.bars), sections[-1])


def numbered(name: str, taken: Collection[str]) -> str:
    """The name, with the first number that makes it another than those taken: `Violin 2`."""
    if name not in taken:
        return name
    return next(f"{name} {n}" for n in itertools.count(2) if f"{name} {n}" not in taken)


def without_overlap(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Notes in order, each ending before the same pitch is struck again."""
    by_pitch: dict[int, list[Note]] = {}
    for note in sorted(notes):
        by_pitch.setdefault(note.pitch, []).append(note)
    clean: list[Note] = []
    for same in by_pitch.values():
        for note, following in pairwise(same):
            if following.onset > note.onset:
                clean.append(replace(note, duration=min(note.duration, following.onset - note.onset)))
        clean.append(same[-1])
    return tuple(sorted(clean))
