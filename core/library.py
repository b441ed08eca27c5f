"""Pieces and their versions: a song is a tree."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.brief.brief import Brief
from core.music.score import Score


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A rendered file: where it lies (from the folder of files), the SHA-256 of its content ("" where not stored), size
    and name.
    """

    path: str
    hash: str = ""
    size: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be kept. `piece` and `parent` are None where it begins a piece."""

    platform: str
    chat: str
    user: str
    message: int
    brief: Brief
    score: Score
    rating: float
    change: str  # what made it, in the listener's words: the request or the edit
    piece: int | None = None
    parent: int | None = None
    files: dict[str, KeptFile] = field(default_factory=dict)
    told: tuple[str, ...] = ()  # what its card says besides the facts
    by: str = ""  # what whoever asked for it is called
    shared: bool = False  # whether others in the chat may change a piece that it begins


@dataclass(frozen=True, slots=True)
class Version:
    """`number` counts a piece's versions from 1; `parent` is the number of the one it was made from.

    `owner`: who began the piece; `shared`: whether others in the chat may change it too.
    """

    piece: int
    number: int
    parent: int | None
    title: str
    brief: Brief
    score: Score
    rating: float
    change: str
    files: dict[str, KeptFile] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    by: str = ""
    owner: str = ""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """Files that no song needs any more: by their content, and where they lay."""

    hashes: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A line in the library."""

    id: int
    title: str
    versions: int
    message: int  # the card that shows its newest version
    summary: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of somebody on a platform. `locale`: the language they chose, None where each message decides."""

    name: str = ""
    locale: str | None = None
