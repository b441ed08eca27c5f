"""Mastering: parts balanced by role, one gain to the loudness wanted, a sparse limiter under the ceiling."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import signal
from scipy.ndimage import minimum_filter1d, uniform_filter1d

from core.audio.loudness import SILENCE, Audio, hop_powers, integrated, true_peak

Powers = NDArray[np.float64]

LOUDNESS = -14.0  # LUFS
CEILING = -1.0  # dBTP
# Where a role lies against the mix, in LU; lower voices are felt more than heard.
_TARGETS = {"melody": -3.0, "counter": -6.5, "harmony": -8.0, "bass": -6.5, "drums": -8.0, "chords": -9.0, "pad": -11.0}
_PANS = {
    "melody": 0.0,
    "counter": 0.3,
    "harmony": -0.3,
    "chords": -0.18,
    "pad": 0.2,
    "bass": 0.0,
    "drums": 0.0,
}
_MOST_UP, _MOST_DOWN = 12.0, -15.0
_LIMIT = 12.0  # dB the limiter may take from single peaks


def role_gain(role: str, measured: float) -> float:
    """Decibels that bring a part of that loudness to its role's place."""
    if measured <= SILENCE + 1:
        return 0.0
    wanted = _TARGETS.get(role, -8.0) - 18.0 - measured
    return min(_MOST_UP, max(_MOST_DOWN, wanted))


def pan_of(role: str, place: int) -> tuple[float, float]:
    """Left and right gain of a light pan; further parts of one role go to the other side."""
    pan = _PANS.get(role, 0.2) * (-1 if place % 2 else 1)
    return math.sqrt((1 - pan) / 2) * math.sqrt(2), math.sqrt((1 + pan) / 2) * math.sqrt(2)


def high_passed(audio: Audio, rate: int) -> Audio:
    """Without what lies under 24 Hz: pads carry DC."""
    sections = signal.butter(2, 24, "highpass", fs=rate, output="sos").astype(np.float32)
    filtered: Audio = signal.sosfilt(sections, audio, axis=-1).astype(np.float32, copy=False)
    return filtered


@dataclass(frozen=True, slots=True)
class Patch:
    """A stretch that the limiter changed: first and last sample, and what stands there now."""

    low: int
    high: int
    audio: Audio


def master(audio: Audio, rate: int, target: float = LOUDNESS) -> None:
    """Brings audio, in place, to the target loudness under the ceiling, as near as the limiter's reach allows.

    Silence stays silence. In place, as fresh copies of a song cost more than all the arithmetic.
    """
    powers = hop_powers(audio, rate)
    measured = integrated(powers)
    if measured <= SILENCE + 1:
        return
    peak = 20 * math.log10(_sample_peak(audio))
    most = CEILING + _LIMIT - peak
    gain = min(target - measured, most)
    audio *= np.float32(10 ** (gain / 20))
    if peak + gain <= CEILING - 1.5:  # the wave between samples passes them by less
        return
    for _ in range(6):
        patches = _limited(audio, rate, CEILING - 0.1)
        short = target - integrated(_repowered(powers * 10 ** (gain / 10), audio, patches, rate))
        short = min(short * 1.25, most - gain)  # a little more than asked: the limiter takes its share of that too
        if short < 0.12:
            break
        gain += short  # what the limiter took is given back, where there is room for it
        audio *= np.float32(10 ** (short / 20))
    for patch in patches:
        audio[:, patch.low : patch.high] = patch.audio
    excess = true_peak(audio) - CEILING
    if excess > 0:
        audio *= np.float32(10 ** (-excess / 20))


def _sample_peak(audio: Audio) -> float:
    return max(float(audio.max()), -float(audio.min()))


def _repowered(powers: Powers, audio: Audio, patches: list[Patch], rate: int) -> Powers:
    """Hop powers brought up to date where the limiter was at work, the filter run in from 100 ms before."""
    hop = rate // 10
    powers = powers.copy()
    for patch in patches:
        first, last = max(0, patch.low // hop - 1), min(powers.size, patch.high // hop + 1)
        piece = audio[:, first * hop : last * hop].copy()
        start = patch.low - first * hop
        room = piece[:, start : start + patch.audio.shape[1]]
        room[:] = patch.audio[:, : room.shape[1]]
        fresh = hop_powers(piece, rate)
        powers[first + 1 : last] = fresh[1 : last - first]
    return powers


def _limited(audio: Audio, rate: int, ceiling: float) -> list[Patch]:
    """Look-ahead 5 ms, release by smoothing; only the neighbourhood of peaks is touched."""
    limit = 10 ** (ceiling / 20)
    reach = rate // 200
    hot = np.flatnonzero(np.maximum(audio.max(axis=0), -audio.min(axis=0)) > 0.9 * limit)
    if hot.size == 0:  # between two samples just below, the wave may pass the limit
        return []
    margin = 8 * reach
    starts = np.flatnonzero(np.diff(hot, prepend=-10 * margin) > 2 * margin)
    patches = []
    for first, last in zip(starts, [*(starts[1:] - 1), hot.size - 1], strict=True):
        low, high = max(0, int(hot[first]) - margin), min(audio.shape[1], int(hot[last]) + margin)
        finer = np.abs(signal.resample_poly(audio[:, low:high], 4, 1, axis=1)).max(axis=0)
        wanted = np.minimum(1.0, limit / np.maximum(finer.reshape(-1, 4).max(axis=1), 1e-9))
        held = minimum_filter1d(wanted, 2 * reach + 1)
        smooth = uniform_filter1d(held, reach + 1)
        smooth = np.minimum(smooth, minimum_filter1d(wanted, reach // 4 + 1))
        patches.append(Patch(low, high, audio[:, low:high] * smooth.astype(np.float32)))
    return patches
