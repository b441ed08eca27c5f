"""Chords for a tune that has none: the triads of its key that carry it best, a bar at a time."""

from __future__ import annotations

from dataclasses import replace

from core.music.chords import Chord
from core.music.grid import Bar, grid
from core.music.keys import Key
from core.music.meter import weight
from core.music.score import ChordSpan, Score

_NUMERALS = {False: (0, 3, 4, 5, 1, 2), True: (0, 3, 4, 5, 6, 2)}  # degrees, the usual ones first
# How well a degree's chord follows another's: root moves by fourths and to the tonic are the strongest.
_MOVES = {0: 0.1, 3: 0.35, 4: 0.3, 5: 0.15, 1: 0.15, 2: 0.05, 6: 0.1}


def harmonised(score: Score) -> Score:
    """The score with a chord for each bar; as it is where it has chords already, or no notes."""
    bars = grid(score)
    notes = [note for part in score.parts if not part.drums for note in part.notes]
    if score.chords or not notes:
        return score
    heard: list[dict[int, float]] = [{} for _ in bars]
    place = 0
    for note in sorted(notes):
        while bars[place].end <= note.onset:
            place += 1
        bar = bars[place]
        strong = 1.0 + 0.25 * weight(bar.meter, note.onset - bar.onset)
        sounding = min(note.end, bar.end) - note.onset
        heard[place][note.pitch % 12] = heard[place].get(note.pitch % 12, 0.0) + strong * sounding / bar.length
    chords = _path(heard, [score.key_at(bar.onset) for bar in bars])
    return replace(score, chords=_joined(bars, chords))


def _triads(key: Key) -> list[tuple[int, Chord]]:
    """(degree, chord) that the key offers; its dominant is major, whatever the mode."""
    scale, found = key.harmony, []
    for degree in _NUMERALS[key.minor]:
        root, third, fifth = (scale[(degree + step) % 7] for step in (0, 2, 4))
        shape = (third - root, fifth - root)
        quality = {(4, 1): "maj", (-3, 1): "min", (-3, -6): "dim", (4, 8): "aug"}.get(shape, "maj")
        if degree == 4 and quality == "min" and key.mode in ("minor", "harmonic minor", "melodic minor"):
            quality = "maj"
        if quality in ("maj", "min"):
            found.append((degree, Chord(root, quality)))
    return found


def _path(heard: list[dict[int, float]], keys: list[Key]) -> list[Chord]:
    """The best way through the bars, by what each chord covers and how it follows the one before (Viterbi)."""
    best: list[tuple[float, list[Chord], int]] = [(0.0, [], 0)]
    last = len(heard) - 1
    for i, (weights, key) in enumerate(zip(heard, keys, strict=True)):
        total = sum(weights.values()) or 1.0
        options = []
        for rank, (degree, chord) in enumerate(_triads(key)):
            inside = sum(weights.get(pc, 0.0) for pc in chord.pitch_classes) / total
            home = 0.4 if degree == 0 and i in (0, last) else 0.0
            fit = 2.0 * inside + home - 0.06 * rank + 0.1 * (weights.get(chord.pitch_classes[0], 0.0) > 0)
            options.append(
                max(
                    ((score + fit + _MOVES[(degree - before) % 7], way, degree) for score, way, before in best),
                    key=lambda option: option[0],
                )
            )
            options[-1] = (options[-1][0], [*options[-1][1], chord], degree)
        best = options
    return max(best, key=lambda option: option[0])[1]


def _joined(bars: tuple[Bar, ...], chords: list[Chord]) -> tuple[ChordSpan, ...]:
    spans: list[ChordSpan] = []
    for bar, chord in zip(bars, chords, strict=True):
        if spans and spans[-1].chord == chord:
            spans[-1] = replace(spans[-1], duration=spans[-1].duration + bar.length)
        else:
            spans.append(ChordSpan(bar.onset, bar.length, chord))
    return tuple(spans)
