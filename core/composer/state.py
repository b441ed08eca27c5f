"""What the roles hand on: structured data only."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from core.brief.brief import Brief, Remark
from core.music.harmony import Progression
from core.music.plan import Plan
from core.music.score import ChordSpan, Note, Score
from core.music.theory import Correction
from core.ports import Rendered

StageName = Literal["harmony", "theory", "melody", "bass", "drums", "review", "rendering"]
STAGES: tuple[StageName, ...] = ("harmony", "theory", "melody", "bass", "drums", "review", "rendering")


@dataclass(frozen=True, slots=True)
class Finding:
    """What review holds against a melody. kind: `below` or `above` a band, or `fault`; `metric` names it."""

    kind: Literal["below", "above", "fault"]
    metric: str
    value: float
    gate: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """`rating`: 0 to 10. `acceptable`: whether the song may go out as it is."""

    rating: float
    findings: tuple[Finding, ...]
    acceptable: bool


@dataclass(frozen=True, slots=True)
class Take:
    """One whole try: the score and what review said of it."""

    score: Score
    review: Review


@dataclass(frozen=True, slots=True)
class Failure:
    """A part that could not be written, and why."""

    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class StageEvent:
    """A stage as it happens. `notes` are sentences for the listener; `seconds` once it is over."""

    stage: StageName
    state: Literal["started", "finished", "failed"]
    notes: tuple[Remark, ...] = ()
    seconds: float | None = None
    share: float | None = None  # how much of a started stage is done, 0 to 1


class State(TypedDict, total=False):
    """The graph's state. Parallel branches write fields of their own; failures are added up."""

    brief: Brief
    plan: Plan
    progressions: tuple[Progression, ...]
    chords: tuple[ChordSpan, ...]
    corrections: tuple[Correction, ...]
    attempt: int
    melody: tuple[Note, ...]
    bass: tuple[Note, ...] | None
    drums: tuple[Note, ...] | None
    findings: tuple[Finding, ...]
    best: Take
    rendered: Rendered
    failures: Annotated[tuple[Failure, ...], operator.add]
