"""Every contract between the product and the outside, on one page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from core.events import Event
from core.jobs import Job, Wait
from core.library import Gone, KeptFile, NewVersion, Person, Piece, Version
from core.looks import Look, Rows
from core.messages import Attachment, Message
from core.music.score import Score
from core.notation.assembling import Read
from core.quota import Usage

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

    async def alone(self, work: Callable[..., Any], *args: Any) -> Any:
        """The work's result, done in a process apart. Raises what it raises, and WorkerDied where it dies of it."""
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

    async def begin_conversation(self, platform: str, chat: str, message: int, user: str | None = None) -> None:
        """Words that refer back (with `user`, only theirs) reach no further than this message."""
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

    async def current(self, platform: str, chat: str, before: int, user: str | None = None) -> Version | None:
        """The version the conversation is about: the last card since it began, and before that message; with `user`,
        the last that they asked for.
        """
        ...

    async def version(self, piece: int, number: int, platform: str, chat: str) -> Version | None:
        """A version of a piece of that chat; None where the chat has no such piece."""
        ...

    async def show_again(self, version: Version, platform: str, chat: str, message: int) -> None:
        """That message now shows that version, and the conversation is about it."""
        ...

    async def pieces(self, platform: str, chat: str, words: str = "", most: int = 20, skip: int = 0) -> list[Piece]:
        """The newest first; with `words`, those whose title or request holds them all."""
        ...

    async def piece(self, id_: int, platform: str, chat: str) -> Piece | None:
        """A piece of that chat."""
        ...

    async def versions(self, piece: int, platform: str, chat: str) -> list[tuple[int, str, int]]:
        """A piece's versions: the number, what made it, and how many people like it more than not."""
        ...

    async def react(self, version: Version, user: str, emoji: str | None, only: str | None = None) -> None:
        """Stores a person's reaction, changes it, or takes it back (with `only`, where it is that one)."""
        ...

    async def add_files(self, version: Version, files: Mapping[str, KeptFile]) -> None:
        """Further files of a version, made on demand."""
        ...

    async def share(self, piece: int, shared: bool) -> None:
        """Whether others in its chat may change it."""
        ...

    async def link(self, version: Version) -> str:
        """What opens that version elsewhere: made once, and not to be guessed."""
        ...

    async def linked(self, link: str) -> Version | None:
        """The version that a link opens."""
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

    async def accept(
        self, message: Message, priority: int, wait: Callable[[int], Wait] | None = None
    ) -> tuple[Job, bool]:
        """The job of a message, and whether it is new: the same update twice is one job.

        Gives the message its id, the numbers of those it refers to, and the language that its person chose. With
        `wait`, which knows how long so many jobs take, its first event says where it stands in line.
        """
        ...

    async def amend(self, message: Message) -> Job | None:
        """Another text, or further files, for a message that nobody has begun to answer; None where there is none."""
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

    async def usage(self, job: Job) -> Usage:
        """What its person and its chat asked for before it: see core.quota."""
        ...

    async def durations(self, bars: int | None) -> list[float]:
        """Seconds that finished songs took, of about that many bars where it is known."""
        ...

    async def delivery(self, id_: str, what: str) -> tuple[str, str | None] | None:
        """State (sending, sent) and the platform's id of something put on a platform; None where it was not tried."""
        ...

    async def delivering(self, id_: str, what: str) -> int:
        """It is about to be sent. How often it was about to be before, and may be there or not."""
        ...

    async def undelivered(self, id_: str, what: str) -> None:
        """The last sending of it is known not to have arrived: it does not count."""
        ...

    async def delivered(self, id_: str, what: str, external: str) -> None: ...

    async def ours(self, platform: str, chat: str, external: str) -> bool:
        """Whether a message there is one that we posted."""
        ...

    async def moved(self, platform: str, chat: str, to: str) -> None:
        """A chat has another id from now on; its songs go with it."""
        ...


class People(Protocol):
    """What is known of those who write."""

    async def person(self, platform: str, user: str) -> Person: ...

    async def words(self, platform: str, chat: str, message: int) -> str:
        """What was written in a message; nothing where there is none."""
        ...

    async def last_words(self, platform: str, chat: str, user: str, before: int, most: int) -> list[str]:
        """What they wrote in the chat before that message and was answered, the newest first."""
        ...

    async def choose(self, platform: str, user: str, locale: str | None) -> None:
        """The language they are answered in; None: that of each message."""
        ...


class Likeness(Protocol):
    """How like words are to what people in distress write."""

    async def likely(self, text: str) -> tuple[float, float]:
        """That they are of somebody in distress, and then that others are the danger; 0 to 1."""
        ...


class Incoming(Protocol):
    """What people sent, wherever their platform keeps it."""

    async def fetch(self, platform: str, attachment: Attachment, folder: Path) -> Path:
        """Brings it into the folder, under a name that is safe there. Raises NotFetched."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a platform lets a bot write: calls a second in all; seconds between two in a private chat and between
    two changes of a bubble in a group; calls a minute in a group.
    """

    total: float
    private: float
    group: float
    group_minute: int


class EditingChat(Protocol):
    """A platform whose messages can be edited. Each call answers, or acts on, one message of a person.

    `nonce`: the same again is the same message, where the platform can tell. Every call raises Unreachable where the
    platform does not answer just now (Unanswered where the call went out and may have arrived), Flooded where it wants
    to be left alone, Barred where nobody is there any more, FilesRefused where it takes the message but not its files.
    """

    name: str
    pace: Pace

    def connected(self) -> AbstractAsyncContextManager[None]:
        """See Platform."""
        ...

    same: bool  # whether a post with the same nonce is the same message
    holds: frozenset[str]  # the files that one message can hold beside its words
    follow: tuple[str, ...]  # the kinds of files that follow a song by themselves
    most_files: int  # beside the words of one message
    most: int  # units of a text; `measure` counts them
    most_beside: int  # of a text that stands beside a file

    def measure(self, text: str) -> int: ...

    def most_bytes(self, message: Message) -> int:
        """Of a file that may be sent there."""
        ...

    def room(self, message: Message) -> str:
        """What the platform counts calls for when this message is answered."""
        ...

    def messages(self) -> AsyncIterator[Message]: ...

    async def accepted(self, message: Message) -> None: ...

    async def post(self, message: Message, look: Look, nonce: str) -> str:
        """The platform's id of the new message."""
        ...

    async def edit(self, message: Message, id_: str, look: Look) -> None:
        """Raises MessageGone."""
        ...

    async def rebutton(self, message: Message, id_: str, rows: Rows) -> None:
        """Other buttons under the same words. Raises MessageGone."""
        ...

    async def session(self, message: Message, title: str, link: str) -> str:
        """Opens a place of its own for a song, where several people steer it; its id. Twice is once."""
        ...

    async def delete(self, message: Message, id_: str) -> None:
        """A message of ours that has served its purpose."""
        ...

    async def send(self, message: Message, files: Mapping[str, Path], beside: str, nonce: str) -> list[str]:
        """Files that belong together, by their names in FORMATS, beside a message of ours ("" where there is none); the
        ids of the messages they stand in.
        """
        ...

    async def whisper(self, message: Message, text: str, nonce: str) -> str:
        """Words that only the person who wrote can read. Raises Barred where they cannot be reached alone."""
        ...

    async def notice(self, message: Message, text: str) -> bool:
        """A word to whoever pressed a button ("": only that it was heard); False where it is too late for that."""
        ...


class Queue(Protocol):
    """Jobs that are worked on, here or by another process, until they are over."""

    async def submit(self, job: Job) -> None:
        """Returns once it is certain that somebody will work on it. The same job twice is one."""
        ...


class Platform(Protocol):
    """Where people write. Messages come in; events go out, each to the message it belongs to."""

    name: str

    def connected(self) -> AbstractAsyncContextManager[None]:
        """As long as we are there. Raises Refused where we are not let in, Unreachable where nobody answers."""
        ...

    def messages(self) -> AsyncIterator[Message]: ...

    async def accepted(self, message: Message) -> None:
        """The message is safe: it may be acknowledged."""
        ...

    async def show(self, job: Job) -> float:
        """Brings what is seen of a job up to its newest state; its first `shown` events were shown before.

        The seconds after which it wants to be asked again, 0 where all is shown. Raises Unreachable, and is then asked
        again, or Barred, and is not.
        """
        ...

    async def pause(self, job: Job) -> None:
        """Says of an unfinished job that we are back in a moment: this process ends, the job does not."""
        ...
