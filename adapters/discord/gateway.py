"""What comes in from Discord: each interaction is acknowledged first, and then everything waits in one queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import aiohttp
import discord
from discord.app_commands import Choice

from adapters.discord.forms import NOBODY, Say
from adapters.discord.translate import edit_of, fields_of, interaction_of, message_of, reaction_of
from core.messages import Message

log = logging.getLogger(__name__)

_TOO_LATE = 10062  # the code of an interaction that is not known any more
_MODAL_TIME = 900.0  # seconds that somebody may think about their words
_QUIET = frozenset({"help", "settings", "start"})  # commands whose answers only their person sees
Complete = Callable[[str, str, str], Sequence[tuple[str, str]]]  # option, what is typed, locale: labels and values


class Gateway(discord.AutoShardedClient):
    """Puts what people do into `coming`. `content`: whether we may read what is not said to us; `private`: whether the
    answer to such words must be seen by their person alone.
    """

    def __init__(
        self,
        coming: asyncio.Queue[Message],
        say: Say,
        complete: Complete,
        content: bool,
        private: Callable[[str], bool] = lambda words: False,
    ) -> None:
        # The library would have us install what it needs to speak in voice channels.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        intents = discord.Intents.none()
        intents.guilds = intents.messages = intents.reactions = True
        intents.message_content = content
        super().__init__(
            intents=intents, max_messages=None, chunk_guilds_at_startup=False, max_ratelimit_timeout=30.0,
            member_cache_flags=discord.MemberCacheFlags.none(), allowed_mentions=discord.AllowedMentions.none(),
            enable_debug_events=False,
        )  # fmt: skip
        self._coming, self._say, self._complete, self._private = coming, say, complete, private
        self.begun = asyncio.Event()  # a further shard is connected

    @property
    def me(self) -> int:
        assert self.user is not None
        return self.user.id

    def _take(self, message: Message | None) -> None:
        if message is not None:
            self._coming.put_nowait(message)

    async def on_message(self, message: discord.Message) -> None:
        self._take(message_of(message, self.me))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        author = event.data.get("author") or {}
        changed = event.data.get("edited_timestamp")  # not only a preview, a pin or a thread
        if changed and (text := event.data.get("content")) and not author.get("bot"):
            self._take(edit_of(event.message_id, event.channel_id, int(author.get("id", 0)), text, self.me))

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        self._take(reaction_of(event, self.me, event.guild_id is not None))

    async def on_raw_reaction_remove(self, event: discord.RawReactionActionEvent) -> None:
        self._take(reaction_of(event, self.me, event.guild_id is not None))

    async def on_shard_connect(self, shard: int) -> None:
        self.begun.set()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Acknowledged before anything else is done with it. Where the answer to that is lost, it is taken all the
        same; not where it came too late, as its person was told that it failed.
        """
        try:
            more = await self._acknowledged(interaction)
        except discord.HTTPException as error:
            log.warning("interaction %s cannot be answered: %s", interaction.id, error.code)
            more = error.code != _TOO_LATE
        except (aiohttp.ClientError, OSError) as error:
            log.warning("interaction %s: %s", interaction.id, type(error).__name__)
            more = True
        if more and interaction.type != discord.InteractionType.autocomplete:
            self._take(interaction_of(interaction, self.me))
            if dict(interaction.data or {}).get("values"):
                await self._unchosen(interaction)

    async def _unchosen(self, interaction: discord.Interaction[Any]) -> None:
        """The select shows nothing chosen: the same choice can be made again."""
        message = interaction.message
        if message is None:
            return
        body = {"components": [row.to_dict() for row in message.components], "allowed_mentions": NOBODY}
        route = discord.http.Route(
            "PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
            webhook_id=interaction.application_id, webhook_token=interaction.token,
        )  # fmt: skip
        with suppress(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError):
            await self.http.request(route, json=body)

    async def _acknowledged(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether there is more to it than the answer that it has got."""
        data: dict[str, Any] = dict(interaction.data or {})
        response = interaction.response
        match interaction.type:
            case discord.InteractionType.autocomplete:
                await response.autocomplete(self._choices(data, str(interaction.locale)[:2]))
                return False
            case discord.InteractionType.application_command:
                alone = data.get("name") in _QUIET or self._private(" ".join(_written(data)))
                await response.defer(thinking=True, ephemeral=alone)
            case discord.InteractionType.component:
                pressed = str((data.get("values") or [data.get("custom_id", "")])[0])
                if pressed.startswith("change:"):
                    await response.send_modal(self._modal(pressed, str(interaction.locale)[:2]))
                    return False
                await response.defer()
            case discord.InteractionType.modal_submit:
                words = " ".join(fields_of(data.get("components", [])))
                await response.defer(thinking=True, ephemeral=self._private(words))
            case _:
                return False
        return True

    def _choices(self, data: dict[str, Any], locale: str) -> list[Choice[str]]:
        typed: dict[str, Any] = next((each for each in data.get("options", []) if each.get("focused")), {})
        found = self._complete(str(typed.get("name", "")), str(typed.get("value", "")), locale)
        return [Choice(name=label[:100], value=value[:100]) for label, value in found[:25]]

    def _modal(self, pressed: str, locale: str) -> discord.ui.Modal:
        """Asks for the words that change a song; what is typed comes back as an interaction."""
        modal = discord.ui.Modal(title=self._say(locale, "modal-title"), timeout=_MODAL_TIME, custom_id=pressed[:100])
        modal.add_item(
            discord.ui.TextInput(
                label=self._say(locale, "modal-label"), placeholder=self._say(locale, "modal-example"),
                custom_id="words", max_length=400,
            )
        )  # fmt: skip
        return modal


def _written(data: dict[str, Any]) -> list[str]:
    """What somebody typed into a command's options."""
    return [str(each["value"]) for each in data.get("options", []) if isinstance(each.get("value"), str)]
