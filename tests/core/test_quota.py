"""Nobody asks without end."""

from __future__ import annotations

from dataclasses import replace

from core.quota import Quota, Refusal, Usage, refusal

QUOTA = Quota(2, 4, 3, 6, 100, 9)
FREE = Usage(0, 0, 0, (), (), ())
NOW = 10_000.0


def test_who_asked_for_nothing_is_taken_on() -> None:
    assert refusal(QUOTA, FREE, NOW) is None


def test_each_limit_has_its_word_and_the_time_it_ends() -> None:
    hour = tuple(NOW - 3000 + 600 * n for n in range(6))
    for usage, told in (
        (replace(FREE, queue=9), Refusal("quota-queue", 9)),
        (replace(FREE, person_now=2), Refusal("quota-person-now", 2)),
        (replace(FREE, chat_now=4), Refusal("quota-chat-now", 4)),
        (replace(FREE, person_hour=hour[:3]), Refusal("quota-person-hour", 3, 10)),
        (replace(FREE, person_hour=hour[:4]), Refusal("quota-person-hour", 3, 20)),
        (replace(FREE, chat_hour=hour), Refusal("quota-chat-hour", 6, 10)),
        (replace(FREE, music=((NOW - 60, 99.0), (NOW - 30, 1.0))), Refusal("quota-music", 1, 59)),
    ):
        assert refusal(QUOTA, usage, NOW) == told


def test_below_a_limit_there_is_none() -> None:
    usage = Usage(8, 1, 3, (NOW, NOW), (NOW,) * 5, ((NOW, 99.0),))
    assert refusal(QUOTA, usage, NOW) is None
