"""Figures: bars of sixteenths written as text, and how a bar of four becomes a bar of any meter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from core.music.meter import SIXTEENTH, Meter, meter

_FOUR = meter(4, 4)


@lru_cache(maxsize=4096)
def adapted(row: str, written: str, m: Meter) -> str:
    """A row of sixteenths written for one meter, in another: beat by beat, group by group.

    The first beat of a group takes a first beat, later ones its back-beats; a longer group repeats
    the end of its beat.
    """
    if written == m.name or (written == "4/4" and m.bar == _FOUR.bar and m.denominator <= 4):
        return row
    numerator, denominator = map(int, written.split("/"))
    source = meter(numerator, denominator)
    beat_steps = _steps(source)
    cells, at = [], 0
    for steps in beat_steps:
        cells.append(row[at : at + steps])
        at += steps
    return "".join(_resized(cells[_source_beat(i, n, len(cells))], steps) for i, n, steps in _places(m))


def _steps(m: Meter) -> list[int]:
    sizes = m.grouping if m.denominator >= 8 else (1,) * m.numerator
    return [size * m.unit // SIXTEENTH for size in sizes]


def _places(m: Meter) -> list[tuple[int, int, int]]:
    """(place in its group of beats, beats in that group, sixteenths) for each beat of a bar."""
    if m.denominator >= 8:
        steps = _steps(m)
        return [(i, len(steps), s) for i, s in enumerate(steps)]
    groups = m.grouping if set(m.grouping) != {1} else (m.numerator,)
    unit = m.unit // SIXTEENTH
    return [(i, size, unit) for size in groups for i in range(size)]


# Which beat of a bar of four stands for each beat of a group of that many.
_BORROWED: dict[int, tuple[int, ...]] = {
    1: (0,),
    2: (0, 1),
    3: (0, 1, 3),
    4: (0, 1, 2, 3),
    5: (0, 1, 2, 1, 3),
}


def _source_beat(place: int, size: int, available: int) -> int:
    beat = _BORROWED[size][place] if size in _BORROWED else (place % 4 if place < size - 1 else 3)
    return min(beat, available - 1) if available < 4 else beat


def _resized(cell: str, steps: int) -> str:
    if len(cell) >= steps:
        return cell[:steps]
    tail = cell[-2:] if len(cell) >= 2 else cell
    while len(cell) < steps:
        cell += tail
    return cell[:steps]


def row_for(
    name: str,
    level: int,
    rows: Mapping[str, tuple[str, ...]],
    special: Mapping[str, Mapping[str, tuple[str, ...]]],
    m: Meter,
) -> str:
    """A figure's row at an intensity (0 calm … 2 busy), as written for the meter or adapted to it."""
    own = special.get(m.name, {}).get(name)
    if own:
        return own[min(level, len(own) - 1)]
    row = rows[name]
    return adapted(row[min(level, len(row) - 1)], "4/4", m)


def strokes(row: str) -> list[tuple[int, int, str]]:
    """(step, steps held, sign) of each stroke: `x--.` is one stroke held for three."""
    found: list[tuple[int, int, str]] = []
    for step, sign in enumerate(row):
        if sign == "-" and found and found[-1][0] + found[-1][1] == step:
            at, held, what = found[-1]
            found[-1] = (at, held + 1, what)
        elif sign not in "-.":
            found.append((step, 1, sign))
    return found


def level_of(energy: float) -> int:
    """0, 1 or 2."""
    return 0 if energy < 0.48 else 1 if energy < 0.78 else 2
