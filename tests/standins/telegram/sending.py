"""The methods that put something new into a chat."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from tests.standins.telegram import describe, limits
from tests.standins.telegram.params import ATTACH, Params, formatted, worded
from tests.standins.telegram.text import Formatted, units
from tests.standins.telegram.values import Draft, Json, Kind, Media, bad
from tests.standins.telegram.world import Chat, Message, World

_UNMIXED = ("audio", "document")
_ALBUM_KINDS = ("audio", "document", "photo", "video")
_ACTIONS = {
    "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document",
    "choose_sticker", "find_location", "record_video_note", "upload_video_note",
}  # fmt: skip


def send_message(world: World, params: Params) -> Json:
    chat = world.reach(params.text("chat_id"))
    message = _addressed(world, chat, params)
    message.text, message.entities = checked_text(worded(params), params.text("text"))
    return _sent(world, chat, message)


def send_audio(world: World, params: Params) -> Json:
    return _send_file(world, params, "audio")


def send_voice(world: World, params: Params) -> Json:
    return _send_file(world, params, "voice")


def send_document(world: World, params: Params) -> Json:
    return _send_file(world, params, "document")


def send_photo(world: World, params: Params) -> Json:
    return _send_file(world, params, "photo")


def _send_file(world: World, params: Params, kind: Kind) -> Json:
    chat = world.reach(params.text("chat_id"))
    message = _addressed(world, chat, params)
    message.text, message.entities = checked_caption(worded(params, "caption", "caption_entities"))
    message.media = media(world, params, kind, dict(params.fields), kind)
    return _sent(world, chat, message)


def send_media_group(world: World, params: Params) -> list[Json]:
    chat = world.reach(params.text("chat_id"))
    items: list[Json] = params.json("media") or []
    _check_album(items)
    made = []
    for item in items:
        message = _addressed(world, chat, params)
        message.text, message.entities = item_caption(item)
        message.media = media(world, params, item["type"], item, "media")
        made.append(message)
    album = str(world.number("query"))
    for message in made:
        message.album = album
    return [_sent(world, chat, message) for message in made]


def _check_album(items: list[Json]) -> None:
    few, many = limits.ALBUM
    if len(items) > many:
        raise bad("too many messages to send as an album")
    if len(items) < few:  # the real one takes an album of one: here that is a mistake
        raise bad("there are no messages to send")
    kinds = {str(item.get("type")) for item in items}
    if unknown := kinds - set(_ALBUM_KINDS):
        raise bad(f'can\'t parse InputMedia: type "{min(unknown)}" is unsupported')
    if len(kinds) > 1 and (unmixed := kinds & set(_UNMIXED)):
        raise bad(f"{min(unmixed)} can't be mixed with other media types")


def send_chat_action(world: World, params: Params) -> bool:
    chat = world.reach(params.text("chat_id"))
    if params.text("action") not in _ACTIONS:
        raise bad("wrong parameter action in request")
    world.actions.append((chat.id, params.text("action")))
    return True


def send_message_draft(world: World, params: Params) -> bool:
    chat = world.reach(params.text("chat_id"))
    draft = params.number("draft_id") or 0
    if chat.kind != "private":
        raise bad("drafts can be sent only to private chats")
    if not draft:
        raise bad("draft identifier must be non-zero")
    text, _ = worded(params)
    if units(text) > limits.TEXT_UNITS:
        raise bad("message is too long")
    world.drafts.append(Draft(round(world.now(), 3), chat.id, draft, text))
    return True


def checked_text(words: Formatted, written: str, edit: bool = False) -> Formatted:
    """`written`: the text before its blanks were cut."""
    if not written:
        raise bad("message text is empty")
    if not any(sign.isprintable() and not sign.isspace() and sign not in _INVISIBLE for sign in words[0]):
        raise bad("text must be non-empty")
    if units(words[0]) > limits.TEXT_UNITS:
        raise bad("MESSAGE_TOO_LONG" if edit else "message is too long")
    _check_entities(words[1])
    return words


_INVISIBLE = "\u2800\u3164\u115f\u1160\uffa0\u200b\u200c\u200d\u2060\ufeff\u00ad"
_ENTITIES = frozenset(
    {
        "mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic", "underline",
        "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link", "text_mention",
        "custom_emoji",
    }
)  # fmt: skip
_ENTITY_BYTES = 9_500  # about: the author's word in tdlib/telegram-bot-api#165


def _check_entities(entities: list[Json]) -> None:
    for entity in entities:
        if entity.get("type") not in _ENTITIES:
            raise bad("can't parse MessageEntity: Unsupported type specified")
        if entity["type"] == "text_link" and "." not in (urlsplit(str(entity.get("url"))).hostname or ""):
            raise bad(f"entity URL '{entity.get('url')}' is invalid: Wrong HTTP URL")
    if len(json.dumps(entities)) > _ENTITY_BYTES:
        raise bad("ENTITIES_TOO_LONG")


def checked_caption(words: Formatted) -> Formatted:
    if units(words[0]) > limits.CAPTION_UNITS:
        raise bad("message caption is too long")
    _check_entities(words[1])
    return words


def item_caption(item: Json) -> Formatted:
    """The caption of an InputMedia."""
    written = item.get("caption") or ""
    return checked_caption(formatted(written, item.get("parse_mode") or "", item.get("caption_entities") or []))


def media(world: World, params: Params, kind: Kind, info: Json, key: str) -> Media:
    """The file of a call or of an InputMedia: uploaded with it, or known by its id. That of an InputMedia must be named
    (tdlib/telegram-bot-api, Client.cpp, get_input_media); a part of a plain call may bear the parameter's name.
    """
    value = info.get(key)
    inside = key == "media"
    if inside and (not value or (str(value).startswith(ATTACH) and params.upload(value) is None)):
        raise bad("can't parse InputMedia: media not found")
    if upload := params.upload(value) or (params.uploads.get(key) if value is None and not inside else None):
        thumbnail = params.upload(info.get("thumbnail")) or params.uploads.get("thumbnail")
        return world.files.received(kind, upload, info, thumbnail)
    return world.files.again(kind, str(value or ""))


def keyboard(params: Params, edit: bool = False) -> Json | None:
    """The buttons under a message, None when there are none. An edit takes no other markup."""
    markup: Json = params.json("reply_markup") or {}
    if edit and markup and "inline_keyboard" not in markup:
        raise bad("inline keyboard expected")
    rows = [row for row in markup.get("inline_keyboard", []) if row]
    for button in (button for row in rows for button in row):
        if not str(button.get("text", "")).strip():
            raise bad("inline keyboard button text must be non-empty")
        if len(button) < 2:
            raise bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
        if not 1 <= len(button.get("callback_data", "-").encode()) <= limits.CALLBACK_BYTES:
            raise bad("BUTTON_DATA_INVALID")
    # The real one keeps 8 in a row and 100 in all, without a word: here more is a mistake.
    big = len(json.dumps(rows)) > _KEYBOARD_BYTES
    if big or any(len(row) > _IN_A_ROW for row in rows) or sum(map(len, rows)) > _BUTTONS:
        raise bad("reply markup is too long")
    return {"inline_keyboard": rows} if rows else None


_IN_A_ROW, _BUTTONS, _KEYBOARD_BYTES = 8, 100, 10_000


def _addressed(world: World, chat: Chat, params: Params) -> Message:
    """An empty message with its place, what it answers, and its buttons."""
    preview = params.json("link_preview_options")
    if preview is not None and not isinstance(preview, dict):
        raise bad("can't parse link preview options JSON object")
    message = world.draft(chat, world.bot)
    replied = _replied(chat, params)
    message.reply_to = replied.id if replied else None
    message.topic = _topic(chat, params, replied)
    message.markup = keyboard(params)
    message.force_reply = bool((params.json("reply_markup") or {}).get("force_reply"))
    return message


def _replied(chat: Chat, params: Params) -> Message | None:
    wish: dict[str, Any] = params.json("reply_parameters") or {
        "message_id": params.number("reply_to_message_id"),
        "allow_sending_without_reply": params.flag("allow_sending_without_reply"),
    }
    if wish.get("message_id") is None:
        if params.json("reply_parameters"):
            raise bad('can\'t parse ReplyParameters: Field "message_id" is required')
        return None
    found = chat.find(wish["message_id"])
    if found is None and not wish.get("allow_sending_without_reply"):
        raise bad("message to be replied not found")
    return found


def _topic(chat: Chat, params: Params, replied: Message | None) -> int | None:
    thread = params.number("message_thread_id")
    if chat.topics is None:
        if thread is not None and (chat.kind != "supergroup" or chat.find(thread) is None):
            raise bad("message thread not found")
        return None  # without topics it goes to the chat
    if thread is None:
        thread = replied.topic if replied else None
    if thread is None:
        return None
    if thread not in chat.topics:
        raise bad("message thread not found")
    if chat.topics[thread].closed:
        raise bad("TOPIC_CLOSED")
    return thread


def _sent(world: World, chat: Chat, message: Message) -> Json:
    return describe.message(world, world.post(chat, message))
