"""Workers die; songs do not."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.workshop.pool import Workshop
from core.errors import WorkerDied
from core.music.score import Score
from core.ports import Face, Rendered
from tests.conftest import Compose

ALL = {"midi", "mp3", "musicxml", "abc", "score", "card"}
FACE = Face("Night Bus", "C major", "pop", ("Verse",))


def workers() -> list[int]:
    return [child.pid for child in multiprocessing.active_children() if child.pid]


def killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def deadly(path: str) -> str:
    """A task that its worker dies of; it leaves a mark each time."""
    with open(path, "a") as file:
        file.write("x")
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def waiting(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def until_written(folder: Path) -> None:
    until = time.monotonic() + 30
    while not any(folder.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)


@pytest.fixture
async def workshop() -> AsyncIterator[Workshop]:
    async with Workshop(2) as made:
        await made.alone(len, "warm")
        yield made


@pytest.fixture
def score(song: Compose) -> Score:
    return song("a pop song in C, 8 bars", 3)


async def rendered(workshop: Workshop, score: Score, folder: Path) -> Rendered:
    return await workshop.render(score, FACE, tuple(ALL), folder)


async def test_a_worker_that_died_while_idle_is_replaced(workshop: Workshop, score: Score, tmp_path: Path) -> None:
    for pid in workers():
        killed(pid)
    for _ in range(2):
        made = await rendered(workshop, score, tmp_path)
        assert set(made.files) >= ALL
        assert not made.problems


async def test_a_worker_that_dies_at_work_costs_the_song_nothing(
    workshop: Workshop, score: Score, tmp_path: Path
) -> None:
    work = asyncio.create_task(rendered(workshop, score, tmp_path))
    await asyncio.to_thread(until_written, tmp_path)  # the MIDI comes first, in this process
    for pid in workers():
        killed(pid)
    made = await work
    assert set(made.files) >= ALL
    assert not made.problems


async def test_a_task_that_its_workers_die_of_is_given_up_and_the_others_go_on(
    workshop: Workshop, score: Score, tmp_path: Path
) -> None:
    with pytest.raises(WorkerDied):
        await workshop.alone(deadly, str(tmp_path / "marks"))
    assert (tmp_path / "marks").read_text() == "xxx"
    assert set((await rendered(workshop, score, tmp_path)).files) >= ALL


async def test_a_pool_that_is_closed_under_running_work_gives_no_outcome(score: Score, tmp_path: Path) -> None:
    async with Workshop(1) as workshop:
        await workshop.alone(len, "warm")
        work = asyncio.create_task(workshop.alone(waiting, 60))
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_without_workers_that_can_make_sound_the_notes_are_there(
    score: Score, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.workshop.pool._make_sound", deadly_sound)
    async with Workshop(1) as workshop:
        made = await rendered(workshop, score, tmp_path)
    assert set(made.files) == ALL - {"mp3", "card"}
    assert [problem.format for problem in made.problems] == ["mp3"]


def deadly_sound(*args: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
