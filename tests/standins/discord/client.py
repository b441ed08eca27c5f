"""The real client library, pointed at the stand-in: for the stand-in's own tests, in their event loop."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import yarl

from tests.standins.discord.standin import Discord

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the library still imports audioop
    import discord
    from discord import app_commands


class Bot(discord.AutoShardedClient):
    """Keeps what it heard, and answers as each test tells it to."""

    def __init__(self, **more: Any) -> None:
        intents = discord.Intents.default()
        intents.message_content = more.pop("message_content", True)
        super().__init__(intents=intents, guild_ready_timeout=0.05, **more)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        self.uses: list[discord.Interaction[Any]] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Without the five seconds that real shards keep between them."""

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            self.heard.append(message.content)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.uses.append(interaction)


def wire(standin: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", f"{standin.base}/api/v10")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(standin.gateway_url))
    monkeypatch.setattr(discord.asset.Asset, "BASE", standin.base)


@asynccontextmanager
async def running(standin: Discord, bot: Bot | None = None) -> AsyncIterator[Bot]:
    bot = bot or Bot()
    async with bot:
        await bot.login(standin.token)
        connection = asyncio.create_task(bot.connect())
        try:
            async with asyncio.timeout(5):
                await bot.wait_until_ready()
            if bot.tree.get_commands():
                await bot.tree.sync()
            yield bot
        finally:
            await bot.close()
            await connection
