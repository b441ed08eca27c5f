"""Every contract between the product and the outside, on one page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.events import Event
from core.library import NewVersion, Piece, Version
from core.messages import Message
from core.music.score import Score
from core.notation.assembling import Read

# What a song can be had as, in the order it is offered.
FORMATS = ("midi", "mp3", "wav", "stems", "musicxml", "abc", "score", "card")
DEFAULT_FORMATS = ("midi", "mp3", "musicxml", "abc", "score", "card")


@dataclass(frozen=True, slots=True)
class Face:
    """What a card and an MP3's tags say, in the listener's language."""

    title: str
    line: str  # key, tempo, meter, bars
    tail: str  # genre, moods, seed
    sections: tuple[str, ...]  # names, in order
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be made: which, the code of the sentence that says why, and its values."""

    format: str
    code: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """Files by format; further pages and stems have names like `score-2` and `stem-bass`."""

    files: dict[str, Path]
    problems: tuple[Problem, ...] = ()
    seconds: float | None = None  # length of the audio


class Renderer(Protocol):
    """Makes files from a score, outside the event loop."""

    async def render(self, score: Score, face: Face, formats: tuple[str, ...], folder: Path) -> Rendered:
        """All files whole and in place, or none of that format and a Problem. Raises DiskFull, UnwritableFolder."""
        ...


class Reader(Protocol):
    """Reads written music that people bring, outside the event loop, within limits of size and time."""

    async def read(self, source: Path | str) -> tuple[str, Read | str]:
        """The kind (abc, midi, musicxml or text) and the content of a file, or of ABC text.

        Raises UnreadableNotation.
        """
        ...


class Library(Protocol):
    """Chats, messages, pieces and their versions."""

    async def next_message(self, platform: str, chat: str) -> int:
        """The id of a new message: they count up from 1 in each chat."""
        ...

    async def next_request(self, platform: str, chat: str) -> int:
        """How many songs were asked for in the chat before this one."""
        ...

    async def begin_conversation(self, platform: str, chat: str, message: int) -> None:
        """Words that refer back reach no further than this message."""
        ...

    async def keep(self, new: NewVersion) -> Version:
        """Stores a version, and its piece where it begins one."""
        ...

    async def keep_files(self, version: Version, files: dict[str, str]) -> None: ...

    async def rename(self, piece: int, title: str) -> None: ...

    async def version_on(self, platform: str, chat: str, message: int) -> Version | None:
        """The version whose card is that message."""
        ...

    async def current(self, platform: str, chat: str) -> Version | None:
        """The version the conversation is about: the last card since it began."""
        ...

    async def version(self, piece: int, number: int, platform: str, chat: str) -> Version | None:
        """A version of a piece of that chat; None where the chat has no such piece."""
        ...

    async def show_again(self, version: Version, platform: str, chat: str, message: int) -> None:
        """That message now shows that version, and the conversation is about it."""
        ...

    async def pieces(self, platform: str, chat: str, most: int = 20) -> list[Piece]: ...

    async def react(self, platform: str, chat: str, message: int, user: str, emoji: str | None) -> bool:
        """Stores a reaction on a card, changes it, or takes it back; False where there is no such card."""
        ...


class Platform(Protocol):
    """Where people write. Messages come in; events go out, each to the message it belongs to."""

    def messages(self) -> AsyncIterator[Message]: ...

    async def deliver(self, message: Message, event: Event) -> None: ...
