"""Writes a score as ABC: one voice a part, with name, clef and program, chord symbols and lyrics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from core.music import pitch
from core.music.grid import Bar, grid
from core.music.keys import Key
from core.music.meter import EIGHTH, QUARTER, beats, meter
from core.music.score import Change, Note, Part, Score
from core.notation.accidentals import Accidentals
from core.notation.measures import Written, measures

BARS_A_LINE = 4
WRITTEN_MODES = frozenset({"major", "minor", "dorian", "phrygian", "lydian", "mixolydian", "locrian"})
_BASSES = frozenset({*range(32, 40), 43})  # General MIDI: the bass guitars, the synth basses, the double bass


def abc_text(score: Score) -> str:
    """The tune with every sounding part. The unit note length is an eighth."""
    parts = list(score.sounding)
    lines = ["X:1", f"T:{_plain(score.title)}", f"M:{score.meter.name}", "L:1/8", f"Q:1/4={score.tempo:g}"]
    if score.key.mode not in WRITTEN_MODES:
        lines.append(f"N:{pitch.name(score.key.tonic)} {score.key.mode}")
    if score.meter != meter(score.meter.numerator, score.meter.denominator) or len(set(score.meter.grouping)) > 1:
        lines.append(f"N:{score.meter.name} as {'+'.join(map(str, score.meter.grouping))}")
    lines += [_voice_header(i, part) for i, part in enumerate(parts, 1)]
    lines.append(f"K:{key_field(score.key)}")
    for i, part in enumerate(parts, 1):
        lines.append(f"[V:{i}]")
        if part.drums:
            lines.append("%%MIDI channel 10")
        lines.append(f"%%MIDI program {part.program}")
        lines += _body(part, score, first=i == 1)
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


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("%", "\\%")


def _voice_header(number: int, part: Part) -> str:
    name = _plain(part.name).replace('"', "'")
    return f'V:{number} name="{name}" clef={"perc" if part.drums else clef_of(part)}'


_SIGNS = {0: "=", 1: "^", 2: "^^", -1: "_", -2: "__"}


def _body(part: Part, score: Score, first: bool) -> list[str]:
    """The bars, some to a line; chord symbols and section letters stand in the `first` voice."""
    bars = grid(score)
    chords = score.chord_marks if first else {}
    labels = {section.bar: section.label for section in score.sections} if first and len(score.sections) > 1 else {}
    shift = 12 if not part.drums and clef_of(part).endswith("-8") else 0
    syllables = dict(part.lyrics)
    texts, sung, key = [], [], score.key
    for number, (symbols, bar) in enumerate(zip(measures(part, score), bars, strict=True)):
        changes = [c for c in score.changes if bar.onset <= c.onset < bar.end]
        writing = _Bar(bar, shift, chords, changes, key)
        texts.append((f"[P:{labels[number]}]" if number in labels else "") + writing.text(symbols))
        sung.append([syllables.get(bar.onset + s.onset, "*") if not s.tied_from else "*" for s in symbols if s.notes])
        key = writing.key
    lines = []
    for start in range(0, len(texts), BARS_A_LINE):
        row = " | ".join(texts[start : start + BARS_A_LINE])
        lines.append(row + (" |]" if start + BARS_A_LINE >= len(texts) else " |"))
        words = [word for bar_words in sung[start : start + BARS_A_LINE] for word in bar_words]
        if set(words) - {"*"}:
            lines.append("w: " + " ".join(map(_syllable, words)))
    return lines


def _syllable(word: str) -> str:
    return word.replace(" ", "~").replace("‑", "\\-")


class _Bar:
    """One bar while it is written: what it must say of chords, keys, meters and tempos at which tick."""

    def __init__(self, bar: Bar, shift: int, chords: dict[int, str], changes: list[Change], key: Key) -> None:
        self.key, self._shift = key, shift
        self._heads = {onset for onset, _ in beats(bar.meter)}
        self._accidentals = Accidentals(key)
        self._chords = {onset - bar.onset: symbol for onset, symbol in chords.items() if bar.onset <= onset < bar.end}
        self._changes = {change.onset - bar.onset: change for change in changes}

    def text(self, symbols: list[Written]) -> str:
        """Symbols are cut where a chord symbol or a change falls inside of them."""
        symbols = list(_cut(symbols, sorted({*self._chords, *self._changes})))
        words: list[str] = []
        text = ""
        for i, symbol in enumerate(symbols):
            if symbol.onset in self._heads and text:
                words.append(text)
                text = ""
            if symbol.onset in self._changes:
                text += self._change(self._changes[symbol.onset])
            if symbol.onset in self._chords:
                text += f'"{self._chords[symbol.onset]}"'
            text += _tuplet_mark(symbols, i) + self._symbol(symbol)
        return " ".join([*words, text])

    def _change(self, change: Change) -> str:
        text = ""
        if change.meter:
            text += f"[M:{change.meter.name}]"
        if change.key:
            self.key, self._accidentals = change.key, Accidentals(change.key)
            text += f"[K:{key_field(change.key)}]"
        return text + (f"[Q:1/4={change.tempo:g}]" if change.tempo else "")

    def _symbol(self, symbol: Written) -> str:
        length = _length(Fraction(symbol.duration, EIGHTH) * (Fraction(3, 2) if _triplet(symbol) else 1))
        if not symbol.notes:
            return "z" + length
        names = [self._note(note) for note in symbol.notes]
        tie = "-" if symbol.tied_to else ""
        if len(names) == 1:
            return names[0] + length + tie
        return "[" + "".join(names) + "]" + length + tie

    def _note(self, note: Note) -> str:
        tpc = note.tpc if pitch.pitch_class(note.tpc) == note.pitch % 12 else pitch.spell(note.pitch % 12, 2)
        letter, octave = pitch.letter(tpc), pitch.octave(note.pitch + self._shift, tpc)
        shift = pitch.alteration(tpc)
        sign = _SIGNS[shift] if self._accidentals.needed(letter, octave, shift) else ""
        if octave >= 5:
            return sign + letter.lower() + "'" * (octave - 5)
        return sign + letter + "," * (4 - octave)


def _cut(symbols: list[Written], places: list[int]) -> Iterator[Written]:
    for symbol in symbols:
        for place in places:
            if symbol.onset < place < symbol.onset + symbol.duration:
                sounding = bool(symbol.notes)
                first = replace(symbol, duration=place - symbol.onset, tied_to=sounding)
                rest = symbol.duration - first.duration
                symbol = replace(symbol, onset=place, duration=rest, tied_from=sounding)
                yield first
        yield symbol


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


def _length(duration: Fraction) -> str:
    if duration == 1:
        return ""
    if duration.denominator == 1:
        return str(duration.numerator)
    top = "" if duration.numerator == 1 else str(duration.numerator)
    return f"{top}/{duration.denominator if duration.denominator != 2 or top else ''}"
