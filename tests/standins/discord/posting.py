"""What the bot writes, edits and deletes, whichever route it takes."""

from __future__ import annotations

import time
from collections.abc import Mapping

from tests.standins.discord import forms
from tests.standins.discord.components import TEXT, walk
from tests.standins.discord.forms import Form, Upload
from tests.standins.discord.gateway import Gateway
from tests.standins.discord.mentions import pinged, pings_replied
from tests.standins.discord.payloads import message_of
from tests.standins.discord.refusals import Path, Problems, refused
from tests.standins.discord.world import EPHEMERAL, LOADING, VOICE, Channel, Json, Message, Use, World


class Posting:
    """The bot's pen: checks a form, keeps the message, announces it."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world = world
        self._gateway = gateway
        self._nonces: dict[tuple[str, str], str] = {}

    def repeated(self, channel: Channel, body: Json) -> Message | None:
        """The message that was sent with the same enforced nonce."""
        nonce = body.get("nonce")
        if not nonce or not body.get("enforce_nonce"):
            return None
        known = self._nonces.get((channel.id, str(nonce)))
        if known is not None and known not in self._world.messages:
            raise refused("unknown message")  # it was deleted meanwhile
        return self._world.messages.get(known or "")

    def post(
        self,
        channel: Channel,
        body: Json,
        uploads: Mapping[int, Upload],
        use: Use | None = None,
        reply_to: str | None = None,
        root: Path = (),
    ) -> Message:
        """A new message; ephemeral only in answer to an interaction."""
        form = self._form(channel, body, uploads, None, root)
        message = Message(self._world.snowflake(), channel.id, self._world.bot.id, use=use, reply_to=reply_to)
        if use:
            message.ephemeral_to = use.user if form.flags & EPHEMERAL else None
            message.type = {2: 20}.get(use.type, 0)
        if body.get("nonce") and not use:  # answers to interactions know none
            message.nonce = str(body["nonce"])
            self._nonces[channel.id, message.nonce] = message.id
        message.type = 19 if reply_to else message.type
        self._fill(message, form)
        self._note_pings(channel, message, body, first=True)
        return self._add(message)

    def think(self, channel: Channel, use: Use, ephemeral: bool) -> Message:
        """The placeholder of a deferred answer."""
        kind = 20 if use.type == 2 else 0
        message = Message(self._world.snowflake(), channel.id, self._world.bot.id, use=use, type=kind, flags=LOADING)
        message.ephemeral_to = use.user if ephemeral else None
        message.remember()
        return self._add(message)

    def edit(self, message: Message, body: Json, uploads: Mapping[int, Upload], root: Path = ()) -> Message:
        """The message with what the body gives; the rest stays."""
        if message.author != self._world.bot.id:
            raise refused("another's message")
        if message.flags & VOICE:
            raise refused("voice edit")
        channel = self._world.channels[message.channel]
        form = self._form(channel, body, uploads, message, root)
        thought = bool(message.flags & LOADING)
        self._fill(message, form)
        message.edited = None if thought else time.time()
        self._note_pings(channel, message, body, first=thought)
        if not message.ephemeral_to:
            self._gateway.dispatch("MESSAGE_UPDATE", message_of(self._world, message), channel.guild)
        return message

    def delete(self, message: Message) -> None:
        channel = self._world.channels[message.channel]
        del self._world.messages[message.id]
        if not message.ephemeral_to:
            gone = {"id": message.id, "channel_id": channel.id}
            gone |= {"guild_id": channel.guild} if channel.guild else {}
            self._gateway.dispatch("MESSAGE_DELETE", gone, channel.guild)

    def target_of(self, channel: Channel, body: Json) -> str | None:
        """The message that a body replies to."""
        reference = body.get("message_reference")
        if not reference:
            return None
        if "read_message_history" in self._world.denied(channel):
            raise refused("no history")
        target = str(reference.get("message_id"))
        if target in self._world.messages and self._world.messages[target].channel == channel.id:
            return target
        if reference.get("fail_if_not_exists", True):
            problems = Problems()
            problems.add(("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
            problems.refuse()
        return None

    def _form(
        self, channel: Channel, body: Json, uploads: Mapping[int, Upload], old: Message | None, root: Path
    ) -> Form:
        form = forms.read(body, uploads, old, self._world.snowflake)
        forms.check(form, body, self._world.file_limit(channel), root)
        denied = self._world.denied(channel)
        if form.flags & VOICE and not old and "send_voice_messages" in denied:
            raise refused("voice here")
        if (form.new and "attach_files" in denied) or (form.embeds and "embed_links" in denied):
            raise refused("missing permissions")
        return form

    def _fill(self, message: Message, form: Form) -> None:
        message.content, message.embeds = form.content, form.embeds
        message.components, message.files = form.components, form.files
        message.flags = form.flags & ~(LOADING | EPHEMERAL)
        message.remember()

    def _add(self, message: Message) -> Message:
        self._world.messages[message.id] = message
        channel = self._world.channels[message.channel]
        channel.archived = False
        if not message.ephemeral_to:
            self._gateway.dispatch("MESSAGE_CREATE", message_of(self._world, message), channel.guild)
        return message

    def _note_pings(self, channel: Channel, message: Message, body: Json, first: bool) -> None:
        """Note what the text lets through, in edits too; a reply notifies only when it is `first` sent."""
        allowed = body.get("allowed_mentions")
        texts = [c.get("content", "") for _, c in walk(message.components) if c.get("type") == TEXT]
        found = [ping for text in (message.content, *texts) for ping in pinged(text, allowed)]
        target = self._world.messages.get(message.reply_to or "")
        if first and target and pings_replied(allowed):
            message.mentions = [target.author]
            found += [f"<@{target.author}> (replied to)"] if target.author != message.author else []
        self._world.pings += [f"#{channel.name}: {ping} in {message.content[:80]!r}" for ping in found]
