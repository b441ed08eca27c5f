"""Writes a score as MusicXML through music21: spelled notes, real measures, a percussion clef.

music21 is imported when first used: it costs half a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from core.music import pitch
from core.music.chord_symbols import read_chord
from core.music.chords import QUALITIES, plain_symbol
from core.music.grid import Bar, grid
from core.music.keys import Key
from core.music.meter import QUARTER, Meter, beats
from core.music.score import Change, Note, Part, Score
from core.notation.abc.writer import WRITTEN_MODES, clef_of
from core.notation.accidentals import Accidentals
from core.notation.measures import Written, measures
from core.notation.percussion import place_of, with_strokes

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
# Fifths from the root -> degree and alteration, for what a chord has beyond its kind.
_DEGREES = {
    2: (9, 0),
    -5: (9, -1),
    9: (9, 1),
    -1: (11, 0),
    6: (11, 1),
    3: (13, 0),
    -4: (13, -1),
    -6: (5, -1),
    8: (5, 1),
}
_CLEFS = {"treble": "TrebleClef", "alto": "AltoClef", "bass": "BassClef", "bass-8": "Bass8vbClef"}


def musicxml_bytes(score: Score) -> bytes:
    """A partwise MusicXML document, the same bytes for the same score whenever it is written."""
    from music21 import metadata, musicxml, stream  # noqa: PLC0415

    document = stream.Score()
    document.metadata = metadata.Metadata()
    document.metadata.title = score.title
    document.metadata.composer = "Tunesmith"
    for number, part in enumerate(score.sounding):
        document.insert(0, _part(part, score, number, first=number == 0))
    exporter = musicxml.m21ToXml.ScoreExporter(document, makeNotation=False)
    exporter.parse()
    xml = _settled(exporter.asBytes())
    for number, part in enumerate(score.sounding, 1):
        if part.drums:
            xml = with_strokes(xml, number, part, score)
    return xml.replace(b"  </identification>", _remarks(score) + b"  </identification>", 1)


def _remarks(score: Score) -> bytes:
    """What MusicXML has no element for: a scale beyond the modes, and how a meter is grouped."""
    fields = []
    if score.key.mode not in WRITTEN_MODES:
        fields.append(("scale", f"{pitch.name(score.key.tonic)} {score.key.mode}"))
    if len(set(score.meter.grouping)) > 1:
        fields.append(("grouping", "+".join(map(str, score.meter.grouping))))
    lines = "".join(f'      <miscellaneous-field name="{k}">{v}</miscellaneous-field>\n' for k, v in fields)
    return f"    <miscellaneous>\n{lines}    </miscellaneous>\n".encode() if fields else b""


def _settled(xml: bytes) -> bytes:
    """Without the date, and with part ids that count from 1: music21 writes random ones."""
    xml = re.sub(rb"\s*<encoding-date>[^<]*</encoding-date>", b"", xml)
    for number, found in enumerate(dict.fromkeys(re.findall(rb'<score-part id="([^"]+)"', xml)), 1):
        xml = xml.replace(b'"' + found + b'"', b'"P%d"' % number)
    for number, found in enumerate(dict.fromkeys(re.findall(rb'<score-instrument id="([^"]+)"', xml)), 1):
        xml = xml.replace(b'"' + found + b'"', b'"I%d"' % number)
    return xml


def _part(part: Part, score: Score, number: int, first: bool) -> Any:
    from music21 import clef, instrument, stream  # noqa: PLC0415

    staff = stream.Part(id=f"P{number + 1}")
    staff.partName, staff.partAbbreviation = part.name, ""
    player = instrument.Percussion() if part.drums else instrument.Instrument()
    player.partName = player.instrumentName = part.name
    player.partAbbreviation = player.instrumentAbbreviation = ""
    player.midiProgram, player.midiChannel = part.program, 9 if part.drums else number + (number >= 9)
    chords = score.chord_marks if first else {}
    marked = score.sections if first and len(score.sections) > 1 else ()
    names = {s.bar: s.label if s.name == "strain" else s.name.capitalize() for s in marked}
    bars = grid(score)
    for index, (symbols, place) in enumerate(zip(measures(part, score), bars, strict=True)):
        begins = score.pickup_onset if index == 0 else 0
        bar = stream.Measure(number=index + (0 if score.pickup else 1))
        bar.paddingLeft = _quarters(begins)
        if index == 0:
            bar.insert(0, player)
            bar.clef = getattr(clef, "PercussionClef" if part.drums else _CLEFS[clef_of(part)])()
        if index in names:
            bar.insert(0, _rehearsal(names[index]))
        for onset, element in _signs(score, place, first):
            bar.insert(_quarters(max(0, onset - begins)), element)
        _fill(bar, symbols, part, score, place, begins, chords)
        if index == score.bars - 1:
            bar.rightBarline = "final"
        staff.append(bar)
    return staff


def _signs(score: Score, bar: Bar, first: bool) -> Iterator[tuple[int, Any]]:
    """Key, meter and tempo where they begin to hold, by ticks from the bar line."""
    from music21 import meter, tempo  # noqa: PLC0415

    start = Change(0, score.meter, score.key, score.tempo)
    words = "Swing" if score.feel.swing > 0.53 else None
    for change in (start, *score.changes):
        if not bar.onset <= change.onset < bar.end:
            continue
        onset = change.onset - bar.onset
        if change.key:
            yield onset, _key(change.key)
        if change.meter:
            yield onset, meter.TimeSignature(change.meter.name)
        if change.tempo and first:
            yield onset, tempo.MetronomeMark(text=words, number=change.tempo, referent="quarter")
            words = None


def _rehearsal(name: str) -> Any:
    from music21 import expressions  # noqa: PLC0415

    return expressions.RehearsalMark(name)


def _key(key: Key) -> Any:
    from music21 import key as m21_key  # noqa: PLC0415

    return m21_key.Key(pitch.name(key.tonic).replace("b", "-"), key.info.musicxml)


def _fill(
    bar: Any, symbols: list[Written], part: Part, score: Score, place: Bar, begins: int, chords: dict[int, str]
) -> None:
    """Chord symbols and notes of one bar, whose writing `begins` that many ticks after its line."""
    for onset in [o for o in chords if place.onset + begins <= o < place.end]:
        bar.insert(_quarters(onset - place.onset - begins), _chord_symbol(chords[onset]))
    keys = [(c.onset - place.onset, c.key) for c in score.changes if c.key and place.onset < c.onset < place.end]
    accidentals = Accidentals(score.key_at(place.onset))
    syllables = dict(part.lyrics)
    made = []
    for symbol in symbols:
        while keys and keys[0][0] <= symbol.onset:
            accidentals = Accidentals(keys.pop(0)[1])
        element = _element(symbol, part, place, accidentals)
        if symbol.notes and not symbol.tied_from and (word := syllables.get(place.onset + symbol.onset)):
            element.addLyric(word)
        made.append((symbol, element))
    _beamed(made, place.meter)
    for symbol, element in made:
        bar.insert(_quarters(symbol.onset - begins), element)


def _quarters(ticks: int) -> Fraction | float:
    value = Fraction(ticks, QUARTER)
    return float(value) if value.denominator in (1, 2, 4, 8, 16, 32, 64) else value


def _element(symbol: Written, part: Part, place: Bar, accidentals: Accidentals) -> Any:
    from music21 import chord, duration, note, percussion, tie  # noqa: PLC0415

    length = duration.Duration(_quarters(symbol.duration))
    if not symbol.notes:
        element: Any = note.Rest(duration=length)
        if symbol.duration == place.length:
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

    place, cross = place_of(each.pitch)
    stroke = note.Unpitched(displayName=place)
    if cross:
        stroke.notehead = "x"
    return stroke


def _beamed(made: list[tuple[Written, Any]], meter: Meter) -> None:
    """Beams within the felt beats, as the meter groups them."""
    from music21 import beam  # noqa: PLC0415

    groups = _beam_groups(meter)
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


def _beam_groups(meter: Meter) -> list[tuple[int, int]]:
    if meter.denominator == 4 and meter.numerator % 2 == 0 and meter.numerator >= 4:
        return [(b, b + 2 * QUARTER) for b in range(0, meter.bar, 2 * QUARTER)]
    return [(onset, onset + length) for onset, length in beats(meter)]


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


def _chord_symbol(text: str) -> Any:
    from music21 import harmony  # noqa: PLC0415

    chord = read_chord(text)
    if chord is None:
        return harmony.NoChord()
    kind, printed = _KINDS[chord.quality]
    if text != plain_symbol(chord):  # somebody wrote it: it stays as it was written
        printed = chord.written[1]
    bass = None if chord.bass is None else _m21_name(chord.bass)
    symbol = harmony.ChordSymbol(root=_m21_name(chord.root), bass=bass, kind=kind, kindStr=printed)
    plain = QUALITIES[chord.quality][0]
    for step in chord.steps:
        if step not in plain and step in _DEGREES:
            symbol.addChordStepModification(harmony.ChordStepModification("add", *_DEGREES[step]), updatePitches=False)
    symbol.writeAsChord = False
    return symbol


def _m21_name(tpc: int) -> str:
    return pitch.name(tpc).replace("b", "-")
