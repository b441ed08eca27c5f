"""Draws a line of pitches: a second-order forward filter with backward sampling.

All weights are whole numbers, so that every machine draws the same line from the same seed. Scores
are in 1/64 of a natural logarithm.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNIT = 64  # scores: 64 = one natural logarithm
_FLOOR, _CEILING = -900, 500
_WEIGHT = np.array([max(1, round(math.exp(s / UNIT) * 1024)) for s in range(_FLOOR, _CEILING + 1)], dtype=np.int64)
_SCALE = 1 << 20
FORBIDDEN = -4000

Scores = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of a line of n notes over K candidate pitches.

    single: (n, K) score of each pitch at each note. pair: (K, K) score of going from one to another.
    triple: (K, K, K) score of three in a row. steps: (n, K, K) score of each move into a note, or None.
    """

    single: Scores
    pair: Scores
    triple: Scores
    steps: dict[int, Scores]


def _weights(scores: Scores) -> Scores:
    clipped = np.clip(scores, _FLOOR, _CEILING)
    weights: Scores = _WEIGHT[clipped - _FLOOR]
    return np.where(scores <= FORBIDDEN // 2, 0, weights)


def _normalised(alpha: Scores) -> Scores:
    top = int(alpha.max())
    return alpha * _SCALE // top if top > 0 else alpha


def sample(line: Line, before: tuple[int | None, int | None], rng: random.Random) -> list[int]:
    """Indices of the drawn pitches. `before`: indices of the two notes that came before, if any."""
    count, size = line.single.shape
    if count == 0:
        return []
    last, first = before[1], before[0]
    start = line.single[0].copy()
    if last is not None:
        start = start + line.pair[last] + (line.triple[first, last] if first is not None else 0)
        if 0 in line.steps:
            start = start + line.steps[0][last]
    alphas: list[Scores] = []
    # alpha[q, r]: weight of all lines that end with q, r; before the second note q is the note before, or nothing
    head = np.zeros((size, size), dtype=np.int64)
    head[last if last is not None else 0] = _weights(start)
    alphas.append(_normalised(head))
    for k in range(1, count):
        move = line.pair + line.single[k][None, :]
        if k in line.steps:
            move = move + line.steps[k]
        known = k > 1 or last is not None
        scores = (line.triple if known else 0) + move[None, :, :]
        weights = _weights(np.broadcast_to(scores, (size, size, size)))
        alphas.append(_normalised((alphas[-1][:, :, None] * weights).sum(axis=0) // 1024))
    return _drawn_back(line, alphas, last, rng)


def _drawn_back(line: Line, alphas: list[Scores], last: int | None, rng: random.Random) -> list[int]:
    count, size = line.single.shape
    q, r = divmod(_ticket(alphas[-1].ravel(), rng), size)
    chosen = [r]
    for k in range(count - 1, 0, -1):
        chosen.append(q)
        if k == 1:
            break
        move = line.pair[q, r] + line.single[k][r] + (line.steps[k][q, r] if k in line.steps else 0)
        known = k > 1 or last is not None
        weights = _weights((line.triple[:, q, r] if known else np.zeros(size, dtype=np.int64)) + move)
        column = alphas[k - 1][:, q] * weights
        q, r = _ticket(column, rng), q
    return list(reversed(chosen))


def _ticket(weights: Scores, rng: random.Random) -> int:
    total = int(weights.sum())
    if total <= 0:
        return int(weights.argmax())
    ticket = rng.randrange(total)
    return int(np.searchsorted(np.cumsum(weights), ticket, side="right"))
