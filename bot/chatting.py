"""The chat command: a conversation in the terminal, for people or for programs."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from bot.service import Service
from core.ports import Platform


async def converse(platform: Platform, service: AbstractAsyncContextManager[Service]) -> int:
    """Until the input ends and everything accepted is answered."""
    async with service as made:
        await made.run(platform)
    return 0
