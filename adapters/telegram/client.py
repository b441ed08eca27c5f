"""Telegram, through python-telegram-bot: all that goes out to it and comes in from it."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from telegram import (  # fmt: skip
    Bot,
    BotCommand,
    InputFile,
    InputMediaAudio,
    InputMediaDocument,
    InputMediaPhoto,
    LinkPreviewOptions,
    ReplyParameters,
    Update,
)
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, RetryAfter, TelegramError
from telegram.request import HTTPXRequest

from adapters.encoding import opus_bytes
from adapters.engrave.card import thumbnail_jpeg
from adapters.telegram.forms import MOST_CAPTION, MOST_TEXT, defused, formatted, keyboard, markup
from adapters.telegram.translate import PLATFORM, Me, Moved, ids_of, message_of
from adapters.telegram.updates import Webhook, polled
from core.errors import Barred, FilesRefused, Flooded, MessageGone, NotFetched, Refused, Unanswered, Unreachable
from core.looks import Look, Rows, utf16
from core.messages import Message
from core.ports import Pace

log = logging.getLogger(__name__)

_MOST_BYTES = 49_000_000  # of a file that a bot can send
_AGAIN = (1.0, 3.0)  # seconds between tries to fetch a file
_ALBUM = 10  # files that stand together
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid", "message to delete not found")
_NOBODY = (
    "chat not found", "not enough rights", "have no rights", "have no write access", "chat_write_forbidden",
    "topic_closed", "topic_deleted", "message thread not found", "user is deactivated", "group chat was deactivated",
    "peer_id_invalid", "channel_private", "chat_restricted", "chat_admin_required", "user_banned_in_channel",
    "chat_guest_send_forbidden", "allow_payment_required", "bot can't send messages to the bot",
)  # fmt: skip
_NO_FILES = re.compile(r"rights to send (?:music|documents|photos|voice|audio)")
_BAD_PICTURE = re.compile(r"photo_|image_|for a photo|photo has")
_FLOODED = re.compile(r"too many requests: retry after (\d{1,6})")
_SLOW: dict[str, Any] = {"read_timeout": 120}  # seconds: Telegram may take long behind the last byte of a file
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
Describe = Callable[[str], Sequence[tuple[str, str]]]  # the commands and what they do, in a language


class Telegram:
    """Implements core.ports.EditingChat. `url`: another Bot API server; `webhook`: where Telegram finds us, None to
    poll; `moved` hears that a chat has another id.
    """

    name = PLATFORM
    pace = Pace(total=29, private=1.0, group=3.0, group_minute=19)
    same = False
    holds = frozenset({"mp3", "card"})
    follow: tuple[str, ...] = ("score", "midi")
    most_files = 2
    most, most_beside = MOST_TEXT, MOST_CAPTION

    def __init__(
        self,
        token: str,
        commands: Describe,
        moved: Callable[[str, str], Awaitable[None]],
        tell: Callable[..., None] = lambda code, **values: None,
        url: str | None = None,
        webhook: str | None = None,
        port: int = 8443,
    ) -> None:
        self._token, self._commands, self._moved, self._tell = token, commands, moved, tell
        self._url, self._webhook, self._port = url, webhook, port
        self._bot = bot(token, url)
        self._me = Me(0, "")
        self._source: AsyncIterator[Update] = polled(self._bot, tell)

    def measure(self, text: str) -> int:
        return utf16(defused(text))

    def most_bytes(self, message: Message) -> int:
        return _MOST_BYTES

    def room(self, message: Message) -> str:
        return message.chat.partition("/")[0]  # a group with all its topics

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Raises Refused with what Telegram said, Unreachable where it does not answer."""
        self._bot = bot(self._token, self._url)
        async with AsyncExitStack() as stack:
            async with self._told():
                await self._bot.initialize()
            stack.push_async_callback(self._bot.shutdown)
            self._me = Me(self._bot.id, self._bot.username)
            self._source = polled(self._bot, self._tell)
            if self._webhook is not None:
                hook = Webhook()
                self._source = hook.updates()
                try:
                    async with self._told():
                        await stack.enter_async_context(hook.listening(self._bot, self._webhook, self._port))
                except BadRequest as error:
                    raise Refused(platform="Telegram", said=error.message, mend="webhook") from None
            naming = asyncio.create_task(self._name_commands())
            stack.callback(naming.cancel)
            self._tell("platform-ready", platform="Telegram", name=f"@{self._me.username}")
            if not self._bot.bot.can_read_all_group_messages:
                self._tell("telegram-privacy")
            yield

    async def _name_commands(self) -> None:
        """The menu of commands, in both languages. It is only a menu: without it everything works."""
        for language in ("en", "zh"):
            made = [BotCommand(name, what[:256]) for name, what in self._commands(language)]
            with suppress(TelegramError):
                await self._bot.set_my_commands(made, language_code=language if language != "en" else None)

    async def messages(self) -> AsyncIterator[Message]:
        """Asking for the next one means that the last one is safe."""
        async with self._told():
            async for update in self._source:
                try:
                    made = message_of(update, self._me)
                except Exception:
                    log.exception("update %s cannot be read", update.update_id)
                    continue
                if isinstance(made, Moved):
                    await self._moved(made.chat, made.to)
                elif made is not None:
                    yield made

    async def accepted(self, message: Message) -> None:
        """The next message is asked for."""

    # Out

    async def post(self, message: Message, look: Look, nonce: str) -> str:
        async with self._told(message, files="mp3" in look.files):
            if "mp3" in look.files:
                audio = await self._audio(look)
                there = self._there(message)
                audio |= {"audio": audio.pop("media"), "reply_markup": keyboard(look.rows)}
                sent = await self._bot.send_audio(**there, **audio, **_SLOW)
            else:
                answers = markup(look, message.group)
                sent = await self._words(look, self._bot.send_message, answers, **self._there(message))
            return str(sent.message_id)
        raise MessageGone

    async def edit(self, message: Message, id_: str, look: Look) -> None:
        where = self._which(message, id_)
        async with self._told(message, files="mp3" in look.files):
            if "mp3" in look.files:
                media = InputMediaAudio(**await self._audio(look))
                await self._bot.edit_message_media(media, reply_markup=keyboard(look.rows), **where, **_SLOW)
            else:
                await self._words(look, self._bot.edit_message_text, **where)

    async def _words(self, look: Look, call: Callable[..., Awaitable[Any]], answers: Any = None, **where: Any) -> Any:
        """As formatted text; if Telegram refuses the formatting, the original text. `answers`: other than buttons; such
        can only be sent.
        """
        text, entities = formatted(look, MOST_TEXT)
        markup_ = answers or keyboard(look.rows)
        also = {"reply_markup": markup_, "link_preview_options": _NO_PREVIEW, **where}
        try:
            return await call(text=text, entities=entities, **also)
        except BadRequest as error:
            if "entit" not in error.message.lower():
                raise
            return await call(text=defused(look.text), **also)

    async def _audio(self, look: Look) -> dict[str, Any]:
        path = Path(look.files["mp3"])
        content = await asyncio.to_thread(path.read_bytes)
        thumbnail = await asyncio.to_thread(_thumbnail, look.files["card"]) if "card" in look.files else None
        caption, entities = formatted(look, MOST_CAPTION)
        return {
            "media": InputFile(content, path.name, attach=True), "caption": caption, "caption_entities": entities,
            "title": look.title, "performer": "Tunesmith", "duration": round(look.seconds or 0), "thumbnail": thumbnail,
        }  # fmt: skip

    async def rebutton(self, message: Message, id_: str, rows: Rows) -> None:
        where = self._which(message, id_)
        async with self._told(message):
            await self._bot.edit_message_reply_markup(reply_markup=keyboard(rows), **where)

    async def session(self, message: Message, title: str, link: str) -> str:
        raise NotImplementedError  # no message of Telegram's says that it has such rooms

    async def delete(self, message: Message, id_: str) -> None:
        # What deleting is refused for does not matter: too old, gone, not ours to delete.
        with suppress(MessageGone, BadRequest):
            where = self._which(message, id_)
            async with self._told(message):
                await self._bot.delete_message(**where)

    async def send(self, message: Message, files: Mapping[str, Path], beside: str, nonce: str) -> list[str]:
        there = self._there(message)
        if beside.isdecimal():  # songs may come faster than their files: so everybody sees whose these are
            there["reply_parameters"] = ReplyParameters(int(beside), allow_sending_without_reply=True)
        async with self._told(message, files=True):
            if "voice" in files:
                content = await asyncio.to_thread(opus_bytes, files["voice"])
                voice = await self._bot.send_voice(voice=InputFile(content, "voice.ogg"), **there, **_SLOW)
                return [str(voice.message_id)]
            contents = [(path.name, await asyncio.to_thread(path.read_bytes)) for path in files.values()]
            if not all(name.split("-")[0] == "score" for name in files):
                return await self._group(contents, InputMediaDocument, self._bot.send_document, "document", there)
            try:
                return await self._group(contents, InputMediaPhoto, self._bot.send_photo, "photo", there)
            except BadRequest as error:
                if not _BAD_PICTURE.search(error.message.lower()):
                    raise
                return await self._group(contents, InputMediaDocument, self._bot.send_document, "document", there)
        raise FilesRefused

    async def _group(
        self, contents: list[tuple[str, bytes]], kind: Any, one: Callable[..., Awaitable[Any]], what: str, there: Any
    ) -> list[str]:
        """One file by itself, several as albums."""
        sent: list[str] = []
        for group in _albums(contents):
            if len(group) == 1:
                name, content = group[0]
                sent.append(str((await one(**{what: InputFile(content, name)}, **there, **_SLOW)).message_id))
                continue
            media = [kind(InputFile(content, name, attach=True)) for name, content in group]
            album = await self._bot.send_media_group(media=media, **there, **_SLOW)
            sent += [str(each.message_id) for each in album]
        return sent

    async def whisper(self, message: Message, text: str, nonce: str) -> str:
        """In the private chat, which has the person's id: only who has once written to us there can be reached."""
        if message.anonymous:  # there the id is that of the group
            raise Barred(reason="anonymous")
        async with self._told(message):
            sent = await self._words(Look(text), self._bot.send_message, chat_id=int(message.user))
            return str(sent.message_id)
        raise MessageGone

    async def notice(self, message: Message, text: str) -> bool:
        try:
            async with self._told(message):
                await self._bot.answer_callback_query(message.handle, text[:200] or None, show_alert=len(text) > 60)
        except BadRequest:
            return not text  # too old, or answered before
        return True

    def _which(self, message: Message, id_: str) -> dict[str, Any]:
        """A message of ours. Raises MessageGone where it was in a chat that has moved."""
        if not id_.isdecimal():
            raise MessageGone
        chat, _ = ids_of(message.chat)
        return {"chat_id": chat, "message_id": int(id_)}

    def _there(self, message: Message) -> dict[str, Any]:
        """The chat and its topic; in a group as a reply, so that everybody sees whose it is."""
        chat, topic = ids_of(message.chat)
        there: dict[str, Any] = {"chat_id": chat, "message_thread_id": topic}
        origin = message.external if message.external.isdecimal() else message.on_external
        if message.group and origin:
            there["reply_parameters"] = ReplyParameters(int(origin), allow_sending_without_reply=True)
        return there

    @asynccontextmanager
    async def _told(self, message: Message | None = None, files: bool = False) -> AsyncIterator[None]:
        """Telegram's errors as ours. `files`: whether it may be the files that it does not want."""
        try:
            yield
        except RetryAfter as error:
            raise Flooded(_seconds(error)) from None
        except InvalidToken as error:
            raise Refused(platform="Telegram", said=_first(error.message)) from None
        except ChatMigrated as error:
            if message is not None:
                await self._moved(message.chat, str(error.new_chat_id))
            raise Unreachable(reason="moved") from None
        except Forbidden as error:
            raise Barred(reason=error.message) from None
        except BadRequest as error:
            said = error.message.lower()
            if "not modified" in said:
                return
            if flooded := _FLOODED.search(said):  # how a wait is told in the middle of an upload
                raise Flooded(float(flooded[1])) from None
            if any(each in said for each in _GONE):
                raise MessageGone from None
            if any(each in said for each in _NOBODY) and not (files and _NO_FILES.search(said)):
                raise Barred(reason=error.message) from None
            if files and "reply" not in said:
                raise FilesRefused from None
            raise
        except TelegramError as error:
            if files and "too large" in error.message.lower():
                raise FilesRefused from None
            raise (Unanswered if _perhaps_sent(error) else Unreachable)(reason=type(error).__name__) from None


def _perhaps_sent(error: TelegramError) -> bool:
    """Whether the call may have arrived: not where there was no connection, nor where Telegram answered."""
    cause = error.__cause__
    sent = (httpx.ReadTimeout, httpx.WriteTimeout, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
    return isinstance(cause, sent)


def _albums(contents: list[tuple[str, bytes]]) -> list[list[tuple[str, bytes]]]:
    """Files that go together: at most ten, and not more bytes than one call may carry."""
    albums: list[list[tuple[str, bytes]]] = []
    size = 0
    for name, content in contents:
        if not albums or len(albums[-1]) == _ALBUM or size + len(content) > _MOST_BYTES:
            albums.append([])
            size = 0
        albums[-1].append((name, content))
        size += len(content)
    return albums


def _first(said: str) -> str:
    """What Telegram said, without the token that the library may quote."""
    return "Unauthorized" if "token" in said.lower() else said


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return float(after if isinstance(after, int | float) else after.total_seconds())


def _thumbnail(path: str) -> bytes:
    return thumbnail_jpeg(Path(path).read_bytes(), 320)


def bot(token: str, url: str | None = None) -> Bot:
    """A connection of its own. `url`: another Bot API server."""
    request = HTTPXRequest(
        connection_pool_size=64, connect_timeout=10, read_timeout=60, write_timeout=60, media_write_timeout=180,
        pool_timeout=30,
    )  # fmt: skip
    polling = HTTPXRequest(connection_pool_size=2, connect_timeout=10, read_timeout=10, pool_timeout=10)
    addresses: dict[str, Any] = {"base_url": f"{url}/bot", "base_file_url": f"{url}/file/bot"} if url else {}
    return Bot(token, request=request, get_updates_request=polling, **addresses)


def fetcher(token: str, url: str | None = None) -> Callable[[str, Path], Awaitable[None]]:
    """Brings a file that somebody sent; a connection of its own each time, as it is seldom. Raises NotFetched."""

    async def fetch(source: str, path: Path) -> None:
        for pause in (*_AGAIN, None):
            try:
                async with bot(token, url) as fetching:
                    file = await fetching.get_file(source)
                    await file.download_to_drive(path)
                return
            except TelegramError as error:
                log.warning("a file cannot be had from Telegram: %s", type(error).__name__)
                passing = "temporarily unavailable" in error.message.lower()
                if pause is None or (isinstance(error, BadRequest | Forbidden) and not passing):
                    raise NotFetched(name=path.name.removesuffix(".part"), reason=type(error).__name__) from None
            await asyncio.sleep(pause)

    return fetch
