"""Phrases: how the bars of a section relate to one another before they have pitches."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from core.music.chance import weighted

Relation = Literal["new", "same", "sequence", "inverse", "half", "close"]


@dataclass(frozen=True, slots=True)
class BarIdea:
    """One bar of a phrase. `rhythm`: bars with the same letter share theirs. `like`: the bar it answers."""

    rhythm: str
    relation: Relation
    like: int = -1


def _bars(text: str) -> tuple[BarIdea, ...]:
    """`a b a~0 b~1 a+0 c h: k.`: letter; `=n` same as n, `~n` sequence of n, `-n` inversion; `:` half, `.` close."""
    ideas = []
    for word in text.split():
        mark = word[1:2]
        relation: Relation = {"=": "same", "~": "sequence", "-": "inverse", ":": "half", ".": "close"}.get(mark, "new")  # type: ignore[assignment]
        like = int(word[2:]) if mark in "=~-" and word[2:] else -1
        ideas.append(BarIdea(word[0], relation, like))
    return tuple(ideas)


# Eight bars, with how often each plan is taken.
_EIGHT: dict[tuple[BarIdea, ...], float] = {
    _bars("a b c h: a=0 b=1 d k."): 4,  # period: the consequent begins as the antecedent did
    _bars("a b a~0 b~1 a~2 d e k."): 4,  # sentence: the idea, its sequence, fragments, cadence
    _bars("a b a=0 h: c d a=0 k."): 3,  # small ternary
    _bars("a r a=0 s: a~0 r~1 d k."): 3,  # call and response
    _bars("a b c d: a~0 b~1 e k."): 3,
    _bars("a a~0 b h: a=0 a~1 c k."): 2,
    _bars("a b b~1 h: a-0 b d k."): 2,  # the answer turns the idea upside down
    _bars("a b c d: e a~0 b~1 k."): 1,
    _bars("a b b=1 h: a=0 b=1 b=1 k."): 3,  # each idea said twice
}
_FOUR: dict[tuple[BarIdea, ...], float] = {
    _bars("a b a~0 k."): 3,
    _bars("a a~0 b k."): 2,
    _bars("a b c k."): 2,
}
_TWELVE = _bars("a b c h: a=0 b~1 c=2 i: d e f k.")  # the blues: a line, the line again, its answer
_SHORT: dict[int, tuple[BarIdea, ...]] = {1: _bars("k."), 2: _bars("a k."), 3: _bars("a a~0 k.")}


def ideas(bars: int, rng: random.Random) -> tuple[BarIdea, ...]:
    """A plan for any number of bars: eights, then what is left over as a shorter phrase."""
    if bars == 12:
        return _TWELVE
    if bars < 4:
        return _SHORT[bars]
    if bars < 8:
        four = weighted(rng, list(_FOUR), list(_FOUR.values()))
        return _followed(four, _SHORT[bars - 4]) if bars > 4 else four
    eight = weighted(rng, list(_EIGHT), list(_EIGHT.values()))
    return _followed(eight, ideas(bars - 8, rng)) if bars > 8 else eight


def _followed(first: tuple[BarIdea, ...], then: tuple[BarIdea, ...]) -> tuple[BarIdea, ...]:
    """Two phrases in a row: the first stays open, the second keeps its own letters and counts on."""
    opened = (*first[:-1], BarIdea(first[-1].rhythm, "half"))
    moved = tuple(
        BarIdea(idea.rhythm, idea.relation, idea.like + len(first) if idea.like >= 0 else -1) for idea in then
    )
    if len(then) >= 4:  # the second phrase takes the first one's idea up again
        moved = (BarIdea(first[0].rhythm, "sequence", 0), *moved[1:])
    return (*opened, *moved)
