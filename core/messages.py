"""A message as the core knows it, whatever platform it came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.plain import one_line, plain

Kind = Literal["file", "voice", "audio", "image", "video", "other"]

_QUICK = frozenset(
    {
        "more", "back", "players", "player", "endings", "versions", "link", "like", "dislike", "locale", "songs",
        "help", "settings", "start", "cancel",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something that came with a message. `source`: a path on this machine, or (`remote`) what its platform gives it
    out for. `size`: bytes, 0 where unknown; `seconds`: how long it plays.
    """

    source: str
    name: str = ""
    kind: Kind = "file"
    size: int = 0
    seconds: float | None = None
    remote: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One thing a person did: wrote `text`, sent files, reacted, or pressed a button.

    `reply_to` and `on` are ids of earlier messages in the chat; `press` is a button's id. `problem`
    is the code of what its platform could not read. `id` is given when the message is accepted.

    What platforms add: `external` is their own id of the update, `reply_external` and `on_external` those of earlier
    messages; `handle` is what a short answer to just this press goes to; `home` is how a link into the bot is made
    ({} stands for what it opens); `album` joins files that are sent as one; a `reaction` that begins with - takes
    just that one back; `edited` says that the text replaces that of the message with the same `external`.
    """

    platform: str
    chat: str
    user: str
    text: str = ""
    files: tuple[Attachment, ...] = ()
    reply_to: int | None = None
    reaction: str | None = None
    on: int | None = None
    press: str | None = None
    seed: int | None = None
    locale: str | None = None
    problem: str | None = None
    id: int = 0
    external: str = ""  # "" where the platform has none
    group: bool = False  # several people write in this chat
    together: bool = False  # they all steer one song
    rooms: bool = False  # a place of its own for a song can be opened from this chat
    name: str = ""  # what the person is called there
    language: str = ""  # of the person's device, en or zh: where neither they nor their words say
    reply_external: str = ""
    on_external: str = ""
    handle: str = ""
    home: str = ""
    album: str = ""
    edited: bool = False
    aside: bool = False  # said to nobody in particular: it may belong to an album, or to a song that all steer
    quoted: bool = False  # words that were put where only words belong, or are somebody else's: never a command
    worded: bool = True  # whether the words are the person's own, and tell their language
    anonymous: bool = False  # the group itself speaks, or a channel: whoever it is presses as somebody else
    urgent: bool = False  # somebody may be in distress: nothing of theirs waits for a song

    @property
    def place(self) -> tuple[str, str]:
        """The chat it stands in."""
        return (self.platform, self.chat)

    @property
    def lane(self) -> str:
        """What is answered in order: a chat; in a group each person's messages, so that songs grow side by side."""
        lane = f"{self.platform} {self.chat}" + (f" {self.user}" if self.group and not self.together else "")
        return f"{lane} quick" if self.quick else lane

    @property
    def quick(self) -> bool:
        """Whether it asks for nothing that needs composing, or hears what was composed: it waits for no song."""
        name = (self.press or "").partition(":")[0] or (self.text[1:].strip() if self.text.startswith("/") else "")
        return self.urgent or name in _QUICK


def cleaned(message: Message) -> Message:
    """Without what no database can hold: zero bytes, halves of characters, names without end."""
    return replace(
        message,
        platform=_held(message.platform, 32),
        chat=_held(message.chat, 128),
        user=_held(message.user, 128),
        text=plain(_held(message.text, 100_000)),
        external=_held(message.external, 160),
        name=one_line(_held(message.name, 128), 128),
        handle=_held(message.handle, 400),
        reaction=None if message.reaction is None else _held(message.reaction, 40),
        press=None if message.press is None else _held(message.press, 200),
    )


def _held(text: str, most: int) -> str:
    return text.replace("\x00", "").encode("utf-8", "replace").decode()[:most]
