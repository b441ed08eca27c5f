"""On Postgres one `serve` at a time talks on a platform as one bot; the next one takes over when that has ended."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psycopg

from core.errors import DatabaseAway, Unreachable

_SPACE = 0x7476  # of our advisory locks


@asynccontextmanager
async def alone(url: str, platform: str, token: str, tell: Callable[..., None]) -> AsyncIterator[None]:
    """Raises Unreachable where another process talks there, after `tell` has heard of it."""
    key = int.from_bytes(hashlib.sha256(f"{platform} {token}".encode()).digest()[:4], signed=True)
    try:
        connection = await psycopg.AsyncConnection.connect(url.replace("+psycopg", ""), autocommit=True)
    except psycopg.OperationalError as error:
        raise DatabaseAway() from error
    async with connection:
        cursor = await connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (_SPACE, key))
        row = await cursor.fetchone()
        if not (row and row[0]):
            tell("platform-elsewhere", platform=platform.title())
            raise Unreachable(reason="another serve")
        yield
