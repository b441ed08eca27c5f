"""The routes of channels: their messages, reactions and threads."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tests.standins.discord.gateway import Gateway
from tests.standins.discord.payloads import (
    channel_of,
    emoji_of,
    member_of,
    message_of,
    thread_of,
    user_of,
    without_content,
)
from tests.standins.discord.posting import Posting
from tests.standins.discord.refusals import Problems, refused
from tests.standins.discord.routes import Answer, Asked, Route, route
from tests.standins.discord.world import Channel, Json, Message, World

ARCHIVE_AFTER = (60, 1440, 4320, 10080)


@dataclass(frozen=True, slots=True)
class Typing:
    at: float  # by time.monotonic()
    channel: str


class Channels:
    def __init__(self, world: World, gateway: Gateway, posting: Posting) -> None:
        self._world = world
        self._gateway = gateway
        self._posting = posting
        self.typing: list[Typing] = []

    def routes(self) -> list[Route]:
        one = "/channels/{}/messages/{}"
        return [
            route("GET", "/channels/{}", lambda asked: channel_of(self._world, self._open(asked))),
            route("PATCH", "/channels/{}", self._change),
            route("DELETE", "/channels/{}", self._delete_channel),
            route("GET", "/channels/{}/messages", self._list),
            route("POST", "/channels/{}/messages", self._post),
            route("GET", one, lambda asked: self._told(self._message(asked, "read_message_history"))),
            route("PATCH", one, self._edit),
            route("DELETE", one, self._delete),
            route("PUT", one + "/reactions/{}/@me", self._react),
            route("DELETE", one + "/reactions/{}/@me", self._unreact),
            route("GET", one + "/reactions/{}", self._reacted),
            route("POST", one + "/threads", self._thread_on_message, status=201),
            route("POST", "/channels/{}/threads", self._thread, status=201),
            route("PUT", "/channels/{}/thread-members/@me", lambda asked: None),
            route("POST", "/channels/{}/typing", self._type),
        ]

    def _open(self, asked: Asked, *permissions: str) -> Channel:
        channel = self._world.channel(asked.ids[0])
        self._world.require(channel, *permissions)
        return channel

    def _message(self, asked: Asked, *permissions: str) -> Message:
        """A message that everyone in its channel sees; ephemeral ones are not to be had here."""
        channel = self._open(asked, *permissions)
        message = self._world.message(channel.id, asked.ids[1])
        if message.ephemeral_to:
            raise refused("unknown message")
        return message

    def _told(self, message: Message) -> Json:
        payload = message_of(self._world, message)
        allowed = "message_content" in self._gateway.privileged
        return payload if allowed else without_content(payload, self._world.bot.id)

    def _send_permission(self, channel: Channel) -> str:
        return "send_messages_in_threads" if channel.parent else "send_messages"

    def _list(self, asked: Asked) -> Answer:
        channel = self._open(asked, "read_message_history")
        limit = int(asked.query.get("limit", 50))
        if not 1 <= limit <= 100:
            problems = Problems()
            problems.add(("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
            problems.refuse()
        found = [m for m in reversed(self._world.messages_of(channel.id)) if not m.ephemeral_to]
        return [self._told(message) for message in _window(found, asked, limit)]

    def _post(self, asked: Asked) -> Answer:
        channel = self._world.channel(asked.ids[0])
        self._world.require(channel, self._send_permission(channel))
        if channel.recipient and not self._world.users[channel.recipient].takes_dms:
            raise refused("closed private messages")
        if channel.archived and channel.locked:
            raise refused("archived")
        if channel.locked and "manage_threads" in self._world.denied(channel):
            raise refused("locked")
        if before := self._posting.repeated(channel, asked.body):
            return message_of(self._world, before)
        target = self._posting.target_of(channel, asked.body)
        message = self._posting.post(channel, asked.body, asked.uploads, reply_to=target)
        return message_of(self._world, message)

    def _edit(self, asked: Asked) -> Answer:
        message = self._message(asked)
        if self._world.channels[message.channel].archived:
            raise refused("archived")
        return message_of(self._world, self._posting.edit(message, asked.body, asked.uploads))

    def _delete(self, asked: Asked) -> Answer:
        message = self._message(asked)
        channel = self._world.channels[message.channel]
        if message.author != self._world.bot.id:
            if channel.recipient:
                raise refused("private channel")
            self._world.require(channel, "manage_messages")
        self._posting.delete(message)
        return None

    def _react(self, asked: Asked) -> Answer:
        message = self._message(asked, "add_reactions", "read_message_history")
        emoji = asked.ids[2]
        if emoji.isascii() and ":" not in emoji:
            raise refused("unknown emoji")
        if emoji not in message.reactions and len(message.reactions) >= 20:
            raise refused("too many reactions")
        self.add_reaction(message, self._world.bot.id, emoji)
        return None

    def _unreact(self, asked: Asked) -> Answer:
        self.remove_reaction(self._message(asked), self._world.bot.id, asked.ids[2])
        return None

    def _reacted(self, asked: Asked) -> Answer:
        users = self._message(asked).reactions.get(asked.ids[2], [])
        return [user_of(self._world.users[id_]) for id_ in users]

    def add_reaction(self, message: Message, user: str, emoji: str) -> None:
        """Somebody reacts; a second time changes nothing."""
        users = message.reactions.setdefault(emoji, [])
        if user not in users:
            users.append(user)
            self._announce("MESSAGE_REACTION_ADD", message, user, emoji)

    def remove_reaction(self, message: Message, user: str, emoji: str) -> None:
        users = message.reactions.get(emoji, [])
        if user in users:
            users.remove(user)
            self._announce("MESSAGE_REACTION_REMOVE", message, user, emoji)
        if not users:
            message.reactions.pop(emoji, None)

    def _announce(self, event: str, message: Message, user: str, emoji: str) -> None:
        channel = self._world.channels[message.channel]
        data: Json = {"user_id": user, "channel_id": channel.id, "message_id": message.id, "emoji": emoji_of(emoji)}
        data |= {"burst": False, "type": 0}
        if channel.guild:
            data["guild_id"] = channel.guild
        if event == "MESSAGE_REACTION_ADD":
            data["message_author_id"] = message.author
            data |= {"member": member_of(self._world.users[user])} if channel.guild else {}
        self._gateway.dispatch(event, data, channel.guild, human=user != self._world.bot.id)

    def _thread(self, asked: Asked) -> Answer:
        channel = self._open(asked)
        needed = "create_private_threads" if asked.body.get("type", 12) == 12 else "create_public_threads"
        return self._start(channel, asked.body, needed, self._world.snowflake())

    def _thread_on_message(self, asked: Asked) -> Answer:
        message = self._message(asked)
        if message.id in self._world.channels:
            raise refused("thread exists")
        channel = self._world.channels[message.channel]
        return self._start(channel, asked.body, "create_public_threads", message.id)

    def _start(self, channel: Channel, body: Json, permission: str, id_: str) -> Json:
        if not channel.guild or channel.parent:
            raise refused("channel type")
        self._world.require(channel, permission)
        problems = Problems()
        problems.length(("name",), body.get("name"), 100, 1)
        after = body.get("auto_archive_duration") or 1440
        if after not in ARCHIVE_AFTER:
            problems.add(("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Value must be one of {ARCHIVE_AFTER}.")
        problems.refuse()
        thread = self.start_thread(channel, str(body["name"]), self._world.bot.id, id_)
        thread.archive_after = after
        return thread_of(self._world, thread)

    def start_thread(self, channel: Channel, name: str, owner: str, id_: str) -> Channel:
        thread = Channel(id_, name, guild=channel.guild, parent=channel.id, owner=owner)
        self._world.channels[thread.id] = thread
        self._gateway.dispatch("THREAD_CREATE", thread_of(self._world, thread) | {"newly_created": True}, thread.guild)
        return thread

    def _change(self, asked: Asked) -> Answer:
        """Rename, archive or lock a thread."""
        thread = self._open(asked)
        if not thread.parent:
            raise refused("missing permissions")
        if thread.owner != self._world.bot.id:
            self._world.require(thread, "manage_threads")
        problems = Problems()
        if "name" in asked.body:
            problems.length(("name",), asked.body["name"], 100, 1)
        problems.refuse()
        thread.name = asked.body.get("name", thread.name)
        thread.archived = asked.body.get("archived", thread.archived)
        thread.locked = asked.body.get("locked", thread.locked)
        self._gateway.dispatch("THREAD_UPDATE", thread_of(self._world, thread), thread.guild)
        return thread_of(self._world, thread)

    def _delete_channel(self, asked: Asked) -> Answer:
        thread = self._open(asked, "manage_threads")
        gone = channel_of(self._world, thread)
        if not thread.parent:  # a private chat is only hidden from the bot's list
            return gone
        self._world.remove(thread)
        self._gateway.dispatch("THREAD_DELETE", gone, thread.guild)
        return gone

    def _type(self, asked: Asked) -> Answer:
        channel = self._world.channel(asked.ids[0])
        self._world.require(channel, self._send_permission(channel))
        self.typing.append(Typing(time.monotonic(), channel.id))
        return None


def _window(newest_first: list[Message], asked: Asked, limit: int) -> list[Message]:
    """The page of a channel that before, after or around ask for, newest first."""
    around, before, after = (asked.query.get(key) for key in ("around", "before", "after"))
    if around:
        older = [message for message in newest_first if int(message.id) <= int(around)][: limit // 2 + 1]
        newer = [message for message in newest_first if int(message.id) > int(around)]
        return (newer[len(newer) - (limit - limit // 2 - 1) :] if limit > 1 else []) + older
    if before:
        return [message for message in newest_first if int(message.id) < int(before)][:limit]
    if after:
        return [message for message in newest_first if int(message.id) > int(after)][-limit:]
    return newest_first[:limit]
