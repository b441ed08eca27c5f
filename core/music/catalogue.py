"""What the composer may choose from: styles, moods, forms, instruments, loops, grooves. Data, read once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

STRICT = ConfigDict(extra="forbid")
Weights = dict[str, Annotated[float, Field(ge=0)]]
Share = Annotated[float, Field(ge=0, le=1)]
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HarmonyStyle:
    """`sevenths`: share of chords that carry one; `changes`: chords a bar; `cadences`: weights."""

    progressions: str
    sevenths: Share
    changes: Annotated[float, Field(gt=0, le=4)]
    cadences: dict[Literal["authentic", "plagal", "open"], float]
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class FeelStyle:
    """`swing`: where the off-beat falls, .5 to .67; `unit`: 8 or 16; `laid_back`: seconds."""

    swing: Range
    unit: Literal[8, 16]
    laid_back: float
    humanise: Share
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class MelodyStyle:
    """`reference`: whose rhythms and intervals; `density`: notes a beat; `rests`: share of time."""

    reference: Literal["leadsheets", "pop", "folk"]
    density: Share
    rests: Share
    syncopation: Share
    instruments: Weights
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class AccompanimentStyle:
    figures: tuple[str, ...]
    instruments: Weights
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class Style:
    """A genre. `modifier`: it colours another genre named beside it instead of replacing it."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    tempo: Range
    modes: Weights
    meters: Weights
    forms: Weights
    bars: int
    harmony: HarmonyStyle
    feel: FeelStyle
    melody: MelodyStyle
    chords: AccompanimentStyle
    bass: AccompanimentStyle
    drums: str
    effects: dict[str, float]
    modifier: bool = False
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class Mood:
    """What a mood does where the words left things open; see config/moods.yaml."""

    mode: Weights
    tempo: Share
    energy: float
    register: int
    en: tuple[str, ...]
    zh: tuple[str, ...]
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class Form:
    """`sections`: (kind, material label, bars, energy) at natural length; `unit`: bars kept together."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    sections: tuple[tuple[str, str, int, float], ...]
    unit: int = 4
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class Instrument:
    """`low` to `high` is what it can play, `usual_low` to `usual_high` where it sounds best (MIDI)."""

    name: str
    program: int
    low: int
    high: int
    usual_low: int
    usual_high: int
    family: str
    en: tuple[str, ...]
    zh: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GrooveFamily:
    """Drum grooves from sparse to full, and fills: instrument -> a bar of sixteenths."""

    kit: int
    grooves: tuple[dict[str, str], ...]
    fills: tuple[dict[str, str], ...]
    meter: str = "4/4"
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class Accompaniment:
    """Figures by name, from calm to busy; `*_in` holds those written for another meter."""

    comping: dict[str, tuple[str, ...]]
    comping_in: dict[str, dict[str, tuple[str, ...]]]
    bass: dict[str, tuple[str, ...]]
    bass_in: dict[str, dict[str, tuple[str, ...]]]
    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts from real songs: reference -> meter -> onsets of a bar; reference -> interval."""

    source: str
    rhythms: dict[str, dict[str, dict[str, int]]]
    intervals: dict[str, dict[int, int]]
    degrees: dict[str, dict[str, dict[int, float]]]
    __pydantic_config__ = STRICT


Loops = dict[str, list[str]]  # kind of section -> progressions


@dataclass(frozen=True, slots=True)
class Catalogue:
    styles: dict[str, Style]
    moods: dict[str, Mood]
    forms: dict[str, Form]
    instruments: dict[str, Instrument]
    progressions: dict[str, dict[str, Loops]]
    twelve_bar: dict[str, list[str]]
    grooves: dict[str, GrooveFamily]
    accompaniment: Accompaniment
    statistics: Statistics
    titles: dict[str, dict[str, list[str]]] = field(default_factory=dict)


class CatalogueError(ValueError):
    """Data that cannot be used: the file's name, the place in it, and why."""

    def __init__(self, file: str, place: tuple[object, ...], reason: str) -> None:
        super().__init__(f"{file}: {'.'.join(map(str, place))}: {reason}")
        self.file, self.place, self.reason = file, place, reason


def _validated(adapter: TypeAdapter[Any], value: object, file: str) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise CatalogueError(file, first["loc"], first["msg"]) from None


def read_style(name: str, value: object) -> Style:
    """A style from its file's content. Raises CatalogueError."""
    style: Style = _validated(TypeAdapter(Style), value, f"styles/{name}.yaml")
    return style


def read_catalogue(files: Mapping[str, Any]) -> Catalogue:
    """The catalogue from the parsed content of config's files, by name without ending.

    `styles` maps a genre's name to its file's content. Raises CatalogueError naming file and place.
    """

    def read(name: str, type_: Any) -> Any:
        return _validated(TypeAdapter(type_), files[name], f"{name}.yaml")

    rows: dict[str, list[Any]] = files["instruments"]
    styles: dict[str, object] = files["styles"]
    loops: dict[str, Any] = dict(files["progressions"])
    found = Catalogue(
        styles={name: read_style(name, value) for name, value in styles.items()},
        moods=read("moods", dict[str, Mood]),
        forms=read("forms", dict[str, Form]),
        instruments={name: _instrument(name, row) for name, row in rows.items()},
        twelve_bar=loops.pop("twelve_bar"),
        progressions=loops,
        grooves=read("grooves", dict[str, GrooveFamily]),
        accompaniment=read("accompaniment", Accompaniment),
        statistics=read("statistics", Statistics),
        titles=files["titles"],
    )
    for name, style in found.styles.items():
        _check_references(name, style, found)
    return found


def _instrument(name: str, row: list[Any]) -> Instrument:
    program, low, high, usual_low, usual_high, family, english, chinese = row
    return Instrument(name, program, low, high, usual_low, usual_high, family, tuple(english), tuple(chinese))


def _check_references(name: str, style: Style, found: Catalogue) -> None:
    """Every name a style mentions must exist. Raises CatalogueError."""
    known: list[tuple[tuple[object, ...], Iterable[str], Container[str]]] = [
        (("harmony", "progressions"), [style.harmony.progressions], found.progressions),
        (("forms",), style.forms, found.forms),
        (("chords", "figures"), style.chords.figures, found.accompaniment.comping),
        (("bass", "figures"), style.bass.figures, found.accompaniment.bass),
        (("drums",), [style.drums], {**found.grooves, "none": None}),
        (("melody", "instruments"), style.melody.instruments, found.instruments),
        (("chords", "instruments"), style.chords.instruments, found.instruments),
        (("bass", "instruments"), style.bass.instruments, found.instruments),
    ]
    for place, used, existing in known:
        for word in used:
            if word not in existing:
                raise CatalogueError(f"styles/{name}.yaml", place, f"there is no {word!r}")
    if style.tempo[0] > style.tempo[1]:
        raise CatalogueError(f"styles/{name}.yaml", ("tempo",), "the first number must not be the larger")
