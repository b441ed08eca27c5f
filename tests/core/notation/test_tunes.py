"""Real tunes in ABC: the 12,978 of music21's corpus, a fixed sample of them every day."""

from __future__ import annotations

import random
import warnings

import pytest
from music21 import converter

from core.notation.abc.checks import problems_of
from core.notation.abc.parser import Parser
from core.notation.abc.reader import read_abc
from core.notation.problems import UnreadableNotation
from core.notation.sheet import Sheet
from tests.core.notation.corpus import sample, tunes

from tests.core.notation.corpus import written_notes  # isort: skip

DAILY = pytest.param(500, id="500")
ALL = pytest.param(12_978, id="all", marks=[pytest.mark.long, pytest.mark.timeout(900)])


def sheet_of(text: str) -> Sheet | None:
    """The tune as it is written, where the import profile accepts it."""
    parser = Parser(strict=False)
    parser.read(text.split("\n"))
    return None if problems_of(parser) else parser.sheet


@pytest.mark.parametrize("count", [DAILY, ALL])
def test_nine_tunes_of_ten_are_accepted_with_every_note(count: int) -> None:
    accepted = 0
    for name, text in sample(count) if count < 10_000 else tunes():
        sheet = sheet_of(text)
        if sheet is None:
            with pytest.raises(UnreadableNotation):
                read_abc(text)
            continue
        accepted += 1
        bars = [bar for voice in sheet.voices for bar in voice.bars]
        found = sum(len(symbol.notes) for bar in bars for line in (bar.symbols, *bar.overlays) for symbol in line)
        assert found == written_notes(text), name
        score = read_abc(text).score
        assert sum(section.bars for section in score.sections) == score.bars, name
        assert max(note.end for part in score.parts for note in part.notes) <= score.length, name
    assert accepted >= 0.9 * count


@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=[pytest.mark.long, pytest.mark.timeout(900)])])
def test_pitches_are_those_that_music21_reads(count: int) -> None:
    """Where music21 keeps all notes. It differs at ties over a bar line, whose accidental it drops."""
    same = compared = 0
    for _, text in random.Random(4).sample(tunes(), count):
        sheet = sheet_of(text)
        if sheet is None:
            continue
        ours = [midi for voice in sheet.voices for bar in voice.bars for s in bar.symbols for midi, _ in s.notes]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stream = converter.parse("%abc-2.1\n" + text, format="abc")
        theirs = [
            midi
            for note in stream.recurse().notes
            if not note.duration.isGrace and "ChordSymbol" not in note.classes
            for midi in sorted(pitch.midi for pitch in note.pitches)
        ]
        if len(theirs) == len(ours):
            compared += 1
            same += theirs == ours
    assert compared >= 0.85 * count
    assert same >= 0.98 * compared
