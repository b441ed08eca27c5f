"""Chord symbols in MusicXML: root, kind, degrees and bass as one symbol, as its writer prints it."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from core.music import pitch
from core.music.chord_symbols import UnreadableChord, read_chord

_KINDS = {
    "major": "", "minor": "m", "augmented": "aug", "diminished": "dim", "dominant": "7", "major-seventh": "maj7",
    "minor-seventh": "m7", "diminished-seventh": "dim7", "augmented-seventh": "aug7", "half-diminished": "m7b5",
    "major-minor": "mMaj7", "major-sixth": "6", "minor-sixth": "m6", "dominant-ninth": "9", "major-ninth": "maj9",
    "minor-ninth": "m9", "dominant-11th": "11", "major-11th": "maj11", "minor-11th": "m11", "dominant-13th": "13",
    "major-13th": "maj13", "minor-13th": "m13", "suspended-second": "sus2", "suspended-fourth": "sus4", "power": "5",
}  # fmt: skip
_SIGNS = {-2: "bb", -1: "b", 0: "", 1: "#", 2: "##"}


def whole(text: str | None, default: int = 0, limit: int = 1_000_000) -> int:
    """A number in a file that may say anything."""
    try:
        value = int(float(text or ""))
    except (ValueError, OverflowError):
        return default
    return value if -limit <= value <= limit else default


def chord_symbol(element: Element, fifths: int) -> str | None:
    """The chord symbol of a harmony element, as its writer prints it where that can be read; None where it is none."""
    kind = element.find("kind")
    value = (kind.text or "").strip() if kind is not None else ""
    if value == "none":
        return "N.C."
    root = _name(element.find("root"), "root", fifths)
    if not root:
        return None
    bass = _name(element.find("bass"), "bass", fifths)
    tail = f"/{bass}" if bass else ""
    degrees = "".join(_degree(degree) for degree in element.iterfind("degree"))
    printed = kind.get("text") if kind is not None else None
    options = [] if printed is None else [printed, printed + degrees]
    if value in _KINDS:
        options += [_KINDS[value] + degrees, _KINDS[value]]
    for suffix in options:
        if suffix == printed and degrees and not _says(suffix, degrees):
            continue
        try:
            read_chord(root + suffix + tail)
        except UnreadableChord:
            continue
        return root + suffix + tail
    return None


def _says(suffix: str, degrees: str) -> bool:
    """Whether what is printed already holds the degrees."""
    try:
        plain, more = read_chord("C" + suffix), read_chord("C" + suffix + degrees)
    except UnreadableChord:
        return False
    return plain is not None and more is not None and set(plain.tones) == set(more.tones)


def _name(element: Element | None, kind: str, fifths: int) -> str:
    letter = ((element.findtext(f"{kind}-step") if element is not None else "") or "").strip()
    if element is None or letter not in pitch.NATURAL_PITCH_CLASS:
        return ""
    tpc = pitch.LETTERS.index(letter) - 1 + 7 * whole(element.findtext(f"{kind}-alter"), 0, 2) + fifths
    return pitch.name(tpc)


def _degree(element: Element) -> str:
    value = whole(element.findtext("degree-value"), 0, 13)
    sign = _SIGNS.get(whole(element.findtext("degree-alter"), 0, 1), "")
    match element.findtext("degree-type"):
        case "subtract":
            return f"no{value}"
        case "add" if not sign:
            return f"add{value}"
        case _:
            return f"({sign}{value})" if sign else ""
