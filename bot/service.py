"""The service: accepts messages durably, has them worked on, and shows what comes of them, also after a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.working import Worker
from core import commands
from core.errors import DatabaseAway, Unreachable
from core.events import Accepted, Done, Event, Failed
from core.jobs import SOON, USUAL, Job, Wait, estimate
from core.library import KeptFile
from core.localisation import Words, locale_of
from core.messages import Message
from core.ports import Files, Ledger, Library, Platform, Queue

log = logging.getLogger(__name__)

_LOOK = 2.0  # seconds after which the newest state is read, woken or not
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds before a platform that does not answer is asked again
_FAILURES = 6  # after which a job that cannot be shown is left to the next start
_GOODBYE = 2.0  # seconds for telling those who wait that we stop
_LONG = frozenset({"compose", "remake"})
AT_ONCE = 4  # jobs that one process works on side by side


class Wakes:
    """Wakes whoever shows a job when its state has changed. Only a hint: the row is what counts."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Event] = {}

    def wake(self, job: str) -> None:
        if event := self._waiting.get(job):
            event.set()

    def event(self, job: str) -> asyncio.Event:
        return self._waiting.setdefault(job, asyncio.Event())

    def forget(self, job: str) -> None:
        self._waiting.pop(job, None)


class Service:
    def __init__(
        self,
        ledger: Ledger,
        queue: Queue,
        worker: Worker,
        wakes: Wakes,
        library: Library,
        files: Files,
        words: Words,
        at_once: int = AT_ONCE,
    ) -> None:
        self.ledger, self.queue, self.worker, self.wakes = ledger, queue, worker, wakes
        self._library, self._files, self._words, self._at_once = library, files, words, at_once
        self._hearing: set[asyncio.Future[None]] = set()

    def heard(self, id_: str) -> None:
        """Another process changed a job: who shows it looks, who works on it stops if it is over."""
        self.wakes.wake(id_)
        if id_ in self.worker.busy:
            task = asyncio.ensure_future(self._stop_if_over(id_))
            self._hearing.add(task)
            task.add_done_callback(self._hearing.discard)

    async def _stop_if_over(self, id_: str) -> None:
        job = await self.ledger.job(id_)
        if job is not None and job.state == "cancelled":
            self.worker.stop(id_)

    async def resume(self) -> None:
        """Work that was accepted, but whose enqueuing may not have been reached. Who cancelled is heard first."""
        jobs = await self.ledger.unfinished()
        for job in sorted(jobs, key=lambda each: not _cancels(each.message)):
            await self._begun(job)

    async def run(self, platform: Platform, stopping: asyncio.Event | None = None) -> None:
        """Until the platform has no more messages and every accepted one is answered; or until `stopping` is set."""
        async with asyncio.TaskGroup() as tasks:
            showing: dict[str, asyncio.Task[None]] = {}
            tell = self._teller(tasks, platform, showing)
            for job in await self.ledger.unshown(platform.name):
                tell(job)
            stopped = tasks.create_task((stopping or asyncio.Event()).wait())
            messages = aiter(platform.messages())
            while not stopped.done():
                coming = asyncio.ensure_future(anext(messages, None))
                await asyncio.wait([coming, stopped], return_when=asyncio.FIRST_COMPLETED)
                message = coming.result() if coming.done() else None
                if message is None:
                    coming.cancel()
                    break
                await self._accept(message, platform, tell)
            while showing and not stopped.done():
                await asyncio.wait([stopped, *showing.values()], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            unfinished = list(showing)
            for task in list(showing.values()):
                task.cancel()
            await self._pause(platform, unfinished)

    async def _pause(self, platform: Platform, jobs: list[str]) -> None:
        """Those who wait are told that it goes on; all at once, as there is little time."""

        async def tell(id_: str) -> None:
            job = await self.ledger.job(id_)
            if job is not None and not job.over:
                await platform.pause(job)

        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                await asyncio.gather(*map(tell, jobs), return_exceptions=True)

    def _teller(
        self, tasks: asyncio.TaskGroup, platform: Platform, showing: dict[str, asyncio.Task[None]]
    ) -> Callable[[Job], None]:
        def tell(job: Job) -> None:
            if job.id not in showing:  # the same update again: its bubble is already being kept up to date
                task = tasks.create_task(self._show(job, platform))
                showing[job.id] = task
                task.add_done_callback(lambda done: showing.pop(job.id, None))

        return tell

    async def _accept(self, message: Message, platform: Platform, tell: Callable[[Job], None]) -> None:
        """Durable first, then acknowledged. A message that nobody can accept does not hold up those behind it."""
        try:
            job, _ = await self.ledger.accept(message, _priority(message))
        except DatabaseAway:
            raise
        except Exception:
            log.exception("a message of %s could not be accepted", platform.name)
            await platform.accepted(message)
            return
        if not job.over:
            await self._begun(job)
        await platform.accepted(job.message)
        tell(job)

    async def _begun(self, job: Job) -> None:
        """Enqueued, also where a crash came between the row and the queue. To cancel is never waited for."""
        if not job.events:
            wait = await self._wait(job)
            await self.ledger.record(job.id, [Accepted(job.message.id, wait.place, wait.usual, wait.most)])
        if _cancels(job.message):
            await self.ledger.record(job.id, [await self._cancelled(job.message)])
        else:
            await self.queue.submit(job)

    async def _wait(self, job: Job) -> Wait:
        place = await self.ledger.waiting(job)
        return estimate(place, self._at_once, await self.ledger.durations(None))

    async def _cancelled(self, message: Message) -> Event:
        """The row first: a condition decides between cancelled and done; then the work, wherever it is done."""
        locale = message.locale or locale_of(message.text)
        job = await self._cancellable(message)
        said = "cancel-nothing"
        if job is not None:
            words = self._words.say(job.message.locale or locale_of(job.message.text), "cancelled")
            if await self.ledger.record(job.id, [Failed(job.message.id, "cancelled", words)], "cancelled"):
                self.worker.stop(job.id)
                said = "cancel-done"
        return Done(message.id, self._words.say(locale, said))

    async def _cancellable(self, message: Message) -> Job | None:
        """The person's newest unfinished request, or the one whose button was pressed."""
        number = (message.press or "").partition(":")[2]
        for job in reversed(await self.ledger.unfinished()):
            earlier = job.message
            if earlier.place != message.place or earlier.id >= message.id:
                continue
            if number == str(earlier.id) or (not number and earlier.user == message.user):
                return job
        return None

    async def _show(self, job: Job, platform: Platform) -> None:
        """Level-triggered: woken, it reads the newest state, shows it, and sleeps again."""
        woken = self.wakes.event(job.id)
        shown, failures = -1, 0  # the first look shows in any case: a bubble may still say "back in a moment"
        try:
            while True:
                woken.clear()
                newest = await self._newest(job.id)
                if newest is None:
                    return
                if shown < len(newest.events) and (newest.events or shown >= 0):
                    try:
                        await platform.show(await self._local(newest))
                        await self.ledger.shown(newest.id, len(newest.events))
                    except BrokenPipeError:
                        raise  # the console's reader has gone, and the process with it
                    except Exception as error:
                        failures += 1
                        if not isinstance(error, Unreachable) and failures >= _FAILURES:
                            log.exception("what came of job %s cannot be shown on %s", newest.id, platform.name)
                            return
                        log.warning("%s does not take job %s: %r", platform.name, newest.id, error)
                        await asyncio.sleep(min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**failures))
                        continue
                    shown, failures = len(newest.events), 0
                if newest.over:
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), _LOOK)
        finally:
            self.wakes.forget(job.id)

    async def _newest(self, id_: str) -> Job | None:
        while True:
            try:
                return await self.ledger.job(id_)
            except DatabaseAway:
                await asyncio.sleep(_LOOK)

    async def _local(self, job: Job) -> Job:
        """The job with its song's files on this machine, whichever machine rendered them."""
        last = job.events[-1]
        if not isinstance(last, Done) or not last.files or last.piece is None or last.version is None:
            return job
        version = await self._library.version(last.piece, last.version, *job.message.place)
        kept = version.files if version else {}
        files = {}
        for name, path in last.files.items():
            try:
                files[name] = str(await self._files.fetch(kept.get(name, KeptFile(path))))
            except FileNotFoundError:
                log.error("file %s of job %s is nowhere", name, job.id)
        return replace(job, events=(*job.events[:-1], replace(last, files=files)))


def _cancels(message: Message) -> bool:
    if message.press is not None:
        return message.press == "cancel" or message.press.startswith("cancel:")
    command = commands.parse(message.text)
    return command is not None and command[0] == "cancel"


def _priority(message: Message) -> int:
    """What is answered at once goes before what takes a while."""
    if message.press or message.reaction is not None:
        return SOON
    command = commands.parse(message.text)
    return SOON if command and command[0] not in _LONG else USUAL
