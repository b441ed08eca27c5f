"""A score from MusicXML.

Read from its elements and not through music21, whose importer drops which instrument strikes an unpitched note (all
drums become one), renames players by their names, and takes 20 times as long; it checks this reader in the tests.
"""

from __future__ import annotations

from fractions import Fraction
from xml.etree.ElementTree import Element

from core.music import pitch
from core.music.keys import MODES, Key
from core.music.meter import QUARTER, Meter, meter
from core.notation.assembling import Read, assembled
from core.notation.musicxml_harmony import chord_symbol, whole
from core.notation.percussion import key_of_staff
from core.notation.problems import Problem, UnreadableNotation, refused
from core.notation.sheet import Sheet, SheetBar, Symbol, Voice
from core.notation.xml_files import read_tree

MOST_BARS = 4000
MOST_NOTES = 200_000
MOST_PARTS = 64
_BEATS = {"breve": 8, "whole": 4, "half": 2, "quarter": 1, "eighth": 0.5, "16th": 0.25, "32nd": 0.125}
_JUMPS = frozenset({"dacapo", "dalsegno", "tocoda", "coda", "segno", "fine"})
_STRAIN_ENDS = frozenset({"light-heavy", "light-light", "heavy-light", "heavy-heavy"})


def read_musicxml(data: bytes) -> Read:
    """The score as it is played. Raises UnreadableNotation."""
    sheet, warnings = read_sheet(data)
    read = assembled(sheet)
    return Read(read.score, tuple(dict.fromkeys((*warnings, *read.warnings))))


def read_sheet(data: bytes) -> tuple[Sheet, list[Problem]]:
    """The music as it is written, and what was passed over. Raises UnreadableNotation."""
    root = read_tree(data)
    if root.tag not in ("score-partwise", "score-timewise"):
        raise refused("xml-none")
    sheet = Sheet()
    sheet.title = (root.findtext("work/work-title") or root.findtext("movement-title") or "").strip()[:200]
    sheet.composer = (root.findtext("identification/creator") or "").strip()[:200]
    known = {e.get("id", ""): e for e in root.iterfind("part-list/score-part")}
    reading = _Reading(sheet)
    measures = _measures(root)
    if len(measures) > MOST_PARTS:
        raise refused("xml-parts", expected=MOST_PARTS)
    for id_, bars in measures.items():
        reading.part(_Player(known.get(id_), id_), bars)
    if not reading.notes:
        raise UnreadableNotation((Problem("notation-empty"),))
    reading.finish(root)
    return sheet, reading.warnings


def _measures(root: Element) -> dict[str, list[Element]]:
    """The measures of each part, whichever way the file is ordered."""
    found: dict[str, list[Element]] = {}
    outer, inner = ("part", "measure") if root.tag == "score-partwise" else ("measure", "part")
    for first in root.iterfind(outer):
        for second in first.iterfind(inner):
            id_ = (first if outer == "part" else second).get("id", "")
            bars = found.setdefault(id_, [])
            if outer == "measure":  # the measure's own attributes stand outside
                second.attrib.update(first.attrib)
            bars.append(second)
            if len(bars) > MOST_BARS:
                raise refused("notation-too-long", expected=MOST_BARS)
    return found


def _float(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 5 <= value <= 1200 else None


class _Player:
    """What the part list says of a part: name, program, and the key each of its percussion instruments is."""

    def __init__(self, entry: Element | None, id_: str) -> None:
        self.id = id_
        self.name = ((entry.findtext("part-name") if entry is not None else "") or "").strip()[:60]
        self.program: int | None = None
        self.drums = False
        self.keys: dict[str, int] = {}
        for midi in entry.iterfind("midi-instrument") if entry is not None else ():
            program = whole(midi.findtext("midi-program")) - 1
            if self.program is None and 0 <= program <= 127:
                self.program = program
            self.drums = self.drums or midi.findtext("midi-channel") == "10"
            key = whole(midi.findtext("midi-unpitched")) - 1
            if 0 <= key <= 127:
                self.keys[midi.get("id", "")] = key


class _Reading:
    """The sheet while its parts are read, one after another."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.warnings: list[Problem] = []
        self.notes = 0
        self.keyed = False

    def part(self, player: _Player, bars: list[Element]) -> None:
        staves = max([whole(e.text, 1) for bar in bars[:50] for e in bar.iterfind("attributes/staves")] or [1])
        voices = []
        for staff in range(1, min(max(staves, 1), 4) + 1):
            voice = Voice(player.id if staff == 1 else f"{player.id}-{staff}", player.name)
            voice.program, voice.drums = player.program, player.drums
            voices.append(voice)
        _Part(self, player, voices).read(bars)
        self.sheet.voices += voices

    def finish(self, root: Element) -> None:
        """Every voice's bar is as long as the longest; what no element can say stands in fields of our own."""
        for bars in zip(*(voice.bars for voice in self.sheet.voices), strict=False):
            length = max(bar.length for bar in bars)
            for bar in bars:
                bar.length = length
        key, measure = self.sheet.key, self.sheet.meter
        for field in root.iterfind("identification/miscellaneous/miscellaneous-field"):
            name, text = field.get("name"), (field.text or "").strip()
            mode = text.partition(" ")[2]
            if name == "scale" and mode in MODES and Key(key.tonic, mode).fifths == key.fifths:
                self.sheet.key = Key(key.tonic, mode)
            groups = tuple(whole(n, 0) for n in text.split("+"))
            if name == "grouping" and measure and sum(groups) == measure.numerator and min(groups) > 0:
                grouped = meter(measure.numerator, measure.denominator, groups)
                for bar in (bar for voice in self.sheet.voices for bar in voice.bars):
                    bar.meter = grouped if bar.meter == measure else bar.meter


class _Part:
    """One part while its measures are read. `fifths` and `semitones`: from what is written to what sounds."""

    def __init__(self, reading: _Reading, player: _Player, voices: list[Voice]) -> None:
        self.reading, self.player, self.voices = reading, player, voices
        self.divisions = 1
        self.meter: Meter | None = meter(4, 4)
        self.fifths = self.semitones = 0
        self.lines: list[dict[str, int]] = [{} for _ in voices]  # voice id -> line on that staff
        self.now = self.length = 0  # ticks in the measure
        self.bars: list[SheetBar] = []  # the measure's bar on each staff
        self.last: Symbol | None = None
        self.number = 0

    def read(self, bars: list[Element]) -> None:
        for self.number, element in enumerate(bars, 1):
            self.bars = [SheetBar(self.meter, 0, 0) for _ in self.voices]
            self.now = self.length = 0
            self.last = None
            for child in element:
                self._child(child)
            whole = self.meter.bar if self.meter else self.length
            if not self.length:
                self.length = whole
            for voice, bar in zip(self.voices, self.bars, strict=True):
                bar.length = self.length or QUARTER
                voice.bars.append(bar)

    def _child(self, child: Element) -> None:
        match child.tag:
            case "note":
                self._note(child)
            case "backup":
                self.now = max(0, self.now - self._ticks(child))
            case "forward":
                self._advance(self._ticks(child))
            case "attributes":
                self._attributes(child)
            case "harmony":
                self._harmony(child)
            case "barline":
                self._barline(child)
            case "direction" | "sound":
                self._tempo(child)
            case _:
                pass

    def _ticks(self, element: Element) -> int:
        try:
            duration = Fraction((element.findtext("duration") or "0").strip())
        except (ValueError, ZeroDivisionError):
            return 0
        return round(duration * QUARTER / self.divisions) if 0 <= duration <= 1_000_000 else 0

    def _advance(self, ticks: int) -> None:
        self.now += ticks
        self.length = max(self.length, self.now)

    def _attributes(self, element: Element) -> None:
        self.divisions = max(1, whole(element.findtext("divisions"), self.divisions))
        change = element.find("transpose")
        if change is not None:
            chromatic = whole(change.findtext("chromatic"), 0, 48)
            diatonic = whole(change.findtext("diatonic"), round(chromatic * 7 / 12), 48)
            self.semitones = chromatic + 12 * whole(change.findtext("octave-change"), 0, 4)
            self.fifths = 7 * chromatic - 12 * diatonic
        time = element.find("time")
        if time is not None:
            self._time(time)
        key = element.find("key")
        if key is not None and not self.player.drums:
            self._key(key)

    def _time(self, element: Element) -> None:
        found: Meter | None = None
        if element.find("senza-misura") is None:
            groups = [whole(n, 0, 64) for n in (element.findtext("beats") or "").split("+")]
            unit = whole(element.findtext("beat-type"), 4)
            if min(groups) < 1 or sum(groups) > 128 or unit not in (1, 2, 4, 8, 16, 32, 64):
                self._warn("xml-meter")
                return
            found = meter(sum(groups), unit, tuple(groups) if len(groups) > 1 else ())
        self.meter = found
        for bar in self.bars:
            bar.meter = found
        if self.number == 1 and self.reading.sheet.meter is None:
            self.reading.sheet.meter = found

    def _key(self, element: Element) -> None:
        mode = MODES.get((element.findtext("mode") or "major").strip(), MODES["major"])
        fifths = whole(element.findtext("fifths"), 0, 11) + self.fifths
        fifths = fifths - 12 if fifths > 7 else fifths + 12 if fifths < -7 else fifths
        key = Key(fifths - mode.signature, mode.name)
        sheet = self.reading.sheet
        if not self.reading.keyed:
            self.reading.keyed = True
            if self.number == 1 and self.now == 0:
                sheet.key = key
                return
        for bar in self.bars:
            bar.keys.append((self.now, key))

    def _note(self, element: Element) -> None:
        if element.find("grace") is not None or element.find("cue") is not None:
            return
        ticks = self._ticks(element)
        chord = element.find("chord") is not None and self.last is not None
        staff = min(max(1, whole(element.findtext("staff"), 1)), len(self.voices)) - 1
        rest = element.find("rest")
        if rest is not None:
            if rest.get("measure") == "yes" and self.meter and self.now == 0:
                ticks = min(ticks, self.meter.bar) or self.meter.bar
            self._advance(ticks)
            self.last = None
            return
        sounding = self._sounding(element, staff)
        if sounding is None or not ticks:
            self._advance(0 if chord else ticks)
            return
        self.reading.notes += 1
        if self.reading.notes > MOST_NOTES:
            raise refused("xml-notes", expected=MOST_NOTES)
        if chord and self.last is not None:
            self.last.notes = tuple(sorted({*self.last.notes, sounding}))
        else:
            self.last = Symbol(self.now, ticks, (sounding,), 0, 0)
            self._line(staff, element.findtext("voice") or "1").append(self.last)
            self._advance(ticks)
        if any(tie.get("type") == "start" for tie in element.iterfind("tie")):
            self.last.ties = (*self.last.ties, sounding[0])
        for verse, lyric in enumerate(element.iterfind("lyric")):
            self._lyric(self.last, lyric, verse)

    def _line(self, staff: int, voice: str) -> list[Symbol]:
        """Where the notes of that voice go: each staff's first voice is its own, further ones run beside it."""
        lines, bar = self.lines[staff], self.bars[staff]
        line = lines.setdefault(voice, len(lines))
        if line == 0:
            return bar.symbols
        while len(bar.overlays) < line:
            bar.overlays.append([])
        return bar.overlays[line - 1]

    def _sounding(self, element: Element, staff: int) -> tuple[int, int] | None:
        written = element.find("pitch")
        if written is not None:
            letter = (written.findtext("step") or "").strip()
            if letter not in pitch.NATURAL_PITCH_CLASS:
                self._warn("xml-note")
                return None
            shift = round(whole(written.findtext("alter"), 0, 3))
            tpc = pitch.LETTERS.index(letter) - 1 + 7 * shift + self.fifths
            octave = whole(written.findtext("octave"), 4, 12)
            midi = 12 * (octave + 1) + pitch.NATURAL_PITCH_CLASS[letter] + shift + self.semitones
            if not 0 <= midi <= 127:
                self._warn("xml-note")
                return None
            return midi, tpc if pitch.pitch_class(tpc) == midi % 12 else pitch.spell(midi % 12, 2)
        unpitched = element.find("unpitched")
        if unpitched is None:
            self._warn("xml-note")
            return None
        self.voices[staff].drums = True
        instrument = element.find("instrument")
        key = self.player.keys.get(instrument.get("id", "")) if instrument is not None else None
        if key is None:
            place = (unpitched.findtext("display-step") or "C") + (unpitched.findtext("display-octave") or "5")
            key = key_of_staff(place, (element.findtext("notehead") or "") == "x")
        return key, 0

    def _lyric(self, symbol: Symbol, lyric: Element, verse: int) -> None:
        text = " ".join((e.text or "").strip() for e in lyric.iterfind("text")).strip()[:60]
        number = whole(lyric.get("number"), verse + 1)
        verse = number - 1 if 1 <= number <= 12 else verse
        if not text or verse > 12:
            return
        if lyric.findtext("syllabic") in ("begin", "middle"):
            text += "-"
        symbol.syllables += [""] * (verse + 1 - len(symbol.syllables))
        symbol.syllables[verse] = text

    def _harmony(self, element: Element) -> None:
        ticks = self.now + round(Fraction(whole(element.findtext("offset"))) * QUARTER / self.divisions)
        text = chord_symbol(element, self.fifths)
        if text is None:
            self._warn("notation-chord", (element.findtext("kind") or element.findtext("function") or "")[:20])
        else:
            self.bars[0].chords.append((max(0, ticks), text))

    def _barline(self, element: Element) -> None:
        repeat, ending = element.find("repeat"), element.find("ending")
        left = element.get("location") == "left" or (repeat is not None and repeat.get("direction") == "forward")
        for bar in self.bars:
            if ending is not None and ending.get("type") == "start":
                numbers = [whole(n, 0, 20) for n in (ending.get("number") or "1").replace(" ", ",").split(",")]
                bar.endings = tuple(sorted({n for n in numbers if n > 0})) or (1,)
            if repeat is not None and repeat.get("direction") == "forward":
                bar.repeat_start = True
            elif repeat is not None:
                bar.repeats, bar.strain_end = max(1, whole(repeat.get("times"), 2, 20) - 1), True
            if not left and element.findtext("bar-style") in _STRAIN_ENDS:
                bar.strain_end = True

    def _tempo(self, element: Element) -> None:
        sound = element if element.tag == "sound" else element.find("sound")
        if sound is not None and _JUMPS & set(sound.attrib):
            for bar in self.bars:
                bar.jumps = True
        tempo = _float(sound.get("tempo")) if sound is not None else None
        metronome = element.find("direction-type/metronome")
        if tempo is None and metronome is not None:
            beat = _BEATS.get((metronome.findtext("beat-unit") or "").strip(), 0)
            beat *= 1.5 if metronome.find("beat-unit-dot") is not None else 1
            minute = _float(metronome.findtext("per-minute"))
            tempo = _float(str(minute * beat)) if minute and beat else None
        if tempo is None:
            return
        tempo = round(tempo, 3)
        sheet = self.reading.sheet
        if sheet.tempo is None and self.number == 1 and self.now == 0:
            sheet.tempo = tempo
        else:
            self.bars[0].tempos.append((self.now, tempo))

    def _warn(self, code: str, found: str = "") -> None:
        problem = Problem(code, self.player.name or self.player.id, self.number, found=found)
        if len(self.reading.warnings) < 40 and problem not in self.reading.warnings:
            self.reading.warnings.append(problem)
