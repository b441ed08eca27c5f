"""A tune from exported MIDI bytes: the melody straightened, the chords re-read from the chord track."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import mido

from core.music.scorecard import Tune

_TEMPLATES: tuple[tuple[int, ...], ...] = ((0, 4, 7), (0, 3, 7), (0, 3, 6), (0, 4, 8), (0, 5, 7), (0, 2, 7))
_GRID = 24  # places in a quarter
_KEY_TONICS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}

Sounding = list[tuple[float, float, int]]  # onset, duration (quarters), pitch


def sounding(track: mido.MidiTrack, ticks: int) -> Sounding:
    """The notes of a track, in quarters."""
    now = 0
    open_: dict[int, list[int]] = {}
    notes: Sounding = []
    for message in track:
        now += message.time
        if message.type == "note_on" and message.velocity:
            open_.setdefault(message.note, []).append(now)
        elif message.type in ("note_off", "note_on") and open_.get(message.note):
            start = open_[message.note].pop(0)
            notes.append((start / ticks, (now - start) / ticks, message.note))
    return sorted(notes)


def tune_of(midi: bytes, melody: int = 1, chords: Sequence[int] = ()) -> Tune:
    """The tune of a MIDI file: the melody in track `melody`, the chords from tracks `chords`."""
    file = mido.MidiFile(file=BytesIO(midi))
    ticks = file.ticks_per_beat
    numerator, denominator, key, named = 4, 4, "C", ""
    for message in file.tracks[0]:
        if message.type == "time_signature":
            numerator, denominator = message.numerator, message.denominator
        elif message.type == "key_signature" and not named:
            key = message.key
        elif message.type == "text" and message.text.startswith("K:"):
            key = named = message.text[2:]
    bar = numerator * 4 / denominator
    notes = straightened(sounding(file.tracks[melody], ticks))
    length = max(sum(message.time for message in track) for track in file.tracks) / ticks
    accompaniment = sorted(n for t in chords for n in sounding(file.tracks[t], ticks))
    bars = max(1, round(length / bar))
    tonic = (_KEY_TONICS[key[0]] + key[:2].count("#") - key[1:2].count("b")) % 12
    minor = _minor(key)
    scale = frozenset((tonic + step) % 12 for step in ((0, 2, 3, 5, 7, 8, 10) if minor else (0, 2, 4, 5, 7, 9, 11)))
    return Tune(tuple(notes), heard_chords(accompaniment, bar, bars, scale), bar, bars, tonic, minor)


def _minor(key: str) -> bool:
    """Whether a key written as ABC writes it has a minor third."""
    return key[1:].lstrip("#b").startswith(("m", "dor", "phr", "loc")) and not key.endswith("mix")


def straightened(notes: Sounding) -> Sounding:
    """Notes with the swing taken out: the ratio and unit under which most onsets fall on sixteenths."""
    best = min(
        ((unit, swing / 100) for unit in (0.5, 0.25) for swing in range(50, 69)),
        key=lambda way: (round(sum(_error(_unswung(n[0], *way)) for n in notes), 3), way[1]),
    )
    result = []
    for onset, duration, midi in notes:
        start, end = (_gridded(_unswung(t, *best)) for t in (onset, onset + duration))
        result.append((start, max(1 / _GRID, end - start), midi))
    return result


def _unswung(onset: float, unit: float, swing: float) -> float:
    pair = 2 * unit
    start, inside = onset - onset % pair, onset % pair
    turn = pair * swing
    if inside <= turn:
        return start + inside / turn * unit
    return start + unit + (inside - turn) / (pair - turn) * unit


def _error(onset: float) -> float:
    return min(abs(onset * 4 - round(onset * 4)), abs(onset * 3 - round(onset * 3)) + 0.05)


def _gridded(onset: float) -> float:
    return round(onset * _GRID) / _GRID


def heard_chords(
    notes: Sounding, bar: float, bars: int, scale: frozenset[int] = frozenset()
) -> tuple[tuple[float, tuple[int, ...]], ...]:
    """A triad for each half bar (each bar, where a bar has no half), by what sounds longest.

    A third that nobody plays (power chords) is heard as the one of the `scale`.
    """
    step = bar / 2 if bar in (2, 4, 6) else bar
    found: list[tuple[float, tuple[int, ...]]] = []
    for i in range(round(bars * bar / step)):
        start, end = i * step, (i + 1) * step
        weight: dict[int, float] = {}
        lowest: dict[int, int] = {}
        for onset, duration, midi in notes:
            overlap = min(end, onset + duration) - max(start, onset)
            if overlap > 0.05:
                weight[midi % 12] = weight.get(midi % 12, 0) + min(overlap, step)
                lowest[midi % 12] = min(midi, lowest.get(midi % 12, 127))
        if weight:
            found.append((start, _best_triad(weight, min(lowest, key=lambda pc: lowest[pc]), scale)))
    return tuple(found)


def _best_triad(weight: dict[int, float], bass: int, scale: frozenset[int]) -> tuple[int, ...]:
    """The triad that explains most of what sounds; the bass counts for its root."""
    total = sum(weight.values())

    def score(root: int, template: tuple[int, ...], rank: int) -> float:
        inside = sum(weight.get((root + t) % 12, 0) for t in template)
        missing = sum(1 for t in template if (root + t) % 12 not in weight)
        foreign = sum((root + t) % 12 not in scale for t in template) if scale else 0
        return inside / total - 0.03 * foreign - 0.25 * missing + (0.2 if root == bass else 0) - 0.02 * rank

    options = [(score(r, t, i), r, t) for r in range(12) for i, t in enumerate(_TEMPLATES)]
    _, root, template = max(options, key=lambda o: (o[0], -o[1]))
    triad = tuple((root + t) % 12 for t in template)
    extra = tuple(pc for pc in weight if pc not in triad and weight[pc] > 0.2 * total)
    return triad + extra
