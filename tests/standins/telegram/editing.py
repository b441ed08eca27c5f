"""The methods that change, remove or react to what is in a chat."""

from __future__ import annotations

import time

from telegram.constants import ReactionEmoji

from tests.standins.telegram import describe
from tests.standins.telegram.params import Params, worded
from tests.standins.telegram.sending import checked_caption, checked_text, item_caption, keyboard, media
from tests.standins.telegram.text import Formatted
from tests.standins.telegram.values import Json, Media, bad
from tests.standins.telegram.world import Message, World

_REACTIONS = {str(emoji) for emoji in ReactionEmoji}
_MODIFIABLE = {"audio", "document", "photo", "video"}
_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


def edit_message_text(world: World, params: Params) -> Json:
    message = _editable(world, params)
    if message.media is not None:
        raise bad("there is no text in the message to edit")
    return _changed(
        world, message, checked_text(worded(params), params.text("text"), edit=True), None, keyboard(params, edit=True)
    )


def edit_message_caption(world: World, params: Params) -> Json:
    message = _editable(world, params)
    if message.media is None:
        raise bad("there is no caption in the message to edit")
    words = checked_caption(worded(params, "caption", "caption_entities"))
    return _changed(world, message, words, message.media, keyboard(params, edit=True))


def edit_message_media(world: World, params: Params) -> Json:
    message = _editable(world, params)
    item: Json = params.json("media") or {}
    if item.get("type") not in _MODIFIABLE:
        raise bad(f'can\'t parse InputMedia: type "{item.get("type")}" is unsupported')
    if message.media is not None and message.media.kind in ("voice", "sticker"):
        raise bad("message media can't be edited")
    new = media(world, params, item["type"], item, "media")
    if message.album is not None and message.media is not None and new.kind != message.media.kind:
        raise bad("can't change media type in the album")
    return _changed(world, message, item_caption(item), new, keyboard(params, edit=True))


def edit_message_reply_markup(world: World, params: Params) -> Json:
    message = _editable(world, params)
    return _changed(world, message, (message.text, message.entities), message.media, keyboard(params, edit=True))


def _editable(world: World, params: Params) -> Message:
    chat = world.reach(params.text("chat_id"), writes=False)
    message = chat.find(params.number("message_id"))
    if message is None or chat.migrated_to is not None:
        raise bad("message to edit not found")
    if message.by != world.bot or message.service or message.force_reply:
        raise bad("message can't be edited")
    return message


def _changed(world: World, message: Message, words: Formatted, new: Media | None, buttons: Json | None) -> Json:
    if (message.text, message.entities, message.media, message.markup) == (*words, new, buttons):
        raise bad(_SAME)
    message.text, message.entities = words
    message.media, message.markup = new, buttons
    world.edited(message)
    return describe.message(world, message)


def delete_message(world: World, params: Params) -> bool:
    chat = world.reach(params.text("chat_id"))
    message = chat.find(params.number("message_id"))
    if message is None:
        raise bad("message to delete not found")
    old = time.time() - message.date > 48 * 3600 and chat.kind != "supergroup"
    if old or (message.by != world.bot and chat.kind != "private" and not chat.admin):
        raise bad("message can't be deleted for everyone")
    message.deleted = True
    return True


def set_message_reaction(world: World, params: Params) -> bool:
    chat = world.reach(params.text("chat_id"))
    message = chat.find(params.number("message_id"))
    emoji = tuple(str(r.get("emoji")) for r in params.json("reaction") or [])
    if message is None:
        raise bad("message to react not found")
    if len(emoji) > 1:
        raise bad("REACTIONS_TOO_MANY")
    if not allowed(emoji):
        raise bad("REACTION_INVALID")
    message.reactions[world.bot] = emoji
    return True


def allowed(emoji: tuple[str, ...]) -> bool:
    """Whether one may react with these."""
    return _REACTIONS.issuperset(emoji)


def answer_callback_query(world: World, params: Params) -> bool:
    query = world.queries.get(params.text("callback_query_id"))
    if query is None or query.answered or world.now() - query.at > world.query_seconds:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    world.answer(query, params.text("text"), alert=params.flag("show_alert"))
    return True


def create_forum_topic(world: World, params: Params) -> Json:
    chat = world.reach(params.text("chat_id"))
    name = params.text("name").strip()
    if chat.topics is None:
        raise bad("the chat is not a forum")
    if not chat.admin:
        raise bad("not enough rights to create a topic")
    if not name:
        raise bad("name must be non-empty")
    topic = world.open_topic(chat, world.bot, name[:128])
    return {"message_thread_id": topic.id, "name": topic.name, "icon_color": 7322096}


def close_forum_topic(world: World, params: Params) -> bool:
    chat = world.reach(params.text("chat_id"))
    thread = params.number("message_thread_id") or 0
    if chat.topics is None:
        raise bad("the chat is not a forum")
    if not chat.admin:
        raise bad("not enough rights to close or open the topic")
    if thread not in chat.topics:
        raise bad("message thread not found")
    if chat.topics[thread].closed:
        raise bad("TOPIC_NOT_MODIFIED")
    world.close_topic(chat, world.bot, chat.topics[thread])
    return True
