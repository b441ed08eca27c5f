"""The serve and worker commands: one process of the service, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.service import Service
from bot.stopping import until_stopped
from core.errors import Flooded, Refused, Unreachable
from core.ports import Platform

log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_HEALTHY = 60.0  # seconds after which a fall is a new one


class Say(Protocol):
    """A sentence on standard error."""

    def __call__(self, code: str, **values: object) -> None: ...


async def serve(
    service: AbstractAsyncContextManager[Service],
    platforms: Callable[[Service], Sequence[Platform]],
    say: Say,
    lost: asyncio.Event,
) -> int:
    """Works, and talks on every platform, until SIGTERM or SIGINT; 1 where another process took its place, 2 where no
    platform lets us in.
    """
    refused = asyncio.Event()
    with until_stopped(signal.SIGTERM, signal.SIGINT) as stopping:
        async with service as made, asyncio.TaskGroup() as tasks:
            say("serve-ready")
            talking = [
                tasks.create_task(_supervised(made, platform, stopping, say), name=platform.name)
                for platform in platforms(made)
            ]
            if talking:
                tasks.create_task(_when_all_ended(talking, refused))
            ends = [tasks.create_task(event.wait()) for event in (lost, stopping, refused)]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            stopping.set()
            for end in ends:
                end.cancel()
            say("serve-stopping")
    return 1 if lost.is_set() else 2 if refused.is_set() else 0


async def _when_all_ended(talking: Sequence[asyncio.Task[bool]], refused: asyncio.Event) -> None:
    if not any(await asyncio.gather(*talking)):
        refused.set()


async def _supervised(service: Service, platform: Platform, stopping: asyncio.Event, say: Say) -> bool:
    """One platform's fall does not pull down the others: it is begun again, after longer and longer pauses. False where
    it does not let us in, which trying again does not change.
    """
    pause = _FIRST_PAUSE
    while not stopping.is_set():
        try:
            begun = time.monotonic()
            async with platform.connected():
                _connected(service, platform, True)
                await service.run(platform, stopping)
            return True
        except Exception as fall:
            _connected(service, platform, False)
            error = _cause(fall)
            if isinstance(error, Refused):
                say(error.code, **error.values)
                say(f"mend-{error.values.get('mend') or platform.name}")
                return False
            if time.monotonic() - begun > _HEALTHY:
                pause = _FIRST_PAUSE
            if isinstance(error, Flooded):
                pause = max(pause, error.seconds)
            reason = type(error).__name__
            if isinstance(error, Unreachable):
                reason = error.values.get("reason") or f"{pause:.0f} s"
            say("platform-fell", platform=platform.name.title(), reason=reason)
            if not isinstance(error, Unreachable):
                log.error("%s fell; tried again in %.0f s", platform.name, pause, exc_info=error)
        try:
            await asyncio.wait_for(stopping.wait(), pause)
        except TimeoutError:
            pause = min(_LONGEST_PAUSE, 2 * pause)
    return True


def _connected(service: Service, platform: Platform, there: bool) -> None:
    if service.health is not None:
        service.health.platforms[platform.name] = there


def _cause(error: BaseException) -> BaseException:
    """What brought a platform down: of several errors the one that says that we are not let in, or the first."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    causes = [_cause(each) for each in error.exceptions]
    return next((each for each in causes if isinstance(each, Refused)), causes[0])
