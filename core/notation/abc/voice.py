"""One voice of an ABC tune while it is read: tokens become symbols, bar lines close bars."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from core.music import pitch
from core.music.meter import Meter
from core.notation.abc.tokens import NOTE, TOKEN, Unnotatable, fraction, syllables
from core.notation.problems import Problem, refused, wholes
from core.notation.sheet import SheetBar, Symbol, Voice

MOST_PROBLEMS = 40
JUMPS = frozenset({"DC", "DS", "FINE", "CODA", "SEGNO", "DACAPO", "DALSEGNO", "DCALFINE", "DSALCODA", "DCALCODA"})
MOST_BARS = 4000  # in one voice
_SHIFTS = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}
_NATURAL = {letter: (pitch.NATURAL_PITCH_CLASS[letter], pitch.LETTERS.index(letter) - 1) for letter in "CDEFGAB"}
_ENDING = re.compile(r"(\d+)(?:-(\d+))?")

# A note as it is written: letter, octave of the letter, accidental (or None), length as numerator and denominator.
Written = tuple[str, int, int | None, int, int]


@dataclass
class Desk:
    """What the voices of a tune share: the profile, the line that is read, and what is wrong so far."""

    strict: bool
    field: Callable[[str, str, int], None]  # takes an inline field: its letter, value and column
    problems: list[Problem] = dataclass_field(default_factory=list)
    line: int = 0
    reach: str = "pitch"  # how far accidentals hold in a bar: to every octave, as the standard has it
    label: str = ""  # of the next bar (P:)
    cache: dict[str, Written] = dataclass_field(default_factory=dict)

    def wrong(self, code: str, voice: Voice | None, column: int = 0, expected: object = "", found: object = "") -> None:
        if len(self.problems) < MOST_PROBLEMS:
            bar, name = (len(voice.bars) + 1, voice.id) if voice else (0, "")
            self.problems.append(Problem(code, name, bar, self.line, column, str(expected), str(found)))


@dataclass
class VoiceReader:
    """`on`: token -> what takes it."""

    desk: Desk
    voice: Voice
    unit: int
    meter: Meter | None
    letters: dict[str, int]
    bar: SheetBar
    at: int = 0
    symbols: list[Symbol] = dataclass_field(default_factory=list)
    accidentals: dict[tuple[str, int], int] = dataclass_field(
        default_factory=dict
    )  # the bar's; octave 0 where all share them
    tied: dict[tuple[str, int], int] = dataclass_field(default_factory=dict)  # what goes on over the bar line
    last: Symbol | None = None
    last_written: tuple[tuple[str, int, int], ...] = ()
    tuplet: tuple[int, int, int] | None = None  # notes left, p, q
    tuplet_at: int = 0  # its column
    next_scale: tuple[int, int] = (1, 1)  # what a broken rhythm leaves to the next note
    broken_at: int = 0  # column of a broken rhythm that waits for its second note
    repeat_next: bool = False
    sung: list[Symbol] = dataclass_field(default_factory=list)  # notes of the music line that lyrics go with
    verses: int = 0
    barred: bool = False  # a bar line was the last thing
    broken_line: int = 0  # where in this bar a line ended without a bar line
    on: dict[str, Callable[[re.Match[str]], None]] = dataclass_field(init=False)

    def __post_init__(self) -> None:
        self.on = {
            "note": self._note, "bar": self._bar, "broken": self._broken, "tuplet": self._tuplet, "tie": self._tie,
            "quoted": self._quoted, "field": self._inline, "later": self._later, "chord": self._chord,
            "rest": self._rest, "bars": self._bars, "overlay": self._overlay, "wrong": self._wrong,
            "skipped": self._skipped, "decoration": self._decoration,
        }  # fmt: skip

    def _note_wrong(self, code: str, column: int = 0, expected: object = "", found: object = "") -> None:
        self.desk.wrong(code, self.voice, column, expected, found)

    def begin_line(self) -> None:
        """Lyrics go with the music lines since here."""
        self.sung, self.verses = [], 0

    def end_line(self, continued: bool) -> None:
        """Old books leave the bar line at a line's end to the reader."""
        if self.desk.strict:
            return
        if self.meter is not None and self.at == self.meter.bar and not self.barred:
            kept = self.accidentals
            self.finish()
            self.accidentals = kept  # no line was written that would end them
        elif self.symbols and not continued:
            self.broken_line = self.at

    def _written(self, match: re.Match[str]) -> Written:
        text = match[0]
        found = self.desk.cache.get(text)
        if found is None:
            parts = NOTE.match(text)
            assert parts is not None
            letter = parts[2]
            octave = 4 if letter.isupper() else 5
            octave += parts[3].count("'") - parts[3].count(",")
            accidental = _SHIFTS[parts[1]] if parts[1] else None
            found = self.desk.cache[text] = (letter.upper(), octave, accidental, *fraction(text[parts.end(3) :]))
        return found

    def _note(self, match: re.Match[str]) -> None:
        try:
            letter, octave, accidental, top, bottom = self._written(match)
            duration = self._ticks(top, bottom)
        except Unnotatable:
            self._note_wrong("abc-length", match.start() + 1, found=match[0][:20])
            return
        note, shift = self._sounding(letter, octave, accidental, match.start() + 1)
        self._add(Symbol(self.at, duration, (note,), self.desk.line, match.start() + 1))
        self.last_written = ((letter, octave, shift),)
        self.at += duration

    def _sounding(self, letter: str, octave: int, accidental: int | None, column: int) -> tuple[tuple[int, int], int]:
        """(MIDI pitch, tonal pitch class) and the alteration: its own, the bar's, a tie's or the signature's."""
        place = (letter, 0 if self.desk.reach == "pitch" else octave)
        if accidental is not None:
            shift = accidental
            if self.desk.reach != "not":
                self.accidentals[place] = accidental
        elif (letter, octave) in self.tied and not self.symbols:
            shift = self.tied[letter, octave]
        else:
            shift = self.accidentals.get(place, self.letters.get(letter, 0))
        natural, tpc = _NATURAL[letter]
        midi = 12 * (octave + 1) + natural + shift + self.voice.shift
        if not 0 <= midi <= 127:
            self._note_wrong("abc-range", column, "0–127", f"{letter}{octave}")
            midi = min(127, max(0, midi))
        return (midi, tpc + 7 * shift), shift

    def _ticks(self, top: int, bottom: int) -> int:
        """A length in ticks, through tuplet and broken rhythm. Raises Unnotatable."""
        top, bottom = self.unit * top * self.next_scale[0], bottom * self.next_scale[1]
        self.next_scale, self.broken_at = (1, 1), 0
        if self.tuplet is not None:
            left, p, q = self.tuplet
            top, bottom = top * q, bottom * p
            self.tuplet = (left - 1, p, q) if left > 1 else None
        duration, rest = divmod(top, bottom)
        if rest or duration <= 0 or duration > 64 * self.unit + 1_000_000:
            raise Unnotatable
        return duration

    def _add(self, symbol: Symbol) -> None:
        if not self.symbols:
            self.bar.line, self.bar.column = symbol.line, symbol.column
        self.symbols.append(symbol)
        self.last, self.barred = symbol, False
        if symbol.notes:
            self.sung.append(symbol)

    def _chord(self, match: re.Match[str]) -> None:
        text = match[0]
        inner, _, tail = text[1:].rpartition("]")
        column = match.start() + 1
        written = []
        ties: list[int] = []
        for token in TOKEN.finditer(inner):
            if token.lastgroup == "note":
                written.append(token)
            elif token.lastgroup == "tie" and written:
                ties.append(len(written) - 1)
            elif token.lastgroup == "quoted":
                self._quoted(token)
            elif token.lastgroup == "wrong" and self.desk.strict:
                self._note_wrong("abc-token", column + token.start() + 1, found=token[0])
        if not written:
            self._note_wrong("abc-chord-empty", column, found=text[:20])
            return
        try:
            outer = fraction(tail)
            notes = [self._written(token) for token in written]
            lengths = [(top * outer[0], bottom * outer[1]) for _, _, _, top, bottom in notes]
            if self.desk.strict and any(a * lengths[0][1] != lengths[0][0] * b for a, b in lengths):
                self._note_wrong("abc-chord-unequal", column, found=text[:20])
            duration = self._ticks(*lengths[0])
        except Unnotatable:
            self._note_wrong("abc-length", column, found=text[:20])
            return
        made = [(each[:2], *self._sounding(*each[:3], column)) for each in notes]
        symbol = Symbol(self.at, duration, tuple(sorted(note for _, note, _ in made)), self.desk.line, column)
        symbol.ties = tuple(made[i][1][0] for i in ties)
        self._add(symbol)
        self.last_written = tuple((*place, shift) for place, _, shift in made)
        self.at += duration

    def _rest(self, match: re.Match[str]) -> None:
        try:
            duration = self._ticks(*fraction(match[0][1:]))
        except Unnotatable:
            self._note_wrong("abc-length", match.start() + 1, found=match[0][:20])
            return
        self._add(Symbol(self.at, duration, (), self.desk.line, match.start() + 1))
        self.at += duration

    def _bars(self, match: re.Match[str]) -> None:
        """`Z4`: four bars of rest."""
        count = int(match[0][1:] or 1)
        if self.meter is None:
            self._note_wrong("abc-rest-meter", match.start() + 1, found=match[0])
            return
        if not 1 <= count <= 500 or self.at:
            self._note_wrong("abc-length", match.start() + 1, found=match[0][:20])
            return
        for left in range(count, 0, -1):
            self._add(Symbol(0, self.meter.bar, (), self.desk.line, match.start() + 1))
            self.at = self.meter.bar
            if left > 1:
                self.finish()

    def _broken(self, match: re.Match[str]) -> None:
        before = self.last
        size = len(match[0])
        if before is None or size > 3 or self.broken_at or not self.symbols or self.symbols[-1] is not before:
            self._note_wrong("abc-broken", match.start() + 1, found=match[0])
            return
        long, short, scale = 2 ** (size + 1) - 1, 1, 2**size
        first, second = (long, short) if match[0][0] == ">" else (short, long)
        duration, rest = divmod(before.duration * first, scale)
        if rest or not duration:
            self._note_wrong("abc-length", match.start() + 1, found=match[0])
            return
        self.at += duration - before.duration
        before.duration = duration
        self.next_scale, self.broken_at = (second, scale), match.start() + 1

    def _tuplet(self, match: re.Match[str]) -> None:
        p, q, r = ([int(n) if n else 0 for n in match[0][1:].split(":")] + [0, 0])[:3]
        compound = self.meter is not None and self.meter.compound
        usual = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}.get(p, 3 if compound else 2)
        if p < 2 or self.tuplet is not None:
            self._note_wrong("abc-tuplet", match.start() + 1, found=match[0])
            return
        self.tuplet, self.tuplet_at = (r or p, p, q or usual), match.start() + 1

    def _tie(self, match: re.Match[str]) -> None:
        if self.last is None or not self.last.notes:
            if self.desk.strict:
                self._note_wrong("abc-tie", match.start() + 1)
            return
        self.last.ties = tuple(midi for midi, _ in self.last.notes)

    def _quoted(self, match: re.Match[str]) -> None:
        text = match[0][1:-1].strip()
        if text and text[0] not in "^_<>@":
            self.bar.chords.append((self.at, text))

    def _inline(self, match: re.Match[str]) -> None:
        name, value = match[0][1], match[0][3:-1].strip()
        if name in "KLMQVPI":
            self.desk.field(name, value, match.start() + 4)

    def _overlay(self, match: re.Match[str]) -> None:
        self.bar.overlays.append(self.symbols)
        self.bar.length = max(self.bar.length, self.at)
        self.symbols, self.at, self.last, self.accidentals = [], 0, None, {}

    def _wrong(self, match: re.Match[str]) -> None:
        text = match[0]
        column = match.start() + 1
        if text == "[":
            self._note_wrong("abc-chord-open", column)
        elif text == '"':
            self._note_wrong("abc-quote-open", column)
        elif text == "{":
            self._note_wrong("abc-grace-open", column)
        elif self.desk.strict or text not in "#;?@]:+^_=/0123456789,'}~.":
            self._note_wrong("abc-token", column, found=text)

    def _decoration(self, match: re.Match[str]) -> None:
        if match[0].strip("!+").upper().replace(".", "") in JUMPS:
            self.bar.jumps = True

    def _skipped(self, match: re.Match[str]) -> None:
        if self.desk.strict and match[0] in "*!":
            self._note_wrong("abc-token", match.start() + 1, found=match[0])

    def _bar(self, match: re.Match[str]) -> None:
        ending = match["ending"]
        text = match[0].strip()
        marks = text[: len(text) - len(ending)] if ending else text
        marks = marks.rstrip("[ ") if marks.endswith("[") and len(marks) > 1 else marks
        before = len(marks) - len(marks.lstrip(":.")) - marks.startswith(".")
        after = marks.endswith(":") and (before < len(marks) or before > 1)
        if before == len(marks):  # "::" closes and opens, a ":" alone closes
            before = max(1, before // 2)
        if self.desk.strict and not self.symbols and self.barred and not self.bar.overlays and marks == "|":
            self._note_wrong("abc-empty-bar", match.start() + 1)
        self.finish()
        bars = self.voice.bars
        if bars:
            bars[-1].repeats = max(bars[-1].repeats, before)
            bars[-1].strain_end = bars[-1].strain_end or before > 0 or len(marks.strip("[.")) > 1
        self.repeat_next = self.bar.repeat_start = after or self.repeat_next
        self.barred = True
        if ending:
            self._ending(ending)

    def _later(self, match: re.Match[str]) -> None:
        """`[1`: an ending that is not joined to its bar line; `["last time"` names no pass."""
        if self.symbols:
            self.finish()
            self.voice.bars[-1].strain_end = True
        self._ending(match[0].lstrip("["))

    def _ending(self, text: str) -> None:
        passes: list[int] = []
        for match in _ENDING.finditer(text):
            first, last = int(match[1]), int(match[2] or match[1])
            passes += range(first, min(last, first + 20) + 1)
        self.bar.endings = tuple(sorted({n for n in passes if 0 < n <= 20})) or (1,)
        if self.voice.bars:
            self.voice.bars[-1].strain_end = True

    def finish(self) -> None:
        """Closes the bar that is being written, if anything stands in it."""
        bar = self.bar
        if self.tuplet is not None:
            self._note_wrong("abc-tuplet", self.tuplet_at, found=self.tuplet[0])
            self.tuplet = None
        if self.broken_at:
            self._note_wrong("abc-broken", self.broken_at)
            self.next_scale, self.broken_at = (1, 1), 0
        if not self.symbols and not bar.overlays:
            return
        if bar.overlays and self.at != bar.length:
            self._note_wrong("abc-overlay", bar.column, wholes(bar.length), wholes(self.at))
        bar.symbols, bar.length = self.symbols, max(bar.length, self.at)
        if bar.overlays:
            bar.symbols, *bar.overlays = [*bar.overlays, bar.symbols]
        bar.label, self.desk.label = self.desk.label, ""
        last = self.last
        held = bool(last and last.ties)
        self.tied = {(letter, octave): shift for letter, octave, shift in self.last_written} if held else {}
        if len(self.voice.bars) >= MOST_BARS:
            raise refused("abc-too-long", expected=MOST_BARS)
        self.voice.bars += _split(bar, self.broken_line)
        self.bar = SheetBar(self.meter, self.desk.line, 1)
        self.symbols, self.at, self.accidentals, self.repeat_next = [], 0, {}, False
        self.broken_line = 0

    def lyrics(self, text: str) -> None:
        verse, self.verses = self.verses, self.verses + 1
        notes = self.sung
        place, over = 0, 0
        for syllable in syllables(text):
            if syllable == "|":
                continue
            if place >= len(notes):
                over += syllable not in ("*", "_")
                continue
            if syllable not in ("*", "_"):
                note = notes[place]
                note.syllables += [""] * (verse + 1 - len(note.syllables))
                note.syllables[verse] = syllable
            place += 1
        if self.desk.strict and (over or (place < len(notes) and not verse)):
            self._note_wrong("abc-syllables", 1, len(notes), place + over)


def _split(bar: SheetBar, at: int) -> list[SheetBar]:
    """The bar; two of them where a line ended inside without a bar line, and both together are no whole bar.

    Song collections write a phrase a line, and leave out the bar line where the phrase's last bar is short.
    """
    if not at or bar.meter is None or bar.length == bar.meter.bar or bar.overlays:
        return [bar]
    later = [symbol for symbol in bar.symbols if symbol.onset >= at]
    if not later:
        return [bar]
    second = SheetBar(bar.meter, later[0].line, later[0].column)
    second.symbols, second.length = later, bar.length - at
    second.chords = [(onset - at, text) for onset, text in bar.chords if onset >= at]
    second.keys = [(onset - at, key) for onset, key in bar.keys if onset >= at]
    second.tempos = [(onset - at, tempo) for onset, tempo in bar.tempos if onset >= at]
    second.repeats, second.strain_end = bar.repeats, bar.strain_end
    for symbol in later:
        symbol.onset -= at
    bar.symbols, bar.length = [symbol for symbol in bar.symbols if symbol not in later], at
    bar.chords = [each for each in bar.chords if each[0] < at]
    bar.keys = [each for each in bar.keys if each[0] < at]
    bar.tempos = [each for each in bar.tempos if each[0] < at]
    bar.phrase_end = True
    return [bar, second]
