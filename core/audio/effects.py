"""Sound effects of a style: small, seeded, on the mix before it is mastered. All in place or on the way.

A chain is data in the style's file: room or hall (wet share), lowpass (Hz), saturate, tape, vinyl, chorus, delay
(amounts 0 to 1), width (1: as it is). `sidechain` and `tape`'s wow act on the parts, see adapters.synth.playing.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from core.audio.loudness import Audio
from core.music.chance import seed_of

_SPACES = {"room": (0.5, 5200.0), "hall": (1.7, 4200.0)}  # seconds to −60 dB, Hz above which the walls swallow


def treated(mix: Audio, rate: int, chain: dict[str, float]) -> Audio:
    """The mix with the chain's effects; as it was with an empty one."""
    if not chain:
        return mix
    if "lowpass" in chain:
        sections = signal.butter(2, chain["lowpass"], "lowpass", fs=rate, output="sos").astype(np.float32)
        mix = signal.sosfilt(sections, mix, axis=-1).astype(np.float32, copy=False)
    drive = chain.get("saturate", 0.0) + 0.3 * chain.get("tape", 0.0)
    if drive:
        _saturate(mix, drive)
    if chain.get("chorus"):
        _spread(mix, rate, chain["chorus"])
    if chain.get("delay"):
        _echo(mix, rate, chain["delay"])
    if "width" in chain:
        _widen(mix, chain["width"])
    for name, (seconds, bright) in _SPACES.items():
        if chain.get(name):
            _reverberate(mix, _impulse(name, seconds, bright, rate // 2), chain[name])
    return mix


def aged(mix: Audio, rate: int, chain: dict[str, float], seed: int) -> None:
    """A record's noise, laid over the song once its length is known: it has no end of its own."""
    if chain.get("vinyl"):
        _crackle(mix, rate, chain["vinyl"], seed)


def _saturate(mix: Audio, drive: float) -> None:
    """A soft knee: peaks give way, harmonics come in."""
    peak = max(float(mix.max()), -float(mix.min()), 1e-6)
    amount = np.float32(3.0 * drive / peak)
    bend = np.abs(mix)
    bend *= amount
    bend += np.float32(1.0)
    mix /= bend
    mix *= np.float32(1.0 + 1.5 * drive)


def _widen(mix: Audio, width: float) -> None:
    side = (mix[0] - mix[1]) * np.float32(0.5 * (width - 1))
    mix[0] += side
    mix[1] -= side


def _spread(mix: Audio, rate: int, amount: float) -> None:
    """A double 13 ms late on one side and 21 ms on the other."""
    for channel, late in ((0, 0.013), (1, 0.021)):
        shift = int(late * rate)
        mix[channel, shift:] += np.float32(0.35 * amount) * mix[1 - channel, :-shift].copy()


def _echo(mix: Audio, rate: int, amount: float) -> None:
    """Three repeats 0.32 s apart, each softer."""
    step = int(0.32 * rate)
    dry = mix.copy()
    for turn in (1, 2, 3):
        if turn * step < mix.shape[1]:
            mix[:, turn * step :] += np.float32((0.6 * amount) ** turn) * dry[:, : -turn * step]


@lru_cache(maxsize=4)
def _impulse(name: str, seconds: float, bright: float, rate: int) -> NDArray[np.float32]:
    """A room as decaying noise, different left and right, darker than what goes in."""
    rng = np.random.Generator(np.random.PCG64(seed_of("room", name)))
    size = int(seconds * rate)
    decay = np.exp(-6.9 * np.arange(size) / size)
    noise = rng.standard_normal((2, size)) * decay
    noise[:, : int(0.008 * rate)] = 0  # the first reflection comes 8 ms late
    sections = signal.butter(1, bright, "lowpass", fs=rate, output="sos")
    filtered = signal.sosfilt(sections, noise, axis=-1)
    level: NDArray[np.float64] = np.sqrt(np.square(filtered).sum(axis=1, keepdims=True))
    return np.asarray(filtered / level, dtype=np.float32)


def _reverberate(mix: Audio, impulse: NDArray[np.float32], wet: float) -> None:
    """The middle of the mix, at half the rate, through the room: an eighth of the cost of the whole."""
    even = mix.shape[1] // 2 * 2
    middle = mix[:, :even].reshape(2, -1, 2).sum(axis=(0, 2)) * np.float32(0.25)
    for channel in (0, 1):
        back = signal.oaconvolve(middle, impulse[channel])[: middle.size].astype(np.float32)
        back *= np.float32(wet * 1.8)
        mix[channel, :even:2] += back
        mix[channel, 1:even:2] += back


def _crackle(mix: Audio, rate: int, amount: float, seed: int) -> None:
    """A record's hiss, and a few clicks a second."""
    rng = np.random.Generator(np.random.PCG64(seed_of(seed, "vinyl")))
    level = np.float32(0.02 * amount * max(float(mix.max()), 1e-6))
    hiss = rng.standard_normal((2, 4 * rate)).astype(np.float32) * level * np.float32(0.25)
    length = mix.shape[1]
    for start in range(0, length, 4 * rate):
        piece = mix[:, start : start + 4 * rate]
        piece += hiss[:, : piece.shape[1]]
    click = np.exp(-np.arange(rate // 800) / (rate / 6000)).astype(np.float32)
    for place in rng.integers(0, max(1, length - click.size), int(length / rate * 7)):
        strength = np.float32(rng.uniform(1.0, 7.0)) * level * np.float32(rng.choice((-1, 1)))
        mix[:, place : place + click.size] += click * strength
