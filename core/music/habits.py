"""The habits of one song's melody, drawn once a song: they, not only the seed, make songs differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

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
    syncopation: float  # factor on the style's
    far: int  # what a leap beyond a sixth gains on top of `leap`
    chromatic: float  # share of weak notes that approach the next one by a semitone
    ornaments: float  # share of a return's free bars that gain or lose a note
    plain: bool  # whether the tune's main idea moves in whole beats
    rests: float  # factor on the style's
    variety: float  # how unlike each other the rhythms of one theme may be, 0 to 1


# How much of a family's melody lies outside of the scale.
_CHROMATIC = {"jazz": 1.0, "bossa": 0.8, "blues": 0.7, "soul": 0.5, "classical": 0.5, "lofi": 0.4, "cinematic": 0.3}


def _chromatic(plan: Plan) -> float:
    """None in five-note scales, whose colour it would spoil, and next to none in folk tunes."""
    if "pentatonic" in plan.brief.key.mode:
        return 0.0
    return _CHROMATIC.get(plan.style.harmony.progressions, 0.08 if plan.style.melody.reference == "folk" else 0.35)


def habits(plan: Plan) -> Habits:
    rng = generator(plan.seed, "habits")
    folk = plan.style.melody.reference == "folk"
    rich = plan.style.harmony.sevenths > 0.6  # among many chord tones a line must hold on to them to stay consonant

    def between(low: int, high: int) -> int:
        return rng.randrange(low, high + 1)

    return Habits(
        unison=between(-88, -16) - (16 if folk else 0),
        step=between(-4, 46),
        third=between(-14, 22),
        leap=between(-34, 2),
        chord_strong=between(94, 122),
        chord_weak=between(24, 38) + 12 * rich + 8 * folk,
        chord_long=between(22, 34) + 8 * rich + 6 * folk,
        motif=between(52, 84),
        spread=between(30, 45) / 10,
        rise=between(56, 96) / 10,
        lift=between(1, 4),
        sequence=_sequence(rng),
        density=between(100 if folk else 78, 142) / 100,
        syncopation=between(12, 185) / 100,
        far=between(-30, 105),
        chromatic=between(0, 24) / 100 * _chromatic(plan),
        ornaments=between(5, 75) / 100,
        plain=between(1, 100) <= 22,
        rests=between(50, 150) / 100,
        variety=between(72, 120) / 100,
    )


def _sequence(rng: random.Random) -> int:
    return (-1, 1, -1, 1, -2, 2)[rng.randrange(6)]


# What a finding of review asks a singer to do next time: metric -> (when below, when above) as changes.
_REMEDIES: dict[str, tuple[dict[str, float], dict[str, float]]] = {
    "unison": ({"unison": 30}, {"unison": -40}),
    "step": ({"step": 30}, {"step": -24}),
    "third": ({"third": 24}, {"third": -20}),
    "leap 5-7": ({"leap": 24}, {"leap": -30}),
    "leap 8-12": ({}, {"leap": -24}),
    "leap >12": ({}, {"leap": -24, "rise": -1.5}),
    "range": ({"rise": 2.5, "spread": 0.6}, {"rise": -2.0}),
    "notes per beat": ({"density": 0.25}, {"density": -0.2}),
    "chord tones": ({"chord_weak": 14}, {"chord_weak": -14, "chord_long": -6}),
    "chord tones strong": ({"chord_strong": 26}, {"chord_strong": -16}),
    "PCS": ({"chord_strong": 16, "chord_long": 10}, {"chord_long": -8}),
    "MCTD": ({"chord_long": -8}, {"chord_strong": 16, "chord_long": 10}),
    "H1": ({"unison": -24, "density": 0.1}, {"density": -0.1}),
    "H4": ({"spread": 0.5}, {"spread": -0.5}),
    "on downbeat": ({}, {"density": 0.15}),
}


def mended(drawn: Habits, remarks: tuple[tuple[str, str], ...]) -> Habits:
    """Habits moved by review's (metric, `below` or `above`)."""
    for metric, side in remarks:
        below, above = _REMEDIES.get(metric, ({}, {}))
        for name, change in (below if side == "below" else above).items():
            value = getattr(drawn, name) + change
            drawn = replace(drawn, **{name: type(getattr(drawn, name))(value)})
    return replace(drawn, density=max(0.5, drawn.density), spread=max(2.0, drawn.spread), rise=max(2.0, drawn.rise))
