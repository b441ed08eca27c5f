"""The values a test reads from the Telegram stand-in, and the refusal a method answers with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
By = int | Literal["bot"]
Kind = Literal["voice", "audio", "document", "photo", "video", "sticker"]


class Refusal(Exception):
    """What the service answers instead of a result."""

    def __init__(self, description: str, status: int = 400, **parameters: int) -> None:
        super().__init__(description)
        self.description = description
        self.status = status
        self.parameters = parameters


def bad(description: str) -> Refusal:
    return Refusal(f"Bad Request: {description}")


@dataclass(frozen=True)
class Upload:
    """A file as it came in a multipart body."""

    name: str
    content: bytes = field(repr=False)
    mime: str


@dataclass(frozen=True)
class Media:
    """A file in a message; `size` is what the service claims, which a test may fake."""

    kind: Kind
    name: str | None
    content: bytes = field(repr=False)
    mime: str | None
    title: str | None = None
    performer: str | None = None
    duration: int = 0
    thumbnail: bytes | None = field(default=None, repr=False)
    width: int = 0
    height: int = 0
    size: int = 0
    file_id: str = ""


@dataclass(frozen=True)
class Seen:
    """A message as a person sees it now, with every state it had."""

    id: int
    chat: int
    topic: int | None
    by: By
    text: str
    entities: tuple[Json, ...]
    media: Media | None
    buttons: tuple[tuple[tuple[str, str], ...], ...]  # rows of (label, callback data or address)
    reply_to: int | None
    force_reply: bool
    history: tuple[tuple[float, str], ...]  # (seconds since the start, text)
    edited: int
    album: str | None = None


@dataclass(frozen=True)
class Toast:
    """What a person saw after pressing a button."""

    person: int
    text: str
    alert: bool


@dataclass(frozen=True)
class Draft:
    """A preview in a private chat, before the real message."""

    at: float
    chat: int
    id: int
    text: str


@dataclass(frozen=True)
class Call:
    """A call of the bot's; status 0 is one that was never answered."""

    at: float
    method: str
    chat: int | None
    status: int
