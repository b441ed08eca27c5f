"""The pacer keeps a platform's limits, whatever is asked of it, and lets what matters go first."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.pacing import Pacer, Urgency
from core.errors import Flooded
from core.ports import Pace
from tests.clock import run_virtually

PACE = Pace(total=29, private=1.0, group=3.0, group_minute=19)
Times = list[tuple[float, str]]


def paced(scenario: Callable[[Pacer, Callable[[], float]], Awaitable[None]]) -> None:
    async def main() -> None:
        time = asyncio.get_running_loop().time
        pacer = Pacer(PACE, time)
        await asyncio.sleep(10)  # it is careful in its first seconds
        await scenario(pacer, lambda: time() - 10)

    run_virtually(main())


async def went(pacer: Pacer, *turn: Any, answered_after: float = 0.0) -> None:
    """A call that waited for its turn, and was answered."""
    async with pacer.turn(*turn):
        await asyncio.sleep(answered_after)


def most_within(times: list[float], seconds: float) -> int:
    """The most of them that any stretch of so many seconds holds."""
    return max((sum(1 for later in times if first <= later < first + seconds) for first in times), default=0)


def test_a_hundred_chats_at_once_are_served_as_fast_as_the_platform_allows() -> None:
    async def scenario(pacer: Pacer, clock: Callable[[], float]) -> None:
        async def first(chat: str) -> float:
            await went(pacer, chat, False, Urgency.FIRST)
            return clock()

        times = await asyncio.gather(*(first(str(chat)) for chat in range(100)))
        assert most_within(list(times), 0.999) <= 29
        assert max(times) == pytest.approx(3.0, abs=0.1)

    paced(scenario)


@pytest.mark.parametrize("seed", range(6))
def test_no_limit_is_exceeded_whatever_is_asked(seed: int) -> None:
    dice = random.Random(seed)
    said: Times = []

    async def scenario(pacer: Pacer, clock: Callable[[], float]) -> None:
        async def talk(chat: str, group: bool) -> None:
            for _ in range(dice.randint(3, 40)):
                await asyncio.sleep(dice.random() * dice.choice((0.1, 4)))
                if dice.random() < 0.5:
                    if not pacer.spare(chat, group):
                        said.append((clock() + 0.3, chat))
                        await asyncio.sleep(0.5)
                        pacer.answered()
                else:
                    calls = dice.choice((1, 1, 1, 4))
                    async with pacer.turn(chat, group, dice.choice(list(Urgency)), calls):
                        late = dice.random() * 0.5  # when the platform sees it
                        said.extend([(clock() + late, chat)] * calls)
                        await asyncio.sleep(0.5)

        async with asyncio.TaskGroup() as tasks:
            for chat in range(60):
                tasks.create_task(talk(f"{'g' if chat % 3 == 0 else 'p'}{chat}", chat % 3 == 0))

    paced(scenario)
    assert len(said) > 500
    assert most_within(sorted(at for at, _ in said), 0.999) <= 29
    for chat in {chat for _, chat in said}:
        times = [at for at, name in said if name == chat]
        assert (
            most_within(times, 9.99) <= 10 + 1 + 3 + 1
        )  # the average, one right behind, the rest of an album, different ways
        if chat.startswith("g"):
            assert most_within(times, 59.99) <= 19


def test_first_words_go_before_results_before_files_and_nobody_overtakes_in_between() -> None:
    order: list[str] = []

    async def scenario(pacer: Pacer, clock: Callable[[], float]) -> None:
        async def call(name: str, urgency: Urgency) -> None:
            await went(pacer, name, False, urgency)
            order.append(name)

        for number in range(29):  # the whole budget of this second
            await went(pacer, f"other {number}", False, Urgency.FIRST)
        async with asyncio.TaskGroup() as tasks:
            for name, urgency in (("file", 2), ("result", 1), ("first", 0), ("result 2", 1)):
                tasks.create_task(call(name, Urgency(urgency)))

    paced(scenario)
    assert order == ["first", "result", "result 2", "file"]


def test_what_is_only_pretty_waits_while_others_want_to_say_something() -> None:
    async def scenario(pacer: Pacer, clock: Callable[[], float]) -> None:
        assert pacer.spare("a", False) == 0
        pacer.answered()
        assert pacer.spare("a", False) == pytest.approx(1.0)
        for number in range(28):
            await went(pacer, f"other {number}", False, Urgency.FIRST)
        waiting = asyncio.create_task(went(pacer, "late", False, Urgency.RESULT))
        await asyncio.sleep(0)
        assert pacer.spare("b", False) > 0
        await waiting
        await asyncio.sleep(1.1)
        assert pacer.spare("b", False) == 0

    paced(scenario)


def test_a_chat_that_wants_silence_gets_it_and_no_other_chat_waits() -> None:
    async def scenario(pacer: Pacer, clock: Callable[[], float]) -> None:
        pacer.hold("busy", 25)
        assert pacer.spare("busy", False) == pytest.approx(25)
        await went(pacer, "quiet", False, Urgency.RESULT)
        assert clock() == 0
        await went(pacer, "busy", False, Urgency.RESULT)
        assert clock() == pytest.approx(25, abs=0.1)
        pacer.hold("busy", 900)
        with pytest.raises(Flooded):
            await went(pacer, "busy", False, Urgency.RESULT)

    paced(scenario)


def test_who_gives_up_waiting_leaves_the_turn_to_others() -> None:
    async def scenario(pacer: Pacer, clock: Callable[[], float]) -> None:
        for _ in range(2):
            await went(pacer, "a", False, Urgency.RESULT)
        gone = asyncio.create_task(went(pacer, "a", False, Urgency.RESULT))
        await asyncio.sleep(0)
        gone.cancel()
        await went(pacer, "a", False, Urgency.RESULT)
        assert clock() == pytest.approx(1.0, abs=0.1)

    paced(scenario)
