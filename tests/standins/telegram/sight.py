"""What a person would see in the chats, and waiting until they see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tests.standins.telegram.values import By, Call, Draft, Json, Media, Seen, Toast
from tests.standins.telegram.world import Chat, Message, World

T = TypeVar("T")


class Sight:
    """Everything there is to be seen; each answer is a copy that stays as it is."""

    world: World

    def messages(self, chat: int, topic: int | None = None) -> list[Seen]:
        """The messages of a chat, or of one topic, without the service's own and the deleted ones."""
        with self.world.lock:
            found = self.world.chats[chat].messages.values()
            shown = [m for m in found if not m.deleted and not m.service and topic in (None, m.topic)]
            return [self._seen(m) for m in shown]

    def bot_messages(self, chat: int, topic: int | None = None) -> list[Seen]:
        return [seen for seen in self.messages(chat, topic) if seen.by == "bot"]

    def message(self, chat: int, message_id: int) -> Seen:
        """One message, deleted or not."""
        with self.world.lock:
            return self._seen(self.world.chats[chat].messages[message_id])

    @property
    def toasts(self) -> list[Toast]:
        with self.world.lock:
            return list(self.world.toasts)

    @property
    def drafts(self) -> list[Draft]:
        with self.world.lock:
            return list(self.world.drafts)

    @property
    def actions(self) -> list[tuple[int, str]]:
        """The chat actions, as (chat, action)."""
        with self.world.lock:
            return list(self.world.actions)

    @property
    def calls(self) -> list[Call]:
        with self.world.lock:
            return list(self.world.calls)

    def calls_of(self, method: str, chat: int) -> int:
        """How many calls of a method there were for a chat, answered or not."""
        return sum(call.method == method and call.chat == chat for call in self.calls)

    @property
    def exceeded(self) -> list[str]:
        """The calls that came too fast, and were answered with 429."""
        with self.world.lock:
            return list(self.world.exceeded)

    @property
    def early(self) -> list[str]:
        """The calls for a chat that came before its `retry_after` was over."""
        with self.world.lock:
            return list(self.world.early)

    @property
    def ignored_thumbnails(self) -> list[str]:
        with self.world.lock:
            return list(self.world.files.ignored_thumbnails)

    @property
    def commands(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """The commands, as (name, description), by language code; the empty one is for everybody else."""
        with self.world.lock:
            return dict(self.world.commands)

    @property
    def inline_answers(self) -> Mapping[str, list[Json]]:
        with self.world.lock:
            return dict(self.world.inline_answers)

    @property
    def reactions_by_bot(self) -> Mapping[tuple[int, int], tuple[str, ...]]:
        """By (chat, message)."""
        with self.world.lock:
            every = [m for chat in self.world.chats.values() for m in chat.messages.values()]
            return {(m.chat, m.id): m.reactions[self.world.bot] for m in every if m.reactions.get(self.world.bot)}

    def now(self) -> float:
        """Seconds since it began: what calls and histories count in."""
        return self.world.now()

    def until(self, predicate: Callable[[], T], seconds: float) -> T:
        """The first truthy answer, asked again at every change; what is not there yet may raise a LookupError."""
        with self.world.lock:
            end = self.world.now() + seconds
            while True:
                missing: LookupError | None = None
                try:
                    if found := predicate():
                        return found
                except LookupError as e:
                    missing = e
                if not self.world.wait(end):
                    why = f"; it raised {missing!r}" if missing else ""
                    raise AssertionError(f"not within {seconds} s{why}. This is what there was:\n\n{self.panorama()}")

    def panorama(self) -> str:
        """All chats, the last calls and what was wrong with them."""
        with self.world.lock:
            parts = [self.picture(chat) for chat in self.world.chats]
            parts.append("last calls: " + ", ".join(f"{c.method} {c.status}" for c in self.world.calls[-15:]))
            for name in ("exceeded", "early", "toasts", "defects"):
                if found := getattr(self.world, name):
                    parts.append(f"{name}: {found}")
            waiting = [next(k for k in p.update if k != "update_id") for p in self.world.updates.pending]
            return "\n\n".join([*parts, f"updates not acknowledged: {waiting}"])

    def picture(self, chat: int) -> str:
        """A chat as a person sees it."""
        with self.world.lock:
            place = self.world.chats[chat]
            shown = [m for m in place.messages.values() if not m.deleted]
            lines = [f"── {place.title} ({place.kind} {chat}) ──"]
            for message in shown:
                lines += self._lines(place, message)
            return "\n".join(lines)

    def _lines(self, place: Chat, message: Message) -> list[str]:
        who = "bot" if message.by == self.world.bot else self.world.people[message.by].name
        notes = [f"in {place.topics[message.topic].name}"] if place.topics and message.topic in place.topics else []
        notes += [f"to {message.reply_to}"] if message.reply_to is not None else []
        notes += [f"edited {message.edited}×"] if message.edited else []
        head = f"[{message.id}] {who}" + (f" ({', '.join(notes)})" if notes else "") + ":"
        body = [f"‹{next(iter(message.service))}›"] if message.service else message.text.splitlines()
        body = [_file(message.media), *body] if message.media else body
        rows = ["  ".join(f"[ {b['text']} ]" for b in row) for row in message.keyboard]
        reactions = " ".join(e for emoji in message.reactions.values() for e in emoji)
        first, *rest = [*body, *rows, *([reactions] if reactions else [])] or [""]
        return [f"{head} {first}", *(f"      {line}" for line in rest)]

    def _seen(self, message: Message) -> Seen:
        by: By = "bot" if message.by == self.world.bot else message.by
        return Seen(
            message.id,
            message.chat,
            message.topic,
            by,
            message.text,
            tuple(dict(e) for e in message.entities),
            message.media,
            tuple(tuple((b["text"], _action(b)) for b in row) for row in message.keyboard),
            message.reply_to,
            message.force_reply,
            tuple(message.history),
            message.edited,
            message.album,
        )


def _action(button: Json) -> str:
    return str(button.get("callback_data", button.get("url", button.get("switch_inline_query", ""))))


def _file(media: Media) -> str:
    named = " – ".join(part for part in (media.performer, media.title) if part) or media.name or ""
    length = f", {media.duration} s" if media.duration else ""
    return f"‹{media.kind} {named}, {media.size} bytes{length}›"
