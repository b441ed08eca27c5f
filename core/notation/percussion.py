"""Where percussion stands on five lines, and which stroke a place on them is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.music.score import Part, Score
from core.notation.measures import measures

# General MIDI percussion key -> place on a treble-like staff, and whether its head is a cross.
STAFF = {
    36: ("F4", False), 38: ("C5", False), 37: ("C5", True), 39: ("C5", True), 42: ("G5", True), 44: ("D4", True),
    46: ("G5", True), 43: ("A4", False), 47: ("D5", False), 50: ("E5", False), 49: ("A5", True), 51: ("F5", True),
    53: ("F5", True), 54: ("B5", True), 56: ("E5", True), 70: ("B5", True), 63: ("D5", True), 64: ("B4", True),
    75: ("C5", True),
}  # fmt: skip
_KEYS: dict[tuple[str, bool], int] = {}
for _key, _place in STAFF.items():
    _KEYS.setdefault(_place, _key)


def place_of(key: int) -> tuple[str, bool]:
    """Its place on the staff, and whether its head is a cross."""
    return STAFF.get(key, ("C5", True))


def key_of_staff(place: str, cross: bool) -> int:
    """The stroke written there; the snare where the place names none."""
    return _KEYS.get((place, cross)) or _KEYS.get((place, not cross), 38)


def with_strokes(xml: bytes, number: int, part: Part, score: Score) -> bytes:
    """The document with an instrument named for each stroke of its drum part, the part of that number.

    A place on the staff alone does not tell a closed hi-hat from an open one, and music21 writes no more than that.
    """
    symbols = _symbols(part, score)
    symbol: list[int] = []
    used: set[int] = set()

    def named(match: re.Match[bytes]) -> bytes:
        nonlocal symbol
        symbol = symbol or next(symbols)
        key = _struck(symbol, match[0])
        symbol.remove(key)
        used.add(key)
        instrument = rb'<instrument id="P%d-K%d" />\n        <\1>' % (number, key)
        return re.sub(rb"<(voice|type)>", instrument, match[0], count=1)

    start = xml.index(b'<part id="P%d">' % number)
    end = xml.index(b"</part>", start)
    body = re.sub(rb"<note[ >](?:(?!</note>).)*<unpitched>.*?</note>", named, xml[start:end], flags=re.DOTALL)
    entry = re.compile(rb'(<score-part id="P%d">.*?)(\s*<midi-instrument .*?)(\s*</score-part>)' % number, re.DOTALL)
    names = b"".join(
        b'\n      <score-instrument id="P%d-K%d">\n        <instrument-name>%d</instrument-name>\n      '
        b"</score-instrument>" % (number, key, key) for key in sorted(used)
    )  # fmt: skip
    keys = b"".join(
        b'\n      <midi-instrument id="P%d-K%d">\n        <midi-channel>10</midi-channel>\n        '
        b"<midi-unpitched>%d</midi-unpitched>\n      </midi-instrument>" % (number, key, key + 1)
        for key in sorted(used)
    )  # fmt: skip
    head = entry.sub(lambda m: m[1] + names + m[2] + keys + m[3], xml[:start], count=1)
    return head + body + xml[end:]


def _symbols(part: Part, score: Score) -> Iterator[list[int]]:
    """The percussion keys of each symbol in the order in which they are written."""
    for bar in measures(part, score):
        for symbol in bar:
            if symbol.notes:
                yield [note.pitch for note in symbol.notes]


def _struck(symbol: list[int], note: bytes) -> int:
    """Which of a symbol's strokes that written note is: music21 sorts them by their place on the staff."""
    step, octave = re.search(rb"<display-step>(.)<.*?<display-octave>(\d)", note, re.DOTALL).groups()  # type: ignore[union-attr]
    here = ((step + octave).decode(), b"<notehead" in note)
    return next((key for key in symbol if place_of(key) == here), symbol[0])
