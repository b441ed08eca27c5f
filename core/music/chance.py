"""Seeded chance. The same seed and purpose give the same choices on every machine."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def seed_of(*words: object) -> int:
    """A 53-bit number made from words: what a sentence's seed is derived with."""
    digest = hashlib.sha256("\x1f".join(map(str, words)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11


def generator(seed: int, *purpose: object) -> random.Random:
    """A generator of its own for each purpose, so that one part's choices do not move another's."""
    return random.Random(seed_of(seed, *purpose))


def weighted(rng: random.Random, items: Sequence[T], weights: Sequence[float]) -> T:
    """One item, drawn by weights that are rounded to whole numbers first."""
    whole = [max(0, round(weight * 4096)) for weight in weights]
    ticket = rng.randrange(max(1, sum(whole)))
    for item, weight in zip(items, whole, strict=True):
        ticket -= weight
        if ticket < 0:
            return item
    return items[-1]


def chance(rng: random.Random, probability: float) -> bool:
    return rng.randrange(4096) < round(probability * 4096)


def shuffled(rng: random.Random, items: Sequence[T]) -> list[T]:
    """A new order, by sorting on drawn numbers."""
    return [item for _, _, item in sorted((rng.getrandbits(48), i, item) for i, item in enumerate(items))]
