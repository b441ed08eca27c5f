"""The roles: each takes the state and gives back its own fields. All of them always work without a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.brief.brief import Remark, remark
from core.composer.review import review
from core.composer.state import State, Take
from core.music import bass, grooves, harmony, melody, pitch, theory
from core.music.arrangement import Lines, arrange
from core.music.catalogue import Catalogue
from core.music.score import ChordSpan, Note

Outcome = tuple[State, tuple[Remark, ...]]
Role = Callable[[State, Catalogue], Outcome]


def play_harmony(state: State, catalogue: Catalogue) -> Outcome:
    progressions = harmony.propose(state["plan"], catalogue)
    heard, _ = theory.settle(progressions[:1], state["plan"])
    return {"progressions": progressions}, (remark("note-chords", chords=opening(heard)),)


def opening(chords: tuple[ChordSpan, ...], most: int = 4) -> str:
    """`Am – F – C – G`: the first chords of the song."""
    return " – ".join(span.chord.pretty for span in chords[:most])


def check_theory(state: State, catalogue: Catalogue) -> Outcome:
    chords, corrections = theory.settle(state["progressions"], state["plan"])
    notes = tuple(remark(f"note-{c.kind}", bar=c.bar, before=c.before, after=c.after) for c in corrections[:3]) or (
        remark("note-sound"),
    )
    return {"chords": chords, "corrections": corrections}, notes


def sing_melody(state: State, catalogue: Catalogue) -> Outcome:
    attempt = state.get("attempt", 0)
    if not state["brief"].has("melody"):
        return {"melody": (), "attempt": attempt + 1}, (remark("note-no-melody"),)
    remarks = tuple((f.metric, f.kind) for f in state.get("findings", ()))
    notes = melody.compose(state["plan"], state["chords"], catalogue, attempt, remarks)
    return {"melody": notes, "attempt": attempt + 1}, (remark("note-melody", count=len(notes), range=span_of(notes)),)


def span_of(notes: tuple[Note, ...]) -> str:
    """`A3–E5`."""
    low, high = min(notes, key=lambda n: n.pitch), max(notes, key=lambda n: n.pitch)
    return "–".join(f"{pitch.pretty(n.tpc)}{pitch.octave(n.pitch, n.tpc)}" for n in (low, high))


def play_bass(state: State, catalogue: Catalogue) -> Outcome:
    if not state["brief"].has("bass"):
        return {"bass": None}, (remark("note-left-out"),)
    notes = bass.bass_line(state["plan"], state["chords"], catalogue, state["melody"])
    return {"bass": notes}, (remark("note-bass", range=span_of(notes)),)


def play_drums(state: State, catalogue: Catalogue) -> Outcome:
    if state["plan"].groove is None:
        return {"drums": None}, (remark("note-left-out"),)
    notes = grooves.drums(state["plan"], catalogue)
    return {"drums": notes}, (remark("note-drums", groove=state["plan"].groove),)


def review_take(state: State, catalogue: Catalogue) -> Outcome:
    """Puts the parts together, judges the take, and keeps the best one so far."""
    lines = Lines(state["melody"], state.get("bass"), state.get("drums"))
    score = arrange(state["plan"], state["chords"], lines, catalogue)
    take = Take(score, review(score))
    best = state.get("best")
    if best is None or take.review.rating > best.review.rating:
        best = take
    findings = () if take.review.acceptable else take.review.findings
    return {"best": best, "findings": findings}, (remark("note-rating", rating=f"{take.review.rating:.1f}"),)


@dataclass(frozen=True, slots=True)
class Roles:
    """Who plays in the band. A part may be handed to another player."""

    harmony: Role = play_harmony
    theory: Role = check_theory
    melody: Role = sing_melody
    bass: Role = play_bass
    drums: Role = play_drums
    review: Role = review_take
