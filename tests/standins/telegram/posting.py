"""Updates posted to the bot's webhook: in order within a chat, several chats at once, until each has arrived."""

from __future__ import annotations

import asyncio
import time

import aiohttp

from tests.standins.telegram.pulse import Pulse
from tests.standins.telegram.updates import Pending
from tests.standins.telegram.values import Json
from tests.standins.telegram.world import Webhook, World

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
AGAIN_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)  # the real one waits longer
POST_SECONDS = 10.0


class Posting:
    """Posts whatever is pending, while a webhook is set."""

    def __init__(self, world: World, pulse: Pulse) -> None:
        self._world, self._pulse = world, pulse

    async def run(self) -> None:
        timeout = aiohttp.ClientTimeout(POST_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout) as session, asyncio.TaskGroup() as group:
            while True:
                beat = self._pulse.next()
                while (found := self._next()) is not None:
                    group.create_task(self._deliver(session, *found))
                await beat.wait()

    def _next(self) -> tuple[Webhook, Pending] | None:
        with self._world.lock:
            hook = self._world.webhook
            found = self._world.updates.next_to_post(hook.most) if hook else None
            return (hook, found) if hook and found else None

    async def _deliver(self, session: aiohttp.ClientSession, hook: Webhook, one: Pending) -> None:
        tries = 0
        arrived = False
        while self._world.webhook is hook and not arrived:
            arrived = await self._post(session, hook, one.update)
            if not arrived:
                await asyncio.sleep(AGAIN_SECONDS[min(tries, len(AGAIN_SECONDS) - 1)])
                tries += 1
        with self._world.changing():
            self._world.updates.landed(one, arrived=arrived)

    async def _post(self, session: aiohttp.ClientSession, hook: Webhook, update: Json) -> bool:
        headers = {SECRET_HEADER: hook.secret} if hook.secret else {}
        try:
            async with session.post(hook.url, json=update, headers=headers) as answer:
                if answer.status == 200:
                    return True
                why = f"Wrong response from the webhook: {answer.status} {answer.reason}"
        except (aiohttp.ClientError, TimeoutError) as e:
            why = str(e) or "Read timeout expired"
        with self._world.changing():
            hook.last_error, hook.last_error_at = why, int(time.time())
        return False
