"""From played time to notated time: each beat takes the simplest grid that its onsets lie near."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from core.music.meter import QUARTER

# Notes in a quarter -> what choosing that grid costs, in quarters of error: plain ones come first.
_GRIDS = {1: 0.0, 2: 0.012, 4: 0.03, 3: 0.045, 6: 0.075, 8: 0.07}
_FUSED = 0.06  # what it costs that two onsets which lie apart fall on one place
# Grids that a program writes exactly: 48, 36, 28 and 20 places in a quarter.
_EXACT = (QUARTER // 48, QUARTER // 36, QUARTER // 28, QUARTER // 20)
_SLACK = 2.5  # ticks that rounding may have moved an exact time by


class Grid:
    """How the times of a piece are straightened; made from all its onsets (ticks, any fraction)."""

    def __init__(self, onsets: Iterable[float], ends: Iterable[float]) -> None:
        onsets = list(onsets)
        self.exact = all(_exact(onset) is not None for onset in onsets)
        self.exact_ends = self.exact and all(_exact(end) is not None for end in ends)
        beats: defaultdict[int, list[float]] = defaultdict(list)
        for onset in onsets if not self.exact else ():
            beat = int((onset + QUARTER / 16) // QUARTER)
            beats[beat].append((onset - beat * QUARTER) / QUARTER)
        self._grids = {beat: _grid(places) for beat, places in beats.items()}

    def onset(self, tick: float) -> int:
        exact = _exact(tick) if self.exact else None
        return self._snapped(tick) if exact is None else exact

    def end(self, tick: float, onset: int, following: int | None) -> int:
        """The end of a note that begins at `onset` (straightened), before the next one of its line begins.

        A player lets go a little early: the note is written up to the next one where little is missing.
        """
        exact = _exact(tick) if self.exact_ends else None
        if exact is not None:
            overlaps = following is not None and following < exact <= following + QUARTER // 8
            return following if overlaps and following else max(exact, onset + 1)
        end = self._snapped(tick)
        if end <= onset:
            end = onset + QUARTER // self._grids.get(onset // QUARTER, 4)
        if following is not None and (
            end > following or following - end <= min(QUARTER // 2, (following - onset) // 2)
        ):
            return following
        return end

    def _snapped(self, tick: float) -> int:
        beat = int((tick + QUARTER / 16) // QUARTER)
        size = QUARTER // self._grids.get(beat, 4)
        return max(0, beat * QUARTER + round((tick - beat * QUARTER) / size) * size)


def _exact(tick: float) -> int | None:
    for size in _EXACT:
        nearest = round(tick / size) * size
        if abs(nearest - tick) <= _SLACK:
            return nearest
    return None


def _grid(places: list[float]) -> int:
    """Notes in a quarter. `places`: where in the beat its onsets lie, -1/16 to 15/16."""

    apart = [(a, b) for a, b in pairwise(sorted(places)) if b - a > 1 / 16]

    def cost(count: int) -> float:
        error = sum(abs(place * count - round(place * count)) / count for place in places) / len(places)
        fused = sum(round(a * count) == round(b * count) for a, b in apart)
        return error + _GRIDS[count] + fused * _FUSED

    return min(_GRIDS, key=cost)
