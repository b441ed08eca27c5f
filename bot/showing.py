"""Shows what becomes of a job, level-triggered: woken, or every two seconds, the newest state goes to its platform."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

from core.errors import Barred, DatabaseAway, DiskFull, Flooded, Unanswered, Unreachable
from core.events import Done
from core.jobs import Job
from core.library import KeptFile
from core.ports import Files, Ledger, Library, Platform

log = logging.getLogger(__name__)

_LOOK = 2.0  # seconds after which the newest state is read, woken or not
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds before a platform that does not answer is asked again
_LATER = 6.0  # the same where what was sent may be there
_FAILURES = 6  # after which a job that cannot be shown is left to the next start


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


class Showing:
    def __init__(self, ledger: Ledger, wakes: Wakes, library: Library, files: Files) -> None:
        self._ledger, self._wakes, self._library, self._files = ledger, wakes, library, files

    async def show(self, job: Job, platform: Platform) -> None:
        """Until the job is over and its end is shown, or nobody is there to see it."""
        woken = self._wakes.event(job.id)
        failures = 0
        try:
            while True:
                woken.clear()
                newest = await self._newest(job.id)
                if newest is None:
                    return
                pause, done = _LOOK, newest.over
                if newest.events:
                    try:
                        again = await platform.show(await self._local(newest))
                    except Flooded as error:
                        await asyncio.sleep(error.seconds)
                        continue
                    except (BrokenPipeError, DatabaseAway):
                        raise  # the console's reader has gone, and the process with it; or the platform begins anew
                    except Barred:
                        log.warning("nobody is there any more to see job %s", newest.id)
                        again, done = 0.0, True
                    except Exception as error:
                        failures += 1
                        if not isinstance(error, Unreachable | DiskFull) and failures >= _FAILURES:
                            log.exception("what came of job %s cannot be shown on %s", newest.id, platform.name)
                            return
                        log.warning("%s does not take job %s: %r", platform.name, newest.id, error)
                        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(failures, 9))
                        await asyncio.sleep(max(pause, _LATER) if isinstance(error, Unanswered) else pause)
                        continue
                    failures = 0
                    if again:
                        pause, done = again, False
                    elif len(newest.events) > newest.shown and not await self._noted(newest):
                        pause, done = _LOOK, False
                if done:
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), pause)
        finally:
            self._wakes.forget(job.id)

    async def _noted(self, job: Job) -> bool:
        """That all of it is shown; not where the disk is full just now: it is noted later."""
        try:
            await self._ledger.shown(job.id, len(job.events))
        except DiskFull:
            return False
        return True

    async def _newest(self, id_: str) -> Job | None:
        while True:
            try:
                return await self._ledger.job(id_)
            except DatabaseAway:
                await asyncio.sleep(_LOOK)

    async def _local(self, job: Job) -> Job:
        """The job with its song's files on this machine, whichever machine rendered them."""
        last = job.events[-1]
        if not isinstance(last, Done) or not last.files or last.piece is None or last.version is None:
            return job
        version = await self._library.version(last.piece, last.version, *job.message.place)
        kept = {file.path: file for file in version.files.values()} if version else {}
        files = {}
        for name, path in last.files.items():
            try:
                files[name] = str(await self._files.fetch(kept.get(path, KeptFile(path))))
            except FileNotFoundError:
                log.error("file %s of job %s is nowhere", name, job.id)
        return replace(job, events=(*job.events[:-1], replace(last, files=files)))
