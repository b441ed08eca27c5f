"""Measures: a part's notes as a musician writes them, cut at bar lines and beats, rests filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from core.music.grid import Bar, bar_index, grid
from core.music.meter import QUARTER, Meter, beats, group_onsets
from core.music.score import Note, Part, Score

# Values that one symbol can write, in quarters: plain, dotted, double dotted, and thirds of plain ones.
_PLAIN = [Fraction(4) / 2**k for k in range(7)]
NOTATABLE = frozenset(
    int(QUARTER * value * factor)
    for value in _PLAIN
    for factor in (Fraction(1), Fraction(3, 2), Fraction(2, 3))
    if (QUARTER * value * factor).denominator == 1
)
_SIMPLE = frozenset(
    int(QUARTER * v * f) for v in _PLAIN for f in (Fraction(1), Fraction(3, 2)) if (QUARTER * v * f).denominator == 1
)


@dataclass(frozen=True, slots=True)
class Written:
    """One symbol: a note, a chord, or a rest where `notes` is empty. Ticks from the bar line."""

    onset: int
    duration: int
    notes: tuple[Note, ...]
    tied_from: bool = False  # goes on from the symbol before
    tied_to: bool = False  # goes on into the next


def measures(part: Part, score: Score) -> list[list[Written]]:
    """The symbols of each bar, in order, filling it exactly; with a pickup, the first and the last bar share one.

    The part is one voice.
    """
    lines, length = grid(score), score.length
    bars: list[list[Written]] = [[] for _ in lines]
    now = score.pickup_onset
    if score.pickup and not any(note.end > length - score.pickup for each in score.parts for note in each.notes):
        length -= score.pickup
    for onset, end, notes in _groups(part, length):
        if onset > now:
            _write(bars, now, onset, (), lines)
        _write(bars, onset, end, notes, lines)
        now = end
    if now < length:
        _write(bars, now, length, (), lines)
    return bars


def _groups(part: Part, length: int) -> Iterator[tuple[int, int, tuple[Note, ...]]]:
    """Notes struck together, with their end; drums are written up to the next stroke within the beat."""
    struck: dict[int, list[Note]] = {}
    for note in part.notes:
        struck.setdefault(note.onset, []).append(note)
    onsets = sorted(struck)
    for onset, following in zip(onsets, [*onsets[1:], length], strict=True):
        end = min(struck[onset][0].end, following)
        if part.drums:
            end = min(following, onset - onset % QUARTER + QUARTER)
        yield onset, end, tuple(struck[onset])


def _write(bars: list[list[Written]], start: int, end: int, notes: tuple[Note, ...], lines: tuple[Bar, ...]) -> None:
    places = list(_pieces(start, end, lines, bool(notes)))
    for i, (bar, onset, duration) in enumerate(places):
        tied = bool(notes)
        bars[bar].append(Written(onset, duration, notes, tied and i > 0, tied and i < len(places) - 1))


def _pieces(start: int, end: int, lines: tuple[Bar, ...], sounding: bool) -> Iterator[tuple[int, int, int]]:
    """Stretches that one symbol each can write: within bars, and not across a hidden beat."""
    index = bar_index(lines, start)
    while start < end:
        bar = lines[index]
        stop = min(end, bar.end)
        for onset, duration in _in_bar(start - bar.onset, stop - bar.onset, bar.meter, sounding):
            yield index, onset, duration
        start, index = stop, index + 1


def _in_bar(start: int, end: int, meter: Meter, sounding: bool) -> Iterator[tuple[int, int]]:
    while start < end:
        duration = end - start
        if duration in NOTATABLE and _readable(start, end, meter, sounding):
            yield start, duration
            return
        cut = _next_cut(start, end, meter)
        if (cut - start) not in NOTATABLE:
            cut = start + max((v for v in NOTATABLE if v < duration and v <= cut - start), default=cut - start)
        yield start, cut - start
        start = cut


def _readable(start: int, end: int, meter: Meter, sounding: bool) -> bool:
    """Whether the reader still sees the beats: a whole bar, from a group on, or a short syncopation."""
    if start == 0 and end == meter.bar:
        return True
    heads = (
        group_onsets(meter) if meter.denominator >= 8 or len(set(meter.grouping)) > 1 or meter.numerator == 4 else ()
    )
    crossed = [h for h in heads if start < h < end]
    if meter.denominator >= 8:
        return not crossed or (start in heads and end in (*heads, meter.bar))
    beat_heads = [onset for onset, _ in beats(meter)]
    if start in beat_heads:
        return not crossed or (start in heads and (end - start) in _SIMPLE)
    inside = [h for h in beat_heads if start < h < end]
    if not sounding:
        return not inside
    return len(inside) <= 1 and not crossed and (end - start) <= 2 * QUARTER


def _next_cut(start: int, end: int, meter: Meter) -> int:
    heads = sorted({*(onset for onset, _ in beats(meter)), *group_onsets(meter), meter.bar})
    later = [h for h in heads if start < h < end]
    groups = [h for h in (*group_onsets(meter), meter.bar) if start < h < end]
    if groups and (groups[0] - start) in NOTATABLE:
        return groups[0]
    return later[0] if later else end
