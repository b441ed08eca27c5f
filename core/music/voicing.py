"""Voicing: which notes of a chord sound where, chosen over the whole song for the least motion."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise, product

from core.music import pitch
from core.music.chords import Chord
from core.music.score import ChordSpan

LOW, HIGH = 48, 76  # the span of the chords' hand (MIDI)
_KEEP = 18  # candidates kept for each chord, the best by themselves

Voicing = tuple[int, ...]  # MIDI pitches, rising


def voiced(
    chords: tuple[ChordSpan, ...], bass: bool, low: int = LOW, high: int = HIGH, voices: int = 4
) -> tuple[Voicing, ...]:
    """A voicing for each chord: dynamic programming over closed, open and rootless positions.

    With a bass, chords of four notes and more may leave out the root. Parallel fifths and octaves,
    leaps and lost common tones cost; the sum over the song is least.
    """
    if not chords:
        return ()
    options = [candidates(span.chord, bass, low, high, voices) for span in chords]
    costs = [float(shape_cost(v, low, high)) for v in options[0]]
    back: list[list[int]] = []
    for here, there in pairwise(options):
        chosen, following = [], []
        for voicing in there:
            reached = [cost + motion_cost(before, voicing) for cost, before in zip(costs, here, strict=True)]
            best = min(range(len(reached)), key=reached.__getitem__)
            chosen.append(best)
            following.append(reached[best] + shape_cost(voicing, low, high))
        back.append(chosen)
        costs = following
    place = min(range(len(costs)), key=costs.__getitem__)
    path = [options[-1][place]]
    for chosen, here in zip(reversed(back), reversed(options[:-1]), strict=True):
        place = chosen[place]
        path.append(here[place])
    return tuple(reversed(path))


@lru_cache(maxsize=2048)
def candidates(chord: Chord, bass: bool, low: int, high: int, voices: int) -> tuple[Voicing, ...]:
    """Positions of a chord within the span, the most even ones first."""
    classes = _classes(chord, bass, voices)
    places = [[p for p in range(low, high + 1) if p % 12 == pc] for pc in classes]
    found = {tuple(sorted(v)) for v in product(*places) if len(set(v)) == len(v)}
    usable = [v for v in found if v[-1] - v[0] <= 19 and all(b - a <= 12 for a, b in pairwise(v))]
    usable = usable or sorted(found) or [tuple(sorted(pitch.nearest(pc, (low + high) // 2) for pc in classes))]
    return tuple(sorted(usable, key=lambda v: (shape_cost(v, low, high), v))[:_KEEP])


def _classes(chord: Chord, bass: bool, voices: int) -> tuple[int, ...]:
    """Which tones the hand plays: guide tones first, the root left to the bass where there is one."""
    tones = [pitch.pitch_class(tpc) for tpc in chord.tones]
    if len(tones) > 3 and bass:
        tones = tones[1:] if len(tones) > 4 else [tones[0], *tones[1:]]
    if len(tones) > voices:
        fifth = pitch.pitch_class(chord.root + 1)
        tones = [t for t in tones if t != fifth][:voices] if fifth in tones else tones[:voices]
    return tuple(dict.fromkeys(tones))


@lru_cache(maxsize=8192)
def shape_cost(voicing: Voicing, low: int, high: int) -> int:
    """Muddy seconds low down, wide gaps and an off-centre hand cost."""
    centre = (low + high) / 2 + 1
    cost = int(abs(sum(voicing) / len(voicing) - centre) * 1.5)
    for lower, upper in pairwise(voicing):
        gap = upper - lower
        cost += 6 if gap < 3 and lower < 53 else 2 if gap == 1 else 0
        cost += max(0, gap - 7)
    return cost


@lru_cache(maxsize=32768)
def motion_cost(before: Voicing, after: Voicing) -> int:
    if before == after:
        return 0
    moves = [min(abs(a - b) for b in before) for a in after]
    cost = 2 * sum(moves) + 2 * abs(after[-1] - before[-1])
    return cost + 40 * parallels(before, after)


def parallels(before: Voicing, after: Voicing) -> int:
    """Pairs of voices that move in the same direction between perfect fifths, or between octaves."""
    if len(before) != len(after):
        return 0
    count = 0
    for i, j in combinations(range(len(before)), 2):
        interval = (before[j] - before[i]) % 12
        moved = after[i] != before[i] and (after[i] - before[i]) * (after[j] - before[j]) > 0
        if moved and interval in (0, 7) and (after[j] - after[i]) % 12 == interval:
            count += 1
    return count
