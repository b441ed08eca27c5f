"""Telegram's updates as messages of ours. Pure: nothing is fetched, nothing is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import telegram
from telegram import Update

from core.messages import Attachment, Message

PLATFORM = "telegram"
MOST_BYTES = 20_000_000  # of a file that a bot can fetch


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are there."""

    id: int
    username: str

    @property
    def home(self) -> str:
        return f"https://t.me/{self.username}?start={{}}"


@dataclass(frozen=True, slots=True)
class Moved:
    """A group became a supergroup: its chat has another id."""

    chat: str
    to: str


def message_of(update: Update, me: Me) -> Message | Moved | None:
    """What somebody did, None where it is nothing for us."""
    if query := update.callback_query:
        return _press(query, me)
    if reaction := update.message_reaction:
        return _reaction(update.update_id, reaction, me)
    message = update.message or update.edited_message
    if message is None or message.from_user is None:
        return None
    if message.migrate_to_chat_id:
        return Moved(str(message.chat.id), str(message.migrate_to_chat_id))
    speaks_as = message.sender_chat  # the group itself (an anonymous administrator), or a channel
    if message.is_automatic_forward or (message.from_user.is_bot and speaks_as is None) or _service(message):
        return None
    text = _words(message, me)
    aside = text is None
    if aside and not message.media_group_id:
        return None
    made = Message(
        PLATFORM, chat_of(message), str(speaks_as.id if speaks_as else message.from_user.id), text=text or "",
        external=str(message.message_id), group=_grouped(message.chat),
        name=(speaks_as.title if speaks_as else None) or message.from_user.full_name,
        language=_language(message.from_user), home=me.home, anonymous=speaks_as is not None,
        reply_external=_replied(message), edited=update.edited_message is not None, aside=aside,
        quoted=message.forward_origin is not None, worded=message.forward_origin is None,
    )  # fmt: skip
    if made.edited:
        return None if aside else made
    return _with_file(made, message)


def chat_of(message: telegram.Message) -> str:
    """The chat, and its topic where it has several."""
    topic = message.message_thread_id if message.is_topic_message else None
    return f"{message.chat.id}/{topic}" if topic else str(message.chat.id)


def ids_of(chat: str) -> tuple[int, int | None]:
    """Telegram's chat and topic of one of our chats."""
    id_, _, topic = chat.partition("/")
    return int(id_), int(topic) if topic else None


def _words(message: telegram.Message, me: Me) -> str | None:
    """What is said to us: in a group only commands, mentions and replies are."""
    text = message.text or message.caption or ""
    entities = message.entities or message.caption_entities
    called = f"@{me.username}".lower()
    mentioned = False
    for entity in sorted(entities, key=lambda each: -each.offset):
        said = _entity(text, entity)
        if entity.type == "mention" and said.lower() == called:
            mentioned = True
            text = _without(text, entity)
        elif entity.type == "bot_command" and entity.offset == 0:
            name, _, bot = said.partition("@")
            if bot and bot.lower() != me.username.lower():
                return None
            mentioned = True
            text = _command(name, text[len(said) :].strip())
    reply = message.reply_to_message
    to_us = reply is not None and reply.from_user is not None and reply.from_user.id == me.id
    if _grouped(message.chat) and not (mentioned or to_us):
        return None
    return text.strip()


def _command(name: str, argument: str) -> str:
    """A link opens the bot as `/start LINK`."""
    return f"/open {argument}" if name == "/start" and argument else f"{name} {argument}".strip()


def _entity(text: str, entity: telegram.MessageEntity) -> str:
    """Its text: Telegram counts in UTF-16 units."""
    units = text.encode("utf-16-le")
    return units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le")


def _without(text: str, entity: telegram.MessageEntity) -> str:
    units = text.encode("utf-16-le")
    return (units[: 2 * entity.offset] + units[2 * (entity.offset + entity.length) :]).decode("utf-16-le")


def _with_file(made: Message, message: telegram.Message) -> Message | None:
    file = _file(message)
    if file is None:
        unreadable = not made.text and not message.text
        return replace(made, problem="message-unreadable") if unreadable else made
    if file.size > MOST_BYTES:
        return replace(made, problem="file-too-big")
    return replace(made, files=(file,), album=message.media_group_id or "")


def _file(message: telegram.Message) -> Attachment | None:
    if voice := message.voice:
        seconds = _seconds(voice.duration)
        # Telegram names voice notes .oga, which programs that know .ogg refuse.
        return Attachment(voice.file_id, "voice.ogg", "voice", voice.file_size or 0, seconds, remote=True)
    if audio := message.audio:
        name = audio.file_name or "audio.mp3"
        return Attachment(audio.file_id, name, "audio", audio.file_size or 0, _seconds(audio.duration), remote=True)
    if message.photo:
        largest = message.photo[-1]
        return Attachment(largest.file_id, "photo.jpg", "image", largest.file_size or 0, remote=True)
    if video := message.animation or message.video or message.video_note:  # a GIF comes as a document, too
        name = "round-video.mp4" if message.video_note else "gif.mp4" if message.animation else "video.mp4"
        return Attachment(video.file_id, name, "video", video.file_size or 0, remote=True)
    if document := message.document:
        return _document(document)
    return None


def _document(document: telegram.Document) -> Attachment:
    """What the name and the type say of it; its content is looked at when it is read. MIDI counts as a file."""
    family = (document.mime_type or "").partition("/")[0]
    midi = "midi" in (document.mime_type or "") or (document.file_name or "").lower().endswith((".mid", ".midi"))
    name = document.file_name or "file"
    kind = "file" if midi else {"image": "image", "audio": "audio"}.get(family, "file")
    return Attachment(document.file_id, name, kind, document.file_size or 0, remote=True)  # type: ignore[arg-type]


def _press(query: telegram.CallbackQuery, me: Me) -> Message | None:
    message = query.message
    if message is None or not query.data:
        return None
    chat = chat_of(message) if isinstance(message, telegram.Message) else str(message.chat.id)
    return Message(
        PLATFORM, chat, str(query.from_user.id), press=query.data, external=f"press {query.id}",
        on_external=str(message.message_id), handle=query.id, group=_grouped(message.chat),
        name=query.from_user.full_name, language=_language(query.from_user), home=me.home,
    )  # fmt: skip


def _reaction(number: int, update: telegram.MessageReactionUpdated, me: Me) -> Message | None:
    """The newest emoji that somebody left on a message; none: they took it back."""
    if update.user is None or update.user.is_bot:
        return None
    emoji = ""
    for reaction in update.new_reaction:
        emoji = getattr(reaction, "emoji", "") or f"custom {getattr(reaction, 'custom_emoji_id', '')}"[:32]
    return Message(
        PLATFORM, str(update.chat.id), str(update.user.id), reaction=emoji, external=f"update {number}",
        on_external=str(update.message_id), group=_grouped(update.chat), name=update.user.full_name,
        language=_language(update.user), home=me.home,
    )  # fmt: skip


def _replied(message: telegram.Message) -> str:
    """The message it answers; in a topic every message names the topic's first one."""
    reply = message.reply_to_message
    if reply is None or (message.is_topic_message and reply.message_id == message.message_thread_id):
        return ""
    return str(reply.message_id)


def _grouped(chat: telegram.Chat) -> bool:
    return chat.type in ("group", "supergroup")


def _language(user: telegram.User) -> str:
    return (user.language_code or "")[:2]


def _seconds(duration: object) -> float:
    total = getattr(duration, "total_seconds", None)
    return float(total() if total else duration)  # type: ignore[arg-type]


def _service(message: telegram.Message) -> bool:
    """Somebody joined, a title changed: nothing that was said."""
    return any(
        getattr(message, name, None) is not None and getattr(message, name) not in ((), False) for name in _SERVICE
    )


# Of what python-telegram-bot knows, all that its filter StatusUpdate.ALL holds, and what money is told by.
_SERVICE = (
    "new_chat_members", "left_chat_member", "new_chat_title", "new_chat_photo", "delete_chat_photo",
    "group_chat_created", "supergroup_chat_created", "channel_chat_created", "pinned_message", "migrate_from_chat_id",
    "forum_topic_created", "forum_topic_closed", "forum_topic_reopened", "forum_topic_edited",
    "general_forum_topic_hidden", "general_forum_topic_unhidden", "message_auto_delete_timer_changed",
    "proximity_alert_triggered", "video_chat_scheduled", "video_chat_started", "video_chat_ended",
    "video_chat_participants_invited", "web_app_data", "write_access_allowed", "users_shared", "chat_shared",
    "chat_background_set", "boost_added", "giveaway_created", "giveaway_completed", "connected_website", "gift",
    "unique_gift", "paid_message_price_changed", "direct_message_price_changed", "checklist_tasks_added",
    "checklist_tasks_done", "successful_payment", "refunded_payment", "suggested_post_approved",
    "suggested_post_declined", "suggested_post_paid", "suggested_post_refunded", "suggested_post_approval_failed",
)  # fmt: skip
