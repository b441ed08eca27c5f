"""What a request says in figures and letters: key, tempo, meter, length."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from core.music import pitch
from core.music.meter import Meter, meter

_ACCIDENTAL_WORDS = {"sharp": "#", "flat": "b", "#": "#", "♯": "#", "b": "b", "♭": "b", "升": "#", "降": "b"}
_MODES = (
    "harmonic minor|melodic minor|natural minor|minor pentatonic|major pentatonic|pentatonic|ionian|aeolian|"
    "dorian|phrygian|lydian|mixolydian|locrian|blues scale|blues|major|minor|maj|min|moll|dur"
)
_MODES_ZH = (
    "和声小调|旋律小调|自然小调|小调5声音阶|小调5声|大调5声音阶|大调|小调|多利亚|弗里几亚|弗里吉亚|混合利底亚|利底亚|"
    "洛克里亚|洛克利亚|5声音阶|5声调式|5声|布鲁斯音阶|蓝调音阶|宫调式|羽调式"
)
_CANONICAL = {
    "natural minor": "minor", "aeolian": "minor", "min": "minor", "moll": "minor", "maj": "major",
    "dur": "major", "ionian": "major", "major pentatonic": "pentatonic", "blues scale": "blues",
    "和声小调": "harmonic minor", "旋律小调": "melodic minor", "自然小调": "minor", "大调": "major",
    "小调": "minor", "多利亚": "dorian", "弗里几亚": "phrygian", "弗里吉亚": "phrygian", "利底亚": "lydian",
    "混合利底亚": "mixolydian", "洛克里亚": "locrian", "洛克利亚": "locrian", "5声音阶": "pentatonic",
    "5声调式": "pentatonic", "5声": "pentatonic", "小调5声音阶": "minor pentatonic",
    "小调5声": "minor pentatonic", "大调5声音阶": "pentatonic", "布鲁斯音阶": "blues", "蓝调音阶": "blues",
    "宫调式": "pentatonic", "羽调式": "minor pentatonic",
}  # fmt: skip

# Letter, accidental and mode in words or signs. A bare letter counts only after "in" or "key of".
_BEFORE = r"(?<![A-Za-z'])"
_AFTER = r"(?![A-Za-z])"
_LETTER = r"(?P<letter>[A-G])"
_WORDED = r"(?P<acc>sharp|flat|#|♯|♭|b(?![a-z]))"
_INTO = r"\b(?:in|key of|key:|key is|tonic|to|into)(?: the key of)? "
_KEYS = tuple(
    re.compile(pattern, flags)
    for pattern, flags in (
        (rf"(?P<acc2>[降升])?{_LETTER}(?P<acc>[#♯b♭升降])?\s?(?P<mode>{_MODES_ZH})", re.I),
        (rf"{_BEFORE}{_LETTER}(?:[ -]?{_WORDED})?[ -]+(?P<mode>{_MODES}){_AFTER}", re.I),
        (rf"(?<![A-Za-z'#]){_LETTER}(?P<acc>[#♯b♭])?(?P<mode>m|min|maj){_AFTER}", 0),
        (rf"{_INTO}{_LETTER}(?:[ -]?{_WORDED}){_AFTER}", re.I),
        (rf"{_INTO}{_LETTER}(?![A-Za-z'♯♭#])", 0),
        (r"\bkey of (?P<letter>[a-g])(?![A-Za-z'♯♭#])", 0),
        (r"\bin (?P<letter>[b-g])(?=\s{0,3}(?:$|[,.;!?]|at\b|with\b|and\b))", 0),
        (rf"{_BEFORE}{_LETTER}[ -]?(?P<acc>sharp|flat|♯|♭){_AFTER}", re.I),
        (rf"(?P<acc2>[降升]){_LETTER}调?", re.I),
        (rf"(?<![A-Za-z]){_LETTER}(?P<acc>[#♯b♭])?调", 0),
    )
)


@dataclass(frozen=True, slots=True)
class Found:
    """A value and the place in the text that said it."""

    start: int
    end: int
    value: object


def keys(text: str) -> list[Found]:
    """(tonic, mode or None) wherever a key is named. Earlier patterns win where two overlap."""
    found: list[Found] = []
    for pattern in _KEYS:
        for match in pattern.finditer(text):
            if any(match.start() < f.end and f.start < match.end() for f in found):
                continue
            groups = match.groupdict()
            if _is_article(text, match):
                continue
            accidental = groups.get("acc") or groups.get("acc2") or ""
            tonic = pitch.parse_name(groups["letter"].upper() + _ACCIDENTAL_WORDS.get(accidental.lower(), ""))
            word = (groups.get("mode") or "").lower()
            mode = {"m": "minor", "": None}.get(word, _CANONICAL.get(word, word))
            found.append(Found(match.start(), match.end(), (tonic, mode)))
    sure = [f for f in found if not text[f.start : f.end].startswith("a ")]  # "a major hit in F" is in F
    return sorted(sure or found, key=lambda f: f.start)


def _is_article(text: str, match: re.Match[str]) -> bool:
    """`a blues`, `a major hit`, `in a minor key` hold the article, not the note A."""
    groups = match.groupdict()
    starts = groups["letter"] == "A" and match.start() == 0 and (groups.get("mode") or "").lower() == "blues"
    if (groups["letter"] != "a" and not starts) or groups.get("acc"):
        return False
    mode = (groups.get("mode") or "").lower()
    if mode in ("blues", "pentatonic") or mode not in ("major", "minor"):
        return (
            not re.search(r"\b(in|to|key of|into) $", text[max(0, match.start() - 20) : match.start()], re.I)
            or mode == "blues"
        )
    after = text[match.end() :]
    return bool(re.match(r" (key|scale|chord|third|tune|song|piece|melody|pentatonic|mode)\b", after, re.I))


_TEMPO = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(?P<dotted>dotted quarter|dotted crotchet)?\s{0,3}=?\s{0,3}(?P<bpm>\d{1,4}(?:\.\d{1,6})?)\s{0,3}"
        r"(?:bpm|b\.p\.m\.?|beats per minute|beats a minute|beats/min)",
        r"(?P<bpm>\d{1,4}(?:\.\d{1,6})?)\s{0,3}拍(?:每分钟|/分钟?|一分钟)",
        r"(?:每分钟|速度(?:为|是|:|=|改成|改为|调到|设为|变成)?)\s{0,3}(?P<bpm>\d{2,3}(?:\.\d{1,6})?)\s{0,3}拍?",
        r"(?P<dotted>dotted quarter|dotted crotchet)(?: note)?\s{0,3}=\s{0,3}(?P<bpm>\d{2,3})",
        r"(?:♩|quarter(?: note)?|crotchet|q)\s{0,3}=\s{0,3}(?P<bpm>\d{2,3}(?:\.\d{1,6})?)",
        r"\b(?:tempo|bpm|speed)(?: of| is| to|:|=)?\s{0,3}(?P<bpm>\d{1,4}(?:\.\d{1,6})?)",
        r"\b(?:at|@) (?P<bpm>\d{2,3})(?![\d/.:]|[ -]*(?:bars?|measures?|sec|min|beats?\b(?! (?:per|a))))\b",
    )
)


def tempos(text: str) -> list[Found]:
    """Quarters a minute."""
    found: list[Found] = []
    for pattern in _TEMPO:
        for match in pattern.finditer(text):
            if any(match.start() < f.end and f.start < match.end() for f in found):
                continue
            value = float(match["bpm"]) * (1.5 if match.groupdict().get("dotted") else 1)
            found.append(Found(match.start(), match.end(), value))
    return sorted(found, key=lambda f: f.start)


_METER = re.compile(r"(?<![\d/.])(?P<n>\d{1,2})\s?/\s?(?P<d>1|2|4|8|16|32)(?![\d/.])(?: ?(?:time|meter|metre))?", re.I)
_METER_ZH = (
    (re.compile(r"(?P<d>[248])分之(?P<n>\d{1,2})拍?"), None),
    (re.compile(r"(?<!\d)(?P<d>[48])(?P<n>[2-9])拍子?"), None),
    (re.compile(r"(?<!\d)(?P<n>[23456])拍子"), 4),
)
_METER_WORDS = {
    "common time": (4, 4), "cut time": (2, 2), "alla breve": (2, 2), "in 3": (3, 4), "in 5": (5, 4),
    "in 7": (7, 8),
    "12 8": (12, 8),
    "6 8": (6, 8),
    "9 8": (9, 8), "waltz time": (3, 4), "triple time": (3, 4), "triple meter": (3, 4),
}  # fmt: skip
_GROUPING = re.compile(r"\(?(?<![\d/])(\d(?:\s?\+\s?\d)+)\)?")


def meters(text: str) -> list[Found]:
    """(numerator, denominator) wherever a meter is named."""
    found = [Found(m.start(), m.end(), (int(m["n"]), int(m["d"]))) for m in _METER.finditer(text)]
    for pattern, unit in _METER_ZH:
        found += [
            Found(m.start(), m.end(), (int(m["n"]), unit or int(m["d"])))
            for m in pattern.finditer(text)
            if not any(m.start() < f.end and f.start < m.end() for f in found)
        ]
    for words, value in _METER_WORDS.items():
        pattern = re.compile(rf"\b{words}(?= |,|\.|$)(?! (?:bar|minute|second|part|voice|key))", re.I)
        found += [Found(m.start(), m.end(), value) for m in pattern.finditer(text)]
    return sorted(found, key=lambda f: f.start)


def groupings(text: str) -> list[Found]:
    """`2+2+3` as a tuple."""
    return [Found(m.start(), m.end(), tuple(int(n) for n in re.findall(r"\d", m[1]))) for m in _GROUPING.finditer(text)]


def meter_of(numerator: int, denominator: int, grouping: tuple[int, ...] | None) -> Meter | None:
    """The meter where it is one we play (2/4 to 13/8, denominators 2, 4 and 8), else None."""
    if denominator not in (2, 4, 8) or not 2 <= numerator <= 16 or Fraction(numerator, denominator) > 4:
        return None
    try:
        return meter(numerator, denominator, grouping or ())
    except ValueError:
        return None


_BARS = re.compile(r"(?:\bbars: ?(?P<m>\d{1,5})|(?P<n>\d{1,5})(?:[ -]?(?:bars?|measures?)\b|\s?个?小节))", re.I)
_SECONDS = re.compile(
    r"(?:(?P<m>\d{1,6}):(?P<s>[0-5]\d)(?!\d))|"
    r"(?P<min>\d{1,6}(?:\.\d{1,3})?)[ -]?(?:minutes?|mins?)(?=\b|\d)"
    r"(?:(?: and)? ?(?P<minsec>\d{1,6})[ -]?(?:seconds?|secs?|s)\b)?|"
    r"(?P<sec>\d{1,6}(?:\.\d{1,3})?)[ -]?(?:seconds?|secs?|s)\b|"
    r"(?P<minzh>\d{1,6}(?:\.\d{1,3})?)分(?:钟)?(?:(?P<minseczh>\d{1,6})秒)?|(?P<seczh>\d{1,6}(?:\.\d{1,3})?)秒钟?",
    re.I,
)


def bars(text: str) -> list[Found]:
    return [Found(m.start(), m.end(), int(m["n"] or m["m"])) for m in _BARS.finditer(text)]


def seconds(text: str) -> list[Found]:
    """Lengths of time, in seconds."""
    found = []
    for match in _SECONDS.finditer(text):
        part = {name: float(value) for name, value in match.groupdict().items() if value}
        minutes = part.get("m", 0) + part.get("min", 0) + part.get("minzh", 0)
        rest = sum(part.get(name, 0) for name in ("s", "minsec", "sec", "minseczh", "seczh"))
        found.append(Found(match.start(), match.end(), minutes * 60 + rest))
    return found
