"""The serve and worker commands: one process of the service, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from bot.service import Service
from bot.stopping import until_stopped
from core.ports import Platform

log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_HEALTHY = 60.0  # seconds after which a fall is a new one


async def serve(
    service: AbstractAsyncContextManager[Service],
    platforms: Callable[[Service], Sequence[Platform]],
    say: Callable[[str], None],
    lost: asyncio.Event,
) -> int:
    """Works, and talks on every platform, until SIGTERM or SIGINT; 1 where another process took its place."""
    with until_stopped(signal.SIGTERM, signal.SIGINT) as stopping:
        async with service as made, asyncio.TaskGroup() as tasks:
            say("serve-ready")
            for platform in platforms(made):
                tasks.create_task(_supervised(made, platform, stopping), name=platform.name)
            gone = tasks.create_task(lost.wait())
            await asyncio.wait([gone, tasks.create_task(stopping.wait())], return_when=asyncio.FIRST_COMPLETED)
            stopping.set()
            gone.cancel()
            say("serve-stopping")
    return int(lost.is_set())


async def _supervised(service: Service, platform: Platform, stopping: asyncio.Event) -> None:
    """One platform's fall does not pull down the others: it is begun again, after longer and longer pauses."""
    pause = _FIRST_PAUSE
    while not stopping.is_set():
        try:
            begun = time.monotonic()
            await service.run(platform, stopping)
            return
        except Exception:
            if time.monotonic() - begun > _HEALTHY:
                pause = _FIRST_PAUSE
            log.exception("%s fell; tried again in %.0f s", platform.name, pause)
        try:
            await asyncio.wait_for(stopping.wait(), pause)
        except TimeoutError:
            pause = min(_LONGEST_PAUSE, 2 * pause)
