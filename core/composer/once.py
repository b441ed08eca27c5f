"""One candidate, straight from the composing functions: no graph, no review, no files."""

from __future__ import annotations

from core.brief.brief import Brief
from core.composer.roles import check_theory, play_bass, play_drums, play_harmony, sing_melody
from core.composer.state import State
from core.music.arrangement import Lines, arrange
from core.music.catalogue import Catalogue
from core.music.plan import plan
from core.music.score import Score


def compose_once(brief: Brief, catalogue: Catalogue, seed: int) -> Score:
    """What the band's first take is."""
    state: State = {"brief": brief, "plan": plan(brief, catalogue, seed), "attempt": 0}
    for role in (play_harmony, check_theory, sing_melody, play_bass, play_drums):
        update, _ = role(state, catalogue)
        state = {**state, **update}
    lines = Lines(state["melody"], state["bass"], state["drums"])
    return arrange(state["plan"], state["chords"], lines, catalogue)
