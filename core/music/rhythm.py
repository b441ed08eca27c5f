"""Rhythm of a melody: a ranked vocabulary of one-bar onset patterns, and drawing from it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from core.music.catalogue import Statistics
from core.music.chance import weighted
from core.music.meter import EIGHTH, QUARTER, SIXTEENTH, Meter, beats, meter, weight

Pattern = tuple[int, ...]  # onsets in ticks from the bar line

# Cells of one group of two or three eighths, with how often they stand in folk tunes.
_CELLS: dict[int, dict[tuple[float, ...], int]] = {
    2: {(0, 0.5): 10, (0,): 8, (0, 0.25, 0.5): 3, (0, 0.5, 0.75): 3, (0.5,): 1, (0, 0.25, 0.5, 0.75): 1},
    3: {
        (0, 0.5, 1): 10,
        (0, 1): 8,
        (0,): 5,
        (0, 0.75, 1): 3,
        (0, 0.5, 1, 1.25): 2,
        (0, 0.5): 2,
        (0, 0.25, 0.5, 1): 1,
    },
}
# Meters put together from shorter ones, where no tune shows them often enough.
_JOINED: dict[str, tuple[str, ...]] = {
    "12/8": ("6/8", "6/8"), "5/4": ("3/4", "2/4"), "7/4": ("4/4", "3/4"), "3/2": ("4/4", "2/4"),
    "6/4": ("3/4", "3/4"), "8/4": ("4/4", "4/4"), "4/2": ("4/4", "4/4"), "9/4": ("3/4", "3/4", "3/4"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Taste:
    """What kind of bars are wanted: `notes` a bar, `syncopation` 0 to 1, `grid`: shortest value."""

    notes: float
    syncopation: float
    grid: int = SIXTEENTH


def vocabulary(m: Meter, reference: str, statistics: Statistics) -> Mapping[Pattern, float]:
    """Patterns of a bar with their weight, by the reference's songs or the nearest kin that has the meter."""
    return _vocabulary(m, reference, _Frozen(statistics))


class _Frozen:
    """Lets the statistics be a key of the cache below: by identity, as they never change."""

    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics

    def __hash__(self) -> int:
        return id(self.statistics)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and other.statistics is self.statistics


@lru_cache(maxsize=256)
def _vocabulary(m: Meter, reference: str, frozen: _Frozen) -> Mapping[Pattern, float]:
    tables = frozen.statistics.rhythms
    name = "4/4" if m.name == "2/2" else m.name
    if m.denominator == 8 and not (m.compound and name in ("6/8", "9/8")):
        return _joined([_CELLS[g] if g in _CELLS else _CELLS[2] for g in _split(m)], _split(m))
    order = (reference, "leadsheets", "folk") if reference != "folk" else ("folk", "leadsheets")
    for source in order:
        table = tables.get(source, {}).get(name, {})
        if len(table) >= 12:
            return {tuple(_tick(word) for word in text.split()): float(count) for text, count in table.items()}
    if m.name in _JOINED:
        return _concatenated([_named(part) for part in _JOINED[m.name]], reference, frozen)
    return _concatenated([meter(1, 4)] * (m.bar // QUARTER), reference, frozen)


def _named(name: str) -> Meter:
    numerator, denominator = name.split("/")
    return meter(int(numerator), int(denominator))


def _tick(quarters: str) -> int:
    """Ticks from the nearest 24th of a quarter, so that written thirds are exact triplets."""
    return round(float(quarters) * 24) * QUARTER // 24


def _split(m: Meter) -> list[int]:
    """Groups of two and three eighths; a group of four is two twos."""
    return [
        size for group in m.grouping for size in ([group] if group <= 3 else [2] * (group // 2) + [1] * (group % 2))
    ]


def _joined(cells: list[dict[tuple[float, ...], int]], sizes: list[int]) -> dict[Pattern, float]:
    found: dict[Pattern, float] = {}
    starts = [sum(sizes[:i]) * EIGHTH for i in range(len(sizes))]
    # The commonest cells of each group; all their sequences while those stay countable.
    most = 4 if len(sizes) <= 3 else 3 if len(sizes) <= 4 else 2
    for row in product(*[list(cell.items())[:most] for cell in cells]):
        onsets = tuple(start + round(o * QUARTER) for start, (cell, _) in zip(starts, row, strict=True) for o in cell)
        count = 1.0
        for _, share in row:
            count *= share / 8
        found[onsets] = count
    return found


def _concatenated(parts: list[Meter], reference: str, frozen: _Frozen) -> dict[Pattern, float]:
    found: dict[Pattern, float] = {}
    most = 12 if len(parts) == 2 else 6
    choices = []
    for part in parts:
        table = (
            {(0,): 6.0, (0, EIGHTH): 8.0, (EIGHTH,): 1.0}
            if part.name == "1/4"
            else dict(_vocabulary(part, reference, frozen))
        )
        choices.append(sorted(table.items(), key=lambda kv: (-kv[1], kv[0]))[:most])
    starts = [sum(part.bar for part in parts[:i]) for i in range(len(parts))]
    if len(parts) > 4:
        choices = [row[:3] for row in choices]
    for row in product(*choices):
        onsets = tuple(start + o for start, (cell, _) in zip(starts, row, strict=True) for o in cell)
        count = 1.0
        for _, share in row:
            count *= share ** (1 / len(parts))
        found[onsets] = count
    return found


def off_beats(pattern: Pattern, m: Meter) -> int:
    """Onsets off the beat that sound on through the next beat."""
    heads = [onset for onset, _ in beats(m)]
    count = 0
    for onset, following in zip(pattern, (*pattern[1:], m.bar), strict=True):
        if weight(m, onset) < 2 and any(onset < head < following for head in heads):
            count += 1
    return count


def draw(
    table: Mapping[Pattern, float],
    m: Meter,
    taste: Taste,
    rng: random.Random,
    avoid: frozenset[Pattern] = frozenset(),
) -> Pattern:
    """A pattern near the taste's density and syncopation, by how common it is."""
    patterns = [p for p in table if p and p not in avoid and all(o % taste.grid == 0 for o in p)]
    patterns = patterns or [p for p in table if p]
    spread = max(1.2, taste.notes * 0.3)
    weights = []
    for pattern in patterns:
        distance = (len(pattern) - taste.notes) / spread
        share = table[pattern] ** 0.6 / (1 + distance * distance) ** 3
        syncopated = off_beats(pattern, m)
        share *= (0.2 + 1.3 * taste.syncopation) ** syncopated
        share *= 1.0 if pattern[0] == 0 else 0.5
        weights.append(share)
    scale = 1000 / max(weights)
    return weighted(rng, patterns, [w * scale for w in weights])
