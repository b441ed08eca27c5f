"""Meters, their grouping, and where in a bar the weight lies. Durations are ticks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

QUARTER = 5040  # ticks: 2^4 · 3^2 · 5 · 7, so that 64ths, triplets, quintuplets and septuplets are exact
EIGHTH = QUARTER // 2
SIXTEENTH = QUARTER // 4

# Groups of a bar, in units of the denominator, where nobody asked for others.
GROUPINGS: dict[tuple[int, int], tuple[int, ...]] = {
    (5, 8): (3, 2),
    (7, 8): (2, 2, 3),
    (8, 8): (3, 3, 2),
    (10, 8): (3, 3, 2, 2),
    (11, 8): (3, 3, 3, 2),
    (13, 8): (3, 3, 3, 2, 2),
    (5, 4): (3, 2),
    (7, 4): (4, 3),
    (4, 4): (2, 2),
}


@dataclass(frozen=True, slots=True)
class Meter:
    """`grouping`: units of the denominator that belong together, summing to the numerator."""

    numerator: int
    denominator: int
    grouping: tuple[int, ...]

    @property
    def bar(self) -> int:
        """Ticks in a bar."""
        return self.numerator * self.unit

    @property
    def unit(self) -> int:
        """Ticks of one denominator unit."""
        return 4 * QUARTER // self.denominator

    @property
    def compound(self) -> bool:
        return self.denominator == 8 and self.numerator % 3 == 0 and self.numerator > 3

    @property
    def name(self) -> str:
        return f"{self.numerator}/{self.denominator}"


def meter(numerator: int, denominator: int, grouping: tuple[int, ...] = ()) -> Meter:
    """A meter with its usual grouping, or the one given.

    Raises ValueError where the grouping does not fill the bar.
    """
    if not grouping:
        grouping = GROUPINGS.get((numerator, denominator), ())
    if not grouping:
        size = 3 if denominator >= 8 and numerator % 3 == 0 else 1
        grouping = (size,) * (numerator // size)
    if sum(grouping) != numerator or min(grouping) < 1:
        raise ValueError(f"{grouping} does not fill {numerator}/{denominator}")
    return Meter(numerator, denominator, grouping)


COMMON_TIME = meter(4, 4)


@cache
def beats(m: Meter) -> tuple[tuple[int, int], ...]:
    """The felt beats of a bar as (onset, duration): groups in eighth meters, units otherwise."""
    sizes = m.grouping if m.denominator >= 8 else (1,) * m.numerator
    onsets, at = [], 0
    for size in sizes:
        onsets.append((at * m.unit, size * m.unit))
        at += size
    return tuple(onsets)


@cache
def group_onsets(m: Meter) -> tuple[int, ...]:
    """Ticks at which the groups of a bar begin."""
    onsets, at = [], 0
    for size in m.grouping:
        onsets.append(at * m.unit)
        at += size
    return tuple(onsets)


def weight(m: Meter, tick: int) -> int:
    """Metric weight of a place in the bar: 4 downbeat, 3 group, 2 beat, 1 eighth (or unit), 0 below."""
    tick %= m.bar
    if tick == 0:
        return 4
    if tick in group_onsets(m) and len(m.grouping) > 1 and not _all_units(m):
        return 3
    if any(onset == tick for onset, _ in beats(m)):
        return 2
    return 1 if tick % min(m.unit, EIGHTH) == 0 else 0


def _all_units(m: Meter) -> bool:
    return set(m.grouping) == {1}


def strong(m: Meter, tick: int) -> bool:
    """Whether a chord tone is expected here: downbeats and the heads of groups."""
    return weight(m, tick) >= 3
