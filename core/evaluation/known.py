"""Known tunes, as hashes of 16 (interval, duration) pairs in a row: nothing of ours may repeat one."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

LENGTH = 16
_BYTES = 5


def hashes(notes: Sequence[tuple[int, Fraction | float]]) -> list[int]:
    """One for each run of 16 pairs; `notes` as (pitch, quarters). The key does not count, nor the last duration."""
    pairs = [(b[0] - a[0], round(float(a[1]) * 24)) for a, b in pairwise(notes)]
    found = []
    for start in range(len(pairs) - LENGTH + 1):
        run = pairs[start : start + LENGTH]
        if len(set(run)) > 3:  # a run of one repeated figure is nobody's
            digest = hashlib.blake2b(repr(run).encode(), digest_size=_BYTES).digest()
            found.append(int.from_bytes(digest, "big"))
    return found


def packed(found: Iterable[int]) -> bytes:
    """Sorted differences, compressed."""
    ordered = np.array(sorted(found), dtype=np.uint64)
    steps = np.diff(ordered, prepend=np.uint64(0)).astype(np.uint32)
    return lzma.compress(steps.tobytes(), preset=6)


def unpacked(data: bytes) -> frozenset[int]:
    steps = np.frombuffer(lzma.decompress(data), dtype=np.uint32).astype(np.uint64)
    return frozenset(np.cumsum(steps, dtype=np.uint64).tolist())
