"""People, chats and messages in the words of the Bot API."""

from __future__ import annotations

from typing import Any

from tests.standins.telegram.values import Json, Media
from tests.standins.telegram.world import Chat, Message, World

_RIGHTS = (
    "can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
    "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
    "can_edit_stories", "can_delete_stories", "can_pin_messages", "can_manage_topics",
)  # fmt: skip
_GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")


def user(world: World, id_: int) -> Json:
    if id_ == world.bot:
        return {"id": id_, "is_bot": True, "first_name": "Tunesmith", "username": world.username}
    person = world.people[id_]
    return {"id": id_, "is_bot": False, "first_name": person.name, "language_code": person.language}


def me(world: World) -> Json:
    more = {"can_join_groups": True, "can_read_all_group_messages": not world.privacy, "supports_inline_queries": True}
    return user(world, world.bot) | more


def chat(world: World, of: Chat) -> Json:
    if of.kind == "private":
        return {"id": of.id, "type": "private", "first_name": world.people[of.id].name}
    forum = {"is_forum": True} if of.topics is not None else {}
    return {"id": of.id, "type": of.kind, "title": of.title} | forum


def full_chat(world: World, of: Chat) -> Json:
    gifts = dict.fromkeys(_GIFTS, False)
    return chat(world, of) | {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts}


def member(world: World, of: Chat, id_: int) -> Json:
    """A member as getChatMember tells of them; the first person of a group owns it."""
    who = user(world, id_)
    if id_ == world.bot and of.kicked:
        return {"user": who, "status": "kicked", "until_date": 0}
    if id_ == world.bot and of.admin and of.kind != "private":
        return {"user": who, "status": "administrator"} | dict.fromkeys(_RIGHTS, True) | {"is_anonymous": False}
    if id_ == world.bot:
        return {"user": who, "status": "member"}
    if id_ not in of.members:
        return {"user": who, "status": "left"}
    if of.kind != "private" and of.members[0] == id_:
        return {"user": who, "status": "creator", "is_anonymous": False}
    return {"user": who, "status": "member"}


def message(world: World, of: Message, *, deep: bool = True) -> Json:
    """A message with the one it answers, but not with that one's."""
    place = world.chats[of.chat]
    told: Json = {
        "message_id": of.id,
        "date": of.date,
        "chat": chat(world, place),
        "from": user(world, of.by),
        **of.service,
        **of.origin,
    }
    if of.media is not None:
        told |= media(of.media) | _words(of, "caption", "caption_entities")
    elif not of.service:
        told |= _words(of, "text", "entities")
    if of.keyboard:
        told["reply_markup"] = of.markup
    if of.edit_date is not None:
        told["edit_date"] = of.edit_date
    if of.album is not None:
        told["media_group_id"] = of.album
    if of.topic is not None:
        told |= {"message_thread_id": of.topic} | ({"is_topic_message": True} if place.topics is not None else {})
    if deep and (answered := _answered(place, of)):
        told["reply_to_message"] = message(world, answered, deep=False)
    return told


def _answered(place: Chat, of: Message) -> Message | None:
    # What is written in a topic answers the message that opened it, when it answers no other.
    root = of.topic if place.topics is not None and of.topic != of.id else None
    return place.find(of.reply_to if of.reply_to is not None else root)


def _words(of: Message, text: str, entities: str) -> Json:
    return ({text: of.text} if of.text else {}) | ({entities: of.entities} if of.entities else {})


def media(of: Media) -> Json:
    file: Json = {"file_id": of.file_id, "file_unique_id": f"u-{of.file_id}", "file_size": of.size}
    size = {"width": of.width or 100, "height": of.height or 100}
    named = _known(file_name=of.name, mime_type=of.mime)
    match of.kind:
        case "voice":
            return {"voice": file | {"duration": of.duration} | _known(mime_type=of.mime)}
        case "audio":
            about = _known(title=of.title, performer=of.performer)
            return {"audio": file | {"duration": of.duration} | named | about}
        case "document":
            return {"document": file | named}
        case "video":
            return {"video": file | size | {"duration": of.duration} | named}
        case "sticker":
            return {"sticker": file | size | {"type": "regular", "is_animated": False, "is_video": False}}
        case "photo":
            small = {"file_id": of.file_id + "-s", "file_unique_id": f"u-{of.file_id}-s", "width": 90, "height": 90}
            return {"photo": [small, file | size]}


def _known(**fields: str | None) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
