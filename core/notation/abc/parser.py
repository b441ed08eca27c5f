"""Reads one ABC tune into a sheet: nothing is guessed away, and what is not understood is noted with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from core.music import pitch
from core.music.keys import MODES, Key
from core.music.meter import Meter
from core.notation.abc.fields import (
    default_unit,
    read_key,
    read_meter,
    read_tempo,
    read_unit,
    read_voice,
)
from core.notation.abc.tokens import FIELD, LENGTH, NOTE, TOKEN
from core.notation.problems import Problem
from core.notation.sheet import Sheet, SheetBar, Symbol, Voice

MOST_PROBLEMS = 40
MOST_BARS = 4000  # in one voice
_SHIFTS = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}
_NATURAL = {letter: (pitch.NATURAL_PITCH_CLASS[letter], pitch.LETTERS.index(letter) - 1) for letter in "CDEFGAB"}
_HEADER_FIELDS = frozenset("ABCDFGHIKLMmNOPQRrSTUVWXZ")
_ENDING = re.compile(r"(\d+)(?:-(\d+))?")

# A note as it is written: letter, octave of the letter, accidental (or None), length as numerator and denominator.
Written = tuple[str, int, int | None, int, int]


class _Unnotatable(Exception):
    """A length that is no length."""


@dataclass
class _Part:
    """A voice while it is read."""

    voice: Voice
    unit: int
    meter: Meter | None
    letters: dict[str, int]
    bar: SheetBar
    at: int = 0
    symbols: list[Symbol] = field(default_factory=list)
    accidentals: dict[tuple[str, int], int] = field(default_factory=dict)  # the bar's; octave 0 where all share them
    tied: dict[tuple[str, int], int] = field(default_factory=dict)  # written notes that go on over the bar line
    last: Symbol | None = None
    last_written: tuple[tuple[str, int, int], ...] = ()
    tuplet: tuple[int, int, int] | None = None  # notes left, p, q
    next_scale: tuple[int, int] = (1, 1)  # what a broken rhythm leaves to the next note
    broken_at: int = 0  # column of a broken rhythm that waits for its second note
    repeat_next: bool = False
    sung: list[Symbol] = field(default_factory=list)  # notes of the music line that lyrics go with
    verses: int = 0
    barred: bool = False  # a bar line was the last thing
    broken_line: int = 0  # where in this bar a line ended without a bar line


class Parser:
    """One tune's lines, in order. `strict`: what a model wrote; nothing is passed over."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.sheet = Sheet()
        self.problems: list[Problem] = []
        self.seen: list[str] = []  # the header's fields, in order
        self.notes: list[str] = []  # the header's remarks: some say what no field can
        self.in_body = False
        self._unit: int | None = None
        self._letters: dict[str, int] = {}
        self._parts: dict[str, _Part] = {}
        self._program: int | None = None
        self._part: _Part | None = None
        self._line = 0
        self._reach = "pitch"  # how far accidentals hold in a bar: to every octave, as the standard has it
        self._continued = False  # the music line before ended with a backslash
        self._label = ""
        self._cache: dict[str, Written] = {}
        self._on: dict[str, Callable[[re.Match[str]], None]] = {
            "note": self._note, "bar": self._bar, "broken": self._broken, "tuplet": self._tuplet, "tie": self._tie,
            "quoted": self._quoted, "field": self._inline, "later": self._later, "chord": self._chord,
            "rest": self._rest, "bars": self._bars, "overlay": self._overlay, "wrong": self._wrong,
            "skipped": self._skipped,
        }  # fmt: skip

    def wrong(self, code: str, column: int = 0, expected: object = "", found: object = "") -> None:
        if len(self.problems) < MOST_PROBLEMS:
            part = self._part
            bar = len(part.voice.bars) + 1 if part else 0
            voice = part.voice.id if part else ""
            self.problems.append(Problem(code, voice, bar, self._line, column, str(expected), str(found)))

    # Lines

    def read(self, lines: list[str], first: int = 1) -> None:
        """`first`: the number of the first line, in the text it comes from."""
        for number, line in enumerate(lines, first):
            self._line = number
            if line.startswith("%"):
                self._directive(line)
                continue
            match = FIELD.match(line)
            if match and (not self.in_body or match[1] in "BCDFGHIKLMmNOPQRrSTUVWwsXZ+"):
                value = match[2]
                if "%" in value and match[1] not in "Ww":
                    value = value.split("%")[0]
                self._field(match[1], value.strip(), match.start(2) + 1)
            elif self.in_body:
                self._music(line)
            elif line.strip() and self.strict:
                self.wrong("abc-header-line", 1, found=line.strip()[:30])
        for part in self._parts.values():
            self._part = part
            self._finish(part)

    def _directive(self, line: str) -> None:
        if match := re.match(r"%%\s*MIDI\s+(program|channel|transpose)\s+(.*)", line):
            self._midi(match[1], match[2])
        elif match := re.match(r"%%\s*propagate-accidentals\s+(not|octave|pitch)\b", line):
            self._reach = match[1]

    def _midi(self, name: str, value: str) -> None:
        numbers = [int(n) for n in re.findall(r"-?\d{1,4}", value)[:2]]
        voice = self._part.voice if self._part else None
        limit = {"program": range(128), "channel": range(1, 17), "transpose": range(-60, 61)}[name]
        if not numbers or numbers[-1] not in limit:
            self.wrong("abc-program", 1, found=value.strip()[:20])
        elif name == "program":
            if voice is None:
                self._program = numbers[-1]
            else:
                voice.program = numbers[-1]
        elif voice is not None and name == "channel":
            voice.drums = numbers[0] == 10
        elif voice is not None:
            voice.shift += numbers[0]

    def _field(self, name: str, value: str, column: int) -> None:
        if not self.in_body and name in _HEADER_FIELDS:
            self.seen.append(name)
        sheet = self.sheet
        match name:
            case "T" if not sheet.title:
                sheet.title = value[:200]
            case "C":
                sheet.composer = sheet.composer or value[:200]
            case "R":
                sheet.rhythm = sheet.rhythm or value[:60]
            case "N" if not self.in_body:
                self.notes.append(value)
            case "M":
                self._meter(value, column)
            case "L":
                self._length(value, column)
            case "Q":
                self._tempo(value, column)
            case "K":
                self._key(value, column)
            case "V":
                self._voice(value, column)
            case "P" if self.in_body:
                self._label = value[:20]
            case "w":
                self._lyrics(value)
            case "I":
                self._directive("%%" + re.sub(r"^(MIDI|propagate-accidentals)=", r"\1 ", value))
            case _:
                return

    def _meter(self, value: str, column: int) -> None:
        found = read_meter(value)
        if found is None:
            self.wrong("abc-meter", column, found=value[:20])
            return
        meter = None if isinstance(found, str) else found
        if not self.in_body:
            self.sheet.meter = meter
            return
        part = self._here()
        part.meter = meter
        if not part.symbols and not part.at:
            part.bar.meter = meter

    def _length(self, value: str, column: int) -> None:
        unit = read_unit(value)
        if unit is None:
            self.wrong("abc-unit", column, found=value[:20])
        elif self.in_body:
            self._here().unit = unit
        else:
            self._unit = unit

    def _tempo(self, value: str, column: int) -> None:
        unit = self._part.unit if self._part else self._unit or default_unit(self.sheet.meter)
        tempo = read_tempo(value, unit)
        if tempo is None:
            self.wrong("abc-tempo", column, found=value[:20])
        elif isinstance(tempo, float):
            if self.in_body:
                part = self._here()
                part.bar.tempos.append((part.at, tempo))
            else:
                self.sheet.tempo = tempo

    def _key(self, value: str, column: int) -> None:
        found = read_key(value)
        if found is None:
            self.wrong("abc-key", column, found=value[:20])
            self.in_body = True
            return
        if self.in_body:
            part = self._here()
            part.letters = dict(found.letters)
            part.bar.keys.append((part.at, found.key))
            part.accidentals = {}
            if found.shift is not None:
                part.voice.clef, part.voice.shift = found.clef, found.shift
            return
        self.in_body = True
        self.sheet.key, self._letters = found.key, dict(found.letters)
        for note in self.notes:
            self._refined(note)
        for voice in self.sheet.voices:
            self._parts[voice.id] = self._begun(voice)
        if found.shift is not None and not self._parts:
            voice = Voice("1")
            voice.clef, voice.shift = found.clef, found.shift
            self.sheet.voices.append(voice)
            self._parts["1"] = self._begun(voice)

    def _refined(self, note: str) -> None:
        """A scale or a grouping that the fields cannot name, as our own writer notes it."""
        key, meter = self.sheet.key, self.sheet.meter
        tonic, _, mode = note.partition(" ")
        if mode in MODES and tonic == pitch.name(key.tonic) and Key(key.tonic, mode).fifths == key.fifths:
            self.sheet.key = Key(key.tonic, mode)
        groups = re.fullmatch(r"(\d+)/(\d+) as (\d+(?:\+\d+)+)", note)
        if groups and meter and meter.name == f"{groups[1]}/{groups[2]}":
            grouped = read_meter(f"{groups[3]}/{groups[2]}")
            self.sheet.meter = grouped if isinstance(grouped, Meter) and grouped.bar == meter.bar else meter

    def _begun(self, voice: Voice) -> _Part:
        meter = self.sheet.meter
        if voice.program is None:
            voice.program = self._program
        return _Part(voice, self._unit or default_unit(meter), meter, dict(self._letters), SheetBar(meter, 0, 1))

    def _voice(self, value: str, column: int) -> None:
        found = read_voice(value)
        if found is None:
            self.wrong("abc-voice-undeclared", column, found=value[:20])
            return
        voice = next((v for v in self.sheet.voices if v.id == found.id), None)
        if voice is None:
            voice = Voice(found.id)
            if self.in_body and self.strict:
                self.wrong("abc-voice-undeclared", column, found=found.id)
            self.sheet.voices.append(voice)
            if self.in_body:
                self._parts[voice.id] = self._begun(voice)
        voice.declared = voice.declared or not self.in_body
        voice.name = voice.name or found.name[:60]
        if found.clef or found.shift is not None:
            voice.clef, voice.shift = found.clef or voice.clef, found.shift or 0
            voice.drums = voice.drums or voice.clef == "perc"
        if self.in_body:
            self._part = part = self._parts[voice.id]
            part.sung, part.verses = [], 0

    def _here(self) -> _Part:
        """The voice that is being written; the first one where none was named."""
        if self._part is None:
            if not self._parts:
                voice = Voice("1")
                self.sheet.voices.append(voice)
                self._parts["1"] = self._begun(voice)
            self._part = next(iter(self._parts.values()))
        return self._part

    # Music

    def _music(self, line: str) -> None:
        part = self._here()
        if not self._continued:
            part.sung, part.verses = [], 0
        self._continued = line.rstrip().endswith("\\")
        on = self._on
        if "%" in line:
            line = _uncommented(line)
        for match in TOKEN.finditer(line):
            act = on.get(match.lastgroup or "")
            if act is not None:
                act(match)
        part = self._here()
        if not self.strict and part.meter is not None and part.at == part.meter.bar and not part.barred:
            kept = part.accidentals
            self._finish(part)  # old books leave the bar line at a line's end to the reader
            part.accidentals = kept  # but no line was written that would end them
        elif not self.strict and part.symbols and not self._continued:
            part.broken_line = part.at

    def _written(self, match: re.Match[str]) -> Written:
        text = match[0]
        found = self._cache.get(text)
        if found is None:
            parts = NOTE.match(text)
            assert parts is not None
            letter = parts[2]
            octave = 4 if letter.isupper() else 5
            octave += parts[3].count("'") - parts[3].count(",")
            accidental = _SHIFTS[parts[1]] if parts[1] else None
            found = self._cache[text] = (letter.upper(), octave, accidental, *_fraction(text[parts.end(3) :]))
        return found

    def _note(self, match: re.Match[str]) -> None:
        part = self._part
        assert part is not None
        try:
            letter, octave, accidental, top, bottom = self._written(match)
            duration = self._ticks(part, top, bottom)
        except _Unnotatable:
            self.wrong("abc-length", match.start() + 1, found=match[0][:20])
            return
        note, shift = self._sounding(part, letter, octave, accidental)
        self._add(part, Symbol(part.at, duration, (note,), self._line, match.start() + 1))
        part.last_written = ((letter, octave, shift),)
        part.at += duration

    def _sounding(self, part: _Part, letter: str, octave: int, accidental: int | None) -> tuple[tuple[int, int], int]:
        """(MIDI pitch, tonal pitch class) and the alteration: its own, the bar's, a tie's or the signature's."""
        place = (letter, 0 if self._reach == "pitch" else octave)
        if accidental is not None:
            shift = accidental
            if self._reach != "not":
                part.accidentals[place] = accidental
        elif (letter, octave) in part.tied and not part.symbols:
            shift = part.tied[letter, octave]
        else:
            shift = part.accidentals.get(place, part.letters.get(letter, 0))
        natural, tpc = _NATURAL[letter]
        midi = 12 * (octave + 1) + natural + shift + part.voice.shift
        if not 0 <= midi <= 127:
            self.wrong("abc-range", found=f"{letter}{octave}")
            midi = min(127, max(0, midi))
        return (midi, tpc + 7 * shift), shift

    def _ticks(self, part: _Part, top: int, bottom: int) -> int:
        """A length in ticks, through tuplet and broken rhythm. Raises _Unnotatable."""
        top, bottom = part.unit * top * part.next_scale[0], bottom * part.next_scale[1]
        part.next_scale, part.broken_at = (1, 1), 0
        if part.tuplet is not None:
            left, p, q = part.tuplet
            top, bottom = top * q, bottom * p
            part.tuplet = (left - 1, p, q) if left > 1 else None
        duration, rest = divmod(top, bottom)
        if rest or duration <= 0 or duration > 64 * part.unit + 1_000_000:
            raise _Unnotatable
        return duration

    def _add(self, part: _Part, symbol: Symbol) -> None:
        if not part.symbols:
            part.bar.line, part.bar.column = symbol.line, symbol.column
        part.symbols.append(symbol)
        part.last, part.barred = symbol, False
        if symbol.notes:
            part.sung.append(symbol)

    def _chord(self, match: re.Match[str]) -> None:
        part = self._part
        assert part is not None
        text = match[0]
        inner, _, tail = text[1:].rpartition("]")
        column = match.start() + 1
        written = []
        ties: list[int] = []
        for token in TOKEN.finditer(inner):
            if token.lastgroup == "note":
                written.append(self._written(token))
            elif token.lastgroup == "tie" and written:
                ties.append(len(written) - 1)
            elif token.lastgroup == "quoted":
                self._quoted(token)
            elif token.lastgroup == "wrong" and self.strict:
                self.wrong("abc-token", column + token.start() + 1, found=token[0])
        if not written:
            self.wrong("abc-chord-empty", column, found=text[:20])
            return
        try:
            outer = _fraction(tail)
            lengths = [(top * outer[0], bottom * outer[1]) for _, _, _, top, bottom in written]
            if self.strict and any(a * lengths[0][1] != lengths[0][0] * b for a, b in lengths):
                self.wrong("abc-chord-unequal", column, found=text[:20])
            duration = self._ticks(part, *lengths[0])
        except _Unnotatable:
            self.wrong("abc-length", column, found=text[:20])
            return
        made = [(each[:2], *self._sounding(part, *each[:3])) for each in written]
        symbol = Symbol(part.at, duration, tuple(sorted(note for _, note, _ in made)), self._line, column)
        symbol.ties = tuple(made[i][1][0] for i in ties)
        self._add(part, symbol)
        part.last_written = tuple((*place, shift) for place, _, shift in made)
        part.at += duration

    def _rest(self, match: re.Match[str]) -> None:
        part = self._part
        assert part is not None
        try:
            duration = self._ticks(part, *_fraction(match[0][1:]))
        except _Unnotatable:
            self.wrong("abc-length", match.start() + 1, found=match[0][:20])
            return
        self._add(part, Symbol(part.at, duration, (), self._line, match.start() + 1))
        part.at += duration

    def _bars(self, match: re.Match[str]) -> None:
        """`Z4`: four bars of rest."""
        part = self._here()
        count = int(match[0][1:] or 1)
        if part.meter is None:
            self.wrong("abc-rest-meter", match.start() + 1, found=match[0])
            return
        if not 1 <= count <= 500 or part.at:
            self.wrong("abc-length", match.start() + 1, found=match[0][:20])
            return
        for left in range(count, 0, -1):
            self._add(part, Symbol(0, part.meter.bar, (), self._line, match.start() + 1))
            part.at = part.meter.bar
            if left > 1:
                self._finish(part)

    def _broken(self, match: re.Match[str]) -> None:
        part = self._here()
        before = part.last
        size = len(match[0])
        if before is None or size > 3 or part.broken_at or not part.symbols or part.symbols[-1] is not before:
            self.wrong("abc-broken", match.start() + 1, found=match[0])
            return
        long, short, scale = 2 ** (size + 1) - 1, 1, 2**size
        first, second = (long, short) if match[0][0] == ">" else (short, long)
        duration, rest = divmod(before.duration * first, scale)
        if rest or not duration:
            self.wrong("abc-length", match.start() + 1, found=match[0])
            return
        part.at += duration - before.duration
        before.duration = duration
        part.next_scale, part.broken_at = (second, scale), match.start() + 1

    def _tuplet(self, match: re.Match[str]) -> None:
        part = self._here()
        p, q, r = ([int(n) if n else 0 for n in match[0][1:].split(":")] + [0, 0])[:3]
        compound = part.meter is not None and part.meter.compound
        usual = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}.get(p, 3 if compound else 2)
        if p < 2 or part.tuplet is not None:
            self.wrong("abc-tuplet", match.start() + 1, found=match[0])
            return
        part.tuplet = (r or p, p, q or usual)

    def _tie(self, match: re.Match[str]) -> None:
        part = self._here()
        if part.last is None or not part.last.notes:
            if self.strict:
                self.wrong("abc-tie", match.start() + 1)
            return
        part.last.ties = tuple(midi for midi, _ in part.last.notes)

    def _quoted(self, match: re.Match[str]) -> None:
        text = match[0][1:-1].strip()
        if text and text[0] not in "^_<>@":
            part = self._here()
            part.bar.chords.append((part.at, text))

    def _inline(self, match: re.Match[str]) -> None:
        name, value = match[0][1], match[0][3:-1].strip()
        if name in "KLMQVPI":
            self._field(name, value, match.start() + 4)

    def _overlay(self, match: re.Match[str]) -> None:
        part = self._here()
        part.bar.overlays.append(part.symbols)
        part.bar.length = max(part.bar.length, part.at)
        part.symbols, part.at, part.last, part.accidentals = [], 0, None, {}

    def _wrong(self, match: re.Match[str]) -> None:
        text = match[0]
        column = match.start() + 1
        if text == "[":
            self.wrong("abc-chord-open", column)
        elif text == '"':
            self.wrong("abc-quote-open", column)
        elif text == "{":
            self.wrong("abc-grace-open", column)
        elif self.strict or text not in "#;?@]:+^_=/0123456789,'}~.":
            self.wrong("abc-token", column, found=text)

    def _skipped(self, match: re.Match[str]) -> None:
        if self.strict and match[0] in "*!":
            self.wrong("abc-token", match.start() + 1, found=match[0])

    # Bar lines

    def _bar(self, match: re.Match[str]) -> None:
        part = self._here()
        ending = match["ending"]
        text = match[0].strip()
        marks = text[: len(text) - len(ending)] if ending else text
        marks = marks.rstrip("[ ") if marks.endswith("[") and len(marks) > 1 else marks
        before = len(marks) - len(marks.lstrip(":.")) - marks.startswith(".")
        after = marks.endswith(":") and (before < len(marks) or before > 1)
        if before == len(marks):  # "::" closes and opens, a ":" alone closes
            before = max(1, before // 2)
        if self.strict and not part.symbols and part.barred and not part.bar.overlays and marks == "|":
            self.wrong("abc-empty-bar", match.start() + 1)
        self._finish(part)
        bars = part.voice.bars
        if bars:
            bars[-1].repeats = max(bars[-1].repeats, before)
            bars[-1].strain_end = bars[-1].strain_end or before > 0 or len(marks.strip("[.")) > 1
        part.repeat_next = part.bar.repeat_start = after or part.repeat_next
        part.barred = True
        if ending:
            self._ending(part, ending)

    def _later(self, match: re.Match[str]) -> None:
        """`[1`: an ending that is not joined to its bar line; `["last time"` names no pass."""
        part = self._here()
        if part.symbols:
            self._finish(part)
            part.voice.bars[-1].strain_end = True
        self._ending(part, match[0].lstrip("["))

    def _ending(self, part: _Part, text: str) -> None:
        passes: list[int] = []
        for match in _ENDING.finditer(text):
            first, last = int(match[1]), int(match[2] or match[1])
            passes += range(first, min(last, first + 20) + 1)
        part.bar.endings = tuple(sorted({n for n in passes if 0 < n <= 20})) or (1,)
        if part.voice.bars:
            part.voice.bars[-1].strain_end = True

    def _finish(self, part: _Part) -> None:
        """Closes the bar that is being written, if anything stands in it."""
        bar = part.bar
        if part.tuplet is not None:
            self.wrong("abc-tuplet", found=part.tuplet[0])
            part.tuplet = None
        if part.broken_at:
            self.wrong("abc-broken", part.broken_at)
            part.next_scale, part.broken_at = (1, 1), 0
        if not part.symbols and not bar.overlays:
            return
        if bar.overlays and part.at != bar.length:
            self.wrong("abc-overlay", bar.column, bar.length, part.at)
        bar.symbols, bar.length = part.symbols, max(bar.length, part.at)
        if bar.overlays:
            bar.symbols, *bar.overlays = [*bar.overlays, bar.symbols]
        bar.label, self._label = self._label, ""
        last = part.last
        held = bool(last and last.ties)
        part.tied = {(letter, octave): shift for letter, octave, shift in part.last_written} if held else {}
        if len(part.voice.bars) < MOST_BARS:
            part.voice.bars += _split(bar, part.broken_line)
        else:
            self.wrong("abc-too-long", expected=MOST_BARS)
        part.bar = SheetBar(part.meter, self._line, 1)
        part.symbols, part.at, part.accidentals, part.repeat_next = [], 0, {}, False
        part.broken_line = 0

    # Lyrics

    def _lyrics(self, text: str) -> None:
        part = self._here()
        verse, part.verses = part.verses, part.verses + 1
        notes = part.sung
        place, over = 0, 0
        for syllable in _syllables(text):
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
        if self.strict and (over or (place < len(notes) and not verse)):
            self.wrong("abc-syllables", 1, len(notes), place + over)


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


def _fraction(text: str) -> tuple[int, int]:
    """`3/2`, `/`, `//`, `/4`, `2` as numerator and denominator. Raises _Unnotatable."""
    if not text:
        return 1, 1
    match = LENGTH.fullmatch(text)
    if not match or len(text) > 9:
        raise _Unnotatable
    top = int(match[1]) if match[1] else 1
    bottom = int(match[3]) if match[3] else 2 ** len(match[2])
    if (match[3] and len(match[2]) > 1) or not top or not bottom or bottom > 512 or top > 512:
        raise _Unnotatable
    return top, bottom


def _uncommented(line: str) -> str:
    """Without what follows a `%` that stands outside of quotes."""
    quoted = False
    for i, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "%" and not quoted and (i == 0 or line[i - 1] != "\\"):
            return line[:i]
    return line


def _syllables(text: str) -> list[str]:
    """`Hap-py birth-day_ to *`: each syllable with its hyphen, `_` holds, `*` skips a note."""
    found: list[str] = []
    for word in re.findall(r"[|*]|_|(?:\\-|[^\s\-_|*])+-?|-", text):
        if word == "-":
            found.append("_")
        else:
            found.append(word.replace("\\-", "‑").replace("~", " "))
    return found
