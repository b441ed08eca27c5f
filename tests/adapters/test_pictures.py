"""The engraved score and the MusicXML it is made from."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from adapters.engrave.score import Engraver
from core.notation.musicxml import musicxml_bytes
from tests.conftest import Compose

REQUESTS = ("a sad lo-fi ballad in Bb minor, 8 bars", "7/8 rock in D dorian, 8 bars", "a string quartet in A, 8 bars")


@pytest.mark.parametrize("text", REQUESTS)
def test_musicxml_declares_what_was_asked_and_its_bars_are_full(song: Compose, text: str) -> None:
    score = song(text, 1)
    root = ElementTree.fromstring(musicxml_bytes(score))
    assert root.findtext(".//fifths") == str(score.key.fifths)
    assert root.findtext(".//mode") == score.key.info.musicxml
    assert (root.findtext(".//beats"), root.findtext(".//beat-type")) == (
        str(score.meter.numerator),
        str(score.meter.denominator),
    )
    divisions = int(root.findtext(".//divisions") or 0)
    assert len(root.findall("part")) == len(score.parts)
    for part in root.findall("part"):
        assert len(part.findall("measure")) == score.bars
        for measure in part.findall("measure"):
            voices: dict[str, int] = {}
            for note in measure.findall("note"):
                if note.find("chord") is None:
                    voice = note.findtext("voice") or "1"
                    voices[voice] = voices.get(voice, 0) + int(note.findtext("duration") or 0)
            assert set(voices.values()) == {divisions * 4 * score.meter.numerator // score.meter.denominator}


def test_musicxml_spells_every_note_as_the_score_does(song: Compose) -> None:
    score = song("a jazz tune in Db, 8 bars", 3)
    root = ElementTree.fromstring(musicxml_bytes(score))
    for part, element in zip(score.parts, root.findall("part"), strict=True):
        if part.drums:
            assert element.findtext(".//clef/sign") == "percussion"
            continue
        steps = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
        heard = []
        for note in element.iter("note"):
            pitch = note.find("pitch")
            tied = any(t.get("type") == "stop" for t in note.findall("tie"))
            if pitch is not None and not tied:
                alter = int(pitch.findtext("alter") or 0)
                heard.append(
                    12 * (int(pitch.findtext("octave") or 0) + 1) + steps[pitch.findtext("step") or ""] + alter
                )
        assert sorted(heard) == sorted(note.pitch for note in part.notes)


def test_musicxml_shows_an_accidental_only_where_it_is_news(song: Compose) -> None:
    score = song("a folk song in Ab major, 8 bars", 1)
    root = ElementTree.fromstring(musicxml_bytes(score))
    for measure in root.iter("measure"):
        known = dict.fromkeys("BEAD", "-1")  # the signature of four flats
        for note in measure.iter("note"):
            letter, alter = note.findtext("pitch/step"), note.findtext("pitch/alter")
            tied = any(tie.get("type") == "stop" for tie in note.findall("tie"))
            if letter is not None and not tied:
                assert (note.find("accidental") is not None) == (known.get(letter) != alter)
                if alter is not None:
                    known[letter] = alter


def test_a_page_is_drawn_with_its_words_and_music() -> None:
    engraver = Engraver()
    full, bare = _page(engraver, "Harbour 港口"), _page(engraver, "")
    assert full.shape[1] == 1600
    ink = (full < 128).mean()
    assert 0.01 < ink < 0.2
    # The title's own ink: without its fonts the words would vanish.
    assert (full[:170] < 128).sum() > (bare[:170] < 128).sum() + 500


def _page(engraver: Engraver, title: str) -> np.ndarray:
    note = "<note><pitch><step>C</step><octave>5</octave></pitch><duration>4</duration><type>whole</type></note>"
    xml = (
        f'<score-partwise version="4.0"><movement-title>{title}</movement-title>'
        '<part-list><score-part id="P1"><part-name>Flute</part-name></score-part></part-list><part id="P1">'
        "<measure number='1'><attributes><divisions>1</divisions><key><fifths>-3</fifths></key><time><beats>4</beats>"
        "<beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>"
        f"{note}</measure></part></score-partwise>"
    )
    return np.asarray(Image.open(BytesIO(engraver.pages(xml.encode())[0])).convert("L"))
