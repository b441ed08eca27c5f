"""Submit, duplicate, cancel, kill, restart, take over, in any order: at most one result, and in the end one each."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from adapters.storage.database import Database
from adapters.storage.ledger import SqlLedger
from bot.wiring import knowledge
from bot.working import Worker
from core.events import Done, Event, Failed, Stage
from core.jobs import USUAL
from core.messages import Message

T = TypeVar("T")
WORDS = knowledge().words
STAGES = ("harmony", "melody", "rendering")


class SlowConversation:
    """Answers in steps; each waits until the test lets it pass."""

    def __init__(self) -> None:
        self.gate = asyncio.Semaphore(0)

    async def finished(self, message: Message, kept: bool) -> None:
        """Nothing to forget."""

    async def answer(self, message: Message, alone: bool = False) -> AsyncIterator[Event]:
        for stage in STAGES:
            await self.gate.acquire()
            yield Stage(message.id, stage, "finished")
        await self.gate.acquire()
        yield Done(message.id, f"the song for {message.text}")


class Jobs(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.database = Database(f"sqlite:///{Path(self.folder.name) / 'x.db'}")
        self.run(self.database.open())
        self.ledger = SqlLedger(self.database)
        self.conversation = SlowConversation()
        self.workers: list[tuple[Worker, set[asyncio.Task[None]]]] = []
        self.jobs: list[str] = []
        self.ends: dict[str, Event] = {}
        self.restart()
        self.restart()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    @rule()
    def restart(self) -> None:
        """Another process."""
        if len(self.workers) < 3:
            name = f"w{len(self.workers)}"
            self.workers.append((Worker(self.conversation, self.ledger, WORDS, name), set()))  # type: ignore[arg-type]

    @rule()
    def submit(self) -> None:
        message = Message("loop", "room", "ann", text=f"song {len(self.jobs)}", external=f"u{len(self.jobs)}")
        job, new = self.run(self.ledger.accept(message, USUAL))
        assert new
        self.jobs.append(job.id)

    @precondition(lambda self: self.jobs)
    @rule(data=st.data())
    def duplicate(self, data: st.DataObject) -> None:
        which = data.draw(st.integers(0, len(self.jobs) - 1))
        message = Message("loop", "room", "ann", text="again", external=f"u{which}")
        job, new = self.run(self.ledger.accept(message, USUAL))
        assert (job.id, new) == (self.jobs[which], False)

    @precondition(lambda self: self.jobs and self.workers)
    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        """A process begins a job, even one that another is working on: a take-over that came too early."""
        id_ = data.draw(st.sampled_from(self.jobs))
        worker, tasks = data.draw(st.sampled_from(self.workers))
        if id_ not in worker.busy:
            tasks.add(self.loop.create_task(worker.work(id_)))
            self.settle()

    @rule(steps=st.integers(1, 6))
    def pass_(self, steps: int) -> None:
        for _ in range(steps):
            self.conversation.gate.release()
        self.settle()

    @precondition(lambda self: self.jobs)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        id_ = data.draw(st.sampled_from(self.jobs))
        stopped = self.run(self.ledger.record(id_, [Failed(0, "cancelled", "")], "cancelled"))
        assert stopped == (id_ not in self.ends)
        for worker, _ in self.workers:
            worker.stop(id_)
        self.settle()

    @precondition(lambda self: self.workers)
    @rule(data=st.data())
    def kill(self, data: st.DataObject) -> None:
        worker = data.draw(st.sampled_from(self.workers))
        self.workers.remove(worker)
        for task in worker[1]:
            task.cancel()
        self.settle()

    def settle(self) -> None:
        """Until nobody moves: everybody waits at the gate, or is done."""

        async def quiet() -> None:
            for _ in range(200):
                before = self.conversation.gate._value
                await asyncio.sleep(0.0005)
                tasks = [task for _, tasks in self.workers for task in tasks if not task.done()]
                waiting = len(self.conversation.gate._waiters or ())
                if before == self.conversation.gate._value and waiting >= len(tasks):
                    return

        self.run(quiet())

    @invariant()
    def at_most_one_result(self) -> None:
        for id_ in getattr(self, "jobs", ()):
            job = self.run(self.ledger.job(id_))
            assert job is not None
            ends = [event for event in job.events if isinstance(event, Done | Failed)]
            assert len(ends) == int(job.over)
            if ends:
                assert self.ends.setdefault(id_, ends[0]) == ends[0]
                assert job.events[-1] == ends[0]

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        self.workers = []
        self.restart()
        worker, _ = self.workers[0]

        async def finish() -> None:
            for _ in range(1000):
                self.conversation.gate.release()
            for job in await self.ledger.unfinished():
                await worker.work(job.id)
            assert await self.ledger.unfinished() == []

        self.run(finish())
        self.at_most_one_result()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.run(self.database.close())
        self.run(asyncio.sleep(0))
        self.loop.close()
        self.folder.cleanup()


Jobs.TestCase.settings = settings(
    max_examples=8, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestJobs = Jobs.TestCase
