"""The database: SQLite or Postgres, brought to the newest revision when it is opened."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from adapters.storage.tables import metadata
from core.errors import NO_ROOM, DatabaseAway, DatabaseBroken, DatabaseNewer, DiskFull

_MIGRATIONS = Path(__file__).parent / "migrations"
_AWAY = re.compile(r"connection|terminat|shutting down|starting up|server closed", re.IGNORECASE)
_PATIENCE = 60.0  # seconds to wait for a database that has gone


def async_url(url: str) -> str:
    """The URL with the driver that we use: psycopg 3, or aiosqlite."""
    scheme, _, rest = url.partition("://")
    return f"{'sqlite+aiosqlite' if scheme.startswith('sqlite') else 'postgresql+psycopg'}://{rest}"


P = ParamSpec("P")
T = TypeVar("T")


class _Store(Protocol):
    _database: Database


S = TypeVar("S", bound=_Store)


def unbroken(
    method: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """A store's write is brought to its end on SQLite, even where whoever asked for it is cancelled: a statement that
    is broken off goes on in its thread, and keeps the write lock for ever.
    """

    @wraps(method)
    async def call(store: S, *args: P.args, **kwargs: P.kwargs) -> T:
        if store._database.postgres:
            return await method(store, *args, **kwargs)
        task = asyncio.create_task(method(store, *args, **kwargs))
        try:
            return await asyncio.shield(task)
        finally:
            if not task.done():
                await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # seen, whoever is left to see it

    return call  # type: ignore[return-value]


class Turns:
    """A lock for one at a time, in order; but who says so goes first."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = itertools.count()

    @asynccontextmanager
    async def taken(self, first: bool) -> AsyncIterator[None]:
        if self._busy:
            turn = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (0 if first else 1, next(self._count), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        self._busy = True
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        """Hands the lock over; it stays busy in between."""
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._busy = False


class Database:
    """SQLite by aiosqlite: WAL, a busy timeout, BEGIN IMMEDIATE for writers and one write lock. Without these, 95 of
    100 concurrent writers fail. Postgres by psycopg: a connection that was lost is made again.
    """

    def __init__(self, url: str, patience: float = _PATIENCE) -> None:
        self.url = async_url(url)
        self.postgres = self.url.startswith("postgresql")
        self._patience = patience
        options: dict[str, Any] = {"pool_pre_ping": True, "pool_size": 10} if self.postgres else {}
        self.engine: AsyncEngine = create_async_engine(self.url, **options)
        self._turns = None if self.postgres else Turns()
        self._hand = ThreadPoolExecutor(1, "at-once")
        self._direct = create_engine(self.url.replace("+aiosqlite", "")) if not self.postgres else None
        if self._direct is not None:
            for engine in (self.engine.sync_engine, self._direct):
                event.listen(engine, "connect", _prepare)

    async def open(self) -> None:
        """Migrates where needed; a new SQLite file is made as it should be, which is quicker than step by step.

        Raises DatabaseAway, DatabaseBroken, DatabaseNewer.
        """
        try:
            connection = await self._connected()
            await connection.close()
        except DBAPIError as error:
            raise DatabaseBroken(reason=_first_line(error)) from error
        revision = await self._revision()
        if revision is None and not self.postgres and await self._empty():
            async with self.writing() as connection:
                await connection.run_sync(_create)
        elif revision is not None and revision > newest_revision():
            raise DatabaseNewer(found=revision, known=newest_revision())
        elif revision != newest_revision():
            if not self.postgres:
                await asyncio.to_thread(_copied, Path(self.engine.url.database or ""))
            await asyncio.to_thread(upgrade, self.url)

    async def close(self) -> None:
        self._hand.shutdown()
        if self._direct is not None:
            self._direct.dispose()
        await self.engine.dispose()

    async def _revision(self) -> str | None:
        try:
            async with self.engine.connect() as connection:
                found: str | None = await connection.scalar(text("SELECT version_num FROM alembic_version"))
                return found
        except DBAPIError:
            return None

    async def _empty(self) -> bool:
        async with self.engine.connect() as connection:
            return not await connection.scalar(text("SELECT count(*) FROM sqlite_master"))

    def upsert(self, table: Table) -> Any:
        """An INSERT that may say ON CONFLICT."""
        return postgresql.insert(table) if self.postgres else sqlite.insert(table)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Raises DatabaseAway where it stays away."""
        connection = await self._connected()
        try:
            yield connection
        except DBAPIError as error:
            raise self._told(error) from error
        finally:
            await connection.close()

    @asynccontextmanager
    async def writing(self, first: bool = False) -> AsyncIterator[AsyncConnection]:
        """A transaction; on SQLite it takes the write lock first. `first`: it goes before those that nobody waits for.

        Raises DiskFull, DatabaseAway.
        """
        async with self._turns.taken(first) if self._turns else nullcontext():
            connection = await self._connected()
            try:
                if not self.postgres:
                    await connection.execute(text("BEGIN IMMEDIATE"))
                yield connection
                await connection.commit()
            except DBAPIError as error:
                raise self._told(error) from error
            finally:
                await connection.close()

    def _told(self, error: DBAPIError) -> Exception:
        """The error in our words, where it is one that passes."""
        if NO_ROOM.search(str(error)):
            return DiskFull(folder=self.engine.url.database)
        if error.connection_invalidated or _gone(error):
            return DatabaseAway()
        return error

    async def at_once(self, work: Callable[[Connection], T]) -> T:
        """A whole transaction in one go, before those that nobody waits for. On SQLite in one step of another thread:
        a statement by itself costs ten times as much on its way there and back as it takes.

        Raises DiskFull, DatabaseAway.
        """
        if self._turns is None or self._direct is None:
            async with self.writing() as connection:
                return await connection.run_sync(work)
        direct = self._direct

        def whole() -> T:
            with direct.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                made = work(connection)
                connection.commit()
            return made

        async with self._turns.taken(first=True):
            try:
                return await asyncio.get_running_loop().run_in_executor(self._hand, whole)
            except DBAPIError as error:
                raise self._told(error) from error

    async def _connected(self) -> AsyncConnection:
        """A connection, waiting for a server that restarts."""
        until = time.monotonic() + self._patience
        pause = 0.05
        while True:
            try:
                return await self.engine.connect()
            except OperationalError as error:
                if not self.postgres:
                    raise
                if time.monotonic() > until:
                    raise DatabaseAway() from error
            await asyncio.sleep(pause)
            pause = min(1.0, pause * 1.6)


def _copied(path: Path) -> None:
    """The database as it is before a migration, beside it: a copy that was not finished is made again."""
    copy = path.with_name(f"{path.name}.before-{newest_revision()}")
    if copy.exists():
        return
    draft = copy.with_suffix(".part")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(draft)) as target:
        source.backup(target)
    draft.chmod(0o600)
    draft.replace(copy)


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(
        text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    )
    connection.execute(text("DELETE FROM alembic_version"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:newest)"), {"newest": newest_revision()})


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().partition("\n")[0]


def _gone(error: DBAPIError) -> bool:
    return isinstance(error, OperationalError) and bool(_AWAY.search(str(error)))


def _prepare(connection: object, record: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]  # BEGIN is ours to say
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("journal_mode=WAL", "busy_timeout=10000", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def newest_revision() -> str:
    """The newest revision's name, read from the file names: alembic itself costs .4 s to import."""
    return max(path.stem.split("_")[0] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py"))


def upgrade(url: str, revision: str = "head") -> None:
    """Brings a database to a revision."""
    _command("upgrade", url, revision)


def downgrade(url: str, revision: str) -> None:
    _command("downgrade", url, revision)


def _command(name: str, url: str, revision: str) -> None:
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("sqlalchemy.url", url.replace("+aiosqlite", "").replace("%", "%%"))
    getattr(command, name)(config, revision)
