"""Writes a score as ABC: one voice a part, with name, clef and program; drums are left out."""

from __future__ import annotations

from fractions import Fraction

from core.music import pitch
from core.music.keys import Key
from core.music.meter import EIGHTH, QUARTER, beats
from core.music.score import ChordSpan, Note, Part, Score
from core.notation.accidentals import Accidentals
from core.notation.measures import Written, measures

BARS_A_LINE = 4
_BASSES = frozenset({*range(32, 40), 43})  # General MIDI: the bass guitars, the synth basses, the double bass


def abc_text(score: Score) -> str:
    """The tune with every pitched part. The unit note length is an eighth."""
    parts = [part for part in score.parts if not part.drums and part.notes and not part.muted]
    lines = [
        "X:1",
        f"T:{score.title}",
        f"M:{score.meter.name}",
        "L:1/8",
        f"Q:1/4={score.tempo:g}",
    ]
    if score.key.mode in ("pentatonic", "minor pentatonic", "blues", "harmonic minor", "melodic minor"):
        lines.append(f"N:{pitch.name(score.key.tonic)} {score.key.mode}")
    if len(set(score.meter.grouping)) > 1:
        lines.append(f"N:{score.meter.name} as {'+'.join(map(str, score.meter.grouping))}")
    lines += [_voice_header(i, part) for i, part in enumerate(parts, 1)]
    lines.append(f"K:{key_field(score.key)}")
    for i, part in enumerate(parts, 1):
        lines.append(f"[V:{i}]")
        lines.append(f"%%MIDI program {part.program}")
        lines += _body(part, score, with_chords=i == 1)
    return "\n".join(lines) + "\n"


def key_field(key: Key) -> str:
    return pitch.name(key.tonic) + key.info.abc


def clef_of(part: Part) -> str:
    """`treble`, `alto` for a viola, `bass`, or `bass-8` for the basses, which sound an octave below their notes."""
    middle = sum(note.pitch for note in part.notes) / max(1, len(part.notes))
    if part.instrument == "viola":
        return "alto"
    if part.program in _BASSES and middle < 48:
        return "bass-8"
    return "bass" if middle < 57 else "treble"


def _voice_header(number: int, part: Part) -> str:
    name = part.name.replace('"', "'")
    return f'V:{number} name="{name}" clef={clef_of(part)}'


def _body(part: Part, score: Score, with_chords: bool) -> list[str]:
    bars = measures(part, score)
    chords = {span.onset: span for span in score.chords} if with_chords else {}
    heads = {onset for onset, _ in beats(score.meter)}
    texts = []
    for number, bar in enumerate(bars):
        accidentals = Accidentals(score.key)
        texts.append(_bar(bar, number * score.meter.bar, chords, heads, accidentals))
    lines = []
    for first in range(0, len(texts), BARS_A_LINE):
        row = " | ".join(texts[first : first + BARS_A_LINE])
        lines.append(row + (" |]" if first + BARS_A_LINE >= len(texts) else " |"))
    return lines


_SIGNS = {0: "=", 1: "^", 2: "^^", -1: "_", -2: "__"}


def _bar(
    bar: list[Written], start: int, chords: dict[int, ChordSpan], heads: set[int], accidentals: Accidentals
) -> str:
    words: list[str] = []
    text = ""
    for i, symbol in enumerate(bar):
        if symbol.onset in heads and text:
            words.append(text)
            text = ""
        inside = [onset for onset in chords if symbol.onset <= onset - start < symbol.onset + symbol.duration]
        for onset in sorted(inside)[:1]:
            text += f'"{chords[onset].chord.symbol}"'
        text += _tuplet_mark(bar, i) + _symbol(symbol, accidentals)
    return " ".join([*words, text])


def _triplet(symbol: Written) -> bool:
    return (Fraction(symbol.duration, QUARTER)).denominator % 3 == 0


def _tuplet_mark(bar: list[Written], place: int) -> str:
    """`(3:2:n` before the first of a run of n triplet symbols that fills whole eighths."""
    if not _triplet(bar[place]):
        return ""
    begin = place
    while begin > 0 and _triplet(bar[begin - 1]):
        begin -= 1
    run, total = begin, 0
    while run < len(bar) and _triplet(bar[run]):
        first, total = run, 0
        while run < len(bar) and _triplet(bar[run]):
            total += bar[run].duration
            run += 1
            if total % EIGHTH == 0:
                break
        if first == place:
            return f"(3:2:{run - first}"
    return ""


def _symbol(symbol: Written, accidentals: Accidentals) -> str:
    duration = Fraction(symbol.duration, EIGHTH) * (Fraction(3, 2) if _triplet(symbol) else 1)
    length = _length(duration)
    if not symbol.notes:
        return "z" + length
    names = [_note(note, accidentals) for note in symbol.notes]
    tie = "-" if symbol.tied_to else ""
    if len(names) == 1:
        return names[0] + length + tie
    return "[" + "".join(names) + "]" + length + tie


def _length(duration: Fraction) -> str:
    if duration == 1:
        return ""
    if duration.denominator == 1:
        return str(duration.numerator)
    top = "" if duration.numerator == 1 else str(duration.numerator)
    return f"{top}/{duration.denominator if duration.denominator != 2 or top else ''}"


def _note(note: Note, accidentals: Accidentals) -> str:
    letter, octave = pitch.letter(note.tpc), pitch.octave(note.pitch, note.tpc)
    shift = pitch.alteration(note.tpc)
    sign = _SIGNS[shift] if accidentals.needed(letter, octave, shift) else ""
    if octave >= 5:
        return sign + letter.lower() + "'" * (octave - 5)
    return sign + letter + "," * (4 - octave)
