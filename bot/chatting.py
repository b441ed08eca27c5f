"""The chat command: a conversation in the terminal, for people or for programs."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from bot.service import Service
from bot.stopping import until_stopped
from core.ports import Platform


async def converse(platform: Platform, service: AbstractAsyncContextManager[Service]) -> int:
    """Until the input ends and everything accepted is answered."""
    with until_stopped() as stopping:
        async with service as made:
            await made.run(platform, stopping)
    return 0
