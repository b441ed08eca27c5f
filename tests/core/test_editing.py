"""What an edit changes, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.wiring import Knowledge
from core.brief.completing import complete
from core.editing.apply import apply
from core.editing.difference import difference, ranges
from core.editing.edits import (
    AddPart,
    Answer,
    BringBack,
    BuildFrom,
    ChangeTempo,
    Density,
    Dynamics,
    Edit,
    HalfTime,
    Inapplicable,
    Mute,
    Redo,
    Register,
    Reharmonise,
    ScaleTempo,
    SetBars,
    SetEffects,
    SetEnding,
    SetInstrument,
    SetMeter,
    SetSwing,
    SetTempo,
    SetTitle,
    Vary,
    Volume,
)  # fmt: skip
from core.music.score import Score
from tests.conftest import Compose
from tests.core.test_brief import BriefOf

TEXT = "a pop song in C at 100 bpm with flute and piano, 16 bars"


def edited(known: Knowledge, song: Compose, brief_of: BriefOf, *edits: Edit) -> tuple[Score, Score]:
    score = song(TEXT, 1)
    return score, apply(edits, score, brief_of(TEXT, 1), known.catalogue, 1)[0]


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        (ScaleTempo(1.2), {"tempo"}),
        (ChangeTempo(-10), {"tempo"}),
        (SetSwing(0.62), {"feel"}),
        (Dynamics(4.0), {"feel"}),
        (SetTitle("Other"), {"title"}),
        (SetEffects(on=False), {"effects"}),
        (SetMeter(3, 4), {"meter", "bars", "sections", "chords"}),
        (Mute("drums"), {"parts"}),
        (SetInstrument("melody", "violin"), {"parts"}),
        (Volume("bass", -3), {"parts"}),
        (Register("melody", 1), {"parts"}),
        (Density(more=False), {"parts"}),
        (Density(more=True), {"parts"}),
        (AddPart("cello"), {"parts"}),
        (Redo(5, 8), {"parts"}),
        (Vary(), {"parts"}),
        (Answer(), {"parts"}),
        (HalfTime(), {"parts"}),
        (Reharmonise("richer"), {"chords", "parts"}),
        (SetEnding("plagal"), {"chords", "parts"}),
        (SetEnding("fade"), {"feel"}),
        (BuildFrom(9), {"sections", "feel", "parts"}),
        (SetBars(24), {"bars", "sections", "chords", "parts"}),
    ],
)
def test_what_the_edit_does_not_name_stays(
    known: Knowledge, song: Compose, brief_of: BriefOf, edit: Edit, changed: set[str]
) -> None:
    old, new = edited(known, song, brief_of, edit)
    fields = set(Score.__dataclass_fields__)
    assert {name for name in fields if getattr(old, name) != getattr(new, name)} == changed
    assert difference(old, new)


def test_redone_bars_are_the_only_ones_that_change(known: Knowledge, song: Compose, brief_of: BriefOf) -> None:
    old, new = edited(known, song, brief_of, Redo(5, 8))
    assert [remark.code for remark in difference(old, new)] == ["diff-changed", "diff-kept"]
    bar = old.meter.bar
    changed = {note.onset // bar for note in {*old.parts[0].notes} ^ {*new.parts[0].notes}}
    assert changed
    assert changed <= {4, 5, 6, 7}
    assert old.parts[1:] == new.parts[1:]


def test_reharmonising_keeps_the_melody_and_the_key(known: Knowledge, song: Compose, brief_of: BriefOf) -> None:
    for way in ("richer", "tenser"):
        old, new = edited(known, song, brief_of, Reharmonise(way))
        assert old.part("melody") == new.part("melody")
        assert old.key == new.key
        assert len({span.chord for span in new.chords}) >= len({span.chord for span in old.chords})


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (SetTempo(100), "edit-tempo-as-is"),
        (ChangeTempo(900), None),
        (SetInstrument("melody", "flute"), "edit-same-instrument"),
        (Mute("counter"), "edit-no-part"),
        (Redo(15, 30), "edit-no-bars"),
        (BuildFrom(99), "edit-no-bars"),
        (Register("melody", 4), "edit-out-of-range"),
        (SetBars(16), "edit-same-bars"),
    ],
)
def test_an_edit_that_cannot_be_applied_says_why_and_changes_nothing(
    known: Knowledge, song: Compose, brief_of: BriefOf, edit: Edit, code: str | None
) -> None:
    if code is None:
        assert edited(known, song, brief_of, edit)[1].tempo == 300
        return
    with pytest.raises(Inapplicable) as caught:
        edited(known, song, brief_of, edit)
    assert caught.value.code == code


def test_composing_anew_after_edits_does_not_lose_them(known: Knowledge, song: Compose, brief_of: BriefOf) -> None:
    edits = (ScaleTempo(1.2), Mute("drums"), SetInstrument("melody", "violin"), SetEnding("plagal"))
    _, brief = apply(edits, song(TEXT, 1), brief_of(TEXT, 1), known.catalogue, 1)
    again = complete(brief.text, replace(brief.ask, bars=8), known.catalogue, 1)
    assert (again.tempo, again.ending, again.bars) == (120, "plagal", 8)
    assert not again.has("drums")
    assert again.parts[0].instrument == "violin"


@pytest.mark.parametrize("muted", ["drums", "bass", "chords"])
def test_edits_pass_over_muted_parts_which_come_back_as_they_were(
    known: Knowledge, song: Compose, brief_of: BriefOf, muted: str
) -> None:
    score, brief = song(TEXT, 1), brief_of(TEXT, 1)
    edits = (Mute(muted), Reharmonise("richer"), BuildFrom(5), SetEnding("plagal"), Vary(), BringBack(muted))
    back, described = apply(edits, score, brief, known.catalogue, 1)
    assert back.part(muted) == score.part(muted)
    assert described.has(muted)


def test_bars_are_told_in_ranges() -> None:
    assert ranges([5, 6, 7, 8, 12, 14, 15]) == "5–8, 12, 14–15"
