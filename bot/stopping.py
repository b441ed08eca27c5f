"""SIGTERM, the polite way to end a process: no new work, and a word to those who wait."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def until_stopped(*signals: signal.Signals) -> Iterator[asyncio.Event]:
    """An event that the first of the signals sets (SIGTERM, where none is named)."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    chosen = signals or (signal.SIGTERM,)
    for each in chosen:
        loop.add_signal_handler(each, stopping.set)
    try:
        yield stopping
    finally:
        for each in chosen:
            loop.remove_signal_handler(each)
