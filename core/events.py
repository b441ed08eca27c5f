"""What the product says about a message, as it happens. Exactly one Done or Failed ends each message."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

State = Literal["started", "finished", "failed"]
Form = Literal["message", "notice", "menu", "page", "prompt", "files", "session", "silence"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """`place`: jobs before it in line; `usual` and `most`: seconds until it is there (p50, p90), None where unknown."""

    message: int
    place: int = 0
    usual: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the band's work. `note` is for the listener; `seconds` stands on finished and failed.

    `share`: how much of a started stage is done, 0 to 1, where that is known.
    """

    message: int
    stage: str
    state: State
    note: str = ""
    seconds: float | None = None
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Text:
    message: int
    delta: str


@dataclass(frozen=True, slots=True)
class Button:
    id: str
    label: str
    row: int = 0  # buttons of one row stand side by side


@dataclass(frozen=True, slots=True)
class Done:
    """`form`, where messages have buttons: a `message` of its own; a `notice` to who pressed one; the pressed message
    with other buttons (`menu`) or with other words too (`page`); a `prompt` that wants a reply; `files`
    alone; or a `session`: a place of its own for the song, opened by the link that is its
    text; or `silence`: it was not said to us.
    """

    message: int
    text: str
    piece: int | None = None
    version: int | None = None
    title: str | None = None
    brief: dict[str, object] | None = None
    rating: float | None = None
    files: dict[str, str] = field(default_factory=dict)
    buttons: tuple[Button, ...] = ()
    seconds: float = 0.0
    form: Form = "message"
    length: float | None = None  # seconds of music
    locale: str = ""  # the language it speaks
    private: str = ""  # what only the person may read, where others see the rest


@dataclass(frozen=True, slots=True)
class Failed:
    message: int
    code: str
    text: str


Event = Accepted | Stage | Text | Done | Failed
