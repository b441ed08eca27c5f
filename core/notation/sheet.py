"""A sheet: music as it is written, voice by voice and bar by bar, repeats not yet played.

ABC and MusicXML are read into it; `core.notation.assembling` makes a score of it. Its values are filled while reading
and are plain, as a folk tune is read in under a millisecond.
"""

from __future__ import annotations

from core.music.keys import Key
from core.music.meter import Meter


class Symbol:
    """A note, a chord or a rest. `onset` and `duration` in ticks, from the bar line.

    `notes`: (MIDI pitch, tonal pitch class), none for a rest. `ties`: the pitches that go on into the next symbol.
    `syllables`: one a verse, "" where the verse has none.
    """

    __slots__ = ("column", "duration", "line", "notes", "onset", "syllables", "ties")

    def __init__(self, onset: int, duration: int, notes: tuple[tuple[int, int], ...], line: int, column: int) -> None:
        self.onset, self.duration, self.notes = onset, duration, notes
        self.line, self.column = line, column
        self.ties: tuple[int, ...] = ()
        self.syllables: list[str] = []


class SheetBar:
    """A bar as written.

    `meter`: the one that holds, None where there is none. `repeat_start`, `repeats` (times it is sent back at its
    end), `endings` (which passes it is for, where an ending begins here), `strain_end`: what its bar lines say.
    `length`: ticks found in it. `keys` and `tempos`: changes inside, by onset. `chords`: symbols by onset.
    """

    __slots__ = (
        "chords",
        "column",
        "endings",
        "jumps",
        "keys",
        "label",
        "length",
        "line",
        "meter",
        "overlays",
        "phrase_end",
        "repeat_start",
        "repeats",
        "strain_end",
        "symbols",
        "tempos",
    )  # fmt: skip

    def __init__(self, meter: Meter | None, line: int, column: int) -> None:
        self.meter, self.line, self.column = meter, line, column
        self.symbols: list[Symbol] = []
        self.overlays: list[list[Symbol]] = []
        self.chords: list[tuple[int, str]] = []
        self.keys: list[tuple[int, Key]] = []
        self.tempos: list[tuple[int, float]] = []
        self.length = 0
        self.repeat_start = False
        self.repeats = 0
        self.endings: tuple[int, ...] = ()
        self.strain_end = False
        self.phrase_end = False  # a line of the source ends after it, without a bar line
        self.label = ""
        self.jumps = False  # a sign that sends elsewhere: D.C., D.S., Coda, Fine


class Voice:
    """`program`: General MIDI from 0. `shift`: semitones from what is written to what sounds."""

    __slots__ = ("bars", "clef", "declared", "drums", "id", "name", "program", "shift")

    def __init__(self, id_: str, name: str = "") -> None:
        self.id, self.name = id_, name
        self.clef, self.program, self.drums, self.shift = "", None, False, 0  # type: str, int | None, bool, int
        self.declared = False
        self.bars: list[SheetBar] = []


class Sheet:
    """One tune. `rhythm`: what its writer called it (a jig, a waltz); `tempo`: quarters a minute, None where unsaid."""

    __slots__ = ("composer", "key", "meter", "rhythm", "tempo", "title", "voices")

    def __init__(self) -> None:
        self.title = self.composer = self.rhythm = ""
        self.key = Key(0, "major")
        self.meter: Meter | None = None
        self.tempo: float | None = None
        self.voices: list[Voice] = []
