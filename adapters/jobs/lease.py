"""Which process is which, on Postgres: each holds the advisory lock of a numbered slot as long as it lives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import psycopg

log = logging.getLogger(__name__)

_SPACE = 0x7475  # of our advisory locks
_SLOTS = 64
_BEAT = 2.0  # seconds between two looks at the connection
_REFUSALS = 6
_KEEPALIVE = "keepalives_idle=4 keepalives_interval=2 keepalives_count=3 connect_timeout=10"


class Lease:
    """`lost` is called when the lock may be another's now: the process must stop."""

    def __init__(self, url: str, lost: Callable[[], None]) -> None:
        self._url = url.replace("+psycopg", "")
        self._lost = lost
        self._connection: psycopg.AsyncConnection[tuple[object, ...]] | None = None
        self._beating: asyncio.Task[None] | None = None
        self.slot = -1

    @property
    def name(self) -> str:
        return f"slot-{self.slot}"

    async def take(self) -> str:
        """The name of the first free slot."""
        self._connection = await self._connected()
        for slot in range(_SLOTS):
            if await self._lock(self._connection, slot):
                self.slot = slot
                self._beating = asyncio.create_task(self._beat(), name="lease")
                return self.name
        raise RuntimeError(f"{_SLOTS} processes work already")

    async def release(self) -> None:
        if self._beating:
            self._beating.cancel()
        if self._connection:
            with suppress(psycopg.Error):
                await self._connection.close()

    @asynccontextmanager
    async def of_the_dead(self, executor: str) -> AsyncIterator[bool]:
        """Holds a dead process's lock while its jobs are taken over; False where it lives, or others take over."""
        slot = executor.removeprefix("slot-")
        if not slot.isdecimal():
            yield False
            return
        connection = await self._connected()
        try:
            yield await self._lock(connection, int(slot))
        finally:
            await connection.close()

    async def _connected(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        joined = "&" if "?" in self._url else "?"
        return await psycopg.AsyncConnection.connect(
            self._url + joined + _KEEPALIVE.replace(" ", "&"), autocommit=True
        )  # fmt: skip

    async def _lock(self, connection: psycopg.AsyncConnection[tuple[object, ...]], slot: int) -> bool:
        cursor = await connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (_SPACE, slot))
        row = await cursor.fetchone()
        return bool(row and row[0])

    async def _beat(self) -> None:
        """A connection that fails has lost its lock. It is taken again at once, or the process must stop."""
        assert self._connection is not None
        while True:
            await asyncio.sleep(_BEAT)
            try:
                async with asyncio.timeout(10):
                    await self._connection.execute("SELECT 1")
            except (psycopg.Error, TimeoutError):
                with suppress(psycopg.Error):
                    await self._connection.close()  # it may still hold the lock against us
                if not await self._regained():
                    log.critical("%s was lost: this process stops", self.name)
                    self._lost()
                    return

    async def _regained(self) -> bool:
        """After a restart of the database: the same slot, if nobody else has it by now."""
        refused = 0
        while refused < _REFUSALS:
            with suppress(psycopg.Error):
                connection = await self._connected()
                if await self._lock(connection, self.slot):
                    self._connection = connection
                    return True
                refused += 1  # somebody looks whether we live; or has taken our place
                await connection.close()
            await asyncio.sleep(0.5)
        return False
