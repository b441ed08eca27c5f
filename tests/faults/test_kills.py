"""kill -9 anywhere: what was accepted is finished once, in the message where it began, with the right content."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import pytest
from dbos import DBOS

from adapters.jobs.checkpoints import migrate
from adapters.storage.database import async_url, upgrade
from core.composer.state import STAGES
from tests.behaviours.console import ROOT
from tests.faults.node import MOMENTS, POINTS
from tests.faults.platform import Loopback
from tests.faults.postgres import Postgres

REQUEST = "a jig in G, 8 bars"
PATIENCE = 40.0

# Where each day's kills fall; --long kills at every point on both.
DAILY = {
    "sqlite": ("accept after", "post after", "melody inside", "rendering inside", "keep after", "send after"),
    "postgres": ("submit after", "begin after", "drums inside", "review finished", "done before", "final edit after"),
}


class Node(Protocol):
    """A process of the service."""

    def wait(self) -> int: ...

    def ready(self) -> None: ...

    def send(self, number: signal.Signals) -> None: ...

    def end(self) -> None: ...


class Fresh:
    """Started from nothing, as in real life."""

    def __init__(self, environment: dict[str, str], url: str, data: Path, point: str) -> None:
        command = [sys.executable, "-m", "tests.faults.node", url, str(data), point]
        environment = {**os.environ, **environment}
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)

    def wait(self) -> int:
        return self._process.wait(PATIENCE)

    def ready(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline()

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


class Forked:
    """Forked with its imports done: a fifth of the time."""

    def __init__(self, environment: dict[str, str], url: str, data: Path, point: str) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.faults.warm"])
        self._said, out = context.Pipe(duplex=False)
        self._process = context.Process(target=_born, args=(environment, url, str(data), point, out))
        self._process.start()
        out.close()

    def wait(self) -> int:
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def ready(self) -> None:
        assert self._said.poll(PATIENCE)
        assert self._said.recv()

    def send(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._said.close()


def _born(environment: dict[str, str], url: str, data: str, point: str, out: Connection) -> None:
    from tests.faults.warm import born  # noqa: PLC0415

    born(environment, url, data, point, out.send)


@dataclass
class World:
    """A platform, a database, and processes that come and go."""

    data: Path
    url: str | None = None
    fresh: bool = False  # whether its processes are started from nothing
    loop: Loopback = field(default_factory=Loopback)
    nodes: list[Node] = field(default_factory=list)

    def node(self, point: str = "", platform: bool = True, **settings: str) -> Node:
        environment = {f"TUNESMITH_{name.upper()}": value for name, value in settings.items()}
        if self.url:
            environment["TUNESMITH_DATABASE_URL"] = self.url
        started = (Fresh if self.fresh else Forked)(environment, self.loop.url if platform else "-", self.data, point)
        self.nodes.append(started)
        return started

    def dies(self, node: Node) -> None:
        assert node.wait() == -signal.SIGKILL

    def says(self, words: str) -> bool:
        return any(words in seen.text for seen in self.loop.messages.values())

    def songs(self) -> list[str]:
        return [seen.text for seen in self.loop.messages.values() if seen.text.startswith("♪")]

    def finished(self) -> bool:
        return bool(self.songs()) and len(self.loop.files) >= 2

    def until_finished(self) -> None:
        assert self.loop.until(self.finished, PATIENCE), [seen.texts for seen in self.loop.messages.values()]

    def runs(self) -> Counter[str]:
        """How often each stage was run, over all processes."""
        return Counter((self.data / "runs").read_text().split())

    def close(self) -> None:
        for node in self.nodes:
            node.end()
        self.loop.close()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module")
def migrated(postgres: Postgres) -> str:
    """A Postgres database as it is after the first start: most of a start's time goes into making it."""
    url = postgres.database()
    upgrade(async_url(url))
    migrate(url)
    DBOS.migrate(url)
    return url


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    kind, _, fresh = getattr(request, "param", "sqlite").partition(" ")
    url = None
    if kind == "postgres":
        template = None if fresh else request.getfixturevalue("migrated")
        url = request.getfixturevalue("postgres").database(template)
    made = World(tmp_path, url, bool(fresh))
    yield made
    made.close()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, set[tuple[str, str]]]]:
    """What a person sees when nothing goes wrong: the text of the message, and the files."""
    world = World(tmp_path_factory.mktemp("undisturbed"))
    world.loop.write(REQUEST)
    world.node()
    world.until_finished()
    yield _seen(world)
    world.close()


def _seen(world: World) -> tuple[str, set[tuple[str, str]]]:
    (message,) = world.loop.messages.values()
    return message.text, {(file["name"], file["hash"]) for file in world.loop.files}


def killed(point: str, world: World, undisturbed: tuple[str, set[tuple[str, str]]]) -> None:
    world.loop.write(REQUEST)
    world.dies(world.node(point))
    world.node()
    world.until_finished()
    assert _seen(world) == undisturbed, point
    assert len(world.loop.files) == 2
    where, _, when = point.partition(" ")
    if where in ("second", "post"):  # whichever stage it was in runs again, and its sibling with it
        assert sum(world.runs().values()) <= len(STAGES) + 2
        return
    for stage, count in world.runs().items():
        # A stage that was killed while it ran runs again; so does one whose end was not written down yet.
        unfinished = stage == where and when in ("started", "inside", "finished")
        assert count <= 1 + unfinished or stage in _SIBLINGS.get(where, ())


# Branches that run side by side are written down together.
_SIBLINGS = {"bass": ("drums",), "drums": ("bass",), "melody": ()}


@pytest.mark.parametrize(
    ("world", "point"), [(kind, point) for kind, points in DAILY.items() for point in points], indirect=["world"]
)
def test_a_kill_is_survived(point: str, world: World, undisturbed: tuple[str, set[tuple[str, str]]]) -> None:
    killed(point, world, undisturbed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("world", "point"),
    [(f"{kind} fresh", point) for kind in DAILY for point in (*POINTS, *MOMENTS)],
    indirect=["world"],
)
def test_a_kill_at_every_point_is_survived(
    point: str, world: World, undisturbed: tuple[str, set[tuple[str, str]]]
) -> None:
    killed(point, world, undisturbed)


@pytest.mark.parametrize("world", ["postgres"], indirect=True)
def test_a_dead_workers_job_is_taken_over_by_a_living_one(
    world: World, undisturbed: tuple[str, set[tuple[str, str]]]
) -> None:
    world.loop.write(REQUEST)
    world.node(jobs_at_once="0")  # talks, and leaves the work to others
    world.dies(world.node("review inside", platform=False))
    world.node(platform=False)
    world.until_finished()
    assert _seen(world) == undisturbed
    assert world.runs()["melody"] == 1
    assert world.runs()["review"] == 2


@pytest.mark.parametrize("world", ["postgres"], indirect=True)
def test_a_database_that_restarts_in_mid_job_is_waited_for(
    world: World, undisturbed: tuple[str, set[tuple[str, str]]], postgres: Postgres
) -> None:
    world.node().ready()
    postgres.stop()
    world.loop.write(REQUEST)
    postgres.start()
    world.until_finished()
    assert _seen(world) == undisturbed


def test_a_job_that_always_crashes_is_given_up_with_a_sentence(world: World) -> None:
    world.loop.write(REQUEST)
    for _ in range(3):
        world.dies(world.node("melody inside"))
    world.node()
    assert world.loop.until(lambda: world.says("three times"), PATIENCE)
    assert len(world.loop.messages) == 1
    assert world.runs()["melody"] == 3


def test_the_same_update_twice_is_one_song(world: World, undisturbed: tuple[str, set[tuple[str, str]]]) -> None:
    world.loop.write(REQUEST, id_="u1")
    world.loop.write(REQUEST, id_="u1")
    world.node()
    world.until_finished()
    assert _seen(world) == undisturbed


def test_sigterm_says_back_in_a_moment_and_the_next_start_goes_on(
    world: World, undisturbed: tuple[str, set[tuple[str, str]]]
) -> None:
    world.loop.write(REQUEST)
    node = world.node("melody waits")
    assert world.loop.until(lambda: world.says("Harmony"), PATIENCE)
    node.send(signal.SIGTERM)
    assert node.wait() == 0
    (message,) = world.loop.messages.values()
    assert "Back in a moment" in message.text
    world.node()
    world.until_finished()
    assert _seen(world) == undisturbed


def test_a_cancelled_song_never_comes_back(world: World) -> None:
    world.loop.write(REQUEST)
    node = world.node("melody waits")
    assert world.loop.until(lambda: world.says("Harmony"), PATIENCE)
    world.loop.write("/cancel")
    assert world.loop.until(lambda: world.says("Stopped. Nothing"), PATIENCE)
    node.end()
    world.node()
    world.loop.write("/library")
    assert world.loop.until(lambda: len(world.loop.messages) == 3, PATIENCE)
    assert world.loop.until(lambda: world.says("No songs yet"), PATIENCE)
    assert not world.says("♪")


def test_the_second_message_sees_the_first_ones_song_and_other_chats_do_not_wait(world: World) -> None:
    world.loop.write(REQUEST)
    world.loop.write("faster")
    world.loop.write("a waltz, 8 bars", chat="elsewhere", user="bob")
    world.node()
    assert world.loop.until(lambda: len(world.songs()) == 3, PATIENCE)
    assert sum("→" in text for text in world.songs()) == 1


def test_a_platform_that_does_not_answer_for_a_while_gets_it_later(
    world: World, undisturbed: tuple[str, set[tuple[str, str]]]
) -> None:
    world.node().ready()
    world.loop.refused = 3
    world.loop.write(REQUEST)
    world.until_finished()
    assert _seen(world) == undisturbed


def test_a_deleted_bubble_is_not_edited_and_the_song_is_posted_once(
    world: World, undisturbed: tuple[str, set[tuple[str, str]]]
) -> None:
    world.loop.write(REQUEST)
    world.node("melody waits a little")
    assert world.loop.until(lambda: world.says("Harmony"), PATIENCE)
    world.loop.delete("m1")
    world.until_finished()
    assert _seen(world) == undisturbed
    (message,) = world.loop.messages.values()
    assert len(message.texts) == 1


def test_to_cancel_survives_a_crash(world: World) -> None:
    world.loop.write(REQUEST)
    node = world.node("melody waits")
    assert world.loop.until(lambda: world.says("Harmony"), PATIENCE)
    node.end()
    world.loop.write("/cancel")
    world.dies(world.node("accept after"))  # between the row and what it asks for
    world.node()
    assert world.loop.until(lambda: world.says("Stopped. Nothing"), PATIENCE)
    assert world.loop.until(lambda: len(world.loop.messages) == 2, PATIENCE)
    assert not world.says("♪")


def test_half_a_character_does_not_hold_up_the_others(world: World) -> None:
    world.loop.write("\ud800\x00")
    world.loop.write(REQUEST)
    world.node()
    assert world.loop.until(lambda: len(world.loop.messages) == 2 and len(world.songs()) == 1, PATIENCE)
