"""Hears from other processes, through Postgres, that a job has changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import psycopg

from adapters.storage.ledger import CHANNEL

log = logging.getLogger(__name__)


async def listen(url: str, heard: Callable[[str], None]) -> None:
    """Until it is cancelled; a connection that breaks is made again. What is missed meanwhile the next look finds."""
    plain = url.replace("+psycopg", "")
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(plain, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for notice in connection.notifies():
                    heard(notice.payload)
        except psycopg.Error as error:
            log.warning("not hearing of changed jobs for a moment: %s", error)
        await asyncio.sleep(0.5)
