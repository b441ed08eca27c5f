"""A gateway session: what was dispatched to it, and the connection that carries it."""

from __future__ import annotations

import asyncio
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.standins.discord.world import Json

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, REQUEST_MEMBERS, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 8, 9, 10, 11
IGNORED = frozenset({3, 4, 31, 43})  # presence, voice state, soundboard, channel info

PRIVILEGED = {"members": 1 << 1, "presences": 1 << 8, "message_content": 1 << 15}
LIMITED_FLAGS = {"presences": 1 << 13, "members": 1 << 15, "message_content": 1 << 19}

GUILDS, MEMBERS, MESSAGES, REACTIONS, PRIVATE_MESSAGES, PRIVATE_REACTIONS = 1, 1 << 1, 1 << 9, 1 << 10, 1 << 12, 1 << 13
NEEDED = {  # the intent for an event in a guild, and in a private chat
    "GUILD_CREATE": (GUILDS, 0),
    "GUILD_DELETE": (GUILDS, 0),
    "CHANNEL_CREATE": (GUILDS, 0),
    "CHANNEL_UPDATE": (GUILDS, 0),
    "CHANNEL_DELETE": (GUILDS, 0),
    "THREAD_CREATE": (GUILDS, 0),
    "THREAD_UPDATE": (GUILDS, 0),
    "THREAD_DELETE": (GUILDS, 0),
    "GUILD_MEMBER_ADD": (MEMBERS, 0),
    "GUILD_MEMBER_REMOVE": (MEMBERS, 0),
    "MESSAGE_CREATE": (MESSAGES, PRIVATE_MESSAGES),
    "MESSAGE_UPDATE": (MESSAGES, PRIVATE_MESSAGES),
    "MESSAGE_DELETE": (MESSAGES, PRIVATE_MESSAGES),
    "MESSAGE_REACTION_ADD": (REACTIONS, PRIVATE_REACTIONS),
    "MESSAGE_REACTION_REMOVE": (REACTIONS, PRIVATE_REACTIONS),
}


class Connection:
    """One websocket; with zlib-stream, one compressor for its whole life."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.socket = socket
        self.request = request
        self.silent = False  # a zombie, or about to be closed: nothing goes out
        self.sent = 0  # how much of the session's backlog
        self.wake = asyncio.Event()
        self._deflate = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self._turn = asyncio.Lock()

    async def send(self, op: int, data: object, event: str | None = None, number: int | None = None) -> None:
        text = json.dumps({"op": op, "d": data, "s": number, "t": event})
        async with self._turn:
            if self._deflate is None:
                await self.socket.send_str(text)
            else:
                packed = self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(packed)

    def abort(self) -> None:
        """Cut the wire, without a close frame."""
        if self.request.transport is not None:
            self.request.transport.abort()


@dataclass
class Session:
    id: str
    shard: int
    shards: int
    intents: int
    backlog: list[tuple[str, Json]] = field(default_factory=list)
    connection: Connection | None = None
    opening: int = 1  # how many events from READY to the last guild it begins with

    @property
    def ready(self) -> bool:
        """Whether it is connected, and was told all that it begins with."""
        return self.connection is not None and self.connection.sent >= self.opening

    def hears(self, event: str, guild: str | None) -> bool:
        """Whether an event is this session's: of its shard, and among its intents."""
        shard = (int(guild) >> 22) % self.shards if guild else 0
        in_guild, in_private = NEEDED.get(event, (0, 0))
        needed = in_guild if guild else in_private
        return shard == self.shard and self.intents & needed == needed


def shard_of(identify: dict[str, Any]) -> tuple[int, int]:
    """The shard of an IDENTIFY and how many there are."""
    shard, shards = identify.get("shard") or (0, 1)
    return int(shard), int(shards)
