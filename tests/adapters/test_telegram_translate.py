"""Telegram's updates, as its Bot API documents them, become messages of ours."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from adapters.telegram.forms import formatted, keyboard
from adapters.telegram.translate import Me, Moved, ids_of, message_of
from adapters.telegram.updates import polled
from core.events import Button
from core.looks import Look
from core.messages import Attachment, Message

ME = Me(7, "tunesmith_bot")
ANN = {"id": 42, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "language_code": "zh-hans"}
PRIVATE = {"id": 42, "type": "private", "first_name": "Ann"}
GROUP = {"id": -5, "type": "group", "title": "Band"}
FORUM = {"id": -1005, "type": "supergroup", "title": "Band", "is_forum": True}
BOT = {"id": 7, "is_bot": True, "first_name": "Tunesmith", "username": "tunesmith_bot"}


def told(**update: Any) -> Message | Moved | None:
    made = Update.de_json({"update_id": 900, **update}, None)
    return message_of(made, ME)


def said(chat: dict[str, Any] = PRIVATE, **more: Any) -> Message | Moved | None:
    return told(message={"message_id": 3, "date": 1790000000, "chat": chat, "from": ANN, **more})


def words(found: Message | Moved | None) -> str | None:
    assert not isinstance(found, Moved)
    return found.text if found else None


def entity(kind: str, offset: int, length: int) -> list[dict[str, Any]]:
    return [{"type": kind, "offset": offset, "length": length}]


def test_words_in_private_are_a_message_with_who_and_where() -> None:
    found = said(text="a jig in D")
    assert found == Message(
        "telegram", "42", "42", text="a jig in D", external="3", name="Ann Lee", language="zh",
        home="https://t.me/tunesmith_bot?start={}",
    )  # fmt: skip


def test_in_a_group_only_what_is_meant_for_us_is_heard() -> None:
    assert said(GROUP, text="a nice day") is None
    assert words(said(GROUP, text="🎵 @Tunesmith_Bot a jig", entities=entity("mention", 3, 14))) == "🎵  a jig"
    assert words(said(GROUP, text="/compose a jig", entities=entity("bot_command", 0, 8))) == "/compose a jig"
    ours = "/compose@tunesmith_bot a jig"
    assert words(said(GROUP, text=ours, entities=entity("bot_command", 0, 22))) == "/compose a jig"
    theirs = "/compose@other_bot a jig"
    assert said(GROUP, text=theirs, entities=entity("bot_command", 0, 18)) is None
    card = {"message_id": 2, "date": 1, "chat": GROUP, "from": BOT, "text": "♪"}
    found = said(GROUP, text="faster", reply_to_message=card)
    assert isinstance(found, Message)
    assert (found.text, found.reply_external, found.group) == ("faster", "2", True)
    somebody = {**card, "from": {**ANN, "id": 43}}
    assert said(GROUP, text="faster", reply_to_message=somebody) is None


def test_a_topic_is_a_chat_of_its_own_and_its_first_message_is_no_reply() -> None:
    opening = {"message_id": 9, "date": 1, "chat": FORUM, "from": BOT}
    found = said(
        FORUM, text="/help", entities=entity("bot_command", 0, 5), message_thread_id=9, is_topic_message=True,
        reply_to_message=opening,
    )  # fmt: skip
    assert isinstance(found, Message)
    assert (found.chat, found.reply_external) == ("-1005/9", "")
    assert ids_of(found.chat) == (-1005, 9)


def test_a_link_opens_what_it_names() -> None:
    assert words(said(text="/start x1-Y_z", entities=entity("bot_command", 0, 6))) == "/open x1-Y_z"
    assert words(said(text="/start", entities=entity("bot_command", 0, 6))) == "/start"


FILE = {"file_id": "F", "file_unique_id": "u", "file_size": 9}


@pytest.mark.parametrize(
    ("sent", "attachment"),
    [
        ({"voice": {**FILE, "duration": 4, "mime_type": "audio/ogg"}}, ("voice.ogg", "voice", 9, 4.0)),
        ({"audio": {**FILE, "duration": 4, "file_name": "a.mp3"}}, ("a.mp3", "audio", 9, 4.0)),
        ({"audio": {**FILE, "duration": 4}}, ("audio.mp3", "audio", 9, 4.0)),
        ({"document": {**FILE, "file_name": "message.txt"}}, ("message.txt", "file", 9, None)),
        ({"document": FILE}, ("file", "file", 9, None)),
        ({"document": {**FILE, "file_name": "a.mid", "mime_type": "audio/midi"}}, ("a.mid", "file", 9, None)),
        ({"document": {**FILE, "file_name": "a.png", "mime_type": "image/png"}}, ("a.png", "image", 9, None)),
        ({"document": {**FILE, "file_name": "a.wav", "mime_type": "audio/wav"}}, ("a.wav", "audio", 9, None)),
        ({"photo": [{**FILE, "file_id": "s", "width": 1, "height": 1}, {**FILE, "width": 9, "height": 9}]},
         ("photo.jpg", "image", 9, None)),
        ({"video_note": {**FILE, "duration": 3, "length": 9}}, ("round-video.mp4", "video", 9, None)),
    ],
)  # fmt: skip
def test_files_are_typed_parts(sent: dict[str, Any], attachment: tuple[Any, ...]) -> None:
    found = said(caption="hum", media_group_id="g", **sent)
    assert isinstance(found, Message)
    name, kind, size, seconds = attachment
    assert found.files == (Attachment("F", name, kind, size, seconds, remote=True),)
    assert (found.text, found.album) == ("hum", "g")


def test_what_is_too_large_or_unreadable_is_a_problem() -> None:
    large = said(voice={**FILE, "file_size": 30_000_000, "duration": 4})
    assert isinstance(large, Message)
    assert (large.problem, large.files) == ("file-too-big", ())
    place = said(location={"latitude": 1.0, "longitude": 2.0})
    assert isinstance(place, Message)
    assert place.problem == "message-unreadable"


def test_an_edit_says_so() -> None:
    found = told(edited_message={"message_id": 3, "date": 1, "edit_date": 2, "chat": PRIVATE, "from": ANN, "text": "b"})
    assert isinstance(found, Message)
    assert (found.text, found.external, found.edited) == ("b", "3", True)


@pytest.mark.parametrize(
    "message",
    [
        {"chat": GROUP, "date": 1790000000},
        {"chat": GROUP, "date": 0},  # too old to be read: only its place is known
    ],
)
def test_a_press_knows_its_message(message: dict[str, Any]) -> None:
    query = {"id": "q1", "from": ANN, "chat_instance": "c", "data": "more:1:2", "message": {"message_id": 8, **message}}
    found = told(callback_query=query)
    assert isinstance(found, Message)
    assert (found.press, found.on_external, found.handle, found.chat) == ("more:1:2", "8", "q1", "-5")
    assert found.group


@pytest.mark.parametrize(
    ("new", "emoji"),
    [
        ([{"type": "emoji", "emoji": "👍"}], "👍"),
        ([], ""),
        ([{"type": "custom_emoji", "custom_emoji_id": "55"}], "custom 55"),
    ],
)
def test_a_reaction_is_its_newest_emoji_or_none(new: list[dict[str, str]], emoji: str) -> None:
    update = {"chat": GROUP, "message_id": 8, "user": ANN, "date": 1, "old_reaction": [], "new_reaction": new}
    found = told(message_reaction=update)
    assert isinstance(found, Message)
    assert (found.reaction, found.on_external, found.external) == (emoji, "8", "update 900")


def test_a_group_that_moves_says_where_to() -> None:
    assert said(GROUP, migrate_to_chat_id=-1009) == Moved("-5", "-1009")


@pytest.mark.parametrize(
    "what",
    [{"new_chat_title": "B"}, {"left_chat_member": ANN}, {"migrate_from_chat_id": -5}, {"from": BOT, "text": "x"}],
)
def test_what_nobody_said_is_nothing(what: dict[str, Any]) -> None:
    assert said(**what) is None


def test_other_kinds_of_updates_are_nothing() -> None:
    assert told() is None
    assert told(inline_query={"id": "1", "from": ANN, "query": "x", "offset": ""}) is None


class Odd:
    """Telegram with an update between two others that the library cannot read."""

    def __init__(self) -> None:
        self.offsets: list[int | None] = []

    async def delete_webhook(self) -> None:
        """There is none."""

    async def get_updates(self, offset: int | None, **more: Any) -> list[Update]:
        self.offsets.append(offset)
        raise TypeError("a field is missing")

    async def do_api_request(self, name: str, api_kwargs: dict[str, Any]) -> list[dict[str, Any]]:
        rows = [{"update_id": n, "message": {"message_id": n, "date": 1, "chat": PRIVATE}} for n in (4, 6)]
        return [rows[0], {"update_id": 5, "message": {"no": "fields"}}, rows[1]]


async def test_an_update_that_the_library_cannot_read_is_passed_over() -> None:
    odd = Odd()
    source = polled(odd)  # type: ignore[arg-type]
    found = [await anext(source) for _ in range(4)]
    assert [(u.update_id, u.message is not None) for u in found] == [(4, True), (5, False), (6, True), (4, True)]
    assert odd.offsets == [None, 7]


# Out


def test_markdown_becomes_entities_in_utf16_only_when_it_is_whole() -> None:
    text, entities = formatted(Look("🎵 **Bold**", markdown=True, final=True), 4096)
    assert text == "🎵 Bold"
    assert [(e.type, e.offset, e.length) for e in entities] == [("bold", 3, 4)]
    assert formatted(Look("a **b", markdown=True), 4096) == ("a **b", [])


def test_a_title_with_stars_in_it_stays_as_it_is() -> None:
    text, entities = formatted(Look("♪ A *Star* _x_\nfacts", title="A *Star* _x_", final=True), 4096)
    assert text == "♪ A *Star* _x_\nfacts"
    assert [(e.type, e.offset, e.length) for e in entities] == [("bold", 0, 14)]


def test_a_button_that_telegram_would_refuse_is_left_out() -> None:
    assert keyboard(((Button("x" * 65, "X"),),)) is None
    made = keyboard(((Button("a", "A"), Button("🎵" * 17, "B")),))
    assert made is not None
    assert [[b.text for b in row] for row in made.inline_keyboard] == [["A"]]
