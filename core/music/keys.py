"""Keys: a tonic with a mode."""

from __future__ import annotations

from dataclasses import dataclass

from core.music import pitch


@dataclass(frozen=True, slots=True)
class Mode:
    """A scale pattern.

    steps: its degrees as fifths from the tonic, in rising order (major third = 4, minor third = -3).
    signature: fifths of its key signature relative to the major key on the same tonic.
    minor: whether its third is minor. characteristic: index of the degree that tells it apart.
    abc: how an ABC K: field calls it. musicxml: the value of MusicXML's <mode>.
    """

    name: str
    steps: tuple[int, ...]
    signature: int
    minor: bool
    characteristic: int | None
    abc: str
    musicxml: str


MODES: dict[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("major", (0, 2, 4, -1, 1, 3, 5), 0, False, None, "", "major"),
        Mode("minor", (0, 2, -3, -1, 1, -4, -2), -3, True, None, "m", "minor"),
        Mode("harmonic minor", (0, 2, -3, -1, 1, -4, 5), -3, True, 6, "m", "minor"),
        Mode("melodic minor", (0, 2, -3, -1, 1, 3, 5), -3, True, 5, "m", "minor"),
        Mode("dorian", (0, 2, -3, -1, 1, 3, -2), -2, True, 5, "dor", "dorian"),
        Mode("phrygian", (0, -5, -3, -1, 1, -4, -2), -4, True, 1, "phr", "phrygian"),
        Mode("lydian", (0, 2, 4, 6, 1, 3, 5), 1, False, 3, "lyd", "lydian"),
        Mode("mixolydian", (0, 2, 4, -1, 1, 3, -2), -1, False, 6, "mix", "mixolydian"),
        Mode("locrian", (0, -5, -3, -1, -6, -4, -2), -5, True, 4, "loc", "locrian"),
        Mode("pentatonic", (0, 2, 4, 1, 3), 0, False, None, "", "major"),
        Mode("minor pentatonic", (0, -3, -1, 1, -2), -3, True, None, "m", "minor"),
        Mode("blues", (0, -3, -1, -6, 1, -2), -3, True, 3, "m", "minor"),
    )
}

# The seven degrees that chords are built on, where the melody's scale has fewer or other ones.
HARMONY_OF = {"pentatonic": "major", "minor pentatonic": "minor", "blues": "mixolydian"}


@dataclass(frozen=True, slots=True)
class Key:
    tonic: int  # tonal pitch class
    mode: str

    @property
    def info(self) -> Mode:
        return MODES[self.mode]

    @property
    def minor(self) -> bool:
        return self.info.minor

    @property
    def fifths(self) -> int:
        """The key signature: sharps positive, flats negative."""
        return self.tonic + self.info.signature

    @property
    def scale(self) -> tuple[int, ...]:
        """Tonal pitch classes of the mode's degrees, rising from the tonic."""
        return tuple(self.tonic + step for step in self.info.steps)

    @property
    def harmony(self) -> tuple[int, ...]:
        """Seven tonal pitch classes on which chords are built."""
        mode = MODES[HARMONY_OF.get(self.mode, self.mode)]
        return tuple(self.tonic + step for step in mode.steps)

    @property
    def pitch_classes(self) -> frozenset[int]:
        return frozenset(pitch.pitch_class(tpc) for tpc in self.scale)

    def spell(self, pitch_class_: int) -> int:
        """The usual spelling of a pitch class here: the scale's own, else the nearest one."""
        for tpc in (*self.scale, *self.harmony):
            if pitch.pitch_class(tpc) == pitch_class_:
                return tpc
        return pitch.spell(pitch_class_, self.fifths + 2)

    @property
    def name(self) -> str:
        return f"{pitch.pretty(self.tonic)} {self.mode}"


def writable(key: Key) -> Key:
    """The same key where it can be written with at most seven sharps or flats, else its enharmonic twin."""
    if key.fifths > 7:
        return Key(key.tonic - 12, key.mode)
    if key.fifths < -7:
        return Key(key.tonic + 12, key.mode)
    return key
