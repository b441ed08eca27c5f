"""Discord, through discord.py: all that goes out to it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import discord
import yarl
from discord.http import Route
from discord.utils import snowflake_time, utcnow

from adapters.discord.files import as_voice, part, parts
from adapters.discord.forms import (
    MOST_DESCRIPTION,
    MOST_TEXT,
    NOBODY,
    Json,
    Say,
    commands,
    components,
    inert,
    measure,
    payload,
)
from adapters.discord.gateway import Complete, Gateway
from adapters.discord.translate import PLATFORM, Handle
from core.errors import Barred, FilesRefused, Flooded, MessageGone, Refused, Unreachable
from core.looks import Look, Rows
from core.messages import Message
from core.ports import Pace

log = logging.getLogger(__name__)

_RESERVE = 20  # identifications of the day that are not spent
_READY = 30.0  # seconds for the gateway to let us in
_YOUNG = timedelta(minutes=14)  # a token is good for fifteen
_SMALL = 10 * 1024 * 1024  # bytes of a file where a server does not allow more
_FILES = 10  # in one message
_EPHEMERAL, _VOICE = 1 << 6, 1 << 13
# Unknown channel, no access, no permission, no server in common, a locked thread …
_NOBODY = frozenset({10003, 10004, 50001, 50007, 50013, 50278, 160005})
_LATE = frozenset({10015, 10062, 50027, 40094})  # unknown webhook or interaction, invalid token, too many answers
_GONE = frozenset({10008, 50083})  # no such message, or in a thread that was archived
_NO_REFERENCE = frozenset({160002, 160009, 160010})  # what it would answer cannot be named
_THREAD_EXISTS, _TOO_MANY_DMS = 160004, 40003
_NO_THREAD = frozenset({160006, 50024, 50021, 50083, 10008})  # nowhere to open one
_ONE = "/messages/{message_id}"
_REQUEST = 24 * 1024 * 1024  # bytes of a whole call; Discord takes 25 MiB


class Late(Exception):
    """An interaction's token is not good any more."""


class Discord:
    """Implements core.ports.EditingChat. `url`: another server than Discord's own, for tests; `private`: whether the
    answer to such words must be seen by their person alone.
    """

    name = PLATFORM
    pace = Pace(total=40, private=1.25, group=1.6, group_minute=1_000_000)
    same = True
    holds = frozenset({"mp3", "midi", "score", "card"})
    follow: tuple[str, ...] = ()
    most_files = _FILES
    most, most_beside = MOST_TEXT, MOST_DESCRIPTION

    def __init__(
        self,
        token: str,
        say: Say,
        complete: Complete,
        tell: Callable[..., None] = lambda code, **values: None,
        url: str | None = None,
        private: Callable[[str], bool] = lambda words: False,
    ) -> None:
        self._token, self._say, self._complete, self._tell = token, say, complete, tell
        self._private = private
        if url:
            Route.BASE = f"{url}/api/v10"
            discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url.replace('http', 'ws', 1)}/gateway/")
            discord.asset.Asset.BASE = url
        self._coming: asyncio.Queue[Message] = asyncio.Queue()
        self._client: Gateway
        self._connection: asyncio.Task[None]

    def measure(self, text: str) -> int:
        return measure(text)

    def most_bytes(self, message: Message) -> int:
        if handle := Handle.of(message.handle):
            return handle.most
        guild = getattr(self._client.get_channel(int(message.chat)), "guild", None)
        return int(getattr(guild, "filesize_limit", _SMALL))

    def room(self, message: Message) -> str:
        handle = self._handle(message)
        return f"hook {handle.id}" if handle else message.chat

    # Being there

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Raises Refused with what Discord said, Unreachable where it does not answer."""
        self._client = await self._let_in(content=True)
        try:
            naming = asyncio.create_task(self._name_commands())
            self._tell("platform-ready", platform="Discord", name=str(self._client.user))
            try:
                yield
            finally:
                naming.cancel()
        finally:
            await self._left(self._client)

    async def _let_in(self, content: bool) -> Gateway:
        client = Gateway(self._coming, self._say, self._complete, content, self._private)
        try:
            async with self._told():
                await client.login(self._token)
                limits = await client.fetch_session_start_limits()
            if limits.remaining <= _RESERVE and limits.reset_after:  # at none left Discord takes the token away
                raise Flooded(float(limits.reset_after))
            self._connection = asyncio.create_task(client.connect())
            ready = asyncio.create_task(client.wait_until_ready())
            await self._shard_by_shard(client, ready)
            if ready.done() and not ready.cancelled() and ready.exception() is None:
                return client
            ready.cancel()
            if self._connection.done():
                async with self._told():
                    self._connection.result()
            raise Unreachable(reason="gateway")
        except discord.PrivilegedIntentsRequired:
            if not content:
                raise
            await self._left(client)
            self._tell("discord-no-content")
            return await self._let_in(content=False)
        except BaseException:
            await self._left(client)
            raise

    async def _shard_by_shard(self, client: Gateway, ready: asyncio.Task[None]) -> None:
        """Waits as long as a further shard comes in: Discord lets in one every five seconds."""
        while not ready.done() and not self._connection.done():
            client.begun.clear()
            further = asyncio.create_task(client.begun.wait())
            done, _ = await asyncio.wait(
                [self._connection, ready, further], timeout=_READY, return_when=asyncio.FIRST_COMPLETED
            )
            further.cancel()
            if not done:
                return

    async def _left(self, client: Gateway) -> None:
        await client.close()
        if hasattr(self, "_connection"):
            with suppress(Exception, asyncio.CancelledError):
                await self._connection

    async def _name_commands(self) -> None:
        assert self._client.application_id is not None
        for pause in (5.0, 30.0, 300.0, None):
            try:
                await self._client.http.bulk_upsert_global_commands(self._client.application_id, commands(self._say))
                return
            except discord.RateLimited as error:
                pause = max(pause or 0.0, error.retry_after)
            except (discord.HTTPException, aiohttp.ClientError, OSError):
                log.exception("Discord does not take the commands")
            if pause is not None:
                await asyncio.sleep(pause)

    async def messages(self) -> AsyncIterator[Message]:
        """Until the connection is lost for good."""
        while True:
            coming = asyncio.ensure_future(self._coming.get())
            try:
                await asyncio.wait([coming, self._connection], return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not coming.done():
                    coming.cancel()
            if not coming.done() or coming.cancelled():
                async with self._told():
                    self._connection.result()
                raise Unreachable(reason="gateway")
            yield coming.result()

    async def accepted(self, message: Message) -> None:
        """Interactions were acknowledged as they came; Discord asks for no other word."""

    # Out

    async def post(self, message: Message, look: Look, nonce: str) -> str:
        body, files = await self._body(look)
        handle = self._handle(message)
        if handle and handle.kind != "press" and nonce.endswith(" bubble"):
            with suppress(Late):
                return await self._sent(self._hook("PATCH", handle, _ONE), body, files)
        # The same nonce within some minutes is the same message: after a crash it is not posted twice.
        once = _once(nonce)
        if message.external.isdecimal():
            once["message_reference"] = {"message_id": message.external, "fail_if_not_exists": False}
        try:
            return await self._new(message, body, files, once)
        except MessageGone:  # the nonce's message was deleted meanwhile
            del once["nonce"], once["enforce_nonce"]
            return await self._new(message, body, files, once)
        except discord.HTTPException as error:
            if error.code not in _NO_REFERENCE:
                raise
            once.pop("message_reference", None)  # we may not read what we would answer
            return await self._new(message, body, files, once)

    async def edit(self, message: Message, id_: str, look: Look) -> None:
        body, files = await self._body(look)
        await self._changed(message, id_, body, files)

    async def rebutton(self, message: Message, id_: str, rows: Rows) -> None:
        await self._changed(message, id_, {"components": components(rows), "allowed_mentions": NOBODY}, [])

    async def delete(self, message: Message, id_: str) -> None:
        with suppress(MessageGone):
            handle = self._handle(message)
            if handle:
                with suppress(Late):
                    await self._sent(self._hook("DELETE", handle, _ONE, id_), None, [])
                    return
            await self._sent(self._channel("DELETE", message, _ONE, id_), None, [])

    async def send(self, message: Message, files: Mapping[str, Path], beside: str, nonce: str) -> list[str]:
        if "voice" in files:
            return [await self._voice(message, files["voice"], nonce)]
        sent = []
        for number, group in enumerate(_groups(files)):
            body, uploads = await parts(group)
            once = _once(f"{nonce} {number}")
            sent.append(await self._new(message, body | {"allowed_mentions": NOBODY}, uploads, once))
        return sent

    async def whisper(self, message: Message, text: str, nonce: str) -> str:
        body: Json = {"content": inert(text)[:MOST_TEXT], "allowed_mentions": NOBODY}
        handle = self._handle(message)
        if handle:
            with suppress(Late):
                return await self._sent(self._hook("POST", handle, "?wait=true"), body | {"flags": _EPHEMERAL}, [])
        return await self._in_private(message, body | _once(nonce), [])

    async def notice(self, message: Message, text: str) -> bool:
        handle = self._handle(message)
        if not text or not handle:
            return not text
        body = {"content": inert(text)[:MOST_TEXT], "flags": _EPHEMERAL, "allowed_mentions": NOBODY}
        try:
            await self._sent(self._hook("POST", handle, "?wait=true"), body, [])
        except Late:
            return False
        return True

    async def session(self, message: Message, title: str, link: str) -> str:
        """A thread on the song's message, whose id it shares; in it the song is opened as a copy."""
        route = self._channel("POST", message, f"{_ONE}/threads", message.on_external)
        try:
            await self._sent(route, {"name": title[:100], "auto_archive_duration": 1440}, [])
        except discord.HTTPException as error:
            if error.code in _NO_THREAD:
                raise Barred(reason=error.code) from None
            if error.code != _THREAD_EXISTS:
                raise
        except MessageGone:
            raise Barred(reason="no message") from None
        self._coming.put_nowait(
            Message(
                PLATFORM, message.on_external, message.user, text=f"/open {link}",
                external=f"session {message.on_external}", name=message.name, locale=message.locale, worded=False,
                language=message.language, group=True, together=True,
            )
        )  # fmt: skip
        return message.on_external

    # How

    def _handle(self, message: Message) -> Handle | None:
        """What the interaction is answered by, as long as its token is good."""
        handle = Handle.of(message.handle)
        return handle if handle and utcnow() - snowflake_time(handle.id) < _YOUNG else None

    def _hook(self, method: str, handle: Handle, path: str, id_: str = "@original") -> Route:
        """Ids are parameters: the library counts calls by the template."""
        start = "/webhooks/{webhook_id}/{webhook_token}"
        whose: dict[str, Any] = {"webhook_id": self._client.application_id, "webhook_token": handle.token}
        return Route(method, start + path, **whose, message_id=id_)

    def _channel(self, method: str, message: Message, path: str, id_: str = "") -> Route:
        return Route(method, "/channels/{channel_id}" + path, channel_id=int(message.chat), message_id=id_)

    async def _new(self, message: Message, body: Json, files: list[Json], once: Json) -> str:
        """A new message: as an answer to the interaction, or in the channel, there with what makes it come once."""
        handle = self._handle(message)
        if handle:
            with suppress(Late):
                return await self._sent(self._hook("POST", handle, "?wait=true"), body, files)
        try:
            return await self._sent(self._channel("POST", message, "/messages"), body | once, files)
        except Barred:
            if not message.handle:
                raise
        # Asked where we are no member, and the interaction's time is up: in private, then.
        once.pop("message_reference", None)
        return await self._in_private(message, body | once, files)

    async def _in_private(self, message: Message, body: Json, files: list[Json]) -> str:
        async with self._told():
            private = await self._client.http.start_private_message(int(message.user))
        there = Route("POST", "/channels/{channel_id}/messages", channel_id=int(private["id"]))
        return await self._sent(there, body, files)

    async def _changed(self, message: Message, id_: str, body: Json, files: list[Json]) -> str:
        handle = self._handle(message)
        if handle:
            pressed = handle.kind == "press" and id_ == message.on_external
            with suppress(Late):
                which = self._hook("PATCH", handle, _ONE, "@original" if pressed else id_)
                return await self._sent(which, body, files)
        return await self._sent(self._channel("PATCH", message, _ONE, id_), body, files)

    async def _sent(self, route: Route, body: Json | None, files: list[Json]) -> str:
        """Raises Late besides the errors of every call."""
        async with self._told(rich=bool(files or (body or {}).get("embeds"))):
            if files:
                told = {"name": "payload_json", "value": json.dumps(body)}
                answer = await self._client.http.request(route, form=[told, *files])
            else:
                more: dict[str, Any] = {} if body is None else {"json": body}
                answer = await self._client.http.request(route, **more)
            return str(answer["id"]) if isinstance(answer, dict) else ""

    async def _body(self, look: Look) -> tuple[Json, list[Json]]:
        body = payload(look)
        if not look.final:
            return body, []
        told, uploads = await parts({name: Path(path) for name, path in look.files.items()})
        return body | told, uploads

    async def _voice(self, message: Message, path: Path, nonce: str) -> str:
        """A real voice message: it has a waveform, and stands alone."""
        content, wave, seconds = await asyncio.to_thread(as_voice, path)
        about = {"id": 0, "filename": "voice-message.ogg", "duration_secs": seconds, "waveform": wave}
        body = {"flags": _VOICE, "attachments": [about], "allowed_mentions": NOBODY, **_once(nonce)}
        voice = [part(0, "voice-message.ogg", content, "audio/ogg")]
        try:
            return await self._sent(self._channel("POST", message, "/messages"), body, voice)
        except (discord.HTTPException, Barred, FilesRefused):  # no voice messages there: as a file, then
            told, uploads = await parts({"mp3": path})
            return await self._new(message, told | {"allowed_mentions": NOBODY}, uploads, _once(f"{nonce} file"))

    @asynccontextmanager
    async def _told(self, rich: bool = False) -> AsyncIterator[None]:
        """Discord's errors as ours. `rich`: whether it may be files or an embed that are not allowed there."""
        try:
            yield
        except discord.LoginFailure as error:
            raise Refused(platform="Discord", said=str(error)) from None
        except discord.RateLimited as error:
            raise Flooded(error.retry_after) from None
        except discord.DiscordServerError as error:
            raise Unreachable(reason=error.status) from None
        except discord.HTTPException as error:
            if error.code in _GONE:
                raise MessageGone from None
            if error.code in _LATE or error.status == 401:
                raise Late from None
            if error.status == 413 or error.code == 40005 or (rich and error.code == 50013):
                raise FilesRefused from None
            if error.code in _NOBODY:
                raise Barred(reason=error.code) from None
            if error.status == 429:
                raise Flooded(_wait(error)) from None
            if error.code == _TOO_MANY_DMS:
                raise Flooded(60.0) from None
            raise
        except (aiohttp.ClientError, TimeoutError, OSError, discord.GatewayNotFound) as error:
            raise Unreachable(reason=type(error).__name__) from None


def _wait(error: discord.HTTPException) -> float:
    """Seconds that a refusal without the library's headers asks for; a minute where it does not say."""
    said = getattr(error.response, "headers", {}).get("Retry-After", "")
    return float(said) if said.replace(".", "", 1).isdecimal() else 60.0


def _groups(files: Mapping[str, Path]) -> list[dict[str, Path]]:
    """Files of one message each: at most ten, and not more bytes than one call may carry."""
    groups: list[dict[str, Path]] = []
    size = 0
    for name, path in files.items():
        here = path.stat().st_size
        if not groups or len(groups[-1]) == _FILES or size + here > _REQUEST:
            groups.append({})
            size = 0
        groups[-1][name] = path
        size += here
    return groups


def _once(nonce: str) -> Json:
    """What makes a message in a channel the same one when it is posted again."""
    return {"nonce": hashlib.blake2b(nonce.encode(), digest_size=12).hexdigest(), "enforce_nonce": True}
