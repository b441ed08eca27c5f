"""What a tune must hold to: header, full bars, ties, voices, ranges. Two profiles, see `core.notation.abc.reader`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise

from core.music.chord_symbols import UnreadableChord, read_chord
from core.notation.abc.parser import Parser
from core.notation.problems import Problem, wholes
from core.notation.sheet import Sheet, SheetBar, Symbol, Voice

_NEEDED = "XTMLK"
# A piano's keys: what lies outside is a slip of the octave marks.
RANGE = (21, 108)

Ranges = dict[int, tuple[int, int]]  # General MIDI program -> lowest and highest pitch


def problems_of(parser: Parser, ranges: Ranges | None = None) -> list[Problem]:
    """Everything that is wrong, in the order of the bars."""
    sheet, strict = parser.sheet, parser.strict
    found = [*_header(parser), *parser.problems]
    if not any(voice.bars for voice in sheet.voices):
        return found or [Problem("abc-empty")]
    for voice in sheet.voices:
        found += _durations_strict(voice) if strict else _durations(voice)
        if strict:
            found += [*_ties(voice), *_in_range(voice, ranges or {}), *_chords(voice)]
    return found + (_voices(sheet) if strict else [])


def _header(parser: Parser) -> Iterator[Problem]:
    seen = parser.seen
    if "K" not in seen:
        yield Problem("abc-no-key", line=1)
    if not parser.strict:
        return
    for name in _NEEDED:
        if name not in seen and name != "K":
            yield Problem("abc-header-missing", line=1, found=name)
    order = [name for name in seen if name in "XTK"]
    if "K" in seen and (seen[0] != "X" or order[:2] != ["X", "T"] or seen[-1] != "K") and {"X", "T"} <= set(seen):
        yield Problem("abc-header-order", line=1, found=" ".join(dict.fromkeys(seen)))


def _durations_strict(voice: Voice) -> list[Problem]:
    """Every bar is full but the first, which the last one then completes."""
    found = []
    last = len(voice.bars) - 1
    pickup = 0
    for i, bar in enumerate(voice.bars):
        if bar.meter is None or bar.length == bar.meter.bar:
            continue
        completes = bool(pickup) and bar.length + pickup == bar.meter.bar
        if i == 0 and last > 0 and bar.length < bar.meter.bar:
            pickup = bar.length
        elif i < last and completes and bar.strain_end:
            continue  # before a repeat or an ending, the pickup comes again
        elif bar.length == pickup and voice.bars[i - 1].strain_end and not completes:
            continue  # the next strain's pickup
        elif i == last and pickup and bar.length < bar.meter.bar:
            if bar.length + pickup != bar.meter.bar:
                found.append(_wrong_length("abc-pickup", voice, i, bar, bar.meter.bar - pickup))
            pickup = 0
        else:
            code = "abc-overfull" if bar.length > bar.meter.bar else "abc-underfull"
            found.append(_wrong_length(code, voice, i, bar, bar.meter.bar))
    if pickup and voice.bars[-1].meter and voice.bars[-1].length == voice.bars[-1].meter.bar:
        bar = voice.bars[-1]
        found.append(_wrong_length("abc-pickup", voice, last, bar, bar.length - pickup))
    return found


def _durations(voice: Voice) -> list[Problem]:
    """Bars may be short where a strain begins or ends, if the halves there make a whole."""
    found = []
    bars = voice.bars
    start = 0  # the strain's first bar
    for i, bar in enumerate(bars):
        if i and bars[i - 1].strain_end and not bar.endings:
            start = i
        if bar.meter is None or bar.length == bar.meter.bar:
            continue
        whole = bar.meter.bar
        if bar.length > whole:
            found.append(_wrong_length("abc-overfull", voice, i, bar, whole))
        elif i in (0, start) or i == len(bars) - 1:
            continue  # a pickup, or the last bar
        elif bar.phrase_end or bars[i - 1].phrase_end:
            continue
        elif not bar.strain_end:
            joined = bar.length + bars[i - 1].length if not bars[i - 1].strain_end else 0
            if not (bar.endings or (i and bars[i - 1].strain_end) or joined == whole):
                found.append(_wrong_length("abc-underfull", voice, i, bar, whole))
        elif not _halves(bars, i, start, whole):
            found.append(_wrong_length("abc-halves", voice, i, bar, whole))
    return found


def _halves(bars: list[SheetBar], i: int, start: int, whole: int) -> bool:
    """Whether a strain's short end is completed by what may be played after it."""
    after = {bars[start].length, bars[0].length, bars[i + 1].length}
    return any(bars[i].length + length == whole for length in after) or bars[i + 1].length == whole


def _wrong_length(code: str, voice: Voice, index: int, bar: SheetBar, expected: int) -> Problem:
    return Problem(
        code, voice.id, index + 1, bar.line, bar.column, wholes(expected), wholes(bar.length),
        wholes(abs(bar.length - expected)),
    )  # fmt: skip


def _ties(voice: Voice) -> Iterator[Problem]:
    placed = [(i + 1, symbol) for i, bar in enumerate(voice.bars) for symbol in bar.symbols]
    for (bar, symbol), following in pairwise(chain(placed, [(0, None)])):
        after: Symbol | None = following[1]
        if symbol is None or not symbol.ties:
            continue
        pitches = {midi for midi, _ in after.notes} if after else set()
        if not set(symbol.ties) <= pitches:
            yield Problem("abc-tie", voice.id, bar, symbol.line, symbol.column)


def _in_range(voice: Voice, ranges: Ranges) -> Iterator[Problem]:
    if voice.drums:
        return
    low, high = ranges.get(voice.program or 0, RANGE)
    for i, bar in enumerate(voice.bars):
        for symbol in chain(bar.symbols, *bar.overlays):
            for midi, _ in symbol.notes:
                if not low <= midi <= high:
                    yield Problem(
                        "abc-range", voice.id, i + 1, symbol.line, symbol.column, f"{low}–{high}", str(midi)
                    )  # fmt: skip


def _chords(voice: Voice) -> Iterator[Problem]:
    for i, bar in enumerate(voice.bars):
        for _, text in bar.chords:
            try:
                read_chord(text)
            except UnreadableChord:
                yield Problem("abc-chord-symbol", voice.id, i + 1, bar.line, bar.column, found=text[:40])


def _voices(sheet: Sheet) -> list[Problem]:
    """All voices are as long as the first."""
    first, found = sheet.voices[0], []
    whole = sum(bar.length for bar in first.bars)
    for voice in sheet.voices[1:]:
        length = sum(bar.length for bar in voice.bars)
        if length != whole:
            found.append(
                Problem("abc-voice-length", voice.id, len(voice.bars), 0, 0, wholes(whole), wholes(length),
                        wholes(abs(length - whole)))
            )  # fmt: skip
    return found
