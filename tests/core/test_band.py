"""The band as a graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.wiring import Knowledge
from core.composer.graph import Band, Finished
from core.composer.roles import Outcome, Roles, sing_melody
from core.composer.state import STAGES, StageEvent, State
from core.music.catalogue import Catalogue
from core.music.score import Score
from core.ports import Rendered
from tests.core.test_brief import BriefOf


async def nothing(score: Score, told: Callable[[float], None]) -> Rendered:
    return Rendered({})


async def played(band: Band, brief: Any, seed: int = 1) -> tuple[list[StageEvent], Finished]:
    found = [event async for event in band.compose(brief, seed, nothing)]
    end = found[-1]
    assert isinstance(end, Finished)
    return [event for event in found if isinstance(event, StageEvent)], end


async def test_every_stage_starts_and_finishes_in_order(known: Knowledge, brief_of: BriefOf) -> None:
    events, end = await played(Band(known.catalogue), brief_of("a pop song", 1))
    order = [event.stage for event in events if event.state == "finished"]
    assert sorted(order, key=STAGES.index) == list(STAGES)
    assert order.index("harmony") < order.index("theory") < order.index("melody") < order.index("review")
    assert all(event.seconds is not None for event in events if event.state != "started")
    assert all(event.notes for event in events if event.state == "finished")
    assert end.failures == ()


async def test_a_bass_that_fails_does_not_stop_the_drums(known: Knowledge, brief_of: BriefOf) -> None:
    def broken(state: State, catalogue: Catalogue) -> Outcome:
        raise RuntimeError("a string snapped")

    events, end = await played(Band(known.catalogue, Roles(bass=broken)), brief_of("a pop song", 1))
    assert [e.state for e in events if e.stage == "bass"] == ["started", "failed"]
    assert [e.state for e in events if e.stage == "drums"] == ["started", "finished"]
    assert [failure.stage for failure in end.failures] == ["bass"]
    assert [part.role for part in end.take.score.parts] == ["melody", "chords", "drums"]


async def test_a_bad_melody_is_sent_back_with_findings_and_the_best_take_is_kept(
    known: Knowledge, brief_of: BriefOf
) -> None:
    seen: list[tuple[Any, ...]] = []

    def stubborn(state: State, catalogue: Catalogue) -> Outcome:
        seen.append(state.get("findings", ()))
        update, notes = sing_melody(state, catalogue)
        if len(seen) != 2:  # only the second try sings
            dull = tuple(replace(note, pitch=72, tpc=0) for note in update["melody"])
            update = {**update, "melody": dull}
        return update, notes

    events, end = await played(
        Band(known.catalogue, Roles(melody=stubborn), max_revisions=3), brief_of("a pop song", 1)
    )
    assert seen[0] == ()
    assert seen[1]
    assert len(seen) == 2
    assert end.revisions == 1
    assert end.take.review.acceptable
    assert [e.stage for e in events if e.state == "started"].count("drums") == 2


async def test_rework_ends_after_max_revisions(known: Knowledge, brief_of: BriefOf) -> None:
    def hopeless(state: State, catalogue: Catalogue) -> Outcome:
        update, notes = sing_melody(state, catalogue)
        return {**update, "melody": tuple(replace(n, pitch=72, tpc=0) for n in update["melody"])}, notes

    _, end = await played(Band(known.catalogue, Roles(melody=hopeless), max_revisions=2), brief_of("a pop song", 1))
    assert end.revisions == 2
    assert not end.take.review.acceptable


async def test_a_stage_that_no_song_can_do_without_fails_the_song(known: Knowledge, brief_of: BriefOf) -> None:
    def broken(state: State, catalogue: Catalogue) -> Outcome:
        raise RuntimeError("no chords today")

    with pytest.raises(RuntimeError, match="no chords"):
        await played(Band(known.catalogue, Roles(harmony=broken)), brief_of("a pop song", 1))
