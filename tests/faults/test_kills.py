"""kill -9 anywhere: what was accepted is finished once, in the message where it began, with the right content."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from core.composer.state import STAGES
from tests.faults.node import MOMENTS, POINTS
from tests.faults.postgres import Postgres
from tests.faults.world import PATIENCE, World

REQUEST = "a jig in G, 8 bars"

# Where each day's kills fall; --long kills at every point on both.
DAILY = {
    "sqlite": ("accept after", "post after", "melody inside", "rendering inside", "keep after", "send after"),
    "postgres": ("submit after", "begin after", "drums inside", "review finished", "done before", "final edit after"),
}


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


def test_a_job_that_always_crashes_is_worked_on_apart_and_given_up_with_a_sentence(world: World) -> None:
    world.loop.write(REQUEST)
    for _ in range(3):
        world.dies(world.node("melody inside"))
    world.node("melody inside")  # it goes on living: what dies is the process apart, three times
    assert world.loop.until(lambda: world.says("fell over it"), PATIENCE)
    assert len(world.loop.messages) == 1
    assert world.runs()["melody"] == 6


def test_a_job_that_was_in_many_deaths_is_innocent_and_finished(
    world: World, undisturbed: tuple[str, set[tuple[str, str]]]
) -> None:
    world.loop.write(REQUEST)
    for _ in range(5):
        world.dies(world.node("begin after"))
    world.node()
    world.until_finished()
    assert _seen(world) == undisturbed


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
