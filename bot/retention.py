"""Bookkeeping goes after thirty days, songs stay: finished jobs, workflow rows, checkpoints and stray files."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

log = logging.getLogger(__name__)

KEPT = 30 * 86_400.0  # seconds
_FIRST, _EVERY = 300.0, 86_400.0  # seconds: after the start, and then
Tidy = Callable[[float], Awaitable[int]]  # what is older than then goes; how much that was


class Retention:
    """`tidies`: by what they tidy."""

    def __init__(self, tidies: Mapping[str, Tidy], clock: Callable[[], float] = time.time) -> None:
        self._tidies, self._clock = tidies, clock

    async def once(self) -> dict[str, int]:
        """How much went of each; one that fails leaves the others to it."""
        found = {}
        for name, tidy in self._tidies.items():
            try:
                found[name] = await tidy(self._clock() - KEPT)
            except Exception:
                log.exception("old %s could not be cleaned away", name)
        return found

    async def daily(self) -> None:
        await asyncio.sleep(_FIRST)
        while True:
            log.info("cleaned away: %s", await self.once())
            await asyncio.sleep(_EVERY)
