"""Old bookkeeping goes; songs, and what finds them from their messages, stay."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.files.store import FileStore
from adapters.storage.database import Database
from adapters.storage.ledger import SqlLedger
from adapters.storage.library import SqlLibrary
from bot.retention import KEPT, Retention
from core.brief.brief import Brief
from core.events import Done
from core.jobs import SOON, Job
from core.library import NewVersion
from core.messages import Message
from core.music.score import Score

OLD = time.time() - KEPT - 86_400


async def ended(ledger: SqlLedger, external: str, done: Done) -> Job:
    job, _ = await ledger.accept(Message("loop", "room", "ann", text="a jig", external=external), SOON)
    await ledger.delivering(job.id, "bubble")
    await ledger.delivered(job.id, "bubble", f"seen {external}")
    await ledger.record(job.id, [done])
    await ledger.shown(job.id, 1)
    return job


async def test_finished_jobs_go_after_thirty_days_and_a_songs_message_is_still_known(
    tmp_path: Path, brief_of: object, song: object
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'data.db'}")
    await database.open()
    ledger, library = SqlLedger(database), SqlLibrary(database)
    talk = await ended(ledger, "u1", Done(1, "Hello!"))
    made = await ended(ledger, "u2", Done(2, "♪ It", 1, 1, "It"))
    brief: Brief = brief_of("a jig", 1)  # type: ignore[operator]
    score: Score = song("a jig", 1)  # type: ignore[operator]
    kept = await library.keep(NewVersion("loop", "room", "ann", made.message.id, brief, score, 9.0, "a jig"))
    young = await ended(ledger, "u3", Done(3, "Hello again!"))
    async with database.writing() as connection:
        await connection.execute(
            text("UPDATE jobs SET ended = :old WHERE id IN (:a, :b)"), {"old": OLD, "a": talk.id, "b": made.id}
        )
    assert await ledger.tidy(time.time() - KEPT) == 1
    assert await ledger.job(talk.id) is None
    assert await ledger.job(young.id) is not None
    assert await ledger.ours("loop", "room", "seen u2")
    reply, _ = await ledger.accept(
        Message("loop", "room", "ann", text="faster", external="u4", reply_external="seen u2"), SOON
    )
    found = await library.version_on("loop", "room", reply.message.reply_to or 0)
    assert found is not None
    assert found.piece == kept.piece
    await database.close()


async def test_stray_files_go_and_those_of_songs_stay(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "store", None, tmp_path / "files")
    song, stray, fresh = (tmp_path / "files" / name / "a.mid" for name in ("1", "2", "3"))
    for path in (song, stray, fresh):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"MThd")
    for path in (song, stray):
        os.utime(path, (OLD, OLD))
    assert await store.tidy(time.time() - KEPT, {"1/a.mid"}) == 1
    assert song.exists()
    assert fresh.exists()
    assert not stray.parent.exists()


async def test_one_that_fails_leaves_the_others_to_it(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(before: float) -> int:
        raise OSError

    async def works(before: float) -> int:
        return 3

    assert await Retention({"jobs": broken, "files": works}).once() == {"files": 3}
    assert "could not be cleaned" in caplog.text
