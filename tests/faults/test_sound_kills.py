"""Deploys, dead workers and power cuts while songs are rendered: every song comes with all of its files, once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from tests.faults.world import PATIENCE, Node, World, render_workers

REQUEST = "a jig in G, 8 bars"
FORMATS = "midi,mp3,card,abc,musicxml,score"


@dataclass(frozen=True)
class Disturbance:
    """What happens so many seconds after the song's message is there."""

    kind: str  # sigterm: a polite restart; kill: of the process; workers: of all who render; idle: of those, before
    seconds: float

    def __str__(self) -> str:
        return f"{self.kind} {self.seconds:.2f}"


def disturbances(count: int) -> list[Disturbance]:
    """Spread over the time that a song takes, two of every three while it is rendered."""
    kinds = ("sigterm", "kill", "workers", "sigterm", "workers", "idle")
    return [Disturbance(kinds[n % len(kinds)], round(0.05 + 2.2 * n / count, 2)) for n in range(count)]


Seen = tuple[str, set[tuple[str, str]]]


def seen(world: World) -> Seen:
    (message,) = world.loop.messages.values()
    return message.text, {(file["name"], file["hash"]) for file in world.loop.files}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    world = World(tmp_path_factory.mktemp("undisturbed"), formats=FORMATS)
    world.loop.write(REQUEST)
    world.node()
    world.until_finished()
    yield seen(world)
    world.close()


def disturbed(world: World, what: Disturbance, undisturbed: Seen) -> None:
    world.formats = FORMATS
    node = world.node()
    node.ready()
    if what.kind == "idle":
        assert world.loop.until(lambda: bool(render_workers(node)), PATIENCE)
        _kill_workers(node)
    world.loop.write(REQUEST)
    assert world.loop.until(lambda: bool(world.loop.messages), PATIENCE)
    threading.Event().wait(what.seconds)
    match what.kind:
        case "sigterm":
            node.send(signal.SIGTERM)
            assert node.wait() == 0
            world.node()
        case "kill":
            node.end()
            world.node()
        case "workers":
            _kill_workers(node)
        case _:
            pass
    world.until_finished()
    text, files = seen(world)
    assert text == undisturbed[0]
    assert files == undisturbed[1]
    assert len(world.loop.files) == len(files)


def _kill_workers(node: Node) -> None:
    for pid in render_workers(node):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


DAILY = [
    ("sqlite", Disturbance("sigterm", 0.6)), ("sqlite", Disturbance("workers", 0.6)),
    ("sqlite", Disturbance("idle", 0)), ("sqlite", Disturbance("kill", 1.0)), ("postgres", Disturbance("sigterm", 1.0)),
]  # fmt: skip


@pytest.mark.parametrize(("world", "what"), DAILY, indirect=["world"], ids=str)
def test_a_disturbed_song_has_all_of_its_files(world: World, what: Disturbance, undisturbed: Seen) -> None:
    disturbed(world, what, undisturbed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("world", "what"),
    [*(("sqlite fresh", what) for what in disturbances(60)), *(("postgres fresh", what) for what in disturbances(24))],
    indirect=["world"],
    ids=str,
)
def test_a_song_disturbed_at_any_time_has_all_of_its_files(world: World, what: Disturbance, undisturbed: Seen) -> None:
    disturbed(world, what, undisturbed)
