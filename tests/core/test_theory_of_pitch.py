"""Pitches, keys, meters and chords."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.music import pitch
from core.music.chords import QUALITIES, Chord, UnreadableNumeral, function, roman
from core.music.keys import MODES, Key, writable
from core.music.meter import QUARTER, beats, meter, weight

A_MINOR, C_MAJOR = Key(3, "minor"), Key(0, "major")


@given(st.integers(-15, 19))
def test_a_name_is_read_back_as_the_pitch_it_names(tpc: int) -> None:
    assert pitch.parse_name(pitch.name(tpc)) == tpc
    assert pitch.parse_name(pitch.pretty(tpc)) == tpc


@pytest.mark.parametrize(
    ("midi", "tpc", "octave"), [(60, 0, 4), (60, 12, 3), (59, 5, 3), (59, -7, 4), (70, -2, 4), (61, 7, 4)]
)
def test_the_octave_is_the_written_one(midi: int, tpc: int, octave: int) -> None:
    assert pitch.octave(midi, tpc) == octave


@given(st.sampled_from(sorted(MODES)), st.integers(-20, 20))
def test_every_key_has_a_writable_twin_that_sounds_the_same(mode: str, tonic: int) -> None:
    key = Key(tonic % 12 - 5, mode)
    twin = writable(key)
    assert -7 <= twin.fifths <= 7
    assert twin.pitch_classes == key.pitch_classes


@pytest.mark.parametrize(
    ("numeral", "key", "symbol"),
    [
        ("VI", A_MINOR, "F"),
        ("V", A_MINOR, "E"),
        ("v7", A_MINOR, "Em7"),
        ("iiø", A_MINOR, "Bm7b5"),
        ("IVmaj7", C_MAJOR, "Fmaj7"),
        ("bVII", C_MAJOR, "Bb"),
        ("V7/V", C_MAJOR, "D7"),
        ("V7/ii", C_MAJOR, "A7"),
        ("V/3", C_MAJOR, "G/B"),
        ("iv", C_MAJOR, "Fm"),
        ("II", Key(0, "lydian"), "D"),
        ("II", Key(4, "phrygian"), "F"),
        ("IV", Key(2, "dorian"), "G"),
        ("IV7", Key(0, "blues"), "F7"),
    ],
)
def test_a_numeral_names_the_chord_of_its_key(numeral: str, key: Key, symbol: str) -> None:
    assert roman(numeral, key).symbol == symbol


@pytest.mark.parametrize("numeral", ["H7", "V/37", "", "I/9", "VIII"])
def test_a_numeral_that_is_none_is_refused_by_name(numeral: str) -> None:
    with pytest.raises(UnreadableNumeral) as caught:
        roman(numeral, C_MAJOR)
    assert caught.value.args == (numeral,)


@given(st.sampled_from(sorted(QUALITIES)), st.integers(-6, 6))
def test_chord_tones_have_as_many_pitch_classes_as_names(quality: str, root: int) -> None:
    chord = Chord(root, quality)
    assert len(set(chord.pitch_classes)) == len(chord.tones)


def test_functions_follow_the_degree() -> None:
    assert [function(roman(n, C_MAJOR), C_MAJOR) for n in ("I", "ii", "V", "vi", "V7/V", "bVI")] == [
        "tonic", "subdominant", "dominant", "tonic", "applied", "borrowed",
    ]  # fmt: skip


@pytest.mark.parametrize("numerator", range(2, 14))
@pytest.mark.parametrize("denominator", [2, 4, 8])
def test_beats_fill_the_bar_and_the_downbeat_is_heaviest(numerator: int, denominator: int) -> None:
    m = meter(numerator, denominator)
    assert sum(length for _, length in beats(m)) == m.bar
    assert weight(m, 0) == 4
    assert all(weight(m, onset) < 4 for onset, _ in beats(m)[1:])


def test_a_grouping_that_does_not_fill_the_bar_is_refused() -> None:
    with pytest.raises(ValueError, match="7/8"):
        meter(7, 8, (2, 2, 2))


def test_a_group_begins_where_it_was_asked_to() -> None:
    seven = meter(7, 8, (3, 2, 2))
    assert weight(seven, 3 * QUARTER // 2) == 3
    assert weight(seven, QUARTER) == 1
