"""What people do with guilds, channels and messages. Every name given back is an id."""

from __future__ import annotations

import base64
import mimetypes
import re
import time
from collections.abc import Iterable

from tests.standins.discord.channels import Channels
from tests.standins.discord.gateway import Gateway
from tests.standins.discord.payloads import channel_of, guild_of, member_of, message_of, text_channel_of, user_of
from tests.standins.discord.permissions import BITS
from tests.standins.discord.world import TIER_LIMITS, VOICE, Channel, File, Guild, Message, User, World

Attachment = tuple[str, bytes, str | None]  # name, content, content type as the sender's client says


class People:
    def __init__(self, world: World, gateway: Gateway, channels: Channels) -> None:
        self._world = world
        self._gateway = gateway
        self._channels = channels

    def user(self, name: str, locale: str = "en-US") -> str:
        """A person comes into being."""
        with self._world.changed:
            return self._world.add_user(User(self._world.snowflake(), name, locale)).id

    def guild(
        self,
        name: str,
        *users: str,
        filesize_limit: int | None = None,
        premium_tier: int = 0,
        shard: int | None = None,
        locale: str = "en-US",
    ) -> str:
        """A guild that has the bot and those users; guilds go round the shards unless one is named."""
        with self._world.changed:
            shard = len(self._world.guilds) % self._world.shards if shard is None else shard
            limit = TIER_LIMITS[premium_tier] if filesize_limit is None else filesize_limit
            id_ = self._world.snowflake(shard)
            guild = Guild(id_, name, [*users, self._world.bot.id], limit, premium_tier, locale)
            self._world.guilds[id_] = guild
            self._gateway.dispatch("GUILD_CREATE", guild_of(self._world, guild), id_)
            return id_

    def channel(self, guild: str, name: str) -> str:
        """A text channel that everyone in the guild sees."""
        with self._world.changed:
            channel = Channel(self._world.snowflake(), name, guild=guild)
            self._world.channels[channel.id] = channel
            self._gateway.dispatch("CHANNEL_CREATE", text_channel_of(self._world, channel), guild)
            return channel.id

    def dm(self, user: str) -> str:
        """A user's private chat with the bot."""
        with self._world.changed:
            return self._world.private_with(user).id

    def thread(self, channel: str, user: str, name: str, message: str | None = None) -> str:
        """Somebody starts a thread, on a message if one is named."""
        with self._world.changed:
            self._visible(channel, user)
            id_ = message or self._world.snowflake()
            return self._channels.start_thread(self._world.channels[channel], name, user, id_).id

    def join(self, guild: str, user: str) -> None:
        with self._world.changed:
            self._world.guilds[guild].members.insert(0, user)
            joined = member_of(self._world.users[user]) | {"guild_id": guild}
            self._gateway.dispatch("GUILD_MEMBER_ADD", joined, guild)

    def leave(self, guild: str, user: str | None = None) -> None:
        """A user leaves a guild; without a user, the bot is put out of it."""
        with self._world.changed:
            gone = user or self._world.bot.id
            self._world.guilds[guild].members.remove(gone)
            if user:
                left = {"guild_id": guild, "user": user_of(self._world.users[user])}
                self._gateway.dispatch("GUILD_MEMBER_REMOVE", left, guild)
            else:
                self._gateway.dispatch("GUILD_DELETE", {"id": guild}, guild)

    def deny(self, channel: str, *permissions: str) -> None:
        """Take permissions from the bot in a channel, by their names in discord.py; none of them gives all back."""
        with self._world.changed:
            changed = self._world.channels[channel]
            if unknown := set(permissions) - set(BITS):
                raise ValueError(f"no such permission: {sorted(unknown)}; there are {sorted(BITS)}")
            changed.denied = changed.denied | set(permissions) if permissions else set()
            if not changed.parent:
                self._gateway.dispatch("CHANNEL_UPDATE", text_channel_of(self._world, changed), changed.guild)

    def close_dms(self, user: str, closed: bool = True) -> None:
        """A user takes no private messages of the bot's any more."""
        with self._world.changed:
            self._world.users[user].takes_dms = not closed

    def remove_channel(self, channel: str) -> None:
        """Somebody deletes a channel or a thread with all that is in it."""
        with self._world.changed:
            gone = self._world.channels[channel]
            event = "THREAD_DELETE" if gone.parent else "CHANNEL_DELETE"
            payload = channel_of(self._world, gone)
            self._world.remove(gone)
            self._gateway.dispatch(event, payload, gone.guild)

    def write(
        self,
        channel: str,
        user: str,
        content: str = "",
        attachments: Iterable[Attachment] = (),
        reply_to: str | None = None,
        voice: bool = False,
    ) -> str:
        """Somebody writes; `<@id of the bot>` in the content, or a reply to the bot, mentions it."""
        with self._world.changed:
            place = self._visible(channel, user)
            message = Message(self._world.snowflake(), channel, user, content, reply_to=reply_to)
            message.files = [self._file(*attachment, voice) for attachment in attachments]
            message.flags = VOICE if voice else 0
            message.type = 19 if reply_to else 0
            message.mentions = self._mentioned(content, reply_to)
            message.remember()
            self._world.messages[message.id] = message
            place.archived = False
            self._gateway.dispatch("MESSAGE_CREATE", message_of(self._world, message), place.guild, human=True)
            return message.id

    def edit(self, channel: str, message: str, content: str) -> None:
        """A person edits a message of theirs."""
        with self._world.changed:
            edited = self._world.message(channel, message)
            if edited.author == self._world.bot.id:
                raise ValueError("that message is the bot's")
            edited.content, edited.edited = content, time.time()
            edited.mentions = self._mentioned(content, edited.reply_to)
            edited.remember()
            guild = self._world.channels[channel].guild
            self._gateway.dispatch("MESSAGE_UPDATE", message_of(self._world, edited), guild, human=True)

    def delete(self, channel: str, message: str) -> None:
        """Somebody deletes a message, their own or, as a moderator, the bot's."""
        with self._world.changed:
            gone = self._world.message(channel, message)
            guild = self._world.channels[channel].guild
            del self._world.messages[message]
            if not gone.ephemeral_to:
                event = {"id": message, "channel_id": channel} | ({"guild_id": guild} if guild else {})
                self._gateway.dispatch("MESSAGE_DELETE", event, guild, human=True)

    def react(self, channel: str, user: str, message: str, emoji: str) -> None:
        with self._world.changed:
            self._visible(channel, user)
            self._channels.add_reaction(self._world.message(channel, message), user, emoji)

    def unreact(self, channel: str, user: str, message: str, emoji: str) -> None:
        with self._world.changed:
            self._visible(channel, user)
            self._channels.remove_reaction(self._world.message(channel, message), user, emoji)

    def _visible(self, channel: str, user: str) -> Channel:
        """The channel, if the user is there to see it."""
        found = self._world.channels[channel]
        if found.guild and user not in self._world.guilds[found.guild].members:
            raise LookupError(f"{self._world.users[user].name} is not in the guild of #{found.name}")
        if found.recipient and user != found.recipient:
            raise LookupError(f"{self._world.users[user].name} does not see somebody else's private chat")
        return found

    def _mentioned(self, content: str, reply_to: str | None) -> list[str]:
        """Whom a person's message pings; a reply pings whom it replies to."""
        ids = [id_ for id_ in re.findall(r"<@!?(\d+)>", content) if id_ in self._world.users]
        target = self._world.messages.get(reply_to or "")
        return list(dict.fromkeys([*ids, *([target.author] if target else [])]))

    def _file(self, name: str, data: bytes, content_type: str | None, voice: bool = False) -> File:
        file = File(self._world.snowflake(), name, data, content_type)
        if voice:
            file.seconds, file.waveform = 3.0, base64.b64encode(bytes(range(0, 256, 4))).decode()
            file.content_type = content_type or "audio/ogg"
        return file


def guessed(name: str) -> str | None:
    """The content type that a name suggests."""
    return mimetypes.guess_type(name)[0]
