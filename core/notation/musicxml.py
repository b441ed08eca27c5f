"""Writes a score as MusicXML through music21: spelled notes, real measures, a percussion clef.

music21 is imported when first used: it costs half a second.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from core.music import pitch
from core.music.chords import Chord
from core.music.meter import QUARTER, beats
from core.music.score import Note, Part, Score
from core.notation.abc.writer import clef_of
from core.notation.accidentals import Accidentals
from core.notation.measures import Written, measures

# Quality -> (MusicXML kind, the text that stands after the root).
_KINDS = {
    "maj": ("major", ""), "min": ("minor", "m"), "dim": ("diminished", "°"), "aug": ("augmented", "+"),
    "sus2": ("suspended-second", "sus2"), "sus4": ("suspended-fourth", "sus4"), "5": ("power", "5"),
    "6": ("major-sixth", "6"), "min6": ("minor-sixth", "m6"), "7": ("dominant-seventh", "7"),
    "maj7": ("major-seventh", "maj7"), "min7": ("minor-seventh", "m7"), "minmaj7": ("minor-major-seventh", "m(maj7)"),
    "hdim7": ("half-diminished-seventh", "ø7"), "dim7": ("diminished-seventh", "°7"),
    "7sus4": ("suspended-fourth-seventh", "7sus4"), "add9": ("major", "add9"), "9": ("dominant-ninth", "9"),
    "maj9": ("major-ninth", "maj9"), "min9": ("minor-ninth", "m9"), "7b9": ("dominant-seventh", "7(♭9)"),
    "13": ("dominant-13th", "13"),
}  # fmt: skip
# Where a percussion key stands on the five lines, and whether its head is a cross.
_STAFF = {
    36: ("F4", False), 38: ("C5", False), 37: ("C5", True), 39: ("C5", True), 42: ("G5", True), 44: ("D4", True),
    46: ("G5", True), 43: ("A4", False), 47: ("D5", False), 50: ("E5", False), 49: ("A5", True), 51: ("F5", True),
    53: ("F5", True), 54: ("B5", True), 56: ("E5", True), 70: ("B5", True), 63: ("D5", True), 64: ("B4", True),
    75: ("C5", True),
}  # fmt: skip
_CLEFS = {"treble": "TrebleClef", "alto": "AltoClef", "bass": "BassClef", "bass-8": "Bass8vbClef"}


def musicxml_bytes(score: Score) -> bytes:
    """A partwise MusicXML document, the same bytes for the same score whenever it is written."""
    from music21 import metadata, musicxml, stream  # noqa: PLC0415

    document = stream.Score()
    document.metadata = metadata.Metadata()
    document.metadata.title = score.title
    document.metadata.composer = "Tunesmith"
    first = True
    for number, part in enumerate(score.sounding):
        document.insert(0, _part(part, score, number, first))
        first = False
    exporter = musicxml.m21ToXml.ScoreExporter(document, makeNotation=False)
    exporter.parse()
    return _settled(exporter.asBytes())


def _settled(xml: bytes) -> bytes:
    """Without the date, and with part ids that count from 1: music21 writes random ones."""
    xml = re.sub(rb"\s*<encoding-date>[^<]*</encoding-date>", b"", xml)
    for number, found in enumerate(dict.fromkeys(re.findall(rb'<score-part id="([^"]+)"', xml)), 1):
        xml = xml.replace(b'"' + found + b'"', b'"P%d"' % number)
    for number, found in enumerate(dict.fromkeys(re.findall(rb'<score-instrument id="([^"]+)"', xml)), 1):
        xml = xml.replace(b'"' + found + b'"', b'"I%d"' % number)
    return xml


def _part(part: Part, score: Score, number: int, first: bool) -> Any:
    from music21 import clef, instrument, meter, stream, tempo  # noqa: PLC0415

    staff = stream.Part(id=f"P{number + 1}")
    staff.partName, staff.partAbbreviation = part.name, ""
    player = instrument.Percussion() if part.drums else instrument.Instrument()
    player.partName = player.instrumentName = part.name
    player.partAbbreviation = player.instrumentAbbreviation = ""
    player.midiProgram, player.midiChannel = part.program, 9 if part.drums else number + (number >= 9)
    chords = {span.onset: span.chord for span in score.chords} if first else {}
    names = {section.bar: section.name.capitalize() for section in score.sections} if first else {}
    for index, symbols in enumerate(measures(part, score)):
        bar = stream.Measure(number=index + 1)
        if index == 0:
            bar.insert(0, player)
            bar.clef = getattr(clef, "PercussionClef" if part.drums else _CLEFS[clef_of(part)])()
            bar.keySignature = _key(score)
            bar.timeSignature = meter.TimeSignature(score.meter.name)
            if first:
                words = "Swing" if score.feel.swing > 0.53 else None
                bar.insert(0, tempo.MetronomeMark(text=words, number=score.tempo, referent="quarter"))
        if index in names:
            bar.insert(0, _rehearsal(names[index]))
        _fill(bar, symbols, part, score, index, chords)
        if index == score.bars - 1:
            bar.rightBarline = "final"
        staff.append(bar)
    return staff


def _rehearsal(name: str) -> Any:
    from music21 import expressions  # noqa: PLC0415

    return expressions.RehearsalMark(name)


def _key(score: Score) -> Any:
    from music21 import key  # noqa: PLC0415

    name = pitch.name(score.key.tonic).replace("b", "-")
    return key.Key(name, score.key.info.musicxml)


def _fill(bar: Any, symbols: list[Written], part: Part, score: Score, index: int, chords: dict[int, Chord]) -> None:
    start = index * score.meter.bar
    for onset in [o for o in chords if start <= o < start + score.meter.bar]:
        bar.insert(_quarters(onset - start), _chord_symbol(chords[onset]))
    accidentals = Accidentals(score.key)
    made = [(symbol, _element(symbol, part, score, accidentals)) for symbol in symbols]
    _beamed(made, score)
    for symbol, element in made:
        bar.insert(_quarters(symbol.onset), element)


def _quarters(ticks: int) -> Fraction | float:
    value = Fraction(ticks, QUARTER)
    return float(value) if value.denominator in (1, 2, 4, 8, 16, 32, 64) else value


def _element(symbol: Written, part: Part, score: Score, accidentals: Accidentals) -> Any:
    from music21 import chord, duration, note, percussion, tie  # noqa: PLC0415

    length = duration.Duration(_quarters(symbol.duration))
    if not symbol.notes:
        element: Any = note.Rest(duration=length)
        if symbol.duration == score.meter.bar:
            element.fullMeasure = True
        return element
    if part.drums:
        strokes = [_stroke(each) for each in symbol.notes]
        element = strokes[0] if len(strokes) == 1 else percussion.PercussionChord(strokes)
    else:
        notes = [_note(each, accidentals, symbol.tied_from) for each in symbol.notes]
        element = notes[0] if len(notes) == 1 else chord.Chord(notes)
    element.duration = length
    if symbol.tied_from or symbol.tied_to:
        element.tie = tie.Tie(
            "continue" if symbol.tied_from and symbol.tied_to else "stop" if symbol.tied_from else "start"
        )
    return element


def _note(each: Note, accidentals: Accidentals, tied: bool) -> Any:
    from music21 import note  # noqa: PLC0415
    from music21 import pitch as m21_pitch  # noqa: PLC0415

    spelled = m21_pitch.Pitch()
    spelled.step = pitch.letter(each.tpc)
    shift = pitch.alteration(each.tpc)
    spelled.octave = pitch.octave(each.pitch, each.tpc)
    shown = not tied and accidentals.needed(spelled.step, spelled.octave, shift)
    if shift or shown:
        spelled.accidental = m21_pitch.Accidental(shift)
        spelled.accidental.displayStatus = shown
    return note.Note(pitch=spelled)


def _stroke(each: Note) -> Any:
    from music21 import note  # noqa: PLC0415

    place, cross = _STAFF.get(each.pitch, ("C5", True))
    stroke = note.Unpitched(displayName=place)
    if cross:
        stroke.notehead = "x"
    return stroke


def _beamed(made: list[tuple[Written, Any]], score: Score) -> None:
    """Beams within the felt beats, as the meter groups them."""
    from music21 import beam  # noqa: PLC0415

    groups = _beam_groups(score)
    for begin, end in groups:
        run = [
            (s, e)
            for s, e in made
            if begin <= s.onset < end and s.notes and s.duration < QUARTER and s.onset + s.duration <= end
        ]
        runs: list[list[tuple[Written, Any]]] = []
        for item in run:
            joined = runs and runs[-1][-1][0].onset + runs[-1][-1][0].duration == item[0].onset
            runs[-1].append(item) if joined else runs.append([item])
        for row in runs:
            if len(row) > 1:
                _join(row, beam)


def _beam_groups(score: Score) -> list[tuple[int, int]]:
    if score.meter.denominator == 4 and score.meter.numerator % 2 == 0 and score.meter.numerator >= 4:
        return [(b, b + 2 * QUARTER) for b in range(0, score.meter.bar, 2 * QUARTER)]
    return [(onset, onset + length) for onset, length in beats(score.meter)]


def _join(row: list[tuple[Written, Any]], beam: Any) -> None:
    levels = [
        1
        if s.duration * 2 >= QUARTER * 2 // 3 and s.duration > QUARTER // 4 * 3 // 2
        else 2
        if s.duration > QUARTER // 8 * 3 // 2
        else 3
        for s, _ in row
    ]
    for i, (_, element) in enumerate(row):
        element.beams = beam.Beams()
        for level in range(1, levels[i] + 1):
            before = i > 0 and levels[i - 1] >= level
            after = i < len(row) - 1 and levels[i + 1] >= level
            if before and after:
                element.beams.append("continue")
            elif after:
                element.beams.append("start")
            elif before:
                element.beams.append("stop")
            else:
                element.beams.append("partial", "left" if i else "right")


def _chord_symbol(chord: Chord) -> Any:
    from music21 import harmony  # noqa: PLC0415

    kind, text = _KINDS[chord.quality]
    bass = None if chord.bass is None else _m21_name(chord.bass)
    symbol = harmony.ChordSymbol(root=_m21_name(chord.root), bass=bass, kind=kind, kindStr=text)
    symbol.writeAsChord = False
    return symbol


def _m21_name(tpc: int) -> str:
    return pitch.name(tpc).replace("b", "-")
