"""The one workflow. DBOS finds workflows by their names in modules that every process imports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from dbos import DBOS

work: Callable[[str], Awaitable[None]] | None = None  # set by the queue that this process has


@DBOS.step(name="work")
async def worked(job: str) -> None:
    assert work is not None, "no queue was opened in this process"
    await work(job)


@DBOS.workflow(name="answer", max_recovery_attempts=1000)  # attempts are counted in the ledger, also through take-overs
async def answer(job: str) -> None:
    await worked(job)
