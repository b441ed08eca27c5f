"""Feel: what players add to the notated time. Seeded; the score itself stays as written."""

from __future__ import annotations

from dataclasses import dataclass

from core.music.chance import generator
from core.music.grid import bar_index, grid
from core.music.meter import Meter, weight
from core.music.score import Feel, Note, Part, Score, section_at

# Velocity at a middling energy, by role.
_LEVEL = {"melody": 88, "counter": 76, "harmony": 70, "chords": 66, "pad": 60, "bass": 82, "drums": 84}
# Seconds by which a role comes late when the band lays back.
_LATE = {"melody": 0.8, "counter": 0.6, "harmony": 0.5, "chords": 1.0, "pad": 0.0, "bass": 0.3, "drums": 0.2}
_SNARES = frozenset({37, 38, 39, 40})


@dataclass(frozen=True, slots=True)
class Played:
    """A note as it is played: ticks with swing, velocity 1–127, and seconds of small timing on top."""

    onset: int
    duration: int
    pitch: int
    velocity: int
    late: float


def swung(tick: int, feel: Feel) -> int:
    """Where a notated tick falls when off-beats are swung; a longest-short pair keeps its length."""
    if feel.swing == 0.5:
        return tick
    pair = 2 * feel.swing_unit
    start, inside = tick - tick % pair, tick % pair
    turn = round(pair * feel.swing)
    half = feel.swing_unit
    if inside <= half:
        return start + inside * turn // half
    return start + turn + (inside - half) * (pair - turn) // half


def unswung(tick: float, feel: Feel) -> float:
    """The notated tick that is played at `tick`: the inverse of `swung`."""
    if feel.swing == 0.5:
        return tick
    pair, half = 2 * feel.swing_unit, feel.swing_unit
    start, inside = tick - tick % pair, tick % pair
    turn = round(pair * feel.swing)
    if inside <= turn:
        return start + inside * half / turn
    return start + half + (inside - turn) * half / (pair - turn)


def perform(score: Score) -> tuple[tuple[Part, tuple[Played, ...]], ...]:
    """Each sounding part with its notes as played."""
    return tuple((part, _part(part, score)) for part in score.sounding)


def _part(part: Part, score: Score) -> tuple[Played, ...]:
    rng = generator(score.seed, "feel", part.name)
    feel = score.feel
    played = []
    for note in part.notes:
        onset, end = swung(note.onset, feel), swung(note.end, feel)
        velocity = _velocity(note, part, score) + _noise(rng.randrange(-100, 101), feel)
        played.append(
            Played(
                onset,
                max(1, end - onset),
                note.pitch,
                min(122, max(14, velocity)),
                _late(note, part, feel) + rng.randrange(-100, 101) / 100 * 0.007 * feel.humanise,
            )
        )
    return tuple(played)


def _noise(ticket: int, feel: Feel) -> int:
    return round(ticket / 100 * (3 + 9 * feel.humanise))


def _velocity(note: Note, part: Part, score: Score) -> int:
    bars = grid(score)
    index = bar_index(bars, note.onset)
    bar = bars[index]
    section = section_at(score.sections, index)
    place = score.sections.index(section)
    level = _LEVEL.get(part.role, 74) + (section.energy - 0.55) * 34
    level += _phrase_swell(note.onset - bar.onset + index % 4 * bar.length, bar.meter)
    level += (-5, -2, 0, 3, 6)[weight(bar.meter, note.onset - bar.onset)]
    level += note.accent * (13 if part.drums else 8)
    if place < len(score.feel.dynamics):
        level += score.feel.dynamics[place] * 2.2  # about 2 velocity steps to the decibel
    if part.drums and note.pitch in (42, 44, 70, 54):
        level -= 14
    if score.feel.fade:
        level *= min(1.0, 0.2 + 0.8 * max(0, score.length - note.onset) / (4 * bar.length))
    return round(level)


def _phrase_swell(onset: int, meter: Meter) -> float:
    """Louder towards the third quarter of each four bars, and back."""
    place = (onset % (4 * meter.bar)) / (4 * meter.bar)
    return 7 * (place / 0.75 if place < 0.75 else (1 - place) / 0.25) - 3


def _late(note: Note, part: Part, feel: Feel) -> float:
    share = 1.0 if part.drums and note.pitch in _SNARES else _LATE.get(part.role, 0.5)
    return feel.laid_back * share
