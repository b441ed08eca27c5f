"""Plays a score: stems balanced by role, mixed and mastered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.synth.fluid import BEND, BLOCK, RATE, Event, Fluid
from core.audio.effects import aged, treated
from core.audio.loudness import Audio, rough_loudness
from core.audio.mastering import high_passed, master, pan_of, role_gain
from core.music.feel import Played, perform
from core.music.score import Part, Score

_STRETCH = 120 * RATE  # samples rendered at a time: a long song needs no more memory than a short one
_TAIL = 6 * RATE
_QUIET = 10 ** (-66 / 20)
_FADE = RATE // 20
_KICK = 36  # General MIDI bass drum
_DUCKED = frozenset({"chords", "pad", "bass", "harmony"})

Stems = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Recording:
    """`mix`: (2, samples), mastered. `stems`: the parts alone as they lie in the mix, if asked for."""

    mix: Audio
    stems: dict[str, Audio]
    seconds: float


def play(
    score: Score, fluid: Fluid, stems: bool = False, told: Callable[[float], None] = lambda share: None
) -> Recording:
    """Renders the song; `told` hears the share done, 0 to 1."""
    performed = perform(score)
    if not performed:
        return Recording(np.zeros((2, RATE), dtype=np.float32), {}, 1.0)
    chain = dict(score.chain) if score.effects else {}
    events = _events(performed, score, chain.get("tape", 0.0))
    length = round(score.seconds * RATE)
    ducks = _ducks(performed, score, length + _TAIL, chain.get("sidechain", 0.0))
    mix, kept = _mixed([part for part, _ in performed], events, length, fluid, stems, told, ducks)
    mix = _trimmed(treated(mix, RATE, chain), length)
    aged(mix, RATE, chain, score.seed)
    out = high_passed(mix, RATE)
    master(out, RATE)
    _faded(out)
    return Recording(out, {name: stem[:, : out.shape[1]] for name, stem in kept.items()}, out.shape[1] / RATE)


def _events(performed: tuple[tuple[Part, tuple[Played, ...]], ...], score: Score, wow: float) -> list[Event]:
    """Note offs before note ons where they meet. `wow`: how far a worn tape bends the pitch."""
    events: list[Event] = []
    for channel, (_, notes) in enumerate(performed):
        for note in notes:
            on = max(0.0, score.seconds_at(note.onset) + note.late)
            off = max(on + 0.02, score.seconds_at(note.onset + note.duration) + note.late - 0.004)
            events.append((round(on * RATE), channel, note.pitch, note.velocity))
            events.append((round(off * RATE), channel, note.pitch, 0))
    if wow:
        events += _wow(performed, events[-1][0], wow)
    return sorted(events, key=lambda e: (e[0], e[3]))


def _wow(performed: tuple[tuple[Part, tuple[Played, ...]], ...], end: int, amount: float) -> list[Event]:
    """Pitch bends ten times a second: a slow sway with a quicker one on it, at most about 12 cents."""
    bends = []
    for place in range(0, end, RATE // 10):
        t = place / RATE
        cents = 12 * amount * (0.7 * math.sin(2 * math.pi * 0.55 * t) + 0.3 * math.sin(2 * math.pi * 3.1 * t))
        bends += [
            (place, channel, BEND, round(8192 + cents / 200 * 8192))
            for channel, (part, _) in enumerate(performed)
            if not part.drums
        ]
    return bends


def _ducks(
    performed: tuple[tuple[Part, tuple[Played, ...]], ...], score: Score, length: int, amount: float
) -> Audio | None:
    """A side chain: the gain by which chords, pads and bass make way for each kick. None without."""
    drums = next((notes for part, notes in performed if part.drums), ())
    kicks = [round(score.seconds_at(n.onset) * RATE) for n in drums if n.pitch == _KICK]
    if not amount or not kicks:
        return None
    gain = np.ones(length, dtype=np.float32)
    shape = (1 - amount * np.exp(-np.arange(RATE // 4) / (RATE * 0.07))).astype(np.float32)
    for place in kicks:
        piece = gain[place : place + shape.size]
        np.minimum(piece, shape[: piece.size], out=piece)
    return gain


def _mixed(
    parts: list[Part],
    events: list[Event],
    length: int,
    fluid: Fluid,
    stems: bool,
    told: Callable[[float], None],
    ducks: Audio | None,
) -> tuple[Audio, dict[str, Audio]]:
    gains: list[tuple[float, float]] | None = None
    mixed: list[Audio] = []
    alone: dict[str, list[Audio]] = {part.name: [] for part in parts} if stems else {}
    total = length + _TAIL
    with fluid.synth([(part.program, part.drums) for part in parts]) as synth:
        at = place = 0
        while at < total:
            count = min(_STRETCH, -(-(total - at) // BLOCK) * BLOCK)
            first = place
            while place < len(events) and events[place][0] < at + count:
                place += 1
            begun = at
            piece = synth.render(events[first:place], at, count, lambda done: told((begun + done) / total))  # noqa: B023
            if ducks is not None:
                for part, stem in zip(parts, piece, strict=True):
                    if part.role in _DUCKED:
                        stem[:, : ducks.size - at] *= ducks[at : at + count]
            if gains is None:
                gains = [_gain(part, stem, i) for i, (part, stem) in enumerate(zip(parts, piece, strict=True))]
            mixed.append(_summed(piece, gains))
            for pieces, stem, gain in zip(alone.values(), piece, gains, strict=False):
                pieces.append(stem * np.array(gain, dtype=np.float32)[:, None])
            at += count
            told(min(1.0, at / total))
    return _joined(mixed), {name: _joined(pieces) for name, pieces in alone.items()}


def _joined(pieces: list[Audio]) -> Audio:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces, axis=1)


def _gain(part: Part, stem: Stems, place: int) -> tuple[float, float]:
    # One channel tells a centred part's loudness as well as two, at half the cost; 3 dB make up for it.
    measured = rough_loudness(stem[0], RATE) + 3.01
    factor = 10 ** ((role_gain(part.role, measured) + part.gain) / 20)
    left, right = pan_of(part.role, place)
    return factor * left, factor * right


def _summed(piece: Stems, gains: list[tuple[float, float]]) -> Audio:
    out: Audio = np.einsum("gcs,gc->cs", piece, np.array(gains, dtype=np.float32))
    return out


def _trimmed(mix: Audio, length: int) -> Audio:
    """The last note decays; what is quieter than −66 dBFS after it goes."""
    peak = max(1e-6, float(mix.max()), -float(mix.min()))
    loud = np.flatnonzero(np.abs(mix[:, length:]).max(axis=0) > _QUIET * peak)
    end = length + (int(loud[-1]) if loud.size else 0) + _FADE
    return mix[:, : max(end, RATE // 2)]


def _faded(audio: Audio) -> None:
    count = min(_FADE, audio.shape[1])
    audio[:, -count:] *= np.linspace(1, 0, count, dtype=np.float32)
