"""Works on one job: its message is answered, every event goes to the ledger, and it ends exactly once."""

from __future__ import annotations

import asyncio
import logging
import time

from bot.conversation import Conversation
from core.errors import DatabaseAway, DiskFull, WorkerDied
from core.events import Event, Failed, Stage
from core.jobs import MOST_ATTEMPTS, Job
from core.localisation import Words, spoken
from core.ports import Ledger

log = logging.getLogger(__name__)

TIME_LIMIT = 600.0  # seconds for one job
_LONGEST_PAUSE = 30.0
_INTERRUPTING = 1.0  # seconds that a job may take to let go
_AGAIN = 0.5  # between two looks whether the database, or room on the disk, is back


class Stopped(Exception):
    """The job is over, whoever ended it: nothing more comes of it."""


class Worker:
    """Whose fault it is that the process died nobody knows, and innocent jobs are in it: none is given up for that. One
    that was in it again and again is worked on apart, where its death is its own; then it is given up.

    `name`: who works, for the ledger. `patience`: seconds to wait for a database or a full disk.
    """

    def __init__(
        self,
        conversation: Conversation,
        ledger: Ledger,
        words: Words,
        name: str,
        patience: float = 0.0,
        limit: float = TIME_LIMIT,
    ) -> None:
        self._conversation, self._ledger, self._words = conversation, ledger, words
        self._name, self._patience, self._limit = name, patience, limit
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False

    async def work(self, id_: str) -> None:
        """Until the job is over: it neither raises nor returns before, as then nobody would work on it any more."""
        task = asyncio.current_task()
        assert task is not None
        if self._closing:
            raise asyncio.CancelledError
        self._tasks[id_] = task
        pause = _AGAIN
        try:
            while not await self._ended(id_):
                await asyncio.sleep(pause)
                pause = min(_LONGEST_PAUSE, 2 * pause)
        except asyncio.CancelledError:
            job = await asyncio.shield(self._ledger.job(id_))
            if job is None or not job.over:
                raise  # the process ends, not the job
            task.uncancel()
            await self._tidied(job)
        finally:
            self._tasks.pop(id_, None)

    async def _ended(self, id_: str) -> bool:
        """Whether an attempt brought the job to its end, or it was over already."""
        try:
            await self._attempt(id_)
        except Stopped:
            pass
        except Exception:
            log.exception("job %s could not be brought to an end; tried again", id_)
            return False
        job = await self._ledger.job(id_)
        if job is not None:
            await self._tidied(job)
        return True

    async def _tidied(self, job: Job) -> None:
        """What an ended job leaves: no checkpoints; and where it was cancelled, no song."""
        try:
            await self._conversation.finished(job.message, kept=job.state != "cancelled")
        except Exception:
            log.exception("job %s left something behind", job.id)

    def stop(self, id_: str) -> None:
        """Ends the work on a job that the ledger says is over: model call, graph and render process with it."""
        if task := self._tasks.get(id_):
            task.cancel()

    async def interrupt(self) -> tuple[str, ...]:
        """Nothing new begins, and what runs is broken off without an outcome: it goes on after the next start. The ids
        of the jobs that were broken off.
        """
        self._closing = True
        broken_off = dict(self._tasks)
        for task in broken_off.values():
            task.cancel()
        if broken_off:
            await asyncio.wait(broken_off.values(), timeout=_INTERRUPTING)
        return tuple(broken_off)

    @property
    def busy(self) -> tuple[str, ...]:
        return tuple(self._tasks)

    async def _attempt(self, id_: str) -> None:
        job = await self._ledger.begin(id_, self._name)
        if job is None:
            return
        alone = job.attempts > MOST_ATTEMPTS
        if alone:
            log.warning("job %s was begun %s times and never finished: it is worked on apart", id_, job.attempts)
        try:
            async with asyncio.timeout(self._limit):
                await self._lasting(job, alone)
        except WorkerDied:
            log.error("the processes that worked on job %s died of it", id_)
            await self._ledger.record(id_, [self._failed(job, "job-given-up", reference=id_[-8:])])
        except TimeoutError:
            log.error("job %s took longer than %s s", id_, self._limit)
            await self._ledger.record(id_, [self._failed(job, "job-too-long", minutes=round(self._limit / 60))])

    async def _lasting(self, job: Job, alone: bool) -> None:
        """A database that goes away in mid-job, or a disk that is full, is waited for, and the job goes on."""
        until = time.monotonic() + self._patience
        while True:
            try:
                await self._answer(job, alone)
                return
            except (DatabaseAway, DiskFull) as error:
                if time.monotonic() > until:
                    await self._ledger.record(job.id, [self._failed(job, error.code, **error.values)])
                    return
                log.warning("job %s waits: %s", job.id, error)
                await asyncio.sleep(_AGAIN)

    async def _answer(self, job: Job, alone: bool) -> None:
        """Stages that an earlier attempt told of are not told again."""
        known = await self._ledger.job(job.id)
        told = {_stage(event) for event in (known.events if known else ())}
        async for event in self._conversation.answer(job.message, alone):
            if not isinstance(event, Stage) or _stage(event) not in told:
                await self._record(job.id, event)

    async def _record(self, id_: str, event: Event) -> None:
        if not await self._ledger.record(id_, [event]):
            raise Stopped

    def _failed(self, job: Job, code: str, **values: object) -> Failed:
        return Failed(job.message.id, code, self._words.say(spoken(job.message), code, **values))


def _stage(event: Event) -> tuple[str, str, str, float | None] | None:
    return (event.stage, event.state, event.note, event.share) if isinstance(event, Stage) else None
