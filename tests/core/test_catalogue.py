"""The data a song is made of, and what is said of data that cannot be used."""

from __future__ import annotations

import copy

import pytest

from bot.wiring import Knowledge, knowledge
from config import data
from core.music.catalogue import CatalogueError, read_catalogue
from core.music.chords import UnreadableNumeral, roman
from core.music.keys import Key

GENRES = (
    "rock", "pop", "electronic", "alternative rock", "pop rock", "metal", "hip hop", "r&b", "dance", "edm", "country",
    "house", "soul", "trap", "synthpop", "jazz", "folk", "funk", "orchestral", "synthwave", "ambient", "ballad",
    "trance", "blues", "drum and bass", "lo-fi", "bossa nova", "reggae", "waltz", "latin", "gospel", "celtic", "game",
)  # fmt: skip
MOODS = (
    "energetic", "passionate", "uplifting", "atmospheric", "melancholic", "anthemic", "bittersweet", "dark",
    "introspective", "epic", "warm", "playful", "aggressive", "romantic", "mellow", "ethereal", "sad", "happy",
    "mysterious", "dreamy", "tense",
)  # fmt: skip


def test_the_most_asked_for_genres_and_all_the_moods_are_there(known: Knowledge) -> None:
    assert len(known.catalogue.styles) >= 30
    assert [g for g in GENRES if known.lexicon.entries.get(g.replace("-", " "), ("",))[0] != "genre"] == []
    assert [m for m in MOODS if m not in known.catalogue.moods] == []


def test_every_progression_can_be_read(known: Knowledge) -> None:
    loops = 0
    for family, sides in known.catalogue.progressions.items():
        for side, kinds in sides.items():
            key = Key(0, side)
            for rows in kinds.values():
                for row in rows:
                    loops += 1
                    for numeral in row.split():
                        try:
                            roman(numeral, key)
                        except UnreadableNumeral:
                            pytest.fail(f"{family} {side}: {numeral}")
    assert loops >= 60


def test_every_groove_family_has_three_grooves_and_three_fills(known: Knowledge) -> None:
    assert len(known.catalogue.grooves) >= 12
    for name, family in known.catalogue.grooves.items():
        assert len(family.grooves) == 3, name
        assert len(family.fills) == 3, name
        steps = {"4/4": 16, "3/4": 12, "6/8": 12, "12/8": 24}[family.meter]
        assert all(len(row) == steps for each in (*family.grooves, *family.fills) for row in each.values()), name


def test_every_general_midi_program_that_has_a_pitch_has_a_name_and_a_range(known: Knowledge) -> None:
    instruments = known.catalogue.instruments.values()
    assert {i.program for i in instruments} >= set(range(119))
    assert all(i.low <= i.usual_low < i.usual_high <= i.high for i in instruments)


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        (("tempo",), ["slow", 90], 3),
        (("harmony", "sevenths"), 3, 8),
        (("melody", "instruments"), {"kazoo": 1}, 10),
        (("drums",), "bongo", 13),
        (("surprise",), 1, 1),
    ],
)
def test_a_style_that_cannot_be_used_names_its_file_and_line(place: tuple[str, ...], value: object, line: int) -> None:
    files = copy.deepcopy(data.read_files())
    style = files["styles"]["lo-fi"]
    inner = style
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(files)
    assert caught.value.file == "styles/lo-fi.yaml"
    assert data.line_of(caught.value.file, caught.value.place) == line


def test_a_new_style_is_a_new_file(known: Knowledge) -> None:
    files = data.read_files()
    files["styles"]["harbour pop"] = {**files["styles"]["pop"], "en": ["harbour pop"], "zh": ["港口流行"]}
    assert "harbour pop" in read_catalogue(files).styles


def test_what_is_read_twice_is_the_same() -> None:
    assert knowledge().catalogue == knowledge().catalogue
