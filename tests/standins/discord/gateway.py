"""The gateway: sessions over websockets, and all that can go wrong with them."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from tests.standins.discord.payloads import guild_of, member_of, user_of, without_content
from tests.standins.discord.sessions import (
    ACK,
    DISPATCH,
    HEARTBEAT,
    HELLO,
    IDENTIFY,
    IGNORED,
    INVALID,
    LIMITED_FLAGS,
    PRIVILEGED,
    RECONNECT,
    REQUEST_MEMBERS,
    RESUME,
    Connection,
    Session,
    shard_of,
)
from tests.standins.discord.world import Json, World

# why a connection is closed
UNKNOWN_OP, NO_JSON, NOT_AUTHENTICATED, WRONG_TOKEN, AGAIN = range(4001, 4006)
BAD_SHARD, DISALLOWED = 4010, 4014


class Gateway:
    """Delivers events to sessions, each in its own order, over whatever connection it has."""

    def __init__(self, world: World, token: str, privileged: set[str], heartbeat: float) -> None:
        self._world = world
        self._token = token
        self.privileged = privileged
        self.heartbeat = heartbeat
        self.url = ""
        self.down = False
        self.sessions: dict[str, Session] = {}
        self.resumes = 0
        self.identifies = 0
        self._connections: set[Connection] = set()
        self._latest: dict[str, tuple[Json, str | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def flags(self) -> int:
        """The application's flags: which privileged intents it may use."""
        return sum(LIMITED_FLAGS[name] for name in self.privileged)

    @property
    def shards(self) -> list[int]:
        """The shards that are connected and know their guilds."""
        return sorted(session.shard for session in self.sessions.values() if session.ready)

    # --- what the rest of the stand-in does

    def dispatch(self, event: str, data: Json, guild: str | None, human: bool = False) -> None:
        """An event for every session that hears it; a human's is kept to be repeated."""
        with self._world.changed:
            if human:
                self._latest[event] = (data, guild)
            for session in self.sessions.values():
                if session.hears(event, guild):
                    self._queue(session, event, data)
            self._world.changed.notify_all()

    def repeat(self, event: str) -> None:
        """Deliver people's latest event of that name once more."""
        data, guild = self._latest[event]
        self.dispatch(event, data, guild)

    def _queue(self, session: Session, event: str, data: Json) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and not session.intents & PRIVILEGED["message_content"]:
            data = without_content(data, self._world.bot.id)
        session.backlog.append((event, data))
        if session.connection and self.loop:
            self.loop.call_soon_threadsafe(session.connection.wake.set)

    # --- what goes wrong

    def drop(self, resumable: bool = True) -> None:
        """Cut every connection; without `resumable` the sessions are lost too."""
        self._end(resumable, lambda connection: self._cut(connection))

    def invalidate(self, resumable: bool) -> None:
        """Declare every session invalid (op 9)."""
        self._end(resumable, lambda connection: connection.send(INVALID, resumable))

    def ask_reconnect(self) -> None:
        """Ask every connection to come back (op 7)."""
        self._end(True, lambda connection: connection.send(RECONNECT, None))

    def set_down(self, down: bool) -> None:
        self.down = down
        if down:
            self.drop()

    def set_deaf(self, deaf: bool) -> None:
        """Make zombies of the present connections; those that come later are well unless it is said again."""
        with self._world.changed:
            for connection in self._connections:
                connection.silent = deaf
                self._run(_waken(connection))

    def _end(self, resumable: bool, farewell: Callable[[Connection], Coroutine[Any, Any, None]]) -> None:
        """Nothing more is delivered from now on, though the farewell is said a little later."""
        with self._world.changed:
            if not resumable:
                self.sessions.clear()
            for session in self.sessions.values():
                session.connection = None
            for connection in self._connections:
                connection.silent = True
                self._run(farewell(connection))
            self._world.changed.notify_all()

    async def _cut(self, connection: Connection) -> None:
        connection.abort()

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Have the stand-in's loop do it, whatever thread this is."""
        assert self.loop

        def start() -> None:
            assert self.loop
            task = self.loop.create_task(self._quietly(coroutine))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self.loop.call_soon_threadsafe(start)

    async def _quietly(self, coroutine: Coroutine[Any, Any, None]) -> None:
        with suppress(ConnectionError):  # whoever it was for has gone
            await coroutine

    # --- a connection

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """Serve one websocket from HELLO to its close."""
        if self.down:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=4096 * 4)
        await socket.prepare(request)
        connection = Connection(socket, request)
        self._connections.add(connection)
        writer = asyncio.ensure_future(self._write(connection))
        try:
            await connection.send(HELLO, {"heartbeat_interval": int(self.heartbeat * 1000), "_trace": []})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(connection, message.data)
        except ConnectionError:
            pass  # cut while something was being sent
        finally:
            writer.cancel()
            self._forget(connection)
        return socket

    def _forget(self, connection: Connection) -> None:
        with self._world.changed:
            self._connections.discard(connection)
            for session in self.sessions.values():
                if session.connection is connection:
                    session.connection = None
            self._world.changed.notify_all()

    async def _write(self, connection: Connection) -> None:
        """Send what its session has that was not sent yet, whenever there is any."""
        while True:
            await connection.wake.wait()
            connection.wake.clear()
            with suppress(ConnectionError):  # the reader sees it too
                while due := self._due(connection):
                    await connection.send(DISPATCH, due[1], due[0], connection.sent + 1)
                    connection.sent += 1
                    self._world.tell()

    def _due(self, connection: Connection) -> tuple[str, Json] | None:
        with self._world.changed:
            session = self._session_on(connection)
            if connection.silent or session is None or connection.sent >= len(session.backlog):
                return None
            return session.backlog[connection.sent]

    def _session_on(self, connection: Connection) -> Session | None:
        return next((session for session in self.sessions.values() if session.connection is connection), None)

    async def _receive(self, connection: Connection, text: str) -> None:
        try:
            message = json.loads(text)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError):
            await connection.socket.close(code=NO_JSON)
            return
        if connection.silent:
            return
        session = self._session_on(connection)
        if op == HEARTBEAT:
            await connection.send(ACK, None)
        elif op in (IDENTIFY, RESUME):
            refusal = AGAIN if session else self._refusal(op, data)
            if refusal:
                await connection.socket.close(code=refusal, message=b"refused")
            elif op == IDENTIFY:
                self._identify(connection, data)
            elif not self._resume(connection, data):
                await connection.send(INVALID, False)
        elif session is None:
            await connection.socket.close(code=NOT_AUTHENTICATED)
        elif op == REQUEST_MEMBERS:
            self._give_members(session, data)
        elif op not in IGNORED:
            await connection.socket.close(code=UNKNOWN_OP)

    def _refusal(self, op: int, data: Json) -> int | None:
        """The close code for an IDENTIFY or RESUME that is not taken."""
        if data.get("token") != self._token:
            return WRONG_TOKEN
        if op == RESUME:
            return None
        shard, shards = shard_of(data)
        if not 0 <= shard < shards:
            return BAD_SHARD
        asked = {name for name, bit in PRIVILEGED.items() if data.get("intents", 0) & bit}
        return DISALLOWED if asked - self.privileged else None

    def _identify(self, connection: Connection, data: Json) -> None:
        world = self._world
        with world.changed:
            session = Session(secrets.token_hex(16), *shard_of(data), data.get("intents", 0), connection=connection)
            self.sessions[session.id] = session
            self.identifies += 1
            guilds = [guild for guild in world.guilds.values() if session.hears("GUILD_CREATE", guild.id)]
            guilds = [guild for guild in guilds if world.bot.id in guild.members]
            ready = {
                "v": 10,
                "user": user_of(world.bot),
                "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": self.url,
                "shard": [session.shard, session.shards],
                "application": {"id": world.bot.id, "flags": self.flags},
                "private_channels": [],
            }
            self._queue(session, "READY", ready)
            for guild in guilds:
                self._queue(session, "GUILD_CREATE", {**guild_of(world, guild), "unavailable": False})
            session.opening = len(session.backlog)
            world.changed.notify_all()

    def _resume(self, connection: Connection, data: Json) -> bool:
        """Whether the session is known; what it missed follows, then RESUMED."""
        with self._world.changed:
            session = self.sessions.get(str(data.get("session_id")))
            seen = data.get("seq") or 0
            if session is None or seen > len(session.backlog):
                return False
            session.connection = connection
            connection.sent = seen
            self.resumes += 1
            self._queue(session, "RESUMED", {"_trace": []})
            self._world.changed.notify_all()
            return True

    def _give_members(self, session: Session, asked: Json) -> None:
        guild = self._world.guilds[str(asked["guild_id"])]
        members = [member_of(self._world.users[id_]) for id_ in guild.members]
        chunk = {"guild_id": guild.id, "members": members, "chunk_index": 0, "chunk_count": 1}
        with self._world.changed:
            self._queue(session, "GUILD_MEMBERS_CHUNK", chunk | {"nonce": asked.get("nonce")})

    def close(self) -> None:
        """Part from every client; in the stand-in's own loop."""
        self.down = True
        for connection in list(self._connections):
            connection.abort()


async def _waken(connection: Connection) -> None:
    connection.wake.set()
