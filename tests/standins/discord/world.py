"""What exists on the stand-in: people, guilds, channels, messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.standins.discord.permissions import GRANTED
from tests.standins.discord.refusals import refused

Json = dict[str, Any]

EPOCH = 1_420_070_400_000  # Discord's, in milliseconds
FILE_LIMIT = 10 * 1024 * 1024
TIER_LIMITS = {0: FILE_LIMIT, 1: FILE_LIMIT, 2: 50 * 1024 * 1024, 3: 100 * 1024 * 1024}

EPHEMERAL = 1 << 6
LOADING = 1 << 7
VOICE = 1 << 13
COMPONENTS_V2 = 1 << 15


@dataclass
class User:
    id: str
    name: str
    locale: str = "en-US"
    bot: bool = False
    takes_dms: bool = True


@dataclass
class Guild:
    id: str
    name: str
    members: list[str]
    filesize_limit: int
    premium_tier: int = 0
    locale: str = "en-US"


@dataclass
class Channel:
    """A guild's text channel, a thread (it has a parent) or a private chat (it has a recipient)."""

    id: str
    name: str
    guild: str | None = None
    recipient: str | None = None
    parent: str | None = None
    owner: str | None = None
    archived: bool = False
    locked: bool = False
    archive_after: int = 1440
    denied: set[str] = field(default_factory=set)


@dataclass
class File:
    id: str
    name: str
    data: bytes
    content_type: str | None = None
    description: str | None = None
    seconds: float | None = None
    waveform: str | None = None
    told_type: str | None = None  # of the part that it came in


@dataclass(frozen=True, slots=True)
class Version:
    """What a message said from `at` (`time.monotonic()`) on."""

    at: float
    content: str
    embeds: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """Who used what of the bot's: a command's name, a component's or a modal's custom_id."""

    id: str
    type: int
    user: str
    command: str


@dataclass
class Message:
    id: str
    channel: str
    author: str
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    flags: int = 0
    type: int = 0
    reply_to: str | None = None
    mentions: list[str] = field(default_factory=list)
    ephemeral_to: str | None = None
    use: Use | None = None
    nonce: str | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    history: list[Version] = field(default_factory=list)
    created: float = field(default_factory=time.time)
    edited: float | None = None

    def remember(self) -> None:
        """Keep what the message says now in its history."""
        self.history.append(Version(time.monotonic(), self.content, tuple(self.embeds)))


class World:
    """Everything that exists, guarded and announced by one condition."""

    def __init__(self, name: str, shards: int) -> None:
        self.changed = threading.Condition()
        self.shards = shards
        self.base = ""
        self._numbers = count(1)
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, Message] = {}
        self.pings: list[str] = []
        self.bot = self.add_user(User(self.snowflake(), name, bot=True))

    def snowflake(self, shard: int | None = None) -> str:
        """A new id; with `shard`, one whose time falls on that shard."""
        moment = int(time.time() * 1000) - EPOCH
        if shard is not None:
            moment -= (moment - shard) % self.shards
        return str(moment << 22 | next(self._numbers) & 0x3FFFFF)

    def add_user(self, user: User) -> User:
        self.users[user.id] = user
        return user

    def user(self, id_: str) -> User:
        if id_ not in self.users:
            raise refused("unknown user")
        return self.users[id_]

    def channel(self, id_: str) -> Channel:
        if id_ not in self.channels:
            raise refused("unknown channel")
        return self.channels[id_]

    def message(self, channel: str, id_: str) -> Message:
        found = self.messages.get(id_)
        if found is None or found.channel != channel:
            raise refused("unknown message")
        return found

    def private_with(self, user: str) -> Channel:
        """The bot's private chat with a user, made when there is none."""
        for channel in self.channels.values():
            if channel.recipient == user:
                return channel
        made = Channel(self.snowflake(), self.users[user].name, recipient=user)
        self.channels[made.id] = made
        return made

    def messages_of(self, channel: str) -> Sequence[Message]:
        """A channel's messages in the order in which they were written."""
        return [message for message in self.messages.values() if message.channel == channel]

    def threads_of(self, channel: str) -> Sequence[Channel]:
        return [thread for thread in self.channels.values() if thread.parent == channel]

    def remove(self, channel: Channel) -> None:
        """A channel goes with all that is in it, its threads included."""
        for part in (*self.threads_of(channel.id), channel):
            for message in self.messages_of(part.id):
                del self.messages[message.id]
            del self.channels[part.id]

    def file_limit(self, channel: Channel) -> int:
        """How many bytes one file of the bot's may have in a channel."""
        return self.guilds[channel.guild].filesize_limit if channel.guild else FILE_LIMIT

    def denied(self, channel: Channel) -> set[str]:
        """What the bot may not do in a channel; a thread takes after its parent."""
        parent = self.channels[channel.parent].denied if channel.parent else set()
        return channel.denied | parent

    def require(self, channel: Channel, *permissions: str) -> None:
        """Refuse what the bot may not do in a channel."""
        if not channel.guild:
            return
        denied = self.denied(channel)
        if "view_channel" in denied or self.bot.id not in self.guilds[channel.guild].members:
            raise refused("missing access")
        if any(permission in denied or permission not in GRANTED for permission in permissions):
            raise refused("missing permissions")

    def find_file(self, id_: str) -> File | None:
        return next((file for message in self.messages.values() for file in message.files if file.id == id_), None)

    def tell(self) -> None:
        """Wake up whoever waits for a change."""
        with self.changed:
            self.changed.notify_all()
