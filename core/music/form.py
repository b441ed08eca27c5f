"""Form: the sections of a song, fitted to exactly the bars asked for."""

from __future__ import annotations

from dataclasses import replace

from core.music.catalogue import Form
from core.music.score import Section

Row = tuple[str, str, int, float]  # kind, material label, bars, energy

# Sections named one by one: material label, bars, energy.
_NAMED: dict[str, tuple[str, int, float]] = {
    "intro": ("I", 4, 0.3), "verse": ("A", 8, 0.5), "chorus": ("B", 8, 0.8), "bridge": ("C", 8, 0.55),
    "build": ("D", 4, 0.6), "drop": ("E", 8, 1.0), "outro": ("O", 4, 0.4),
}  # fmt: skip
# What a shorter song does without, first to go first.
_OPTIONAL = ("outro", "intro", "bridge", "build")
_EDGES = ("intro", "outro")


def rows_of(names: tuple[str, ...]) -> tuple[Row, ...]:
    """Sections asked for by name; each return of a kind is a little fuller than the one before."""
    rows, seen = [], dict.fromkeys(_NAMED, 0)
    for name in names:
        label, bars, energy = _NAMED[name]
        rows.append((name, label, bars, min(1.0, energy + 0.08 * seen[name])))
        seen[name] += 1
    return tuple(rows)


def natural_bars(names: tuple[str, ...]) -> int:
    return sum(_NAMED[name][1] for name in names)


def sections(form: Form | tuple[str, ...], bars: int) -> tuple[Section, ...]:
    """Sections that fill exactly `bars`, from a form of the catalogue or from names."""
    if isinstance(form, tuple):
        rows = _scaled(list(rows_of(form)), bars)
    else:
        rows = _fitted(list(form.sections), bars, form.unit)
    placed, at = [], 0
    for kind, label, length, energy in rows:
        if length > 0:
            placed.append(Section(kind, label, at, length, energy))
            at += length
    return tuple(placed)


def _total(rows: list[Row]) -> int:
    return sum(row[2] for row in rows)


def _scaled(rows: list[Row], bars: int) -> list[Row]:
    """Named sections all stay; their lengths share the bars in proportion, in fours where they fit."""
    if bars < len(rows):
        rows = rows[:bars]
    natural = _total(rows)
    unit = next(u for u in (4, 2, 1) if bars >= len(rows) * u)
    lengths = [max(unit, row[2] * bars // natural // unit * unit) for row in rows]
    order = sorted(range(len(rows)), key=lambda i: (rows[i][0] in _EDGES, lengths[i] - rows[i][2] * bars / natural))
    place = 0
    while sum(lengths) != bars:
        i = order[place % len(order)]
        gap = bars - sum(lengths)
        step = max(-lengths[i] + 1, gap if abs(gap) < unit else unit if gap > 0 else -unit)
        lengths[i] += step
        place += 1
    return [(kind, label, length, energy) for (kind, label, _, energy), length in zip(rows, lengths, strict=True)]


def _fitted(rows: list[Row], bars: int, unit: int) -> list[Row]:
    rows = _grown(rows, bars)
    for kind in _OPTIONAL:
        while _total(rows) > bars and any(row[0] == kind for row in rows) and len(rows) > 1:
            rows.remove(next(row for row in reversed(rows) if row[0] == kind))
    while _total(rows) > bars and len(rows) > 1:
        rows.pop(_least_missed(rows))
    if _total(rows) > bars:
        return [(*rows[0][:2], bars, rows[0][3])]
    return _filled(rows, bars - _total(rows), unit)


def _least_missed(rows: list[Row]) -> int:
    """The last section that only repeats an earlier one; with none, the last before an outro."""
    labels = [row[1] for row in rows]
    repeats = [i for i, label in enumerate(labels) if label in labels[:i] and rows[i][0] not in _EDGES]
    if repeats and len(set(labels)) > 1:
        return repeats[-1]
    return len(rows) - (2 if len(rows) > 2 and rows[-1][0] == "outro" else 1)


def _grown(rows: list[Row], bars: int) -> list[Row]:
    """A longer song goes round its middle again, each round a little fuller."""
    middle = [row for row in rows if row[0] not in _EDGES]
    first = next((i for i, row in enumerate(rows) if row[0] not in _EDGES), 0)
    grown, turn = list(rows), 0
    while _total(grown) < bars:
        row = middle[turn % len(middle)]
        if _total(grown) + row[2] > bars:
            break
        lift = 0.05 * (1 + turn // len(middle))
        grown.insert(first + len(middle) + turn, (*row[:3], min(1.0, row[3] + lift)))
        turn += 1
    return grown


def _filled(rows: list[Row], rest: int, unit: int) -> list[Row]:
    """Bars left over become an intro or an outro where there is none, else a longer last section."""
    if rest >= 4 and rows[0][0] not in _EDGES and rest % 4 == 0 and unit != 12:
        rows = [("intro", "I", 4, 0.35), *rows]
        rest -= 4
    if rest >= 4 and rows[-1][0] not in _EDGES:
        length = rest if rest <= 8 else 4
        rows = [*rows, ("outro", "O", length, 0.4)]
        rest -= length
    place = len(rows) - 1
    while rest > 0:
        step = min(rest, 4)
        kind, label, length, energy = rows[place]
        rows[place] = (kind, label, length + step, energy)
        rest -= step
        place = (place - 1) % len(rows)
    return rows


def with_lift(placed: tuple[Section, ...], lift: float) -> tuple[Section, ...]:
    """Sections with their energy moved by the mood."""
    return tuple(replace(s, energy=min(1.0, max(0.1, s.energy + lift))) for s in placed)
