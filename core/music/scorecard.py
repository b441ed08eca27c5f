"""The scorecard: where a melody lies among melodies that people wrote.

Bands are the pooled 5th to 95th percentile of Nottingham folk tunes, OpenEWLD lead sheets and POP909.
Everything is computed from a `Tune`, which `core.notation.reading` takes from exported MIDI bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise

SIXTEENTH = 0.25  # quarters


@dataclass(frozen=True, slots=True)
class Tune:
    """`notes`: (onset, duration, MIDI pitch); `chords`: (onset, pitch classes, root first). Times in quarters.

    `bar`: quarters in a bar; `bars`: how many; `tonic` and `minor`: the key; `groups`: quarters at
    which the felt beats of a bar begin.
    """

    notes: tuple[tuple[float, float, int], ...]
    chords: tuple[tuple[float, tuple[int, ...]], ...]
    bar: float
    bars: int
    tonic: int
    minor: bool

    @property
    def intervals(self) -> list[int]:
        return [b[2] - a[2] for a, b in pairwise(self.notes)]

    def in_bar(self, number: int) -> list[tuple[float, float, int]]:
        start = number * self.bar
        return [
            (round(onset - start, 3), duration, midi)
            for onset, duration, midi in self.notes
            if start - 1e-6 <= onset < start + self.bar - 1e-6
        ]

    def chord_at(self, onset: float) -> tuple[int, ...]:
        sounding: tuple[int, ...] = ()
        for start, classes in self.chords:
            if start > onset + 1e-6:
                break
            sounding = classes
        return sounding


# metric -> band of real music (p5–p95)
BANDS: dict[str, tuple[float, float]] = {
    "unison": (0.02, 0.38), "step": (0.28, 0.70), "third": (0.07, 0.37), "leap 5-7": (0.03, 0.19),
    "leap 8-12": (0.0, 0.11), "leap >12": (0.0, 0.01), "leap turned": (0.40, 1.0), "range": (12, 24),
    "notes per beat": (0.59, 1.93), "duration entropy": (0.54, 2.48), "interval entropy": (0.52, 2.40),
    "scale consistency": (0.86, 1.0), "on beat": (0.29, 0.97), "on downbeat": (0.08, 0.37),
    "rhythm repeats": (0.33, 0.81), "bar repeats": (0.08, 0.65), "rhythm entropy": (1.45, 4.65),
    "two-bar repeats": (0.0, 0.67), "bar run": (0, 2), "H1": (0.76, 1.96), "H4": (1.99, 2.66),
    "groove": (0.60, 0.93), "final in tonic": (0.85, 1.0), "final length": (1.03, 8.5),
    "chord tones": (0.54, 0.85), "chord tones strong": (0.52, 1.0), "PCS": (0.37, 0.73), "MCTD": (1.20, 1.47),
}  # fmt: skip

# metric -> (least, most) that every song must keep
GATES: dict[str, tuple[float, float]] = {
    "chord tones strong": (0.5, 1.0), "PCS": (0.35, 9.0), "MCTD": (0.0, 1.5), "bar repeats": (0.06, 1.0),
    "bar run": (0, 2), "leap >12": (0.0, 0.03), "step": (0.25, 1.0), "duration entropy": (0.5, 9.0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """Values by metric, the share that lies in its band, and the gates that do not hold."""

    values: dict[str, float]
    in_band: float
    outside: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return self.in_band >= 0.80 and not self.failed


def measure(tune: Tune) -> Card:
    values = {name: metric(tune) for name, metric in _METRICS.items()}
    outside = tuple(name for name, (low, high) in BANDS.items() if not low - 1e-9 <= values[name] <= high + 1e-9)
    failed = tuple(name for name, (low, high) in GATES.items() if not low - 1e-9 <= values[name] <= high + 1e-9)
    return Card(values, 1 - len(outside) / len(BANDS), outside, failed)


def _share(tune: Tune, low: int, high: int) -> float:
    intervals = tune.intervals
    return sum(low <= abs(i) <= high for i in intervals) / max(1, len(intervals))


def _leap_turned(tune: Tune) -> float:
    leaps = [(a, b) for a, b in pairwise(tune.intervals) if abs(a) >= 5]
    return sum(a * b < 0 for a, b in leaps) / len(leaps) if leaps else 1.0


def _range(tune: Tune) -> float:
    pitches = [n[2] for n in tune.notes]
    return max(pitches) - min(pitches) if pitches else 0


def entropy(counts: Counter[object] | dict[object, float]) -> float:
    """Bits."""
    total = sum(counts.values())
    return -sum(c / total * math.log2(c / total) for c in counts.values() if c) if total else 0.0


def _ioi(tune: Tune) -> Counter[object]:
    return Counter(round((b[0] - a[0]) * 24) for a, b in pairwise(tune.notes))


_SCALES = [
    frozenset((tonic + s) % 12 for s in steps)
    for tonic in range(12)
    for steps in ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11))
]


def _scale_consistency(tune: Tune) -> float:
    counts = Counter(n[2] % 12 for n in tune.notes)
    total = max(1, sum(counts.values()))
    return max(sum(counts[pc] for pc in scale) for scale in _SCALES) / total


def _on_beat(tune: Tune) -> float:
    return sum(abs(n[0] - round(n[0])) < 0.02 for n in tune.notes) / max(1, len(tune.notes))


def _on_downbeat(tune: Tune) -> float:
    return sum(min(n[0] % tune.bar, tune.bar - n[0] % tune.bar) < 0.02 for n in tune.notes) / max(1, len(tune.notes))


def _rhythms(tune: Tune) -> list[tuple[float, ...]]:
    return [tuple(n[0] for n in tune.in_bar(i)) for i in range(tune.bars)]


def _contents(tune: Tune) -> list[tuple[tuple[float, int], ...]]:
    return [tuple((n[0], n[2]) for n in tune.in_bar(i)) for i in range(tune.bars)]


def _seen_before(bars: list[tuple[object, ...]]) -> float:
    seen: set[object] = set()
    repeats = count = 0
    for bar in bars:
        if not bar:
            continue
        count += 1
        repeats += bar in seen
        seen.add(bar)
    return repeats / max(1, count)


def _two_bar_repeats(tune: Tune) -> float:
    bars = _contents(tune)
    covered: set[int] = set()
    first: dict[object, int] = {}
    for i in range(len(bars) - 1):
        pair = (bars[i], bars[i + 1])
        if not bars[i] and not bars[i + 1]:
            continue
        if pair in first and first[pair] + 1 < i:
            covered |= {i, i + 1, first[pair], first[pair] + 1}
        first.setdefault(pair, i)
    return len(covered) / max(1, len(bars))


def _bar_run(tune: Tune) -> float:
    longest = run = 1
    for a, b in pairwise(_contents(tune)):
        run = run + 1 if a == b and a else 1
        longest = max(longest, run)
    return longest


def _pitch_class_entropy(tune: Tune, bars: int) -> float:
    values = []
    for first in range(max(1, tune.bars - bars + 1)):
        counts: Counter[object] = Counter()
        for i in range(first, min(first + bars, tune.bars)):
            counts.update(n[2] % 12 for n in tune.in_bar(i))
        if counts:
            values.append(entropy(counts))
    return sum(values) / max(1, len(values))


def groove_vectors(tune: Tune) -> list[frozenset[int]]:
    return [frozenset(round(n[0] / SIXTEENTH) for n in tune.in_bar(i)) for i in range(tune.bars)]


def _groove(tune: Tune) -> float:
    """1 − Hamming distance of sixteenth onset vectors, over all pairs of bars."""
    vectors = groove_vectors(tune)
    steps = max(1, round(tune.bar / SIXTEENTH))
    pairs = [1 - len(a ^ b) / steps for a, b in combinations(vectors, 2)]
    return sum(pairs) / max(1, len(pairs))


def _final_in_tonic(tune: Tune) -> float:
    triad = {0, 3 if tune.minor else 4, 7}
    return float(bool(tune.notes) and (tune.notes[-1][2] - tune.tonic) % 12 in triad)


def _final_length(tune: Tune) -> float:
    durations = [n[1] for n in tune.notes]
    return durations[-1] / (sum(durations) / len(durations)) if durations else 0.0


def _chord_tones(tune: Tune, strong: bool) -> float:
    hits = count = 0
    for onset, _, midi in tune.notes:
        place = onset % tune.bar
        if strong and not (
            place < 0.02 or (tune.bar == 4 and abs(place - 2) < 0.02) or (tune.bar in (3, 1.5) and place < 0.02)
        ):
            continue
        classes = tune.chord_at(onset)
        if classes:
            count += 1
            hits += midi % 12 in classes
    return hits / max(1, count)


_CONSONANCE = {0: 1, 3: 1, 4: 1, 7: 1, 8: 1, 9: 1, 5: 0}


def _pcs(tune: Tune) -> float:
    """Consonance of each note with the triad: +1 unison, thirds, fifth, sixths, 0 fourth, −1 else."""
    total = weight = 0.0
    for onset, duration, midi in tune.notes:
        triad = tune.chord_at(onset)[:3]
        if triad:
            total += duration * sum(_CONSONANCE.get((midi - pc) % 12, -1) for pc in triad) / len(triad)
            weight += duration
    return total / weight if weight else 0.0


def _centroid(classes: tuple[int, ...]) -> tuple[float, ...]:
    """The 6-dimensional tonal centroid (Harte, Sandler and Gasser 2006)."""
    sums = [0.0] * 6
    for pc in classes:
        for i, (radius, turn) in enumerate(((1.0, 7 / 6), (1.0, 3 / 2), (0.5, 2 / 3))):
            sums[2 * i] += radius * math.sin(pc * turn * math.pi)
            sums[2 * i + 1] += radius * math.cos(pc * turn * math.pi)
    return tuple(s / max(1, len(classes)) for s in sums)


def _mctd(tune: Tune) -> float:
    total = weight = 0.0
    for onset, duration, midi in tune.notes:
        triad = tune.chord_at(onset)[:3]
        if triad:
            total += duration * math.dist(_centroid((midi % 12,)), _centroid(triad))
            weight += duration
    return total / weight if weight else 0.0


_METRICS: dict[str, Callable[[Tune], float]] = {
    "unison": lambda t: _share(t, 0, 0),
    "step": lambda t: _share(t, 1, 2),
    "third": lambda t: _share(t, 3, 4),
    "leap 5-7": lambda t: _share(t, 5, 7),
    "leap 8-12": lambda t: _share(t, 8, 12),
    "leap >12": lambda t: _share(t, 13, 127),
    "leap turned": _leap_turned,
    "range": _range,
    "notes per beat": lambda t: len(t.notes) / max(1.0, t.bar * t.bars),
    "duration entropy": lambda t: entropy(Counter(round(n[1] * 24) for n in t.notes)),
    "interval entropy": lambda t: entropy(_ioi(t)),
    "scale consistency": _scale_consistency,
    "on beat": _on_beat,
    "on downbeat": _on_downbeat,
    "rhythm repeats": lambda t: _seen_before(_rhythms(t)),  # type: ignore[arg-type]
    "bar repeats": lambda t: _seen_before(_contents(t)),  # type: ignore[arg-type]
    "rhythm entropy": lambda t: entropy(Counter(r for r in _rhythms(t) if r)),
    "two-bar repeats": _two_bar_repeats,
    "bar run": _bar_run,
    "H1": lambda t: _pitch_class_entropy(t, 1),
    "H4": lambda t: _pitch_class_entropy(t, 4),
    "groove": _groove,
    "final in tonic": _final_in_tonic,
    "final length": _final_length,
    "chord tones": lambda t: _chord_tones(t, strong=False),
    "chord tones strong": lambda t: _chord_tones(t, strong=True),
    "PCS": _pcs,
    "MCTD": _mctd,
}


def similarity(tune: Tune, lag: int) -> float:
    """Mean Jaccard similarity of bars that lie `lag` apart: sixteenth onset with pitch class."""
    bars = [frozenset((round(n[0] / SIXTEENTH), n[2] % 12) for n in tune.in_bar(i)) for i in range(tune.bars)]
    pairs = [(a, b) for a, b in zip(bars, bars[lag:], strict=False) if a or b]
    return sum(len(a & b) / len(a | b) for a, b in pairs) / len(pairs) if pairs else 0.0
