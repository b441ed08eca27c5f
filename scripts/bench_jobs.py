"""What durability costs: 1,000 jobs that do nothing, through SQLite in one process and Postgres with two workers.

python -m scripts.bench_jobs [jobs]
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from adapters.jobs.durable import DurableQueue
from adapters.storage.database import Database
from adapters.storage.ledger import SqlLedger
from adapters.storage.notices import listen
from bot.showing import Wakes
from bot.wiring import knowledge
from bot.working import Worker
from core.events import Done, Event
from core.jobs import USUAL
from core.messages import Message
from tests.faults.postgres import Postgres

PACE = 20  # jobs a second, where the overhead of one is measured


class AtOnce:
    """Answers at once, with the time of its answer."""

    async def finished(self, message: Message, kept: bool) -> None:
        """Nothing to forget."""

    async def answer(self, message: Message, alone: bool = False) -> AsyncIterator[Event]:
        yield Done(message.id, str(time.time()))


async def opened(stack: AsyncExitStack, url: str, jobs: str, at_once: int) -> tuple[SqlLedger, DurableQueue, Wakes]:
    database = Database(url)
    stack.push_async_callback(database.close)
    await database.open()
    wakes = Wakes()
    ledger = SqlLedger(database, wakes.wake)
    conversation: Any = AtOnce()
    worker = Worker(conversation, ledger, knowledge().words, "bench")
    queue = await stack.enter_async_context(DurableQueue(jobs, worker.work, at_once))
    return ledger, queue, wakes


async def one(ledger: SqlLedger, queue: DurableQueue, wakes: Wakes, name: str) -> tuple[float, float]:
    """Seconds from the message to its shown answer, and from the answer's making to its being seen."""
    begun = time.time()
    job, _ = await ledger.accept(Message("bench", name, "ann", text="x", external=name), USUAL)
    woken = wakes.event(job.id)
    await queue.submit(job)
    while True:
        found = await ledger.job(job.id)
        if found is not None and found.over and isinstance(found.events[-1], Done):
            now = time.time()
            wakes.forget(job.id)
            return now - begun, now - float(found.events[-1].text)
        woken.clear()
        try:
            await asyncio.wait_for(woken.wait(), 2)
        except TimeoutError:
            continue


def told(name: str, seconds: list[float]) -> None:
    cuts = statistics.quantiles(seconds, n=100)
    print(f"  {name:44} p50 {cuts[49] * 1000:6.0f} ms   p99 {cuts[98] * 1000:6.0f} ms")


async def measured(label: str, ledger: SqlLedger, queue: DurableQueue, wakes: Wakes, count: int) -> None:
    print(label)
    for i in range(10):
        await one(ledger, queue, wakes, f"warm {i}")
    paced = []
    for i in range(count // 5):
        paced.append(asyncio.create_task(one(ledger, queue, wakes, f"paced {i}")))
        await asyncio.sleep(1 / PACE)
    results = await asyncio.gather(*paced)
    told(f"overhead of a job, {PACE} a second", [total for total, _ in results])
    told("from the work to who shows it", [seen for _, seen in results])
    begun = time.perf_counter()
    await asyncio.gather(*(one(ledger, queue, wakes, f"all {i}") for i in range(count)))
    print(f"  {count} at once: {count / (time.perf_counter() - begun):.0f} jobs a second")
    begun = time.perf_counter()
    await asyncio.gather(
        *(ledger.accept(Message("bench", f"w{i % 5}", "ann", external=f"w{i}"), USUAL) for i in range(50))
    )
    print(f"  50 writers at once: {1000 * (time.perf_counter() - begun):.0f} ms, no error")


async def sqlite(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            here = Path(folder)
            made = await opened(stack, f"sqlite:///{here / 'a.db'}", f"sqlite:///{here / 'jobs.db'}", 32)
            await measured("SQLite, one process", *made, count)


async def postgres(url: str, count: int) -> None:
    async with AsyncExitStack() as stack:
        ledger, queue, wakes = await opened(stack, url, url, 0)
        hearing = asyncio.create_task(listen(url, wakes.wake))
        stack.callback(hearing.cancel)
        await measured("Postgres, two workers", ledger, queue, wakes, count)


async def work(url: str) -> None:
    async with AsyncExitStack() as stack:
        await opened(stack, url, url, 32)
        print("ready", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    if sys.argv[1:2] == ["worker"]:
        asyncio.run(work(sys.argv[2]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    asyncio.run(sqlite(count))
    server = Postgres()
    workers: list[subprocess.Popen[str]] = []
    try:
        url = server.database()
        for _ in range(2):
            command = [sys.executable, "-m", "scripts.bench_jobs", "worker", url]
            workers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            assert workers[-1].stdout is not None
            workers[-1].stdout.readline()
        asyncio.run(postgres(url, count))
    finally:
        for each in workers:
            each.kill()
            each.wait()
        server.close()


if __name__ == "__main__":
    main()
