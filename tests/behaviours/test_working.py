"""What a job does on bad days: it waits, is stopped, is given up; and it goes on after a restart."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.storage.database import Database
from adapters.storage.ledger import SqlLedger
from bot.wiring import Knowledge
from bot.working import Worker
from core.errors import DatabaseAway, DiskFull, TunesmithError
from core.events import Done, Event, Failed, Stage
from core.jobs import USUAL, Job
from core.messages import Message
from tests.behaviours.console import ROOT, chat


class Conversation:
    """Fails as often as it is told to, and then answers."""

    def __init__(self, *errors: TunesmithError, slow: bool = False) -> None:
        self.errors, self.slow = list(errors), slow
        self.begun = asyncio.Event()

    async def finished(self, message: Message, kept: bool) -> None:
        """Nothing to forget."""

    async def answer(self, message: Message, alone: bool = False) -> AsyncIterator[Event]:
        yield Stage(message.id, "harmony", "finished", "Am", 0.1)
        self.begun.set()
        if self.errors:
            raise self.errors.pop(0)
        if self.slow:
            await asyncio.Event().wait()
        yield Done(message.id, "a song")


async def worked(
    folder: Path, known: Knowledge, conversation: Conversation, patience: float = 5, limit: float = 5
) -> tuple[Worker, SqlLedger, Job, Database]:
    database = Database(f"sqlite:///{folder / 'x.db'}")
    await database.open()
    ledger = SqlLedger(database)
    job, _ = await ledger.accept(Message("loop", "room", "ann", text="a song", external="u1"), USUAL)
    worker = Worker(conversation, ledger, known.words, "w", patience, limit)  # type: ignore[arg-type]
    return worker, ledger, job, database


@pytest.mark.parametrize("error", [DatabaseAway(), DiskFull(folder="/data")])
async def test_a_job_waits_until_the_bad_day_is_over_and_tells_no_stage_twice(
    error: TunesmithError, tmp_path: Path, known: Knowledge
) -> None:
    worker, ledger, job, database = await worked(tmp_path, known, Conversation(error, error))
    await worker.work(job.id)
    found = await ledger.job(job.id)
    assert found is not None
    assert [type(event) for event in found.events] == [Stage, Done]
    assert found.attempts == 1
    await database.close()


async def test_who_waits_in_vain_says_so(tmp_path: Path, known: Knowledge) -> None:
    worker, ledger, job, database = await worked(
        tmp_path, known, Conversation(*[DiskFull(folder="/d")] * 9), patience=0
    )
    await worker.work(job.id)
    found = await ledger.job(job.id)
    assert found is not None
    assert isinstance(found.events[-1], Failed)
    assert "disk is full" in found.events[-1].text
    await database.close()


async def test_a_job_that_takes_too_long_is_stopped_with_a_sentence(tmp_path: Path, known: Knowledge) -> None:
    worker, ledger, job, database = await worked(tmp_path, known, Conversation(slow=True), limit=0.05)
    await worker.work(job.id)
    found = await ledger.job(job.id)
    assert found is not None
    assert isinstance(found.events[-1], Failed)
    assert found.events[-1].code == "job-too-long"
    await database.close()


async def test_a_cancelled_job_stops_and_the_process_goes_on(tmp_path: Path, known: Knowledge) -> None:
    conversation = Conversation(slow=True)
    worker, ledger, job, database = await worked(tmp_path, known, conversation)
    task = asyncio.create_task(worker.work(job.id))
    await conversation.begun.wait()
    assert await ledger.record(job.id, [Failed(1, "cancelled", "Stopped.")], "cancelled")
    worker.stop(job.id)
    await task
    assert not task.cancelled()
    assert worker.busy == ()
    await database.close()


async def test_a_process_that_ends_leaves_its_job_unfinished(tmp_path: Path, known: Knowledge) -> None:
    conversation = Conversation(slow=True)
    worker, ledger, job, database = await worked(tmp_path, known, conversation)
    task = asyncio.create_task(worker.work(job.id))
    await conversation.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [each.id for each in await ledger.unfinished()] == [job.id]
    await database.close()


def test_a_chat_that_was_killed_goes_on_after_a_restart(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "chat", "--json", "--data", str(tmp_path), "--formats", "midi"]
    first = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write("an orchestral piece, 120 bars\n")
    first.stdin.flush()
    assert json.loads(first.stdout.readline())["event"] == "accepted"
    first.kill()
    first.wait()
    first.stdin.close()
    first.stdout.close()
    found = chat(tmp_path, "faster", formats="midi")
    assert [event["event"] for event in found if event["message"] == 1].count("done") == 1
    assert any(event["event"] == "stage" for event in found if event["message"] == 1)
    done = [event for event in found if event["event"] == "done"]
    assert [event["message"] for event in done] == [1, 2]
    assert "→" in done[1]["text"]


def test_a_song_is_cancelled_by_button_and_a_finished_one_deleted(tmp_path: Path) -> None:
    lines = (
        "/cancel",
        "an orchestral piece, 200 bars",
        {"press": "cancel:2"},
        "a jig, 8 bars",
        "/delete 1",
        "/library",
    )
    found = chat(tmp_path, *lines, "/delete 9", formats="midi,mp3")
    ends = {event["message"]: event for event in found if event["event"] in ("done", "error")}
    assert ends[1]["text"] == "Nothing of yours is being worked on just now."
    assert (ends[2]["event"], ends[2]["code"]) == ("error", "cancelled")
    assert ends[3]["text"] == "Stopped."
    assert ends[4]["piece"] == 1
    assert "is deleted" in ends[5]["text"]
    assert not any(Path(path).exists() for path in ends[4]["files"].values())
    assert ends[6]["text"].startswith("No songs yet")
    assert ends[7]["text"].startswith("Which song?")
