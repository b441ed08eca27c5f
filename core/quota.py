"""How much one person, and one chat, may ask for: so that nobody waits for somebody who asks without end."""

from __future__ import annotations

import math
from dataclasses import dataclass

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Quota:
    """Requests under way at once and in an hour, by person and by chat; seconds of music in an hour, by person; and
    requests under way in all.
    """

    person_at_once: int = 5
    chat_at_once: int = 20
    person_hourly: int = 60
    chat_hourly: int = 240
    person_seconds: int = 3600
    queue: int = 500


@dataclass(frozen=True, slots=True)
class Usage:
    """What stands before a request. `…_hour`: when those of the last hour were accepted, seconds since 1970, the oldest
    first; `music`: when a song of the person's was accepted, and how many seconds it plays.
    """

    queue: int
    person_now: int
    chat_now: int
    person_hour: tuple[float, ...]
    chat_hour: tuple[float, ...]
    music: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The code of its sentence, and the minutes until it ends: 0 where that is when an earlier song is done."""

    code: str
    most: int
    minutes: int = 0


def refusal(quota: Quota, usage: Usage, now: float) -> Refusal | None:
    """Why a request is not taken on, None where it is."""
    if usage.queue >= quota.queue:
        return Refusal("quota-queue", quota.queue)
    if usage.person_now >= quota.person_at_once:
        return Refusal("quota-person-now", quota.person_at_once)
    if usage.chat_now >= quota.chat_at_once:
        return Refusal("quota-chat-now", quota.chat_at_once)
    for code, times, most in (
        ("quota-person-hour", usage.person_hour, quota.person_hourly),
        ("quota-chat-hour", usage.chat_hour, quota.chat_hourly),
    ):
        if len(times) >= most:
            return Refusal(code, most, _minutes(times[len(times) - most], now))
    if sum(seconds for _, seconds in usage.music) >= quota.person_seconds:
        return Refusal("quota-music", quota.person_seconds // 60, _minutes(usage.music[0][0], now))
    return None


def _minutes(oldest: float, now: float) -> int:
    """Until that one is an hour ago."""
    return max(1, math.ceil((oldest + HOUR - now) / 60))
