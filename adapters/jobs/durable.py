"""Jobs on DBOS: a job that was enqueued is worked on until it is over, whatever dies in between.

DBOS owns that a job exists and that somebody works on it; the ledger owns what came of it, LangGraph's checkpoints how
far its song is. The work is one step of one workflow.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from adapters.jobs.lease import Lease
from core.jobs import Job

QUEUE = "jobs"
VERSION = "1"  # of the workflow's code; changed only where an interrupted job could not go on with the new one
POLLING = 0.1  # seconds
_TAKE_OVER = 1.0  # how often a process looks for dead ones
_AT_ONCE = 500  # workflows that are deleted together
_MISSES = 5  # looks in a row; a living process takes its lock again within two or three

Work = Callable[[str], Awaitable[None]]


class DurableQueue:
    """Implements core.ports.Queue. `url`: a database of its own on SQLite, ours on Postgres.

    `at_once`: jobs that this process works on side by side; 0 where it only enqueues. `final`: the process ends with
    the queue, and DBOS's threads, which take most of a second to stop, end with the process.
    """

    def __init__(
        self, url: str, work: Work, at_once: int, lost: Callable[[], None] = lambda: None, final: bool = False
    ) -> None:
        self._final = final
        self._url, self._at_once = url, at_once
        self._run, self._lost = work, lost
        self._postgres = url.startswith("postgres")
        self._lease: Lease | None = None
        self._tending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        from dbos import DBOS, DBOSConfig  # noqa: PLC0415

        from adapters.jobs import workflow  # noqa: PLC0415  (registers the workflow)

        workflow.work = self._run
        executor = "one"
        if self._postgres:
            self._lease = Lease(self._url, self._lost)
            executor = await self._lease.take()
        else:
            _prepared(Path(self._url.partition(":///")[2]))
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        config = DBOSConfig(
            name="tunesmith",
            system_database_url=self._url.replace("+psycopg", ""),
            application_version=VERSION,
            executor_id=executor,
            log_level="CRITICAL",
            enable_otlp=False,
            max_executor_threads=16,
            sys_db_pool_size=8,
        )
        DBOS(config=config)
        if not self._at_once:
            DBOS.listen_queues([])
        await asyncio.to_thread(self._begun)
        DBOS.launch()  # from our loop: workflows then run on it
        await DBOS.register_queue_async(QUEUE, **self._queue())
        if self._lease and self._at_once:
            self._tending = asyncio.create_task(self._tend(), name="taking over")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from dbos import DBOS  # noqa: PLC0415

        if self._tending:
            self._tending.cancel()
        if not self._final:
            DBOS.destroy()
        # DBOS had put its own threads behind asyncio.to_thread, and they are gone now.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4))
        if self._lease:
            await self._lease.release()

    def _queue(self) -> dict[str, Any]:
        """The queue's limits, which all processes share: one that does not work itself leaves them as they are."""
        return {
            "worker_concurrency": self._at_once or 4,
            "partition_concurrency": 1,
            "polling_interval_sec": POLLING,
            "on_conflict": "always_update" if self._at_once else "never_update",
        }

    def _begun(self) -> None:
        """The queue is there before DBOS looks for queues, which it does only once a second."""
        from dbos import DBOS, DBOSClient  # noqa: PLC0415

        url = self._url.replace("+psycopg", "")
        DBOS.migrate(url)
        client = DBOSClient(system_database_url=url)
        client.register_queue(QUEUE, application_name="tunesmith", **self._queue())
        client.destroy()

    async def submit(self, job: Job) -> None:
        from dbos import DBOS, SetEnqueueOptions, SetWorkflowID  # noqa: PLC0415

        from adapters.jobs.workflow import answer  # noqa: PLC0415

        known = await DBOS.get_workflow_status_async(job.id)
        if known is not None and known.status not in ("ENQUEUED", "PENDING", "DELAYED"):
            # Its work ended without the job being over, which should not happen: it begins anew.
            await DBOS.delete_workflow_async(job.id)
        with SetWorkflowID(job.id), SetEnqueueOptions(queue_partition_key=job.lane, priority=job.priority):
            await DBOS.enqueue_workflow_async(QUEUE, answer, job.id)

    async def tidy(self, before: float) -> int:
        """Workflows that ended before then. How many went."""
        from dbos import DBOS  # noqa: PLC0415

        until = datetime.fromtimestamp(before, UTC).isoformat()
        gone = 0
        while True:
            ended = await DBOS.list_workflows_async(
                status=["SUCCESS", "ERROR", "CANCELLED"], end_time=until, limit=_AT_ONCE, load_input=False,
                load_output=False,
            )  # fmt: skip
            if not ended:
                return gone
            await DBOS.delete_workflows_async([each.workflow_id for each in ended])
            gone += len(ended)

    async def _tend(self) -> None:
        """Takes over what dead processes had begun: whoever can take their lock knows that they are dead."""
        from dbos import DBOS  # noqa: PLC0415

        assert self._lease is not None
        missed: dict[str, int] = {}  # how often in a row a process was not there
        while True:
            await asyncio.sleep(_TAKE_OVER)
            try:
                pending = await DBOS.list_workflows_async(status="PENDING", load_input=False, load_output=False)
                for executor in {w.executor_id for w in pending if w.executor_id} - {self._lease.name}:
                    async with self._lease.of_the_dead(executor) as dead:
                        missed[executor] = missed.get(executor, 0) + 1 if dead else 0
                        if missed[executor] >= _MISSES:  # one miss may be a database that has just restarted
                            await asyncio.to_thread(DBOS._recover_pending_workflows, [executor])
            except Exception:
                missed.clear()
                logging.getLogger(__name__).warning("taking over failed; tried again", exc_info=True)


def _prepared(path: Path) -> None:
    """WAL before the launch: DBOS leaves the file in delete mode, three times slower."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
