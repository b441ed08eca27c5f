"""SIGTERM, the polite way to end a process: no new work, and a word to those who wait."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_LAST = 4.5  # seconds after which the process ends, whatever still hangs: nothing is lost by it


@contextmanager
def until_stopped(*signals: signal.Signals) -> Iterator[asyncio.Event]:
    """An event that the first of the signals sets (SIGTERM, where none is named)."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    chosen = signals or (signal.SIGTERM,)

    def stop() -> None:
        stopping.set()
        last = threading.Timer(_LAST, os._exit, (0,))
        last.daemon = True
        last.start()

    for each in chosen:
        loop.add_signal_handler(each, stop)
    try:
        yield stopping
    finally:
        for each in chosen:
            loop.remove_signal_handler(each)
