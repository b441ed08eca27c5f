"""The stand-in for Telegram, driven by the real client library."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from typing import TypeVar

import pytest
from aiohttp import web
from PIL import Image
from telegram import (
    Bot,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaAudio,
    InputMediaDocument,
    Message,
    MessageEntity,
    Update,
)
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.ext import Application, ContextTypes, MessageHandler, filters

from tests.standins.telegram import limits
from tests.standins.telegram.standin import Telegram

T = TypeVar("T")
MP3 = b"ID3" + bytes(50)
OPUS = b"OggS" + bytes(24) + b"OpusHead" + bytes(20)


@pytest.fixture(autouse=True)
def _durations_are_timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")  # the library warns of seconds as numbers


@pytest.fixture
def telegram() -> Iterator[Telegram]:
    with Telegram(limits=False) as telegram:
        yield telegram


@pytest.fixture
async def bot(telegram: Telegram) -> AsyncIterator[Bot]:
    async with _bot(telegram) as bot:
        yield bot


@pytest.fixture
def chat(telegram: Telegram) -> int:
    return telegram.private(telegram.person("Ann"))


def _bot(telegram: Telegram, token: str | None = None) -> Bot:
    return Bot(
        token or telegram.token,
        base_url=f"{telegram.url}/bot",
        base_file_url=f"{telegram.url}/file/bot",
    )


async def _until(telegram: Telegram, predicate: Callable[[], T], seconds: float = 5) -> T:
    return await asyncio.to_thread(telegram.until, predicate, seconds)


async def _refused(call: Awaitable[object]) -> str:
    with pytest.raises(TelegramError) as caught:
        await call
    return str(caught.value).lower()


def _picture(width: int, height: int, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("L", (width, height)).save(file, kind)
    return file.getvalue()


def _buttons(*data: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton(f"Do {one}", callback_data=one) for one in data]])


async def test_a_real_application_polls_and_answers(telegram: Telegram, chat: int) -> None:
    async def answer(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        await update.message.reply_text(f"You said {update.message.text}", do_quote=True)

    application = Application.builder().bot(_bot(telegram)).build()
    application.add_handler(MessageHandler(filters.ALL, answer))
    async with application:
        assert application.updater is not None
        await application.start()
        await application.updater.start_polling(timeout=20)
        written = telegram.write(chat, chat, "hello")
        (seen,) = await _until(telegram, lambda: telegram.bot_messages(chat))
        await application.updater.stop()
        await application.stop()
    assert (seen.text, seen.reply_to, seen.by) == ("You said hello", written, "bot")
    assert telegram.pending == ()


async def test_what_people_write_comes_with_entities_in_utf_16(telegram: Telegram, bot: Bot, chat: int) -> None:
    telegram.write(chat, chat, "🎵 /new@tunesmith_bot for @ann_lee, see https://example.org/a.")
    (update,) = await bot.get_updates()
    message = update.message
    assert message is not None
    assert {e.type: message.parse_entity(e) for e in message.entities} == {
        "bot_command": "/new@tunesmith_bot",
        "mention": "@ann_lee",
        "url": "https://example.org/a",
    }
    assert message.entities[0].offset == 3
    assert message.from_user is not None
    assert message.from_user.language_code == "en"


async def test_an_offset_acknowledges_and_reactions_come_to_who_asks(telegram: Telegram, bot: Bot, chat: int) -> None:
    first = telegram.write(chat, chat, "one")
    assert telegram.react(chat, chat, first, "👍") is None  # not asked for yet
    (told,) = await bot.get_updates(allowed_updates=["message", "message_reaction"])
    assert [u.update_id for u in await bot.get_updates()] == [told.update_id]
    telegram.react(chat, chat, first, "❤")
    (change,) = await bot.get_updates(offset=told.update_id + 1)
    assert change.message_reaction is not None
    assert [r.to_dict()["emoji"] for r in change.message_reaction.old_reaction] == ["👍"]
    assert [r.to_dict()["emoji"] for r in change.message_reaction.new_reaction] == ["❤"]


async def test_of_two_who_poll_one_is_sent_away(telegram: Telegram, bot: Bot, chat: int) -> None:
    async with _bot(telegram) as other:
        polls = {asyncio.create_task(one.get_updates(timeout=20)) for one in (bot, other)}
        (away,), (left,) = await asyncio.wait(polls, return_when=asyncio.FIRST_COMPLETED)
        assert isinstance(away.exception(), Conflict)
        telegram.write(chat, chat, "one")
        assert len(await left) == 1


@pytest.mark.parametrize(
    ("text", "entity", "mode", "refusal"),
    [
        (" \n", None, None, "text must be non-empty"),
        ("🎵" * 2049, None, None, "message is too long"),
        ("ab", (1, 2), None, "entity beginning at utf-16 offset 1 ends after the end of the text at utf-16 offset 3"),
        ("🎵a", (1, 2), None, "entity begins in a middle of a utf-16 symbol at byte offset 4"),
        ("a *b", None, "Markdown", "can't parse entities: can't find end of the entity starting at byte offset 2"),
        ("a *b", None, "MarkdownV2", "can't parse entities: can't find end of bold entity at byte offset 2"),
        ("so.", None, "MarkdownV2", r"can't parse entities: character '.' is reserved and must be escaped"),
        ("<b>a", None, "HTML", "can't parse entities: can't find end tag corresponding to start tag"),
        ("<b><i>a</b>", None, "HTML", "can't parse entities: unmatched end tag"),
        ("a < b", None, "HTML", "can't parse entities: unsupported start tag"),
    ],
)
async def test_bad_texts_are_refused(
    telegram: Telegram, bot: Bot, chat: int, text: str, entity: tuple[int, int] | None, mode: str | None, refusal: str
) -> None:
    entities = [MessageEntity("bold", *entity)] if entity else None
    assert refusal in await _refused(bot.send_message(chat, text, parse_mode=mode, entities=entities))
    assert telegram.bot_messages(chat) == []


async def test_an_edit_must_change_a_message_that_is_there(telegram: Telegram, bot: Bot, chat: int) -> None:
    sent = await bot.send_message(chat, "one", reply_markup=_buttons("a"))
    same = bot.edit_message_text(" one ", chat, sent.id, reply_markup=_buttons("a"))
    assert "message is not modified" in await _refused(same)
    await bot.edit_message_text("two", chat, sent.id)
    seen = telegram.message(chat, sent.id)
    assert ([text for _, text in seen.history], seen.edited, seen.buttons) == (["one", "two"], 1, ())
    telegram.delete(chat, sent.id)
    assert "message to edit not found" in await _refused(bot.edit_message_text("three", chat, sent.id))
    assert "message to be replied not found" in await _refused(bot.send_message(chat, "x", reply_to_message_id=sent.id))
    await bot.send_message(chat, "x", reply_to_message_id=sent.id, allow_sending_without_reply=True)


async def test_a_text_becomes_audio_and_a_bad_thumbnail_is_ignored(telegram: Telegram, bot: Bot, chat: int) -> None:
    sent = await bot.send_message(chat, "composing")
    cover = _picture(320, 320, "JPEG")
    track = InputMediaAudio(MP3, caption="done", title="Reel", performer="Ann", filename="reel.mp3", thumbnail=cover)
    edited = await bot.edit_message_media(track, chat, sent.id)
    assert isinstance(edited, Message)
    assert edited.audio is not None
    media = telegram.message(chat, sent.id).media
    assert media is not None
    assert (media.kind, media.name, media.content, media.title, media.performer, media.thumbnail) == (
        "audio",
        "reel.mp3",
        MP3,
        "Reel",
        "Ann",
        cover,
    )
    assert "no text in the message" in await _refused(bot.edit_message_text("x", chat, sent.id))
    await bot.send_audio(chat, MP3, thumbnail=_picture(321, 9, "JPEG"), filename="b.mp3")
    assert len(telegram.ignored_thumbnails) == 1
    assert telegram.bot_messages(chat)[-1].media != media


async def test_only_a_button_that_is_there_can_be_pressed_and_is_answered_once(
    telegram: Telegram, bot: Bot, chat: int
) -> None:
    assert "button_data_invalid" in await _refused(bot.send_message(chat, "x", reply_markup=_buttons("ж" * 33)))
    sent = await bot.send_message(chat, "what now", reply_markup=_buttons("play", "stop"))
    assert telegram.message(chat, sent.id).buttons == ((("Do play", "play"), ("Do stop", "stop")),)
    with pytest.raises(AssertionError, match="Do play"):
        telegram.press(chat, chat, sent.id, "Save")
    id_ = telegram.press(chat, chat, sent.id, "Do stop")
    (update,) = await bot.get_updates()
    assert update.callback_query is not None
    assert (update.callback_query.id, update.callback_query.data) == (id_, "stop")
    await bot.answer_callback_query(id_, "Stopped", show_alert=True)
    assert [(t.person, t.text, t.alert) for t in telegram.toasts] == [(chat, "Stopped", True)]
    assert "query is too old" in await _refused(bot.answer_callback_query(id_))
    telegram.query_seconds = 0
    late = telegram.press(chat, chat, sent.id, "play")
    assert "query is too old" in await _refused(bot.answer_callback_query(late))


async def test_files_are_what_they_are_and_not_too_large(telegram: Telegram, bot: Bot, chat: int) -> None:
    assert (await bot.send_voice(chat, OPUS, duration=2)).voice is not None
    assert (await bot.send_voice(chat, MP3)).document is not None
    assert (await bot.send_photo(chat, _picture(200, 10))).photo[-1].width == 200
    for width, height in ((9000, 1001), (2100, 100)):
        assert "photo_invalid_dimensions" in await _refused(bot.send_photo(chat, _picture(width, height)))
    document = await bot.send_document(chat, b"MThd", filename="a.mid")
    assert document.document is not None
    assert "can't use file of type document as audio" in await _refused(bot.send_audio(chat, document.document.file_id))
    assert "caption is too long" in await _refused(bot.send_document(chat, b"x", caption="a" * 1025))
    large = bytes(limits.UPLOAD_BYTES + 1)
    assert "entity too large" in await _refused(bot.send_document(chat, large, write_timeout=20, read_timeout=20))


async def test_a_file_of_a_persons_can_be_fetched(telegram: Telegram, bot: Bot, chat: int) -> None:
    telegram.attach(chat, chat, "voice", OPUS, caption="listen", duration=7)
    telegram.attach(chat, chat, "document", b"MThd", name="big.mid", size=21 * limits.MEGABYTE)
    small, big = await bot.get_updates()
    assert small.message is not None
    assert small.message.voice is not None
    assert (small.message.caption, small.message.voice.duration) == ("listen", timedelta(seconds=7))
    file = await small.message.voice.get_file()
    assert bytes(await file.download_as_bytearray()) == OPUS
    assert big.message is not None
    assert big.message.document is not None
    assert "file is too big" in await _refused(big.message.document.get_file())


async def test_an_album_is_of_one_kind_and_of_two_to_ten(telegram: Telegram, bot: Bot, chat: int) -> None:
    audio, document = InputMediaAudio(MP3), InputMediaDocument(b"x")
    assert len(await bot.send_media_group(chat, [audio, audio], caption="two")) == 2
    assert [m.text for m in telegram.bot_messages(chat)] == ["two", ""]
    assert len({m.album for m in telegram.bot_messages(chat)}) == 1
    assert "can't be mixed" in await _refused(bot.send_media_group(chat, [audio, document]))
    assert "too many messages to send as an album" in await _refused(bot.send_media_group(chat, [audio] * 11))
    assert "there are no messages to send" in await _refused(bot.send_media_group(chat, [audio]))


async def test_who_talks_too_fast_has_to_wait(telegram: Telegram, bot: Bot, chat: int) -> None:
    telegram.limits = True
    sent = [await bot.send_message(chat, f"{n}") for n in range(limits.CHAT_BURST)]
    with pytest.raises(RetryAfter) as caught:
        await bot.edit_message_text("again", chat, sent[0].id)
    assert caught.value.retry_after == timedelta(seconds=1)
    assert len(telegram.exceeded) == 1
    await bot.delete_message(chat, sent[0].id)
    await bot.set_message_reaction(chat, sent[1].id, "👍")
    assert telegram.reactions_by_bot == {(chat, sent[1].id): ("👍",)}
    telegram.limits = False
    await bot.send_message(chat, "more")
    assert len(telegram.exceeded) == 1


async def test_a_call_can_fail_be_lost_or_hang(telegram: Telegram, bot: Bot, chat: int) -> None:
    telegram.fail("sendMessage", status=429, retry_after=30)
    with pytest.raises(RetryAfter):
        await bot.send_message(chat, "one")
    assert telegram.early == []
    await bot.send_message(chat, "early")
    assert len(telegram.early) == 1
    telegram.fail("send*", status=502)
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(chat, "two")
    telegram.drop("sendMessage")
    telegram.drop("sendMessage", after=True)
    telegram.stall("sendMessage")
    for text, seconds in (("lost", 5), ("done all the same", 5), ("nothing", 0.1)):
        with pytest.raises(NetworkError):
            await bot.send_message(chat, text, read_timeout=seconds)
    assert [m.text for m in telegram.bot_messages(chat)] == ["early", "done all the same"]
    assert [c.status for c in telegram.calls if c.method == "sendMessage"] == [429, 200, 502, 0, 0, 0]


async def test_updates_can_be_held_shuffled_and_repeated(telegram: Telegram, bot: Bot, chat: int) -> None:
    telegram.hold()
    ids = [telegram.update_of(chat, telegram.write(chat, chat, text)) for text in "abc"]
    assert list(await bot.get_updates()) == []
    telegram.shuffle(ids[2], ids[0])
    telegram.release()
    got = await bot.get_updates()
    assert [u.update_id for u in got] == [ids[2], ids[0], ids[1]]
    assert list(await bot.get_updates(offset=ids[1] + 1)) == []
    telegram.repeat(ids[0])
    assert [u.update_id for u in await bot.get_updates(offset=ids[2] + 1)] == [ids[0]]
    assert list(await bot.get_updates(offset=ids[0] + 1)) == []


async def test_a_webhook_gets_updates_in_order_within_a_chat_and_until_it_takes_them(telegram: Telegram) -> None:
    ann, bob = (telegram.private(telegram.person(name)) for name in ("Ann", "Bob"))
    got: list[str] = []
    ann_waits, bob_came = asyncio.Event(), asyncio.Event()

    async def take(request: web.Request) -> web.Response:
        assert request.headers["X-Telegram-Bot-Api-Secret-Token"] == "s3cret"
        message = (await request.json())["message"]
        if not ann_waits.is_set() and message["chat"]["id"] == ann:
            ann_waits.set()
            await bob_came.wait()
            return web.Response(status=500)
        got.append(message["text"])
        if message["chat"]["id"] == bob:
            bob_came.set()
        return web.Response()

    app = web.Application()
    app.router.add_post("/hook", take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with _bot(telegram) as bot:
        await bot.set_webhook(f"http://127.0.0.1:{runner.addresses[0][1]}/hook", secret_token="s3cret")
        assert "can't use getupdates" in await _refused(bot.get_updates())
        for chat, text in ((ann, "a1"), (ann, "a2"), (bob, "b1")):
            telegram.write(chat, chat, text)
        await _until(telegram, lambda: not telegram.pending)
        info = await bot.get_webhook_info()
        await bot.delete_webhook()
    await runner.cleanup()
    assert got == ["b1", "a1", "a2"]
    assert info.last_error_message == "Wrong response from the webhook: 500 Internal Server Error"


async def test_chats_come_to_an_end(telegram: Telegram, bot: Bot, chat: int) -> None:
    group = telegram.group("Band", chat)
    moved = telegram.migrate(group)
    with pytest.raises(TelegramError) as caught:
        await bot.send_message(group, "anyone?")
    assert getattr(caught.value, "new_chat_id", None) == moved
    assert [u.message.migrate_to_chat_id for u in await bot.get_updates() if u.message] == [moved, None]
    assert (await bot.get_chat_member(moved, bot.id)).status == "administrator"
    assert (await bot.get_chat_member(moved, chat)).status == "creator"
    telegram.kick(moved)
    telegram.block(chat)
    for gone in (moved, chat):
        with pytest.raises(Forbidden):
            await bot.send_message(gone, "hello?")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(-5, "hello?")


async def test_a_forum_has_threads_that_open_and_close(telegram: Telegram, bot: Bot) -> None:
    ann = telegram.person("Ann")
    forum = telegram.supergroup("Band", ann, topics=True)
    reels = telegram.topic(forum, "Reels")
    jigs = (await bot.create_forum_topic(forum, "Jigs")).message_thread_id
    await bot.send_message(forum, "a jig", message_thread_id=jigs)
    telegram.write(forum, ann, "a reel", topic=reels)
    assert [m.text for m in telegram.messages(forum, reels)] == ["a reel"]
    last = (await bot.get_updates())[-1].message
    assert last is not None
    assert last.is_topic_message
    await bot.close_forum_topic(forum, jigs)
    assert "topic_closed" in await _refused(bot.send_message(forum, "x", message_thread_id=jigs))
    assert "thread not found" in await _refused(bot.send_message(forum, "x", message_thread_id=99))


async def test_the_rest_of_the_account(telegram: Telegram, bot: Bot, chat: int) -> None:
    await bot.set_my_commands([("new", "Something new")])
    await bot.set_my_commands([("new", "Etwas Neues")], language_code="de")
    assert telegram.commands == {"": (("new", "Something new"),), "de": (("new", "Etwas Neues"),)}
    await bot.send_message_draft(chat, 7, "so far")
    await bot.send_chat_action(chat, "typing")
    assert ([d.text for d in telegram.drafts], telegram.actions) == (["so far"], [(chat, "typing")])
    assert "not found" in await _refused(bot.send_dice(chat))
    with pytest.raises(InvalidToken):
        async with _bot(telegram, "1:other"):
            pass
    assert [c.status for c in telegram.calls][-2:] == [404, 401]


async def test_a_wait_in_vain_shows_what_was_there(telegram: Telegram, bot: Bot, chat: int) -> None:
    telegram.write(chat, chat, "a reel")
    await bot.send_message(chat, "Which key?", reply_markup=_buttons("D", "G"))
    with pytest.raises(AssertionError) as caught:
        telegram.until(lambda: telegram.bot_messages(chat)[1], 0.01)
    shown = str(caught.value)
    assert "[1] Ann: a reel\n[2] bot: Which key?\n      [ Do D ]  [ Do G ]" in shown
    assert "sendMessage 200" in shown


async def test_what_the_official_server_refuses_is_refused(telegram: Telegram, bot: Bot, chat: int) -> None:
    """See docs/development.md: each of these was read in tdlib/telegram-bot-api or tdlib/td."""
    words = (await bot.send_message(chat, "Composing")).message_id
    unnamed = InputMediaAudio(InputFile(MP3, "a.mp3", attach=False))
    assert "media not found" in await _refused(bot.edit_message_media(unnamed, chat, words))
    asks = bot.edit_message_text("What?", chat, words, reply_markup=ForceReply())  # type: ignore[arg-type]
    assert "inline keyboard expected" in await _refused(asks)
    asked = (await bot.send_message(chat, "What?", reply_markup=ForceReply())).message_id
    assert "message can't be edited" in await _refused(bot.edit_message_text("That?", chat, asked))
    wide = InlineKeyboardMarkup([[InlineKeyboardButton(str(n), callback_data="x") for n in range(9)]])
    assert "reply markup is too long" in await _refused(bot.send_message(chat, "Many", reply_markup=wide))
    link = MessageEntity("text_link", 0, 1, url="nowhere")
    assert "wrong http url" in await _refused(bot.send_message(chat, "a", entities=[link]))
    bold = [MessageEntity("bold", n, 1) for n in range(250)]
    assert "entities_too_long" in await _refused(bot.send_message(chat, "a" * 300, entities=bold))
    assert "non-empty" in await _refused(bot.send_message(chat, "\u2800\u200b"))
    assert "message_too_long" in await _refused(bot.edit_message_text("a" * 4097, chat, words))


async def test_in_privacy_mode_a_name_is_not_heard(bot: Bot) -> None:
    with Telegram(privacy=True) as shy:
        ann = shy.person("Ann")
        group = shy.supergroup("Room", ann, admin=False)
        shy.write(group, ann, f"@{shy.username} a waltz")
        shy.write(group, ann, "/compose a waltz")
        heard = shy.write(group, ann, f"/compose@{shy.username} a waltz")
        assert shy.pending == (shy.update_of(group, heard),)


async def test_an_old_id_of_a_chat_that_has_moved_is_not_edited(telegram: Telegram, bot: Bot) -> None:
    group = telegram.group("Room", telegram.person("Ann"))
    words = (await bot.send_message(group, "Hello")).message_id
    telegram.migrate(group)
    assert "message to edit not found" in await _refused(bot.edit_message_text("Hi", group, words))
