"""Chord symbols in every spelling that people use, against the theory of their degrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.music import pitch
from core.music.chord_symbols import UnreadableChord, read_chord

# What may stand after the root -> the degrees that sound, counted from the major scale.
SUFFIXES = {
    "": "1 3 5", "maj": "1 3 5", "M": "1 3 5", "m": "1 b3 5", "min": "1 b3 5", "mi": "1 b3 5", "-": "1 b3 5",
    "dim": "1 b3 b5", "°": "1 b3 b5", "o": "1 b3 b5", "aug": "1 3 #5", "+": "1 3 #5", "5": "1 5",
    "sus": "1 4 5", "sus4": "1 4 5", "sus2": "1 2 5", "6": "1 3 5 6", "m6": "1 b3 5 6", "-6": "1 b3 5 6",
    "6/9": "1 3 5 6 9", "69": "1 3 5 6 9", "m6/9": "1 b3 5 6 9", "7": "1 3 5 b7", "maj7": "1 3 5 7",
    "Maj7": "1 3 5 7", "M7": "1 3 5 7", "ma7": "1 3 5 7", "Δ7": "1 3 5 7", "△7": "1 3 5 7", "∆7": "1 3 5 7",
    "Δ": "1 3 5 7", "7M": "1 3 5 7", "m7": "1 b3 5 b7", "min7": "1 b3 5 b7", "mi7": "1 b3 5 b7", "-7": "1 b3 5 b7",
    "mMaj7": "1 b3 5 7", "m(maj7)": "1 b3 5 7", "mM7": "1 b3 5 7", "-Δ7": "1 b3 5 7", "m7b5": "1 b3 b5 b7",
    "m7(b5)": "1 b3 b5 b7", "m7♭5": "1 b3 b5 b7", "ø": "1 b3 b5 b7", "ø7": "1 b3 b5 b7", "-7b5": "1 b3 b5 b7",
    "dim7": "1 b3 b5 bb7", "°7": "1 b3 b5 bb7", "o7": "1 b3 b5 bb7", "+7": "1 3 #5 b7", "aug7": "1 3 #5 b7",
    "7#5": "1 3 #5 b7", "7♯5": "1 3 #5 b7", "7+": "1 3 #5 b7", "7b5": "1 3 b5 b7", "7-5": "1 3 b5 b7",
    "maj7#5": "1 3 #5 7", "9": "1 3 5 b7 9", "maj9": "1 3 5 7 9", "m9": "1 b3 5 b7 9", "-9": "1 b3 5 b7 9",
    "7b9": "1 3 5 b7 b9", "7(b9)": "1 3 5 b7 b9", "7♭9": "1 3 5 b7 b9", "7-9": "1 3 5 b7 b9", "7#9": "1 3 5 b7 #9",
    "7+9": "1 3 5 b7 #9", "7#5#9": "1 3 #5 b7 #9", "7b5b9": "1 3 b5 b7 b9", "7(b9,#11)": "1 3 5 b7 b9 #11",
    "7b9#9": "1 3 5 b7 b9 #9", "7/9": "1 3 5 b7 9", "9sus4": "1 4 5 b7 9", "7sus4": "1 4 5 b7", "7sus": "1 4 5 b7",
    "11": "1 3 5 b7 9 11", "m11": "1 b3 5 b7 9 11", "maj7#11": "1 3 5 7 #11", "7#11": "1 3 5 b7 #11",
    "9#11": "1 3 5 b7 9 #11", "13": "1 3 5 b7 9 13", "maj13": "1 3 5 7 9 13", "m13": "1 b3 5 b7 9 13",
    "7(13)": "1 3 5 b7 13", "7b13": "1 3 5 b7 b13", "13b9": "1 3 5 b7 b9 13", "7alt": "1 3 b7 b9 #9 #11 b13",
    "add9": "1 3 5 9", "(add9)": "1 3 5 9", "madd9": "1 b3 5 9", "m(add9)": "1 b3 5 9", "2": "1 3 5 2",
    "add11": "1 3 5 11", "addb9": "1 3 5 b9", "7no3": "1 5 b7", "maj7no5": "1 3 7", "mMaj9": "1 b3 5 7 9",
}  # fmt: skip
ROOTS = ("C", "Bb", "F#", "E♭", "A")
TABLE = [(root + suffix, root, degrees) for root in ROOTS for suffix, degrees in SUFFIXES.items()]
UNREADABLE = (
    "", "H", "Hm7", "am", "slow", "Allegro", "Fine", "D.C.", "Coda", "Chorus", "C(", "C)", "C7b", "C--", "Cm7b", "CEG",
    "C7777", "A B", "Cfoo", "C/H", "C/", "Cmaj7maj7", "A#b", "C7b12", "Csus5", "Cadd1", "C\n7", "C" * 60, "7", "/E",
    "♭", "C6b7x", "Capo 3",
)  # fmt: skip


def theory(root: str, degree: str) -> str:
    """The name of a degree above a root: letters counted, then the accidental that makes the distance right."""
    number = int(degree.lstrip("b#"))
    name = root.replace("♭", "b").replace("♯", "#")
    letters = "CDEFGAB"
    letter = letters[(letters.index(name[0]) + number - 1) % 7]
    wanted = pitch.NATURAL_PITCH_CLASS[name[0]] + name.count("#") - name[1:].count("b")
    wanted += (0, 2, 4, 5, 7, 9, 11)[(number - 1) % 7] + degree.count("#") - degree.count("b")
    shift = (wanted - pitch.NATURAL_PITCH_CLASS[letter] + 6) % 12 - 6
    return letter + ("#" * shift if shift > 0 else "b" * -shift)


@pytest.mark.parametrize(("symbol", "root", "degrees"), TABLE, ids=[row[0] for row in TABLE])
def test_a_symbol_has_the_notes_that_theory_gives_it(symbol: str, root: str, degrees: str) -> None:
    chord = read_chord(symbol)
    assert chord is not None
    assert {pitch.name(tone) for tone in chord.tones} == {theory(root, degree) for degree in degrees.split()}
    assert pitch.name(chord.tones[0]) == theory(root, "1")
    assert chord.symbol == symbol


def test_the_table_is_as_long_as_it_should_be() -> None:
    assert len(TABLE) >= 250


@pytest.mark.parametrize("symbol", UNREADABLE)
def test_what_is_no_chord_symbol_is_refused_by_name(symbol: str) -> None:
    with pytest.raises(UnreadableChord) as refused:
        read_chord(symbol)
    assert refused.value.values["symbol"] == symbol[:40]


@pytest.mark.parametrize(
    ("symbol", "bass"),
    [("B/D#", "D#"), ("C#m/G#", "G#"), ("Bb/Ab", "Ab"), ("C/Bb", "Bb"), ("Db/F", "F"), ("G7/B", "B")],
)
def test_a_slash_bass_keeps_its_accidental(symbol: str, bass: str) -> None:
    chord = read_chord(symbol)
    assert chord is not None
    assert pitch.name(chord.bass_tone) == bass
    assert chord.symbol == symbol


@pytest.mark.parametrize("symbol", ["N.C.", "NC", "n.c.", "N.C", "no chord"])
def test_no_chord_is_none(symbol: str) -> None:
    assert read_chord(symbol) is None


def test_german_names_where_they_are_asked_for() -> None:
    assert [read_chord(symbol, german=True) for symbol in ("H7", "B")] == [read_chord("B7"), read_chord("Bb")]


@pytest.mark.parametrize(
    ("written", "plain"), [("Ｃｍ７", "Cm7"), ("F♯m7", "F#m7"), ("B♭7", "Bb7"), ("C∆7", "Cmaj7"), ("A♭m", "Abm")]
)
def test_other_alphabets_mean_the_same(written: str, plain: str) -> None:
    assert read_chord(written) == read_chord(plain)


def test_a_transposed_chord_keeps_its_writers_spelling() -> None:
    chord = read_chord("B♭-7(♭5)/A♭")
    assert chord is not None
    assert chord.transposed(2).symbol == "C-7(♭5)/B♭"
    assert chord.transposed(2) == read_chord("C-7(b5)/Bb")


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        chord = read_chord(text)
    except UnreadableChord:
        return
    assert chord is None or len(chord.tones) >= 1
