"""Where LangGraph keeps how far a song is: SQLite in a file of its own, or Postgres."""

from __future__ import annotations

import importlib
import importlib.util
import io
import pickle
import sqlite3
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from core.errors import NO_ROOM, DatabaseAway, DiskFull

_PLAIN = frozenset(
    {
        ("builtins", "set"), ("builtins", "frozenset"), ("collections", "deque"), ("collections", "OrderedDict"),
        ("collections", "defaultdict"), ("fractions", "Fraction"), ("pathlib", "PosixPath"),
    }
)  # fmt: skip


class _Ours(pickle.Unpickler):
    """Only our dataclasses and enumerations, and plain values: a checkpoint cannot name a function to call."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return getattr(importlib.import_module(module), name)
        if module.split(".")[0] == "core" and importlib.util.find_spec(module):
            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a checkpoint")


class Exact:
    """LangGraph's SerializerProtocol, for frozen values: what comes back is equal to what went in.

    Its own serializer makes lists of tuples, and a score would not be the same score any more.
    """

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        if isinstance(obj, BaseException):  # of a stage that was broken off: it only has to be there
            obj = repr(obj)
        return "pickle", pickle.dumps(obj, protocol=5)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        return _Ours(io.BytesIO(data[1])).load()


def translated(saver: Any) -> Any:
    """The saver, whose errors say in our words that the database is away, or its disk full: both pass."""
    import psycopg  # noqa: PLC0415
    import psycopg_pool  # noqa: PLC0415

    def wrapped(method: Any) -> Any:
        async def call(*arguments: Any, **named: Any) -> Any:
            try:
                return await method(*arguments, **named)
            except (psycopg.OperationalError, psycopg_pool.PoolTimeout) as error:
                raise DatabaseAway() from error
            except sqlite3.OperationalError as error:
                if NO_ROOM.search(str(error)):
                    raise DiskFull(folder=error) from error
                raise

        return call

    for name in ("aget_tuple", "aput", "aput_writes", "adelete_thread"):
        setattr(saver, name, wrapped(getattr(saver, name)))
    return saver


@asynccontextmanager
async def checkpoints(url: str) -> AsyncIterator[Any]:
    """A LangGraph checkpointer over `sqlite:///path` or a Postgres URL."""
    if url.startswith("sqlite"):
        import aiosqlite  # noqa: PLC0415
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver  # noqa: PLC0415

        async with aiosqlite.connect(Path(url.partition(":///")[2])) as connection:
            saver = AsyncSqliteSaver(connection, serde=Exact())
            await saver.setup()
            await connection.execute("PRAGMA synchronous=NORMAL")
            yield translated(saver)
        return
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver  # noqa: PLC0415
    from psycopg.rows import dict_row  # noqa: PLC0415
    from psycopg_pool import AsyncConnectionPool  # noqa: PLC0415

    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    plain = url.replace("+psycopg", "")
    async with AsyncConnectionPool(plain, min_size=1, max_size=8, kwargs=options, open=False,
                                   check=AsyncConnectionPool.check_connection) as pool:  # fmt: skip
        yield translated(AsyncPostgresSaver(pool, serde=Exact()))  # type: ignore[arg-type]


def migrate(url: str) -> None:
    """Makes the checkpoint tables on Postgres: from one process, before the others, as it builds indexes."""
    if url.startswith("sqlite"):
        return
    import psycopg  # noqa: PLC0415
    from langgraph.checkpoint.postgres import PostgresSaver  # noqa: PLC0415
    from psycopg.rows import dict_row  # noqa: PLC0415

    plain = url.replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as turn:
        # Asked for again and again: whoever waited inside of Postgres would hold up the index that another one builds.
        while not turn.execute("SELECT pg_try_advisory_lock(1953853030)").fetchone()[0]:  # type: ignore[index]
            time.sleep(0.1)
        with psycopg.connect(plain, autocommit=True, prepare_threshold=0, row_factory=dict_row) as connection:
            PostgresSaver(connection).setup()


async def tidy(saver: Any, kept: Collection[str]) -> int:
    """Deletes the threads of songs that nobody works on any more: a crash came before they were forgotten. `kept`: the
    threads of unfinished jobs. How many went.
    """
    threads = {point.config["configurable"]["thread_id"] async for point in saver.alist(None)}
    gone = [thread for thread in threads if thread.rpartition(" ")[0] not in kept]
    for thread in gone:
        await saver.adelete_thread(thread)
    return len(gone)
