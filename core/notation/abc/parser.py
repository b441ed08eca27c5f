"""Reads one ABC tune into a sheet: nothing is guessed away, and what is not understood is noted with its place."""

from __future__ import annotations

import re

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
from core.notation.abc.tokens import FIELD, TOKEN
from core.notation.abc.voice import Desk, VoiceReader
from core.notation.problems import Problem
from core.notation.sheet import Sheet, SheetBar, Voice

_HEADER_FIELDS = frozenset("ABCDFGHIKLMmNOPQRrSTUVWXZ")


class Parser:
    """One tune's lines, in order. `strict`: what a model wrote; nothing is passed over."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.sheet = Sheet()
        self.seen: list[str] = []  # the header's fields, in order
        self.notes: list[str] = []  # the header's remarks: some say what no field can
        self.in_body = False
        self._unit: int | None = None
        self._letters: dict[str, int] = {}
        self._parts: dict[str, VoiceReader] = {}
        self._program: int | None = None
        self._declared: Voice | None = None  # the voice that the header spoke of last
        self._part: VoiceReader | None = None
        self._continued = False  # the music line before ended with a backslash
        self._desk = Desk(strict, self._field)

    @property
    def problems(self) -> list[Problem]:
        return self._desk.problems

    def _wrong(self, code: str, column: int = 0, found: str = "") -> None:
        self._desk.wrong(code, self._part.voice if self._part else None, column, found=found)

    def read(self, lines: list[str], first: int = 1) -> None:
        """`first`: the number of the first line, in the text it comes from.

        Raises UnreadableNotation where there are more bars than anybody reads.
        """
        quoting = False
        for number, line in enumerate(lines, first):
            self._desk.line = number
            if line.startswith("%"):
                quoting = line.startswith("%%begintext") or (quoting and not line.startswith("%%endtext"))
                self._directive(line)
                continue
            if quoting:
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
                self._wrong("abc-header-line", 1, found=line.strip()[:30])
        for part in self._parts.values():
            part.finish()

    def _directive(self, line: str) -> None:
        if match := re.match(r"%%\s*MIDI\s+(program|channel|transpose)\s+(.*)", line):
            self._midi(match[1], match[2])
        elif match := re.match(r"%%\s*propagate-accidentals\s+(not|octave|pitch)\b", line):
            self._desk.reach = match[1]

    def _midi(self, name: str, value: str) -> None:
        numbers = [int(n) for n in re.findall(r"-?\d{1,4}", value)[:2]]
        voice = self._part.voice if self._part else self._declared
        limit = {"program": range(128), "channel": range(1, 17), "transpose": range(-60, 61)}[name]
        if not numbers or numbers[-1] not in limit:
            self._wrong("abc-program", 1, found=value.strip()[:20])
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
                self._desk.label = value[:20]
            case "w":
                self._here().lyrics(value)
            case "I":
                self._directive("%%" + re.sub(r"^(MIDI|propagate-accidentals)=", r"\1 ", value))
            case _:
                return

    def _meter(self, value: str, column: int) -> None:
        found = read_meter(value)
        if found is None:
            self._wrong("abc-meter", column, found=value[:20])
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
            self._wrong("abc-unit", column, found=value[:20])
        elif self.in_body:
            self._here().unit = unit
        else:
            self._unit = unit

    def _tempo(self, value: str, column: int) -> None:
        unit = self._part.unit if self._part else self._unit or default_unit(self.sheet.meter)
        tempo = read_tempo(value, unit)
        if tempo is None:
            self._wrong("abc-tempo", column, found=value[:20])
        elif isinstance(tempo, float):
            if self.in_body:
                part = self._here()
                part.bar.tempos.append((part.at, tempo))
            else:
                self.sheet.tempo = tempo

    def _key(self, value: str, column: int) -> None:
        found = read_key(value)
        if found is None:
            self._wrong("abc-key", column, found=value[:20])
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
        groups = re.fullmatch(r"(\d{1,3})/(\d{1,3}) as (\d{1,3}(?:\+\d{1,3}){1,15})", note)
        if groups and meter and meter.name == f"{groups[1]}/{groups[2]}":
            grouped = read_meter(f"{groups[3]}/{groups[2]}")
            self.sheet.meter = grouped if isinstance(grouped, Meter) and grouped.bar == meter.bar else meter

    def _begun(self, voice: Voice) -> VoiceReader:
        meter = self.sheet.meter
        if voice.program is None:
            voice.program = self._program
        unit = self._unit or default_unit(meter)
        return VoiceReader(self._desk, voice, unit, meter, dict(self._letters), SheetBar(meter, 0, 1))

    def _voice(self, value: str, column: int) -> None:
        found = read_voice(value)
        if found is None:
            self._wrong("abc-voice-undeclared", column, found=value[:20])
            return
        voice = next((v for v in self.sheet.voices if v.id == found.id), None)
        if voice is None:
            voice = Voice(found.id)
            if self.in_body and self.strict:
                self._wrong("abc-voice-undeclared", column, found=found.id)
            self.sheet.voices.append(voice)
            if self.in_body:
                self._parts[voice.id] = self._begun(voice)
        voice.declared = voice.declared or not self.in_body
        voice.name = voice.name or found.name[:60]
        if found.clef or found.shift is not None:
            voice.clef, voice.shift = found.clef or voice.clef, found.shift or 0
            voice.drums = voice.drums or voice.clef == "perc"
        self._declared = voice
        if self.in_body:
            self._part = self._parts[voice.id]
            self._part.begin_line()

    def _here(self) -> VoiceReader:
        """The voice that is being written; the first one where none was named."""
        if self._part is None:
            if not self._parts:
                voice = Voice("1")
                self.sheet.voices.append(voice)
                self._parts["1"] = self._begun(voice)
            self._part = next(iter(self._parts.values()))
        return self._part

    def _music(self, line: str) -> None:
        if not self._continued:
            self._here().begin_line()
        self._continued = line.rstrip().endswith("\\")
        if "%" in line:
            line = _uncommented(line)
        for match in TOKEN.finditer(line):
            act = self._here().on.get(match.lastgroup or "")  # an inline field may have changed the voice
            if act is not None:
                act(match)
        self._here().end_line(self._continued)


def _uncommented(line: str) -> str:
    """Without what follows a `%` that stands outside of quotes."""
    quoted = False
    for i, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "%" and not quoted and (i == 0 or line[i - 1] != "\\"):
            return line[:i]
    return line
