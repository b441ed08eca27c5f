"""The database: one engine, one writer at a time, brought to the newest revision when it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from core.errors import DiskFull

_MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """SQLite by aiosqlite: WAL, a busy timeout, BEGIN IMMEDIATE for writers and one write lock.

    Without these, 95 of 100 concurrent writers fail.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine: AsyncEngine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        self._writing = asyncio.Lock()
        event.listen(self.engine.sync_engine, "connect", _prepare)

    async def open(self) -> None:
        """Migrates where needed."""
        if await self._revision() != newest_revision():
            await asyncio.to_thread(upgrade, self.path)

    async def close(self) -> None:
        await self.engine.dispose()

    async def _revision(self) -> str | None:
        try:
            async with self.engine.connect() as connection:
                found: str | None = await connection.scalar(text("SELECT version_num FROM alembic_version"))
                return found
        except OperationalError:
            return None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        async with self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that takes the write lock first. Raises DiskFull."""
        async with self._writing, self.engine.connect() as connection:
            try:
                await connection.execute(text("BEGIN IMMEDIATE"))
                yield connection
                await connection.commit()
            except OperationalError as error:
                await connection.rollback()
                if "disk is full" in str(error) or "disk I/O" in str(error):
                    raise DiskFull(folder=self.path.parent) from error
                raise


def _prepare(connection: object, record: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]  # BEGIN is ours to say
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("journal_mode=WAL", "busy_timeout=10000", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def newest_revision() -> str:
    """The newest revision's name, read from the file names: alembic itself costs .4 s to import."""
    return max(path.stem.split("_")[0] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py"))


def upgrade(path: Path, revision: str = "head") -> None:
    """Brings a database file to a revision."""
    _command("upgrade", path, revision)


def downgrade(path: Path, revision: str) -> None:
    _command("downgrade", path, revision)


def _command(name: str, path: Path, revision: str) -> None:
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("sqlalchemy.url", f"sqlite:///{path}")
    getattr(command, name)(config, revision)
