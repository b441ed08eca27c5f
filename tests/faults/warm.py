"""What every daily node has from birth: the heavy imports and the data, loaded once and forked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import aiosqlite  # noqa: F401
import dbos  # noqa: F401
import langgraph.checkpoint.postgres.aio
import langgraph.checkpoint.sqlite.aio
import langgraph.graph  # noqa: F401
import obstore  # noqa: F401

from bot.__main__ import leave
from bot.wiring import knowledge
from tests.faults import node

KNOWN = knowledge()


def born(environment: dict[str, str], url: str, data: str, point: str, say: Callable[[str], None]) -> None:
    """A node in a forked process, and a way for it to say that it is ready."""
    os.environ.update(environment)
    leave(asyncio.run(node.main(url, Path(data), point, KNOWN, lambda code, **values: say(code))))
