"""The habits of one song's melody, drawn once a song: they, not only the seed, make songs differ."""

from __future__ import annotations

import random
from dataclasses import dataclass

from core.music.chance import generator
from core.music.plan import Plan


@dataclass(frozen=True, slots=True)
class Habits:
    """Scores in 1/64 of a natural logarithm, see core.music.sampling.

    unison, step, third, leap: what a move of that size gains. chord_strong, chord_weak, chord_long: what a chord
    tone gains on a strong beat, elsewhere, and for each beat it is held. motif: what each semitone
    of distance from the motif costs. spread: semitones about the contour. rise: of the contour.
    lift: of the chorus over the verse. sequence: diatonic steps a motif is moved by.
    """

    unison: int
    step: int
    third: int
    leap: int
    chord_strong: int
    chord_weak: int
    chord_long: int
    motif: int
    spread: float
    rise: float
    lift: int
    sequence: int
    density: float


def habits(plan: Plan) -> Habits:
    rng = generator(plan.seed, "habits")
    folk = plan.style.melody.reference == "folk"

    def between(low: int, high: int) -> int:
        return rng.randrange(low, high + 1)

    return Habits(
        unison=between(-70, -8) - (16 if folk else 0),
        step=between(4, 34),
        third=between(-6, 18),
        leap=between(-16, 14),
        chord_strong=between(72, 98),
        chord_weak=between(14, 30),
        chord_long=between(18, 30),
        motif=between(52, 84),
        spread=between(30, 44) / 10,
        rise=between(50, 85) / 10,
        lift=between(2, 5),
        sequence=_sequence(rng),
        density=between(85, 118) / 100,
    )


def _sequence(rng: random.Random) -> int:
    return (-1, 1, -1, 1, -2, 2)[rng.randrange(6)]
