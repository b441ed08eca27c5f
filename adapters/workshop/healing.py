"""A pool of worker processes that heals: where workers die, or the pool breaks, it is made anew and tasks run again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pebble import ProcessExpired, ProcessPool

from core.errors import WorkerDied

log = logging.getLogger(__name__)

_TRIES = 3  # of a task whose worker died; the last one has a worker of its own
_LOOK = 1.0  # seconds between two looks at a task that runs
STALL = 60.0  # seconds without a sign of life after which a task is ended
_BROKEN = (ProcessExpired, BrokenProcessPool)


class HealingPool:
    """`make` gives a pool of so many workers. A pool breaks when a worker dies while none works: pebble then takes no
    task any more, and forgets those that had not begun.
    """

    def __init__(self, make: Callable[[int], ProcessPool], workers: int) -> None:
        self._make, self._workers = make, workers
        self._pool = make(workers)
        self._closing = False

    def start(self, function: Callable[..., Any], *args: Any) -> None:
        """Has every worker begin by doing that. Blocks until the first is born."""
        for _ in range(self._workers):
            self._pool.schedule(function, args=args)

    async def run(
        self, function: Callable[..., Any], args: tuple[Any, ...], limit: float, alive: Callable[[], object] = int
    ) -> Any:
        """The function's result. `limit`: seconds that it may take. What `alive` gives changes as long as it lives;
        where it stays the same for STALL seconds, its worker is ended.

        Raises what the function raises, TimeoutError, and WorkerDied where three workers died of it. While the pool is
        being closed the task is cancelled: that is no outcome.
        """
        for number in range(1, _TRIES + 1):
            pool = self._pool if number < _TRIES else self._make(1)
            try:
                return await self._scheduled(pool, function, args, limit, alive)
            except _BROKEN as error:
                if self._closing:
                    raise asyncio.CancelledError from error
                log.warning("a worker died in %s (%s); tried again", _name(function), _reason(error))
                await self._healed(pool)
            finally:
                if number == _TRIES:
                    await asyncio.to_thread(_stopped, pool)
        raise WorkerDied(reason=_name(function))

    async def _scheduled(
        self,
        pool: ProcessPool,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        limit: float,
        alive: Callable[[], object],
    ) -> Any:
        try:
            future: Future[Any] = await asyncio.to_thread(pool.schedule, function, args=args, timeout=limit)
        except RuntimeError as error:  # broken, or closed
            raise BrokenProcessPool(str(error)) from error
        waiting = asyncio.wrap_future(future)
        loop = asyncio.get_running_loop()
        sign, seen = alive(), loop.time()
        try:
            while True:
                done, _ = await asyncio.wait([waiting], timeout=_LOOK)
                if done:
                    return waiting.result()
                if not pool.active:
                    raise BrokenProcessPool("forgotten by a broken pool")
                if not future.running() or alive() != sign:
                    sign, seen = alive(), loop.time()
                elif loop.time() - seen > STALL:
                    raise TimeoutError
        finally:
            if not waiting.done():
                future.cancel()  # kills the worker; pebble starts another
                waiting.cancel()

    async def _healed(self, broken: ProcessPool) -> None:
        """A broken pool is replaced; one whose worker died at work has another worker by now."""
        if broken is self._pool and not broken.active:
            self._pool = self._make(self._workers)
            await asyncio.to_thread(_stopped, broken)

    async def close(self) -> None:
        self._closing = True
        await asyncio.to_thread(_stopped, self._pool)
        del self._pool


def _stopped(pool: ProcessPool) -> None:
    pool.stop()
    pool.join(5)


def _reason(error: BaseException) -> str:
    return f"exit {error.exitcode}" if isinstance(error, ProcessExpired) else str(error)


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)
