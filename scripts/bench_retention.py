"""What thirty days' cleaning takes away: sizes and times before and after, with so many old jobs.

python -m scripts.bench_retention [jobs]
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import text

from adapters.storage.database import Database
from adapters.storage.ledger import SqlLedger
from bot.retention import KEPT
from core.events import Accepted, Done, Stage
from core.jobs import USUAL
from core.messages import Message

STAGES = ("harmony", "theory", "melody", "bass", "drums", "review", "rendering")


async def main(count: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tunesmith.db"
        database = Database(f"sqlite:///{path}")
        await database.open()
        ledger = SqlLedger(database)
        for number in range(count):
            message = Message("loop", f"room {number % 50}", "ann", text="a jig in G, 8 bars", external=f"u{number}")
            job, _ = await ledger.accept(message, USUAL)
            stages = [Stage(1, name, "finished", "as it was told to the listener", 0.1) for name in STAGES]
            await ledger.record(job.id, [Accepted(1), *stages, Done(1, "Hello! Tell me what you would like to hear.")])
            await ledger.shown(job.id, 9)
        async with database.writing() as connection:
            await connection.execute(text("UPDATE jobs SET ended = ended - :old"), {"old": KEPT + 1})
            await connection.execute(text("UPDATE turns SET at = at - :old"), {"old": KEPT + 1})
        before = await _size(database, path)
        begun = time.perf_counter()
        gone = await ledger.tidy(time.time() - KEPT)
        seconds = time.perf_counter() - begun
        print(f"{count} old jobs: {gone} cleaned away in {seconds:.2f} s")
        print(f"{before / 1e6:.1f} MB before, {await _size(database, path) / 1e6:.1f} MB after")
        await database.close()


async def _size(database: Database, path: Path) -> int:
    """Of the file, without what is free in it."""
    async with database.engine.connect() as connection:
        await connection.exec_driver_sql("VACUUM")
        await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return await asyncio.to_thread(lambda: path.stat().st_size)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
