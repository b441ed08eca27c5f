"""The service: takes messages from a platform and answers each chat in order, chats side by side."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.conversation import Conversation
from core.events import Accepted
from core.messages import Message
from core.ports import Library, Platform


class Service:
    def __init__(self, conversation: Conversation, library: Library) -> None:
        self._conversation, self._library = conversation, library

    async def run(self, platform: Platform) -> None:
        """Until the platform has no more messages and every accepted one is answered."""
        lanes: dict[tuple[str, str], asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as tasks:
            async for message in platform.messages():
                number = await self._library.next_message(*message.lane)
                accepted = replace(message, id=number)
                await platform.deliver(accepted, Accepted(number))
                before = lanes.get(message.lane)
                lanes[message.lane] = tasks.create_task(self._answer(accepted, platform, before))

    async def _answer(self, message: Message, platform: Platform, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        async for event in self._conversation.answer(message):
            await platform.deliver(message, event)
