"""The service: accepts messages durably, has them worked on, and shows what comes of them, also after a restart."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b

from bot.health import Health
from bot.retention import Retention
from bot.showing import Showing, Wakes
from bot.working import Worker
from core import commands
from core.errors import DatabaseAway, DiskFull
from core.events import Accepted, Done, Event, Failed, Form
from core.jobs import SOON, USUAL, Job, Wait, estimate, job_id
from core.localisation import Words, spoken
from core.messages import Message
from core.ports import Files, Ledger, Library, Platform, Queue
from core.quota import Quota, Refusal, refusal

log = logging.getLogger(__name__)

_GOODBYE = 2.0  # seconds for telling those who wait that we stop
_AGAIN = 5.0  # seconds before a job that could not be begun is tried again
_FRESH = 5.0  # seconds that measured durations are used
_RUSH = 1.0  # seconds that the work waits at most while messages pour in: they are made safe first
_ALBUM = 1.0  # seconds without a further file after which an album is whole
_ROOM = 0.5  # seconds between two looks whether the disk has room again
_LONG = frozenset({"compose", "remake"})
AT_ONCE = 4  # jobs that one process works on side by side


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
        urgent: Callable[[str], object] = lambda text: None,
        patience: float = 0.0,
        quota: Quota | None = None,
    ) -> None:
        self.ledger, self.queue, self.worker, self.wakes = ledger, queue, worker, wakes
        self._words, self._at_once, self._urgent = words, at_once, urgent
        self._patience, self._quota = patience, quota
        self.health: Health | None = None
        self.retention: Retention | None = None
        self._showing = Showing(ledger, wakes, library, files)
        self._known: list[float] = []
        self._known_until = 0.0
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
        for job in _cancels_first(await self.ledger.unfinished()):
            await self.begin(job)

    async def run(self, platform: Platform, stopping: asyncio.Event | None = None) -> None:
        """Until the platform has no more messages and every accepted one is answered; or until `stopping` is set."""
        async with asyncio.TaskGroup() as tasks:
            intake = _Intake(tasks, self, platform)
            unshown = await self.ledger.unshown(platform.name)
            for job in _cancels_first(unshown):
                intake.take(job)
            stopped = tasks.create_task((stopping or asyncio.Event()).wait())
            messages = aiter(platform.messages())
            while not stopped.done():
                coming = asyncio.ensure_future(anext(messages, None))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                intake.quiet(not coming.done())
                await asyncio.wait([coming, stopped], return_when=asyncio.FIRST_COMPLETED)
                message = coming.result() if coming.done() else None
                if message is None:
                    coming.cancel()
                    break
                await self._accept(message, platform, intake)
            intake.quiet(True)
            while intake.showing and not stopped.done():
                await asyncio.wait([stopped, *intake.showing.values()], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            await self._pause(platform, intake.close())

    async def show(self, job: Job, platform: Platform) -> None:
        await self._showing.show(job, platform)

    async def _pause(self, platform: Platform, jobs: list[str]) -> None:
        """Those who wait are told that it goes on; all at once, as there is little time."""

        async def tell(id_: str) -> None:
            job = await self.ledger.job(id_)
            if job is not None and not job.over:
                await platform.pause(job)

        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                await asyncio.gather(*map(tell, jobs), return_exceptions=True)

    async def _accept(self, message: Message, platform: Platform, intake: _Intake) -> None:
        """Durable first, then acknowledged. A message that nobody can accept does not hold up those behind it."""
        if message.text and self._urgent(message.text):
            message = replace(message, urgent=True)
        try:
            job = await self._accepted(message)
        except DatabaseAway:
            raise
        except DiskFull as error:  # nobody waits for room there: it is said
            text = self._words.say(spoken(message), error.code, **error.values)
            failed = Failed(message.id, error.code, text)
            await platform.show(Job("", message, message.lane, USUAL, "failed", (failed,), 0, 0, time.time()))
            return
        except Exception:
            log.exception("a message of %s could not be accepted", platform.name)
            job = None
        await platform.accepted(message if job is None else job.message)
        if job is not None:
            intake.take(job)

    async def _accepted(self, message: Message) -> Job | None:
        """Where the disk is full it waits for room, and is not acknowledged meanwhile. Raises DiskFull in the end."""
        until = time.monotonic() + self._patience
        while True:
            try:
                return await self._job(message)
            except DiskFull:
                if time.monotonic() >= until:
                    raise
                log.error("the disk is full: a message waits")
                await asyncio.sleep(_ROOM)

    async def _job(self, message: Message) -> Job | None:
        """The job of a message; None for one that only changes another. The files of an album are one message."""
        if message.edited:
            return await self._edited(message)
        wait = partial(estimate, at_once=self._at_once, durations=await self._durations())
        on = message.on_external if message.reaction is not None else ""
        if on and not await self.ledger.ours(*message.place, on):
            return None  # a reaction to somebody else's words: nothing to us
        if message.album:
            whole = replace(message, external=f"album {message.album}", on_external=message.external)
            job = await self.ledger.amend(whole)
            if job is None and message.aside:
                return None
            if job is None:
                job, new = await self.ledger.accept(whole, _priority(whole), wait)
                if not new and not set(message.files) <= set(job.message.files):
                    job = None  # it was begun without this file, which comes as a message of its own
            if job is not None:
                return job
        job, _ = await self.ledger.accept(message, _priority(message), wait)
        return job

    async def _edited(self, message: Message) -> Job | None:
        """Other words for an earlier message; where that is a song by now, the change is offered."""
        if await self.ledger.amend(message) is not None:
            return None
        earlier = await self.ledger.job(job_id(message.platform, message.chat, message.external))
        if earlier is None or earlier.message.text == message.text or not _asked(earlier):
            return None
        again = replace(
            earlier.message, text=message.text, edited=True, urgent=message.urgent, handle="", files=(), album="",
            external=f"edit {message.external} {blake2b(message.text.encode(), digest_size=6).hexdigest()}",
        )  # fmt: skip
        job, _ = await self.ledger.accept(again, SOON)
        return job

    async def begin(self, job: Job) -> None:
        """Enqueued, also where a crash came between the row and the queue. To cancel is never waited for."""
        if not job.events:
            wait = await self.wait(job)
            await self.ledger.record(job.id, [Accepted(job.message.id, wait.place, wait.usual, wait.most)])
        if _cancels(job.message):
            await self.ledger.record(job.id, [await self._cancelled(job.message)])
        elif await self._pressed_twice(job):
            again = self._words.say(spoken(job.message), "press-again")
            await self.ledger.record(job.id, [Done(job.message.id, again, form="notice")])
        elif (refused := await self._refused(job)) is not None:
            values = {"most": refused.most, "minutes": refused.minutes}
            said = self._words.say(spoken(job.message), refused.code, **values)
            form: Form = "notice" if job.message.press else "message"
            await self.ledger.record(job.id, [Done(job.message.id, said, form=form)])
        else:
            await self.queue.submit(job)

    async def _refused(self, job: Job) -> Refusal | None:
        """Whether its person, its chat or everybody has asked for enough just now."""
        message = job.message
        if self._quota is None or message.quick or _priority(message) < USUAL or job.state != "queued":
            return None
        return refusal(self._quota, await self.ledger.usage(job), job.accepted)

    async def _pressed_twice(self, job: Job) -> bool:
        """Whether the same button was pressed just before, and what it asked for is still being worked on."""
        message = job.message
        if message.press is None:
            return False
        same = (message.place, message.user, message.press, message.on_external)
        return any(
            (each.message.place, each.message.user, each.message.press, each.message.on_external) == same
            for each in await self.ledger.unfinished()
            if each.message.id < message.id
        )

    async def wait(self, job: Job) -> Wait:
        """How it stands in line just now."""
        place = await self.ledger.waiting(job)
        return estimate(place, self._at_once, await self._durations())

    async def _durations(self) -> list[float]:
        """How long songs took lately, looked up now and then."""
        if time.monotonic() > self._known_until:
            self._known_until = time.monotonic() + _FRESH
            self._known = await self.ledger.durations(None)
        return self._known

    async def _cancelled(self, message: Message) -> Event:
        """The row first: a condition decides between cancelled and done; then the work, wherever it is done."""
        job = await self._cancellable(message)
        said = "cancel-nothing"
        if job is not None:
            words = self._words.say(spoken(job.message), "cancelled")
            if await self.ledger.record(job.id, [Failed(job.message.id, "cancelled", words)], "cancelled"):
                self.worker.stop(job.id)
                said = "cancel-done"
        form: Form = "notice" if message.press else "message"
        return Done(message.id, self._words.say(spoken(message), said), form=form)

    async def _cancellable(self, message: Message) -> Job | None:
        """The person's newest unfinished request, or the one whose button was pressed."""
        number = (message.press or "").partition(":")[2]
        for job in reversed(await self.ledger.unfinished()):
            earlier = job.message
            if earlier.place != message.place or earlier.id >= message.id:
                continue
            theirs = earlier.user == message.user or earlier.together
            if theirs and number in ("", str(earlier.id)):
                return job
        return None


class _Intake:
    """Accepted jobs on their way: each is shown from now on, and begun in the order in which they came."""

    def __init__(self, tasks: asyncio.TaskGroup, service: Service, platform: Platform) -> None:
        self.showing: dict[str, asyncio.Task[None]] = {}
        self._tasks, self._service, self._platform = tasks, service, platform
        self._coming: asyncio.Queue[Job] = asyncio.Queue()
        self._albums: dict[str, asyncio.TimerHandle] = {}
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._until = 0.0  # when the work waits no longer for what pours in
        self._beginning = tasks.create_task(self._begin())

    def take(self, job: Job) -> None:
        if not job.over:
            if job.message.album and job.state == "queued":
                self._gather(job)
            else:
                self._coming.put_nowait(job)
        if job.id not in self.showing:  # the same update again: its bubble is already being kept up to date
            task = self._tasks.create_task(self._service.show(job, self._platform))
            self.showing[job.id] = task
            task.add_done_callback(lambda done: self.showing.pop(job.id, None))

    async def _calm(self) -> None:
        """What pours in is made safe first."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._until):
                await self._quiet.wait()

    def _gather(self, job: Job) -> None:
        """An album's files come one by one: it is begun when no more do."""
        if timer := self._albums.pop(job.id, None):
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._albums[job.id] = loop.call_later(_ALBUM, self._coming.put_nowait, job)

    def quiet(self, quiet: bool) -> None:
        """Whether no further message is there yet."""
        if quiet:
            self._quiet.set()
        elif self._quiet.is_set():
            self._quiet.clear()
            self._until = asyncio.get_running_loop().time() + _RUSH

    async def _begin(self) -> None:
        while True:
            job = await self._coming.get()
            await self._calm()
            self._albums.pop(job.id, None)
            try:
                await self._service.begin(job)
            except DatabaseAway:
                raise
            except Exception:
                log.exception("job %s could not be begun; tried again", job.id)
                asyncio.get_running_loop().call_later(_AGAIN, self._coming.put_nowait, job)

    def close(self) -> list[str]:
        """The jobs whose end was not shown. What was not begun is begun at the next start."""
        self._beginning.cancel()
        for timer in self._albums.values():
            timer.cancel()
        unfinished = list(self.showing)
        for task in list(self.showing.values()):
            task.cancel()
        return unfinished


def _asked(job: Job) -> bool:
    """Whether it was a request whose end was a song."""
    last = job.events[-1] if job.events else None
    return isinstance(last, Done) and last.piece is not None and not job.message.press


def _cancels_first(jobs: list[Job]) -> list[Job]:
    return sorted(jobs, key=lambda job: not _cancels(job.message))


def _cancels(message: Message) -> bool:
    if message.press is not None:
        return message.press == "cancel" or message.press.startswith("cancel:")
    command = None if message.quoted else commands.parse(message.text)
    return command is not None and command[0] == "cancel"


def _priority(message: Message) -> int:
    """What is answered at once goes before what takes a while."""
    if message.press or message.reaction is not None or message.urgent:
        return SOON
    command = None if message.quoted else commands.parse(message.text)
    return SOON if command and command[0] not in _LONG else USUAL
