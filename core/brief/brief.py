"""The brief: what a song is to be, and which of it was asked for.

`Ask` holds only what the words said; `Brief` is complete, and names the fields that were asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from core.music.keys import Key
from core.music.meter import Meter


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the listener should be told: the id of a sentence in the catalogues, and its values."""

    code: str
    values: tuple[tuple[str, str], ...] = ()


def remark(code: str, **values: object) -> Remark:
    return Remark(code, tuple((key, str(value)) for key, value in values.items()))


@dataclass(frozen=True, slots=True)
class PartAsk:
    """An instrument asked for by name (or None: any), its role and its manner if they were said.

    manner: `sparse` (only now and then), `octaves`, `own` (a tune of its own) or `held`.
    """

    instrument: str | None = None
    role: str | None = None
    manner: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """What the words of one message asked for; None and empty mean that they left it open."""

    genres: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    tonic: int | None = None
    mode: str | None = None
    tempo: float | None = None
    meter: Meter | None = None
    bars: int | None = None
    seconds: float | None = None
    form: str | None = None
    sections: tuple[str, ...] = ()
    ensemble: str | None = None
    exact: bool = False  # the instruments named are all that play ("for oboe and harp")
    parts: tuple[PartAsk, ...] = ()
    excluded: tuple[str, ...] = ()
    ending: str | None = None
    feel: str | None = None
    density: str | None = None
    effects: bool | None = None  # False: without the style's sound effects
    title: str | None = None
    remarks: tuple[Remark, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing musical was said at all."""
        return replace(self, remarks=(), title=None) == Ask()

    def over(self, earlier: Ask) -> Ask:
        """What holds after a second message: its own words, and the earlier ones where it is silent."""
        merged: dict[str, Any] = {}
        for field in fields(Ask):
            value = getattr(self, field.name)
            silent = value is None or value == () or (value is False and field.name == "exact")
            merged[field.name] = getattr(earlier, field.name) if silent else value
        merged["remarks"] = self.remarks
        if self.bars or self.seconds:
            merged["bars"], merged["seconds"] = self.bars, self.seconds
        return Ask(**merged)


@dataclass(frozen=True, slots=True)
class PartPlan:
    """A part that will sound: its role, its instrument (a name in config/instruments.yaml), and its manner."""

    role: str
    instrument: str
    manner: str | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """Complete. `asked` names the fields that the words decided; the rest was inferred."""

    text: str
    ask: Ask
    genre: str
    colour: tuple[str, ...]  # further genres, which colour the first
    moods: tuple[str, ...]
    key: Key
    tempo: float
    meter: Meter
    bars: int
    form: str
    parts: tuple[PartPlan, ...]
    ending: str
    feel: str
    density: str
    title: str
    asked: frozenset[str]
    remarks: tuple[Remark, ...] = ()
    source: str = ""  # abc, midi or musicxml, where somebody brought the song

    def has(self, role: str) -> bool:
        return any(part.role == role for part in self.parts)

    def instrument(self, role: str) -> str:
        """Who plays that role. Raises LookupError where nobody does."""
        for part in self.parts:
            if part.role == role:
                return part.instrument
        raise LookupError(role)
