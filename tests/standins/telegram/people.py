"""What people do on Telegram, and the updates that tell the bot of it."""

from __future__ import annotations

import time

from tests.standins.telegram import describe, editing, limits, text
from tests.standins.telegram.files import size_of
from tests.standins.telegram.values import Json, Kind, Media
from tests.standins.telegram.world import Chat, Message, Person, Query, World

_MIMES: dict[Kind, str] = {
    "voice": "audio/ogg", "audio": "audio/mpeg", "document": "application/octet-stream", "photo": "image/jpeg",
    "video": "video/mp4", "sticker": "image/webp",
}  # fmt: skip


class People:
    """Everybody but the bot."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._told: dict[tuple[int, int], int] = {}
        self.last_update: int | None = None  # None when nothing was told, or the bot did not ask for that kind

    def person(self, name: str, language: str = "en") -> int:
        """Somebody new; their id."""
        with self.world.changing():
            id_ = self.world.number("person")
            self.world.people[id_] = Person(id_, name, language)
            return id_

    def private(self, person: int) -> int:
        """The chat of one person with the bot, started; its id."""
        with self.world.changing():
            if person not in self.world.chats:
                name = self.world.people[person].name
                self.world.chats[person] = Chat(person, "private", name, [person], admin=False)
            return person

    def group(self, title: str, *persons: int, admin: bool = True) -> int:
        """A basic group of the bot's and these persons, the first of whom owns it; its id."""
        with self.world.changing():
            return self._place(Chat(self.world.number("group"), "group", title, list(persons), admin))

    def supergroup(self, title: str, *persons: int, topics: bool = False, admin: bool = True) -> int:
        """A supergroup, whose messages are counted from 1; its id."""
        with self.world.changing():
            chat = Chat(self.world.number("supergroup"), "supergroup", title, list(persons), admin)
            chat.topics = {} if topics else None
            return self._place(chat)

    def topic(self, chat: int, name: str) -> int:
        """The owner opens a topic; its thread id."""
        with self.world.changing():
            place = self.world.chats[chat]
            opened = self.world.open_topic(place, place.members[0], name)
            self._tell(place, place.messages[opened.id])
            return opened.id

    def close_topic(self, chat: int, topic: int) -> None:
        """The owner closes a topic."""
        with self.world.changing():
            place = self.world.chats[chat]
            assert place.topics is not None, f"{place.title} has no topics"
            self._tell(place, self.world.close_topic(place, place.members[0], place.topics[topic]))

    def write(
        self,
        chat: int,
        person: int,
        text: str,
        reply_to: int | None = None,
        topic: int | None = None,
        forward_from: int | str | None = None,
        via: str | None = None,
        speaks_as: str | None = None,
    ) -> int:
        """A message's id; `forward_from` is a person or the name of somebody hidden, `via` a bot's username.
        `speaks_as`: "group" (an anonymous administrator), "channel", or "linked", the channel whose post it is.
        """
        with self.world.changing():
            place, message = self._message(chat, person, text, reply_to, topic)
            assert message.text, "nobody can send an empty message"
            message.origin = self._origin(forward_from) | _via(via) | self._speaking_as(place, speaks_as)
            self._tell(place, self.world.post(place, message))
            return message.id

    def attach(
        self,
        chat: int,
        person: int,
        kind: Kind,
        content: bytes,
        name: str | None = None,
        mime: str | None = None,
        caption: str = "",
        album: str | None = None,
        duration: int = 3,
        size: int | None = None,
        reply_to: int | None = None,
        topic: int | None = None,
    ) -> int:
        """A message with a file; its id. `size` is what the service says of a file too large to make."""
        with self.world.changing():
            place, message = self._message(chat, person, caption, reply_to, topic)
            width, height, _ = (size_of(content) if kind in ("photo", "sticker") else None) or (0, 0, "")
            media = Media(kind, name, content, mime or _MIMES[kind], width=width, height=height, size=size or 0)
            timed = Media(**vars(media) | {"duration": duration}) if kind in ("voice", "audio", "video") else media
            message.media, message.album = self.world.files.keep(timed), album
            self._tell(place, self.world.post(place, message))
            return message.id

    def edit(self, chat: int, person: int, message_id: int, text_: str) -> int:
        """Somebody changes a message of theirs; its id."""
        with self.world.changing():
            place, message = self._mine(chat, person, message_id)
            message.text, message.entities = text.fixed(text_, [])
            self.world.edited(message)
            self._tell(place, message, "edited_message")
            return message_id

    def press(self, chat: int, person: int, message_id: int, data_or_label: str) -> str:
        """Presses a button that is there to be seen; the callback's id."""
        with self.world.changing():
            place = self._present(chat, person)
            message = place.find(message_id)
            buttons = [b for row in message.keyboard for b in row] if message else []
            exact = [b for b in buttons if b.get("callback_data") == data_or_label]
            found = exact or [b for b in buttons if b["text"] == data_or_label and "callback_data" in b]
            if message is None or not found:
                there = [b["text"] for b in buttons] if message else "no such message"
                raise AssertionError(f"nothing to press called {data_or_label!r} on {message_id}: {there}")
            body = {"message": describe.message(self.world, message), "data": found[0]["callback_data"]}
            return self._ask("callback_query", place, person, body | {"chat_instance": str(chat)})

    def ask(self, person: int, query: str) -> str:
        """Types `@bot query` somewhere; the inline query's id, answered in `inline_answers`."""
        with self.world.changing():
            return self._ask("inline_query", None, person, {"query": query, "offset": ""})

    def react(self, chat: int, person: int, message_id: int, *emoji: str) -> int | None:
        """Sets somebody's reactions to a message; the update's id, if the bot is told."""
        with self.world.changing():
            place = self._present(chat, person)
            message = place.find(message_id)
            assert message is not None, f"no message {message_id} in {place.title}"
            assert editing.allowed(emoji), f"there is no such reaction: {emoji}"
            old = message.reactions.get(person, ())
            message.reactions[person] = emoji
            body = self._event(place, person) | {"message_id": message_id, "user": describe.user(self.world, person)}
            body |= {"old_reaction": _reactions(old), "new_reaction": _reactions(emoji)}
            heard = place.admin or place.kind == "private"
            return self._update("message_reaction", body, place) if heard else None

    def migrate(self, chat: int) -> int:
        """A basic group becomes a supergroup; the new one's id."""
        with self.world.changing():
            old = self.world.chats[chat]
            assert old.kind == "group", f"{old.title} is no basic group"
            new = Chat(self.world.number("supergroup"), "supergroup", old.title, list(old.members), old.admin)
            self._place(new)
            self._service(old, old.members[0], {"migrate_to_chat_id": new.id})
            old.migrated_to = new.id
            self._service(new, old.members[0], {"migrate_from_chat_id": old.id})
            return new.id

    def delete(self, chat: int, message_id: int) -> None:
        """Somebody deletes a message; no bot is told of that."""
        with self.world.changing():
            message = self.world.chats[chat].find(message_id)
            assert message is not None, f"no message {message_id} to delete"
            message.deleted = True

    def block(self, person: int) -> None:
        with self.world.changing():
            self._membership(self.world.chats[person], person, "member", "kicked")
            self.world.blocked.add(person)

    def unblock(self, person: int) -> None:
        with self.world.changing():
            self.world.blocked.discard(person)
            self._membership(self.world.chats[person], person, "kicked", "member")

    def leave(self, chat: int, person: int) -> None:
        with self.world.changing():
            place = self._present(chat, person)
            place.members.remove(person)
            self._service(place, person, {"left_chat_member": describe.user(self.world, person)})

    def kick(self, chat: int) -> None:
        """The owner removes the bot from a group."""
        with self.world.changing():
            place = self.world.chats[chat]
            self._membership(place, place.members[0], "administrator" if place.admin else "member", "kicked")
            place.kicked = True

    def update_of(self, chat: int, message_id: int) -> int:
        """The id of the last update about a person's message."""
        with self.world.lock:
            return self._told[chat, message_id]

    def _place(self, chat: Chat) -> int:
        self.world.chats[chat.id] = chat
        return chat.id

    def _present(self, chat: int, person: int) -> Chat:
        place = self.world.chats[chat]
        assert person in place.members, f"{self.world.people[person].name} is not in {place.title}"
        assert place.migrated_to is None, f"{place.title} has become a supergroup"
        assert place.kind != "private" or person not in self.world.blocked, "who blocked the bot cannot write to it"
        return place

    def _mine(self, chat: int, person: int, message_id: int) -> tuple[Chat, Message]:
        place = self._present(chat, person)
        message = place.find(message_id)
        assert message is not None, f"no message {message_id} in {place.title}"
        assert message.by == person, "people edit only what they wrote"
        return place, message

    def _message(
        self, chat: int, person: int, words: str, reply_to: int | None, topic: int | None
    ) -> tuple[Chat, Message]:
        place = self._present(chat, person)
        message = self.world.draft(place, person)
        message.text, message.entities = text.fixed(words, [])
        assert text.units(message.text) <= limits.TEXT_UNITS, "nobody can send so long a message"
        if reply_to is not None:
            answered = place.find(reply_to)
            assert answered is not None, f"no message {reply_to} to answer in {place.title}"
            topic = answered.topic if topic is None and place.topics is not None else topic
        if topic is not None:
            assert topic in (place.topics or {}), f"no topic {topic} in {place.title}"
        message.reply_to, message.topic = reply_to, topic
        return place, message

    def _origin(self, whom: int | str | None) -> Json:
        if whom is None:
            return {}
        if isinstance(whom, str):
            return {"forward_origin": {"type": "hidden_user", "date": int(time.time()), "sender_user_name": whom}}
        who = describe.user(self.world, whom)
        return {"forward_origin": {"type": "user", "date": int(time.time()), "sender_user": who}}

    def _speaking_as(self, place: Chat, whom: str | None) -> Json:
        """See telegram-bot-api, Client.cpp: add_message; what stands there replaces who it is from."""
        if whom is None:
            return {}
        if whom == "group":
            bot = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
            return {"from": bot, "sender_chat": describe.chat(self.world, place)}
        channel = {"id": -1_001_999_999_999, "type": "channel", "title": "The Channel"}
        if whom == "channel":
            bot = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
            return {"from": bot, "sender_chat": channel}
        who = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
        origin = {"type": "channel", "date": int(time.time()), "chat": channel, "message_id": 1}
        return {"from": who, "sender_chat": channel, "is_automatic_forward": True, "forward_origin": origin}

    def _service(self, place: Chat, by: int, what: Json) -> None:
        message = self.world.draft(place, by)
        message.service = what
        self._tell(place, self.world.post(place, message))

    def _membership(self, place: Chat, by: int, old: str, new: str) -> None:
        body = self._event(place, by) | {"from": describe.user(self.world, by)}
        now = describe.member(self.world, place, self.world.bot)
        states = [now if status == now["status"] else _plain_member(now["user"], status) for status in (old, new)]
        self._update(
            "my_chat_member", body | dict(zip(("old_chat_member", "new_chat_member"), states, strict=True)), place
        )

    def _event(self, place: Chat, by: int) -> Json:
        return {"chat": describe.chat(self.world, place), "date": int(time.time())}

    def _ask(self, kind: str, place: Chat | None, person: int, body: Json) -> str:
        id_ = str(10**17 + self.world.number("query"))
        self.world.queries[id_] = Query(person, self.world.now())
        self._update(kind, {"id": id_, "from": describe.user(self.world, person), **body}, place)
        return id_

    def _tell(self, place: Chat, message: Message, kind: str = "message") -> None:
        if not place.kicked and self._overheard(place, message):
            told = self._update(kind, describe.message(self.world, message), place)
            if told is not None:
                self._told[place.id, message.id] = told

    def _overheard(self, place: Chat, message: Message) -> bool:
        """Whether the bot gets to see it: with privacy, only what is meant for it."""
        if not self.world.privacy or place.admin or place.kind == "private" or message.service:
            return True
        answered = place.find(message.reply_to)
        # Not `@bot words`: core.telegram.org/bots/features#privacy-mode.
        called = [e for e in message.entities if e["type"] == "bot_command"]
        named = f"@{self.world.username}"
        meant = any(named in message.text[e["offset"] : e["offset"] + e["length"]] for e in called)
        meant = meant or (bool(called) and place.last_bot == self.world.bot)
        return meant or (answered is not None and answered.by == self.world.bot)

    def _update(self, kind: str, body: Json, place: Chat | None) -> int | None:
        self.last_update = self.world.updates.add(kind, body, place.id if place else body["from"]["id"])
        return self.last_update


def _plain_member(who: Json, status: str) -> Json:
    return {"user": who, "status": status} | ({"until_date": 0} if status == "kicked" else {})


def _reactions(emoji: tuple[str, ...]) -> list[Json]:
    return [{"type": "emoji", "emoji": one} for one in emoji]


def _via(username: str | None) -> Json:
    bot = {"id": 900_000_001, "is_bot": True, "first_name": username, "username": username}
    return {"via_bot": bot} if username else {}
