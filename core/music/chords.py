"""Chords: a root, a quality, a bass; and the Roman numerals that progressions are written in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from core.music import pitch
from core.music.keys import Key

# Quality -> (its tones as fifths from the root, what is written after the root).
QUALITIES: dict[str, tuple[tuple[int, ...], str]] = {
    "maj": ((0, 4, 1), ""),
    "min": ((0, -3, 1), "m"),
    "dim": ((0, -3, -6), "dim"),
    "aug": ((0, 4, 8), "aug"),
    "sus2": ((0, 2, 1), "sus2"),
    "sus4": ((0, -1, 1), "sus4"),
    "5": ((0, 1), "5"),
    "6": ((0, 4, 1, 3), "6"),
    "min6": ((0, -3, 1, 3), "m6"),
    "7": ((0, 4, 1, -2), "7"),
    "maj7": ((0, 4, 1, 5), "maj7"),
    "min7": ((0, -3, 1, -2), "m7"),
    "minmaj7": ((0, -3, 1, 5), "mMaj7"),
    "hdim7": ((0, -3, -6, -2), "m7b5"),
    "dim7": ((0, -3, -6, -9), "dim7"),
    "7sus4": ((0, -1, 1, -2), "7sus4"),
    "add9": ((0, 4, 1, 2), "add9"),
    "9": ((0, 4, 1, -2, 2), "9"),
    "maj9": ((0, 4, 1, 5, 2), "maj9"),
    "min9": ((0, -3, 1, -2, 2), "m9"),
    "7b9": ((0, 4, 1, -2, -5), "7b9"),
    "13": ((0, 4, 1, -2, 2, 3), "13"),
}
TRIAD_OF = {
    "min": "min", "min6": "min", "min7": "min", "minmaj7": "min", "min9": "min",
    "dim": "dim", "hdim7": "dim", "dim7": "dim", "aug": "aug", "sus2": "sus2", "sus4": "sus4",
    "7sus4": "sus4", "5": "5",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chord:
    """`root` and `bass` are tonal pitch classes; `bass` is None in root position.

    `steps`: its tones as fifths from the root where they are not just those of its quality. `written`: root, suffix
    and bass as somebody wrote them.
    """

    root: int
    quality: str
    bass: int | None = None
    steps: tuple[int, ...] = ()
    written: tuple[str, str, str] = field(default=("", "", ""), compare=False)

    @property
    def tones(self) -> tuple[int, ...]:
        """Tonal pitch classes, root first."""
        return tuple(self.root + step for step in self.steps or QUALITIES[self.quality][0])

    @property
    def pitch_classes(self) -> tuple[int, ...]:
        return tuple(pitch.pitch_class(tpc) for tpc in self.tones)

    @property
    def triad(self) -> str:
        return TRIAD_OF.get(self.quality, "maj")

    @property
    def symbol(self) -> str:
        """The chord symbol as it was written, else in ASCII: `Bbmaj7/D`."""
        return "".join(self.written) if self.written[0] else plain_symbol(self)

    @property
    def pretty(self) -> str:
        """The symbol as a lead sheet prints it: `B♭maj7/D`."""
        tail = f"/{pitch.pretty(self.bass)}" if self.bass is not None else ""
        suffix = self.written[1] or QUALITIES[self.quality][1].replace("dim", "°").replace("aug", "+")
        return pitch.pretty(self.root) + re.sub(r"b(?=\d)", "♭", suffix).replace("#", "♯") + tail

    @property
    def bass_tone(self) -> int:
        return self.root if self.bass is None else self.bass

    def transposed(self, fifths: int) -> Chord:
        root, bass = self.root + fifths, None if self.bass is None else self.bass + fifths
        name = pitch.pretty if set("♭♯") & set(self.written[0] + self.written[2]) else pitch.name
        written = (name(root), self.written[1], "" if bass is None else f"/{name(bass)}")
        return replace(self, root=root, bass=bass, written=written if self.written[0] else self.written)


def plain_symbol(chord: Chord) -> str:
    """The symbol that its root, quality and bass have in ASCII, whoever wrote it how."""
    tail = f"/{pitch.name(chord.bass)}" if chord.bass is not None else ""
    return pitch.name(chord.root) + QUALITIES[chord.quality][1] + tail


_DEGREES = ("I", "II", "III", "IV", "V", "VI", "VII")
_ROMAN = re.compile(r"(b|#)?(VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)([^/]*)(?:/(.+))?$")
# What may follow a numeral, for an upper-case and for a lower-case one.
_SUFFIXES: dict[str, tuple[str, str]] = {
    "": ("maj", "min"), "7": ("7", "min7"), "maj7": ("maj7", "minmaj7"), "M7": ("maj7", "minmaj7"),
    "9": ("9", "min9"), "maj9": ("maj9", "minmaj7"), "6": ("6", "min6"), "add9": ("add9", "min9"),
    "sus4": ("sus4", "sus4"), "sus2": ("sus2", "sus2"), "7sus4": ("7sus4", "7sus4"), "5": ("5", "5"),
    "+": ("aug", "aug"), "o": ("dim", "dim"), "o7": ("dim7", "dim7"), "ø": ("hdim7", "hdim7"),
    "7b9": ("7b9", "7b9"), "13": ("13", "13"),
}  # fmt: skip


class UnreadableNumeral(ValueError):
    """A Roman numeral that is none; its text is the argument."""


def roman(numeral: str, key: Key) -> Chord:
    """The chord that a Roman numeral names in a key.

    Degrees are the mode's own (VI in A minor is F); `b` and `#` alter them; upper case is major,
    lower case minor; `V7/V` is a secondary dominant; `I/3` puts the chord's third in the bass.
    Raises UnreadableNumeral.
    """
    match = _ROMAN.match(numeral)
    if not match or match[3] not in _SUFFIXES:
        raise UnreadableNumeral(numeral)
    accidental, degree, suffix, under = match.groups()
    if under and not under.isdigit():
        target = roman(under, key).root
        return Chord(target + (1 if degree.upper() == "V" else 5), _SUFFIXES[suffix][degree.islower()])
    root = key.harmony[_DEGREES.index(degree.upper())] + {"b": -7, "#": 7, None: 0}[accidental]
    chord = Chord(root, _SUFFIXES[suffix][degree.islower()])
    if under:
        index = (int(under) - 1) // 2
        if index >= len(chord.tones):
            raise UnreadableNumeral(numeral)
        return replace(chord, bass=chord.tones[index])
    return chord


def diatonic(chord: Chord, key: Key) -> bool:
    scale = {pitch.pitch_class(tpc) for tpc in key.harmony}
    return set(chord.pitch_classes) <= scale


def degree_of(chord: Chord, key: Key) -> int | None:
    """0 for the tonic … 6; None where the root is not a degree of the key."""
    classes = [pitch.pitch_class(tpc) for tpc in key.harmony]
    root = pitch.pitch_class(chord.root)
    return classes.index(root) if root in classes else None


def function(chord: Chord, key: Key) -> str:
    """`tonic`, `subdominant`, `dominant`, `applied` (a dominant of another degree) or `borrowed`."""
    degree = degree_of(chord, key)
    if degree is None or not diatonic(chord, key):
        if chord.quality in ("7", "9", "7b9", "13", "dim7") and degree != 4:
            return "applied"
        return "dominant" if degree == 4 else "borrowed"
    return ("tonic", "subdominant", "tonic", "subdominant", "dominant", "tonic", "dominant")[degree]
