"""Mastering: parts balanced by role, one gain to the loudness wanted, a sparse limiter under the ceiling."""

from __future__ import annotations

import math

import numpy as np
from scipy import signal
from scipy.ndimage import minimum_filter1d, uniform_filter1d

from core.audio.loudness import SILENCE, Audio, loudness, true_peak

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
_LIMIT = 9.0  # dB the limiter may take from single peaks


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


def mastered(audio: Audio, rate: int, target: float = LOUDNESS) -> Audio:
    """At the target loudness under the ceiling, as near as the limiter's reach allows. Silence stays silence."""
    measured = loudness(audio, rate)
    if measured <= SILENCE + 1:
        return audio
    peak = true_peak(audio)
    gain = min(target - measured, CEILING + _LIMIT - peak)
    audio = audio * np.float32(10 ** (gain / 20))
    if peak + gain <= CEILING:
        return audio
    limited = _limited(audio, rate, CEILING - 0.1)
    for _ in range(3):  # what the limiter took of the loudness is given back, where there is room for it
        short = target - loudness(limited, rate)
        if short < 0.12 or gain + short > CEILING + _LIMIT - peak:
            break
        gain += short
        limited = _limited(limited * np.float32(10 ** (short / 20)), rate, CEILING - 0.1)
    excess = true_peak(limited) - CEILING
    return limited * np.float32(10 ** (-excess / 20)) if excess > 0 else limited


def _limited(audio: Audio, rate: int, ceiling: float) -> Audio:
    """Look-ahead 5 ms, release by smoothing; only the neighbourhood of peaks is touched."""
    limit = 10 ** (ceiling / 20)
    peaks = np.abs(audio).max(axis=0)
    reach = rate // 200
    hot = np.flatnonzero(peaks > limit)
    if hot.size == 0:
        return audio
    out = audio.copy()
    margin = 8 * reach
    starts = np.flatnonzero(np.diff(hot, prepend=-10 * margin) > 2 * margin)
    for first, last in zip(starts, [*(starts[1:] - 1), hot.size - 1], strict=True):
        low, high = max(0, hot[first] - margin), min(peaks.size, hot[last] + margin)
        wanted = np.minimum(1.0, limit / np.maximum(peaks[low:high], 1e-9))
        held = minimum_filter1d(wanted, 2 * reach + 1)
        smooth = uniform_filter1d(held, reach + 1)
        smooth = np.minimum(smooth, minimum_filter1d(wanted, reach // 4 + 1))
        out[:, low:high] *= smooth.astype(np.float32)
    return out
