"""Work of the CPU beside the event loop, which ends with a result or an error, whatever it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from core.errors import StageStuck

P = ParamSpec("P")
T = TypeVar("T")
LIMIT = 60.0  # seconds: composing a whole song takes well under one


async def in_thread(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """In a thread. Raises what the work raises, and StageStuck where it takes longer than LIMIT.

    A StopIteration cannot pass through a future (whoever waits for it would wait for ever): it comes as RuntimeError.
    """

    def settled() -> T:
        try:
            return work(*args, **kwargs)
        except StopIteration as error:
            raise RuntimeError("StopIteration") from error

    try:
        async with asyncio.timeout(LIMIT):
            return await asyncio.to_thread(settled)
    except TimeoutError:
        raise StageStuck(seconds=round(LIMIT)) from None
