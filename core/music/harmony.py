"""Harmony: proposes a chord progression for each material of the form, in Roman numerals."""

from __future__ import annotations

import random
from dataclasses import dataclass

from core.music.catalogue import Catalogue, Loops
from core.music.chance import chance, generator, shuffled, weighted
from core.music.chords import UnreadableNumeral, diatonic, roman
from core.music.keys import Key
from core.music.meter import beats
from core.music.plan import Plan
from core.music.score import Section


@dataclass(frozen=True, slots=True)
class Progression:
    """Numerals for the material of one label. `changes`: chords a bar (.5: one for two bars)."""

    label: str
    changes: float
    numerals: tuple[str, ...]


_MODAL = frozenset({"dorian", "phrygian", "lydian", "mixolydian", "locrian", "harmonic minor", "melodic minor"})
# Which side of the catalogue a kind of section draws on.
_SIDE = {
    "theme": "verse",
    "variation": "verse",
    "verse": "verse",
    "intro": "verse",
    "outro": "verse",
    "build": "bridge",
    "chorus": "chorus",
    "drop": "chorus",
    "bridge": "bridge",
}
# A numeral and what it becomes with its diatonic seventh; dominants keep the small one.
_SEVENTHS = {
    "I": "Imaj7",
    "IV": "IVmaj7",
    "ii": "ii7",
    "iii": "iii7",
    "vi": "vi7",
    "V": "V7",
    "i": "i7",
    "iv": "iv7",
    "v": "v7",
    "VI": "VImaj7",
    "III": "IIImaj7",
    "VII": "VII7",
}


def propose(plan: Plan, catalogue: Catalogue) -> tuple[Progression, ...]:
    """A progression for each label, in order of appearance. No two labels share a loop where that can be."""
    rng = generator(plan.seed, "harmony")
    loops = _loops(plan, catalogue)
    if plan.canon_delay:
        return _ground(plan, loops, rng)
    used: set[str] = set()
    found: dict[str, Progression] = {}
    for section in plan.sections:
        if section.label not in found:
            found[section.label] = _progression(section, plan, loops, catalogue, used, rng)
    return tuple(found.values())


def _ground(plan: Plan, loops: Loops, rng: random.Random) -> tuple[Progression, ...]:
    """The chords of a canon: one loop as long as a voice's delay, so that all voices meet the same chords."""
    numerals = rng.choice([loop for loop in loops["verse"] if len(loop.split()) == 4]).split()
    changes = len(numerals) / plan.canon_delay
    return tuple(
        Progression(label, changes, tuple(numerals[i % 4] for i in range(max(1, round(bars * changes)))))
        for label, bars in {section.label: section.bars for section in plan.sections}.items()
    )


def _loops(plan: Plan, catalogue: Catalogue) -> Loops:
    key, family = plan.brief.key, plan.style.harmony.progressions
    if key.mode in _MODAL:
        return catalogue.progressions["modal"][key.mode]
    side = "minor" if key.minor and key.mode != "blues" else "major"
    return catalogue.progressions[family][side]


def _progression(
    section: Section, plan: Plan, loops: Loops, catalogue: Catalogue, used: set[str], rng: random.Random
) -> Progression:
    if plan.brief.form == "12-bar blues" and section.kind_is_body and plan.brief.key.mode not in _MODAL:
        side = "minor" if plan.brief.key.minor and plan.brief.key.mode != "blues" else "major"
        return Progression(section.label, 1, tuple(rng.choice(catalogue.twelve_bar[side]).split()))
    choices = shuffled(rng, loops[_SIDE[section.name]])
    loop = next((c for c in choices if c not in used), choices[0])
    used.add(loop)
    numerals = loop.split()
    changes = _changes(plan, rng)
    answer = _answer(choices, used, numerals, rng)
    both = [*numerals, *answer]
    needed = max(1, round(section.bars * changes))
    laid = [both[i % len(both)] for i in range(needed)]
    return Progression(section.label, changes, tuple(_with_sevenths(laid, plan, rng)))


def _changes(plan: Plan, rng: random.Random) -> float:
    """Chords a bar for this material: the style's habit, and now and then twice as many."""
    usual = plan.style.harmony.changes
    bar_seconds = plan.brief.meter.bar / 5040 * 60 / plan.brief.tempo
    halves = len(beats(plan.brief.meter)) % 2 == 0  # three or five beats have no middle to change chords on
    if usual >= 1 and halves and chance(rng, 0.6 if bar_seconds > 2.2 else 0.35 if bar_seconds > 1.4 else 0.12):
        return usual * 2
    if bar_seconds < 1.15 and chance(rng, 0.45):
        return max(0.5, usual / 2)
    return usual


def _answer(choices: list[str], used: set[str], first: list[str], rng: random.Random) -> list[str]:
    """The second half of a phrase: the loop again, the loop with another end, or another loop."""
    way = weighted(rng, ("same", "turned", "other"), (0.45, 0.3, 0.25))
    other = next((c for c in choices if c not in used), None)
    if way == "other" and other:
        used.add(other)
        return other.split()
    if way == "turned" and other and len(first) >= 4:
        return [*first[:2], *other.split()[-2:]]
    return first


def _with_sevenths(numerals: list[str], plan: Plan, rng: random.Random) -> list[str]:
    """The style's share of sevenths, chosen once for each numeral so that a loop sounds like itself."""
    share = plan.style.harmony.sevenths
    if plan.style.harmony.progressions not in (
        "pop",
        "rock",
        "folk",
        "country",
        "electronic",
        "classical",
        "cinematic",
    ):
        return numerals  # these families write their sevenths out
    decided: dict[str, bool] = {}
    result = []
    for numeral in numerals:
        if numeral not in decided:
            decided[numeral] = chance(rng, share)
        result.append(_seventh(numeral, plan.brief.key) if decided[numeral] else numeral)
    return result


def _seventh(numeral: str, key: Key) -> str:
    """The numeral with the seventh that the mode itself has; as it is where it has none that we know."""
    if "/" in numeral:  # an inversion or an applied chord says all that it means
        return numeral
    for richer in (_SEVENTHS.get(numeral), f"{numeral}7"):
        try:
            if richer and diatonic(roman(richer, key), key):
                return richer
        except UnreadableNumeral:
            continue
    return numeral
