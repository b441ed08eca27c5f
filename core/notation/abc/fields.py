"""The values of ABC's information fields: key, meter, unit length, tempo, voice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from core.music import pitch
from core.music.keys import MODES, Key
from core.music.meter import QUARTER, Meter, meter

WHOLE = 4 * QUARTER
_MODE_WORDS = {mode.abc: name for name, mode in MODES.items() if mode.abc and len(mode.steps) == 7} | {
    "": "major", "maj": "major", "ion": "major", "m": "minor", "min": "minor", "aeo": "minor",
}  # fmt: skip
_KEY = re.compile(r"\s{0,9}([A-Ga-g])\s{0,9}(##?|bb?|♯|♭)?\s{0,9}([mM](?![A-Za-z])|[A-Za-z]{3,})?(.*)")
_SIGNATURE = re.compile(r"(\^\^|__|\^|_|=)([A-Ga-g])(?![a-z])")
_SHIFTS = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}
_CLEF = re.compile(r"\b(treble|bass|alto|tenor|perc|none)[1-5]?([+-]8|[+-]15)?(?![a-z])|([+-])8va\b")
_CLEF_SHIFTS = {"+8": 12, "-8": -12, "+15": 24, "-15": -24}


@dataclass(frozen=True, slots=True)
class Signature:
    """A key with what its signature does to each letter. `clef` and `shift` (semitones) where the field names them."""

    key: Key
    letters: tuple[tuple[str, int], ...]
    clef: str = ""
    shift: int | None = None


@lru_cache(maxsize=512)
def read_key(text: str) -> Signature | None:
    """`ADor`, `A mixolydian`, `Bb`, `F#m`, `HP`, `D Phr ^f`, `none`, `C clef=bass-8`; None where it is no key."""
    text = text.strip()
    clef, shift = read_clef(text)
    if re.match(r"H[Pp]\b", text):  # the highland pipes: F and C sharp, as their scale has them
        letters = {"F": 1, "C": 1} if text[1] == "p" else {}
        return Signature(Key(3, "mixolydian"), tuple(letters.items()), clef, shift)
    match = _KEY.match(text)
    if not text or re.match(r"none\b", text) or (clef and re.match(r"(clef=|treble|bass|alto|tenor|perc)", text)):
        return Signature(Key(0, "major"), (), clef, shift)
    if not match or not match[1].isupper():
        return None
    word = (match[3] or "").lower()
    rest = match[4]
    if word[:3] in ("exp", "cle", "tre", "bas", "alt", "ten", "oct", "tra", "mid", "sta", "per"):
        word, rest = "", text[match.start(3) :]
    mode = _MODE_WORDS.get(word if word == "m" else word[:3])
    if mode is None:
        return None
    key = Key(pitch.parse_name(match[1] + (match[2] or "")), mode)
    if not -7 <= key.fifths <= 7:
        return None
    usual = {} if re.search(r"\bexp\b", text) else signature_letters(key)
    added = {m[2].upper(): _SHIFTS[m[1]] for m in _SIGNATURE.finditer(rest)}
    return Signature(key, tuple((usual | added).items()), clef, shift)


def signature_letters(key: Key) -> dict[str, int]:
    """Letter -> alteration, for those that the signature changes."""
    return {pitch.letter(tpc): a for tpc in range(key.fifths - 1, key.fifths + 6) if (a := pitch.alteration(tpc))}


def read_clef(text: str) -> tuple[str, int | None]:
    """The clef named in a field, and the semitones that it, `octave=` and `transpose=` move the sound by."""
    match = _CLEF.search(text)
    clef, shift, said = "", 0, False
    if match:
        clef = (match[1] or "") + (match[2] or "")
        octave = match[2] or (f"{match[3]}8" if match[3] else "")
        shift, said = _CLEF_SHIFTS.get(octave, 0), True
    for name, size in (("octave", 12), ("transpose", 1), ("t", 1), ("score", 0)):
        number = re.search(rf"\b{name}=\s*([+-]?\d{{1,2}})(?!\d)", text)
        if number:
            shift, said = shift + size * int(number[1]), True
    return clef, shift if said else None


@lru_cache(maxsize=256)
def read_meter(text: str) -> Meter | str | None:
    """A meter; "none" where there is none by intention; None where the text is no meter."""
    text = text.strip()
    if text == "C":
        return meter(4, 4)
    if text == "C|":
        return meter(2, 2)
    if text.lower() in ("none", ""):
        return "none"
    match = re.fullmatch(r"\(?((?:\d{1,2}\s{0,9}\+\s{0,9}){0,15}\d{1,3})\)?\s{0,9}/\s{0,9}(1|2|4|8|16|32|64)", text)
    if not match:
        return None
    groups = tuple(int(number) for number in match[1].split("+"))
    if not 1 <= sum(groups) <= 128 or min(groups) < 1:
        return None
    return meter(sum(groups), int(match[2]), groups if len(groups) > 1 else ())


@lru_cache(maxsize=64)
def read_unit(text: str) -> int | None:
    """Ticks of the unit note length; None where it is none."""
    match = re.fullmatch(r"\s{0,9}(\d{1,2})(?:\s{0,9}/\s{0,9}(\d{1,3}))?\s{0,9}", text)
    if not match or not int(match[2] or 1):
        return None
    ticks = Fraction(WHOLE * int(match[1]), int(match[2] or 1))
    return int(ticks) if ticks.denominator == 1 and 0 < ticks <= 2 * WHOLE else None


def default_unit(m: Meter | None) -> int:
    """Without `L:` a sixteenth where the meter is less than 3/4, else an eighth."""
    return WHOLE // 16 if m is not None and m.bar * 4 < 3 * WHOLE else WHOLE // 8


@lru_cache(maxsize=256)
def read_tempo(text: str, unit: int) -> float | str | None:
    """Quarters a minute; "words" where the field only names a character; None where it makes no sense."""
    plain = re.sub(r'"[^"]*"', " ", text).strip()
    if not plain:
        return "words"
    number = re.fullmatch(r"(?:C\d?\s*=\s*)?(\d{1,4}(?:\.\d+)?)", plain)
    if number:
        ticks = Fraction(unit)
    else:
        number = re.fullmatch(r"(\d{1,2}/\d{1,2}(?:\s{1,9}\d{1,2}/\d{1,2})*)\s{0,9}=\s{0,9}(\d{1,4}(?:\.\d+)?)", plain)
        if not number or any(int(n.split("/")[1]) == 0 for n in number[1].split()):
            return None
        ticks = sum((Fraction(n) * WHOLE for n in number[1].split()), Fraction(0))
        number = re.search(r"=\s*(.+)", plain)
    assert number is not None
    tempo = float(number[1]) * float(ticks / QUARTER)
    return round(tempo, 4) if 5 <= tempo <= 1200 else None


@dataclass(frozen=True, slots=True)
class VoiceField:
    id: str
    name: str
    clef: str
    shift: int | None


@lru_cache(maxsize=256)
def read_voice(text: str) -> VoiceField | None:
    """`V:1 name="Flute" clef=bass octave=-1`."""
    match = re.match(r"\s{0,9}(\S+)\s{0,9}(.*)", text)
    if not match:
        return None
    name = re.search(r'\b(?:name|nm)=\s*(?:"([^"]*)"|(\S+))', match[2])
    clef, shift = read_clef(re.sub(r'"[^"]*"', "", match[2]))
    return VoiceField(match[1], (name[1] or name[2] or "") if name else "", clef, shift)
