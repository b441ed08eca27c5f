"""Writes config/evaluation/known.bin: hashes of every 16 (interval, duration) pairs in a row of known tunes.

Sources: the ABC tunes of music21's corpus, and lead sheets given as a file (a JSON song a line with `notes` as
[onset, duration, pitch]). Only hashes are kept, no tune can be read back.

    python -m scripts.index_tunes [leadsheets.jsonl.gz]
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from core.evaluation.known import hashes, packed

WRITTEN = Path(__file__).resolve().parent.parent / "config" / "evaluation" / "known.bin"
Pairs = list[tuple[int, Fraction]]  # pitch, quarters

_SHARPS = "FCGDAEB"
_STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_MODES = {
    "": 0,
    "maj": 0,
    "m": -3,
    "min": -3,
    "aeo": -3,
    "dor": -2,
    "phr": -4,
    "lyd": 1,
    "mix": -1,
    "loc": -5,
    "ion": 0,
}
_TOKEN = re.compile(r"(\^{1,2}|_{1,2}|=)?([A-Ga-gzx])([',]*)(\d*(?:/+\d*)?)([<>]*)|\(3|\||\[[A-Z]:[^\]]*\]|\[|\]")


def signature(field: str) -> dict[str, int]:
    match = re.match(r"([A-G])([#b]?)\s*([A-Za-z]{0,3})", field.strip())
    if not match:
        return {}
    fifths = _SHARPS.index(match[1]) - 1 + 7 * ((match[2] == "#") - (match[2] == "b"))
    fifths += _MODES.get(match[3].lower(), 0)
    letters = _SHARPS[:fifths] if fifths > 0 else _SHARPS[fifths:] if fifths < 0 else ""
    return dict.fromkeys(letters, 1 if fifths > 0 else -1)


def abc_tunes(text: str) -> Iterator[Pairs]:
    """The melody of each tune in a collection, read roughly: what counts is that most of it is there."""
    for tune in re.split(r"(?m)^X:", text)[1:]:
        unit, key, body = Fraction(1, 2), {}, []
        for line in tune.splitlines()[1:]:
            if line[:2] == "L:" and "/" in line:
                top, bottom = re.findall(r"\d+", line)[:2]
                unit = Fraction(int(top), int(bottom)) * 4
            elif line[:2] == "K:":
                key = signature(line[2:])
            elif not re.match(r"[A-Za-z]:|%", line):
                body.append(re.sub(r'"[^"]*"|![^!]*!|\{[^}]*\}', "", line))
        yield _melody(" ".join(body), unit, key)


def _melody(body: str, unit: Fraction, key: dict[str, int]) -> Pairs:
    notes: Pairs = []
    bar: dict[str, int] = {}
    triplet, broken = 0, Fraction(1)
    chord = False
    for match in _TOKEN.finditer(body):
        if match[0] == "|":
            bar = {}
        elif match[0] == "(3":
            triplet = 3
        elif match[0] in "[]":
            chord = match[0] == "["
            first = chord
        elif match[2]:
            if chord and not first:
                continue
            first = False
            length = unit * _length(match[4]) * broken
            broken = Fraction(1)
            if triplet:
                length, triplet = length * Fraction(2, 3), triplet - 1
            if match[5]:
                share = Fraction(1, 2 ** len(match[5]))
                length, broken = (length * (2 - share), share) if match[5][0] == ">" else (length * share, 2 - share)
            if match[2] in "zx":
                continue
            letter = match[2].upper()
            if match[1]:
                bar[letter] = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}[match[1]]
            octave = (12 if match[2].islower() else 0) + 12 * (match[3].count("'") - match[3].count(","))
            notes.append((60 + _STEPS[letter] + bar.get(letter, key.get(letter, 0)) + octave, length))
    return notes


def _length(text: str) -> Fraction:
    if not text:
        return Fraction(1)
    top, _, bottom = text.partition("/")
    if "/" not in text:
        return Fraction(int(top))
    return Fraction(int(top or 1), int(bottom.replace("/", "") or 2 ** text.count("/")))


def lead_sheets(path: Path) -> Iterator[Pairs]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield [(midi, Fraction(duration).limit_denominator(24)) for _, duration, midi in json.loads(line)["notes"]]


def main() -> None:
    import music21  # noqa: PLC0415

    found: set[int] = set()
    tunes = 0
    for path in sorted((Path(music21.__file__).parent / "corpus").rglob("*.abc")):
        for notes in abc_tunes(path.read_text(errors="replace")):
            tunes += 1
            found |= set(hashes(notes))
    for argument in sys.argv[1:]:
        for notes in lead_sheets(Path(argument)):
            tunes += 1
            found |= set(hashes(notes))
    data = packed(found)
    WRITTEN.write_bytes(data)
    print(f"{tunes} tunes, {len(found)} hashes, {len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
