"""The chats, the people and the messages, as the service knows them."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from tests.standins.telegram.faults import Faults
from tests.standins.telegram.files import Files
from tests.standins.telegram.limits import TOAST_UNITS, Rates
from tests.standins.telegram.text import units
from tests.standins.telegram.updates import Updates
from tests.standins.telegram.values import Call, Draft, Json, Media, Refusal, Toast, bad


@dataclass(frozen=True)
class Person:
    """Somebody with an account."""

    id: int
    name: str
    language: str


@dataclass
class Topic:
    """A thread of a forum; its id is that of the message that opened it."""

    id: int
    name: str
    closed: bool = False


@dataclass
class Message:
    """A message or a service message (`service`), with every text it had."""

    id: int
    chat: int
    by: int
    date: int
    text: str = ""
    entities: list[Json] = field(default_factory=list)
    media: Media | None = None
    markup: Json | None = None
    force_reply: bool = False
    topic: int | None = None
    reply_to: int | None = None
    album: str | None = None
    service: Json = field(default_factory=dict)
    origin: Json = field(default_factory=dict)  # what tells where it came from
    edited: int = 0
    edit_date: int | None = None
    deleted: bool = False
    history: list[tuple[float, str]] = field(default_factory=list)
    reactions: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def keyboard(self) -> list[list[Json]]:
        return list((self.markup or {}).get("inline_keyboard", []))


@dataclass
class Chat:
    """A place to talk; `topics` is None where there are none."""

    id: int
    kind: Literal["private", "group", "supergroup"]
    title: str
    members: list[int]
    admin: bool = True  # whether the bot is one
    topics: dict[int, Topic] | None = None
    migrated_to: int | None = None
    kicked: bool = False
    last_bot: int | None = None  # the bot that spoke last
    messages: dict[int, Message] = field(default_factory=dict)

    def find(self, message_id: int | None) -> Message | None:
        found = self.messages.get(message_id) if message_id is not None else None
        return None if found is None or found.deleted else found


@dataclass
class Query:
    """A pressed button that waits for its answer."""

    person: int
    at: float
    answered: bool = False


@dataclass
class Webhook:
    """Where updates are posted to, and how that goes."""

    url: str
    secret: str = ""
    most: int = 40
    last_error: str = ""
    last_error_at: int = 0


class World:
    """Everything the stand-in knows; hold `changing` or `lock` while you look or change."""

    def __init__(self, token: str, username: str, *, limited: bool) -> None:
        self.token, self.username, self.limited = token, username, limited
        self.bot = int(token.partition(":")[0])
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self._listeners: list[Callable[[], None]] = []
        self._started = time.monotonic()
        self._next = {"person": 7_000_000_001, "group": -4_000_000_001, "supergroup": -1_002_000_000_001, "query": 1}
        self._message_ids: defaultdict[int, int] = defaultdict(int)
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.blocked: set[int] = set()
        self.queries: dict[str, Query] = {}
        self.query_seconds = 15.0
        self.privacy = False
        self.files, self.updates, self.rates, self.faults = Files(), Updates(), Rates(), Faults()
        self.webhook: Webhook | None = None
        self.calls: list[Call] = []
        self.exceeded: list[str] = []
        self.early: list[str] = []
        self.defects: list[str] = []
        self.toasts: list[Toast] = []
        self.drafts: list[Draft] = []
        self.actions: list[tuple[int, str]] = []
        self.commands: dict[str, tuple[tuple[str, str], ...]] = {}
        self.descriptions: dict[tuple[str, str], str] = {}
        self.inline_answers: dict[str, list[Json]] = {}

    def now(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Whoever waits for a change is told of it afterwards."""
        with self._changed:
            try:
                yield
            finally:
                self.touch()

    def touch(self) -> None:
        with self._changed:
            self._changed.notify_all()
            for listener in self._listeners:
                listener()

    def listen(self, listener: Callable[[], None]) -> None:
        with self.lock:
            self._listeners.append(listener)

    def wait(self, until: float) -> bool:
        """Whether there is time left, after a change or at the end; give the second of `now`. Hold the lock."""
        left = until - self.now()
        return left > 0 and self._changed.wait(left)

    def number(self, kind: str) -> int:
        number = self._next[kind]
        self._next[kind] += 1 if number > 0 else -1
        return number

    def post(self, chat: Chat, message: Message) -> Message:
        """Puts a message into a chat, under the next id there."""
        lane = chat.id if chat.kind == "supergroup" else 0  # only supergroups count for themselves
        self._message_ids[lane] += 1
        if chat.topics is not None and self._message_ids[lane] == 1:
            self._message_ids[lane] = 2  # 1 is General's
        message.id = self._message_ids[lane]
        if chat.kind == "supergroup" and chat.topics is None and (first := chat.find(message.reply_to)):
            message.topic = first.topic or first.id  # a chain of replies counts as a thread
        chat.messages[message.id] = message
        if message.by == self.bot:
            chat.last_bot = self.bot
        message.history.append((round(self.now(), 3), message.text))
        return message

    def draft(self, chat: Chat, by: int, text: str = "") -> Message:
        """A message not yet in its chat."""
        return Message(0, chat.id, by, int(time.time()), text)

    def edited(self, message: Message) -> None:
        message.edited += 1
        message.edit_date = int(time.time())
        message.history.append((round(self.now(), 3), message.text))

    def reach(self, chat_id: str, writes: bool = True) -> Chat:
        """The chat a call is about, if the bot may speak there. Of a chat that has moved only who writes is told."""
        if not chat_id:
            raise bad("chat_id is empty")
        number = int(chat_id) if chat_id.lstrip("-").isdigit() else 0
        chat = self.chats.get(number)
        if chat is None and number in self.people:
            raise Refusal("Forbidden: bot can't initiate conversation with a user", 403)
        if chat is None:
            raise bad("chat not found")
        if chat.migrated_to is not None and writes:
            text = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(text, migrate_to_chat_id=chat.migrated_to)
        if chat.kind == "private" and chat.id in self.blocked:
            raise Refusal("Forbidden: bot was blocked by the user", 403)
        if chat.kicked:
            raise Refusal(f"Forbidden: bot was kicked from the {chat.kind} chat", 403)
        return chat

    def answer(self, query: Query, text: str, *, alert: bool) -> None:
        if units(text) > TOAST_UNITS:
            raise bad("MESSAGE_TOO_LONG")
        query.answered = True
        if text:
            self.toasts.append(Toast(query.person, text, alert))

    def open_topic(self, chat: Chat, by: int, name: str) -> Topic:
        """A new thread of a forum, with the service message that opens it."""
        assert chat.topics is not None, f"{chat.title} has no topics"
        opening = self.draft(chat, by)
        opening.service = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        self.post(chat, opening)
        opening.topic = opening.id
        chat.topics[opening.id] = Topic(opening.id, name)
        return chat.topics[opening.id]

    def close_topic(self, chat: Chat, by: int, topic: Topic) -> Message:
        topic.closed = True
        closing = self.draft(chat, by)
        closing.service, closing.topic = {"forum_topic_closed": {}}, topic.id
        return self.post(chat, closing)
