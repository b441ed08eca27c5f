"""Spelled pitches on the line of fifths.

A pitch is a MIDI number (60 = middle C) with a *tonal pitch class*, its place on the line of
fifths: … F = -1, C = 0, G = 1, D = 2 … B♭ = -2, F♯ = 6. Sharpening adds 7, flattening takes 7 away.
"""

from __future__ import annotations

import re

LETTERS = "FCGDAEB"  # the line of fifths from F (-1) to B (5)
NATURAL_PITCH_CLASS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}

_ACCIDENTALS = {"♯": "#", "♭": "b", "𝄪": "##", "𝄫": "bb", "♮": "", "x": "##"}
_NAME = re.compile(r"([A-Ga-g])(#{1,2}|b{1,2})?$")


def letter(tpc: int) -> str:
    return LETTERS[(tpc + 1) % 7]


def alteration(tpc: int) -> int:
    """Semitones above the natural letter: F♯ (6) is 1, B♭ (-2) is -1."""
    return (tpc + 1) // 7


def pitch_class(tpc: int) -> int:
    return tpc * 7 % 12


def name(tpc: int) -> str:
    """ASCII name: `name(6) == "F#"`, `name(-2) == "Bb"`."""
    shift = alteration(tpc)
    return letter(tpc) + ("#" * shift if shift > 0 else "b" * -shift)


def pretty(tpc: int) -> str:
    """Name as a musician prints it: `pretty(-2) == "B♭"`."""
    return name(tpc)[0] + name(tpc)[1:].replace("#", "♯").replace("b", "♭")


def parse_name(text: str) -> int:
    """Tonal pitch class of a note's name, ASCII or Unicode accidentals.

    Raises ValueError where the text is no note name.
    """
    for symbol, plain in _ACCIDENTALS.items():
        text = text.replace(symbol, plain)
    match = _NAME.match(text)
    if not match:
        raise ValueError(f"not a note name: {text!r}")
    accidental = match[2] or ""
    shift = accidental.count("#") - accidental.count("b")
    return LETTERS.index(match[1].upper()) - 1 + 7 * shift


def octave(midi: int, tpc: int) -> int:
    """Octave number as written (middle C = C4): B♯3 and C4 share MIDI 60."""
    return (midi - alteration(tpc)) // 12 - 1


def spell(pitch_class_: int, centre: int) -> int:
    """The spelling of a pitch class that lies nearest to `centre` on the line of fifths."""
    base = pitch_class_ * 7 % 12
    return min((base + 12 * k for k in range(-3, 4)), key=lambda tpc: (abs(tpc - centre), tpc))


def nearest(pitch_class_: int, to: int) -> int:
    """The MIDI pitch of that class nearest to `to`; of two equally near, the lower."""
    up = (pitch_class_ - to) % 12
    return to + up if up < 6 else to + up - 12
