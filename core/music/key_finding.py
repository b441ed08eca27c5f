"""Finds the key of a melody that does not name it."""

from __future__ import annotations

from collections.abc import Iterable

from core.music import pitch
from core.music.keys import Key, writable
from core.music.score import Note

# Temperley's revised Krumhansl profiles (What's Key for Key?, 1999), from the tonic up.
_MAJOR = (5.0, 2.0, 3.5, 2.0, 4.5, 4.0, 2.0, 4.5, 2.0, 3.5, 1.5, 4.0)
_MINOR = (5.0, 2.0, 3.5, 4.5, 2.0, 4.0, 2.0, 4.5, 3.5, 2.0, 1.5, 4.0)
_FINAL = 0.15  # what the last note adds to the keys it is the tonic of


def found_key(notes: Iterable[Note]) -> Key:
    """The likeliest major or minor key, by how long each pitch class sounds and by the last note."""
    weights = [0.0] * 12
    last: Note | None = None
    for note in notes:
        weights[note.pitch % 12] += note.duration
        last = note if last is None or (note.end, -note.pitch) > (last.end, -last.pitch) else last
    if last is None:
        return Key(0, "major")
    keys = [(_fit(weights, tonic, profile, last), tonic, mode) for tonic in range(12)
            for mode, profile in (("major", _MAJOR), ("minor", _MINOR))]  # fmt: skip
    _, tonic, mode = max(keys)
    return writable(Key(pitch.spell(tonic, 1 if mode == "major" else 4), mode))


def _fit(weights: list[float], tonic: int, profile: tuple[float, ...], last: Note) -> float:
    """The correlation of weights and profile; plus a share for a final tonic."""
    mean_w, mean_p = sum(weights) / 12, sum(profile) / 12
    pairs = [(weights[(tonic + i) % 12] - mean_w, profile[i] - mean_p) for i in range(12)]
    spread = (sum(w * w for w, _ in pairs) * sum(p * p for _, p in pairs)) ** 0.5
    return (sum(w * p for w, p in pairs) / spread if spread else 0.0) + _FINAL * (last.pitch % 12 == tonic)
