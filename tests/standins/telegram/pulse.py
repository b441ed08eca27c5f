"""A change in another thread, as coroutines wait for it."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Pulse:
    """Beats at every change; take `next` before looking, so that no change falls in between."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._next = asyncio.Event()

    def next(self) -> asyncio.Event:
        return self._next

    def beat(self) -> None:
        """Called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._now)

    def _now(self) -> None:
        self._next.set()
        self._next = asyncio.Event()
