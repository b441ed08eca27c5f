"""Every contract between the product and the outside, on one page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.events import Event
from core.jobs import Job
from core.library import Gone, KeptFile, NewVersion, Piece, Version
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
    kept: dict[str, KeptFile] = field(default_factory=dict)  # the same files, where they were stored


class Renderer(Protocol):
    """Makes files from a score, outside the event loop."""

    async def render(
        self,
        score: Score,
        face: Face,
        formats: tuple[str, ...],
        folder: Path,
        told: Callable[[float], None] = lambda share: None,
    ) -> Rendered:
        """All files whole and in place, or none of that format and a Problem. `told` hears the share done, 0 to 1.

        Raises DiskFull, UnwritableFolder.
        """
        ...


class Reader(Protocol):
    """Reads written music that people bring, outside the event loop, within limits of size and time."""

    async def read(self, source: Path | str) -> tuple[str, Read | str]:
        """The kind (abc, midi, musicxml or text) and the content of a file, or of ABC text.

        Raises UnreadableNotation.
        """
        ...


class Library(Protocol):
    """Pieces and their versions. Every write may come twice, after a crash, and counts once."""

    async def next_request(self, platform: str, chat: str, message: int) -> int:
        """How many songs were asked for in the chat before that message."""
        ...

    async def begin_conversation(self, platform: str, chat: str, message: int) -> None:
        """Words that refer back reach no further than this message."""
        ...

    async def keep(self, new: NewVersion) -> Version:
        """Stores a version with its files, and its piece where it begins one."""
        ...

    async def forget(self, piece: int, platform: str, chat: str) -> Gone | None:
        """Deletes a piece. The files that nobody needs any more; None where the chat has no such piece."""
        ...

    async def made_on(self, platform: str, chat: str, message: int) -> Version | None:
        """The version that the message made, not one that it only shows again."""
        ...

    async def discard(self, platform: str, chat: str, message: int) -> Gone | None:
        """Deletes what the message made, if it made anything."""
        ...

    async def rename(self, piece: int, title: str) -> None: ...

    async def version_on(self, platform: str, chat: str, message: int) -> Version | None:
        """The version whose card is that message."""
        ...

    async def current(self, platform: str, chat: str, before: int) -> Version | None:
        """The version the conversation is about: the last card since it began, and before that message."""
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


class Files(Protocol):
    """Files by their content: what two songs share is stored once."""

    async def keep(self, path: Path) -> KeptFile:
        """Raises DiskFull."""
        ...

    async def fetch(self, file: KeptFile) -> Path:
        """The file at its path, brought there where it is missing. Raises FileNotFoundError where nobody has it."""
        ...

    async def forget(self, gone: Gone) -> None:
        """What is not there is no fault."""
        ...


class Ledger(Protocol):
    """What was accepted, and how far it is: one row a job, changed under a condition."""

    async def accept(self, message: Message, priority: int) -> tuple[Job, bool]:
        """The job of a message, and whether it is new: the same update twice is one job. Gives the message its id."""
        ...

    async def job(self, id_: str) -> Job | None: ...

    async def begin(self, id_: str, worker: str) -> Job | None:
        """Counts an attempt; None where the job is over, whoever ended it."""
        ...

    async def give_back(self, ids: Sequence[str]) -> None:
        """Attempts that a polite end of the process broke off do not count."""
        ...

    async def record(self, id_: str, events: Sequence[Event], state: str | None = None) -> bool:
        """Adds events; Done and Failed end the job. False where it was over already, and then nothing changed."""
        ...

    async def shown(self, id_: str, count: int) -> None:
        """The platform has shown that many of its events."""
        ...

    async def unfinished(self) -> list[Job]: ...

    async def unshown(self, platform: str) -> list[Job]:
        """Jobs of a platform whose end was not shown yet."""
        ...

    async def running(self, lane: str) -> Job | None:
        """The newest unfinished job of a lane."""
        ...

    async def waiting(self, job: Job) -> int:
        """How many unfinished jobs come before it."""
        ...

    async def durations(self, bars: int | None) -> list[float]:
        """Seconds that finished songs took, of about that many bars where it is known."""
        ...

    async def delivery(self, id_: str, what: str) -> tuple[str, str | None] | None:
        """State (sending, sent) and the platform's id of something put on a platform; None where it was not tried."""
        ...

    async def delivering(self, id_: str, what: str) -> bool:
        """It is about to be sent; False where somebody was about to before, and it may be there or not."""
        ...

    async def delivered(self, id_: str, what: str, external: str) -> None: ...


class EditingChat(Protocol):
    """A platform whose messages can be edited. `nonce`: the same again is the same message, where the platform can.

    Every call raises Unreachable where the platform does not answer just now.
    """

    name: str

    def messages(self) -> AsyncIterator[Message]: ...

    async def accepted(self, message: Message) -> None: ...

    async def post(self, chat: str, text: str, nonce: str) -> str:
        """The platform's id of the new message."""
        ...

    async def edit(self, chat: str, id_: str, text: str) -> None:
        """Raises MessageGone."""
        ...

    async def send(self, chat: str, file: Path, nonce: str) -> str: ...


class Queue(Protocol):
    """Jobs that are worked on, here or by another process, until they are over."""

    async def submit(self, job: Job) -> None:
        """Returns once it is certain that somebody will work on it. The same job twice is one."""
        ...


class Platform(Protocol):
    """Where people write. Messages come in; events go out, each to the message it belongs to."""

    name: str

    def messages(self) -> AsyncIterator[Message]: ...

    async def accepted(self, message: Message) -> None:
        """The message is safe: it may be acknowledged."""
        ...

    async def show(self, job: Job) -> None:
        """Brings what is seen of a job up to its newest state; its first `shown` events were shown before.

        Raises Unreachable, and is then asked again.
        """
        ...

    async def pause(self, job: Job) -> None:
        """Says of an unfinished job that we are back in a moment: this process ends, the job does not."""
        ...
