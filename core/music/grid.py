"""The bars of a score, each with its place, its length and its meter."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from core.music.meter import Meter
from core.music.score import Score


@dataclass(frozen=True, slots=True)
class Bar:
    """`onset` and `length` in ticks."""

    onset: int
    length: int
    meter: Meter

    @property
    def end(self) -> int:
        return self.onset + self.length


def grid(score: Score) -> tuple[Bar, ...]:
    """Every bar, in order, without a gap."""
    return _grid(score.bars, (0, score.meter), *((c.onset, c.meter) for c in score.changes if c.meter))


@lru_cache(maxsize=64)
def _grid(bars: int, *meters: tuple[int, Meter]) -> tuple[Bar, ...]:
    onset, place, made = 0, 0, []
    for _ in range(bars):
        while place + 1 < len(meters) and meters[place + 1][0] <= onset:
            place += 1
        meter = meters[place][1]
        made.append(Bar(onset, meter.bar, meter))
        onset += meter.bar
    return tuple(made)


def bar_index(bars: tuple[Bar, ...], tick: int) -> int:
    """The index of the bar in which a tick lies; the first or last one for ticks outside."""
    return min(max(bisect_right(bars, tick, key=lambda bar: bar.onset) - 1, 0), len(bars) - 1)
