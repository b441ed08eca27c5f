"""Accepted jobs on their way to the work: at once where nothing more comes, an album when it is whole."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from bot.service import _Intake
from core.events import Accepted
from core.jobs import USUAL, Job
from core.messages import Message
from tests.clock import run_virtually


class Begun:
    """What the intake needs of a service; notes when each job was begun."""

    def __init__(self) -> None:
        self.at: list[float] = []

    async def begin(self, job: Job) -> None:
        self.at.append(asyncio.get_running_loop().time())

    async def show(self, job: Job, platform: object) -> None:
        """Nobody looks."""


def job(number: int, album: str = "") -> Job:
    message = Message("memory", "room", "ann", text="x", id=number, album=album)
    return Job(f"j{number}", message, message.lane, USUAL, "queued", (Accepted(number),), 0, 0, 0.0)


def begun(jobs: list[Job], quiet: bool, gap: float = 0.0) -> list[float]:
    async def main() -> list[float]:
        service: Any = Begun()
        async with asyncio.TaskGroup() as tasks:
            intake = _Intake(tasks, service, service)
            for each in jobs:
                intake.quiet(quiet)
                intake.take(each)
                await asyncio.sleep(gap)
            await asyncio.sleep(60)
            intake.close()
        return service.at  # type: ignore[no-any-return]

    found: list[float] = run_virtually(main())
    return found


def test_where_nothing_more_comes_all_are_begun_at_once() -> None:
    assert begun([job(n) for n in range(20)], quiet=True) == [0.0] * 20


def test_what_pours_in_is_waited_for_a_second_in_all() -> None:
    assert max(begun([job(n) for n in range(20)], quiet=False)) < 1.1


def test_an_album_is_begun_once_when_no_further_file_comes() -> None:
    parts = [replace(job(1, "a"), shown=n) for n in range(3)]
    (at,) = begun(parts, quiet=True, gap=0.5)
    assert 1.9 < at < 2.1
