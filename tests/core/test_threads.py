"""Work in threads ends, whatever it raises."""

from __future__ import annotations

import asyncio
import threading

import pytest

from core import threads
from core.errors import StageStuck
from core.threads import in_thread


def exhausted() -> int:
    return next(iter(()))


async def test_a_stop_iteration_ends_the_work_as_an_error() -> None:
    async with asyncio.timeout(5):
        with pytest.raises(RuntimeError):
            await in_thread(exhausted)


async def test_what_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()
    monkeypatch.setattr(threads, "LIMIT", 0.05)
    with pytest.raises(StageStuck):
        await in_thread(free.wait, 30)
    free.set()
