"""The closed list of edits. Each names what changes; what it does not name stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SetTempo:
    """Quarters a minute."""

    tempo: float


@dataclass(frozen=True, slots=True)
class ScaleTempo:
    factor: float


@dataclass(frozen=True, slots=True)
class ChangeTempo:
    """Quarters a minute more, or fewer where negative."""

    by: float


@dataclass(frozen=True, slots=True)
class SetKey:
    """Another tonic, mode or both (None: as it is). The melody keeps its shape."""

    tonic: int | None = None
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class Transpose:
    semitones: int


@dataclass(frozen=True, slots=True)
class SetMeter:
    """Every note is kept; the bar lines move."""

    numerator: int
    denominator: int
    grouping: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SetBars:
    """Longer by repeating, shorter by leaving out; the ending stays."""

    bars: int


@dataclass(frozen=True, slots=True)
class ChangeBars:
    """Bars more, or fewer where negative."""

    by: int


@dataclass(frozen=True, slots=True)
class AddSection:
    """A new section of that kind, before the last one."""

    kind: str


@dataclass(frozen=True, slots=True)
class DropSection:
    kind: str


@dataclass(frozen=True, slots=True)
class SetInstrument:
    """Gives a role to another instrument."""

    role: str
    instrument: str


@dataclass(frozen=True, slots=True)
class Mute:
    role: str


@dataclass(frozen=True, slots=True)
class BringBack:
    """A muted part sounds again; one that never was is written."""

    role: str


@dataclass(frozen=True, slots=True)
class AddPart:
    """One more voice, above or below the melody: of its own, answering in its rests, or doubling it."""

    instrument: str
    above: bool = False
    manner: Literal["own", "answering", "doubling"] = "own"


@dataclass(frozen=True, slots=True)
class Density:
    """More notes or fewer, in the melody or another role."""

    more: bool
    role: str = "melody"


@dataclass(frozen=True, slots=True)
class Register:
    """A part, whole octaves higher or lower."""

    role: str
    octaves: int


@dataclass(frozen=True, slots=True)
class Reharmonise:
    """Other chords in the same key under the same melody."""

    way: Literal["simpler", "richer", "tenser"]


@dataclass(frozen=True, slots=True)
class SetEnding:
    ending: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The second half of each section answers its first half."""


@dataclass(frozen=True, slots=True)
class BuildFrom:
    """From this bar (from 1) on the band grows fuller and louder."""

    bar: int


@dataclass(frozen=True, slots=True)
class Redo:
    """The melody of these bars (from 1, both included) is sung anew."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Vary:
    """The melody plays about itself; harmony and form stay."""


@dataclass(frozen=True, slots=True)
class SetSwing:
    """Where the off-beat falls: .5 straight to .67."""

    swing: float


@dataclass(frozen=True, slots=True)
class HalfTime:
    """One back-beat in the middle of the bar."""


@dataclass(frozen=True, slots=True)
class Humanise:
    """Less machine-like (or more, where negative)."""

    by: float


@dataclass(frozen=True, slots=True)
class Dynamics:
    """Louder or softer by so many decibels, or growing from the first section to the last."""

    decibels: float
    growing: bool = False


@dataclass(frozen=True, slots=True)
class Volume:
    """One part louder or softer against the others, by decibels."""

    role: str
    decibels: float


@dataclass(frozen=True, slots=True)
class SetEffects:
    """The style's sound effects on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetTitle:
    title: str


Edit = (
    SetTempo | ScaleTempo | ChangeTempo | SetKey | Transpose | SetMeter | SetBars | ChangeBars | AddSection
    | DropSection | SetInstrument | Mute | BringBack | AddPart | Density | Register | Reharmonise | SetEnding | Answer
    | BuildFrom | Redo | Vary | SetSwing | HalfTime | Humanise | Dynamics | Volume | SetEffects | SetTitle
)  # fmt: skip


class Inapplicable(Exception):
    """An edit that cannot be applied; nothing has changed. `code` names the sentence that says why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, {key: str(value) for key, value in values.items()}
