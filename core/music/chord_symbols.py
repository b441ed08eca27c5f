"""Reads chord symbols as musicians write them: `B♭maj7♯11`, `C-7`, `Fø`, `6/9`, `sus`, `A7(♭9,♯11)/C♯`.

Everything that meets a chord symbol reads it here. What cannot be read is refused by name: a wrong chord sounds
worse than none.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from core.errors import BadRequest
from core.music import pitch
from core.music.chords import QUALITIES, Chord


class UnreadableChord(BadRequest):
    """`symbol`: the text that is no chord symbol."""

    code = "chord-unreadable"


_PLAIN = str.maketrans({
    "♯": "#", "♭": "b", "𝄪": "##", "𝄫": "bb", "♮": "", "−": "-", "–": "-", "△": "Δ", "∆": "Δ", "▵": "Δ",
    "°": "o", "º": "o", "˚": "o", "Ø": "ø", "⌀": "ø", "∅": "ø",
})  # fmt: skip
_LONGEST = 40
_NO_CHORD = re.compile(r"n\.?\s?c\.?|no chord|tacet", re.IGNORECASE)
_NOTE = r"([A-H])(##|#|bb|b|♯♯|♯|♭♭|♭|𝄪|𝄫|♮)?"
_ROOT = re.compile(_NOTE)
_BASS = re.compile(rf"/\s?{_NOTE}$")
# What a suffix is made of, tried in this order at each place.
_TOKEN = re.compile(
    r"(?P<major>(?:major|maj|Maj|MAJ|Ma|MA|ma|M|Δ)(?=\W|\d|$|[saAbon]))|(?P<minor>minor|min|Min|MIN|mi|m(?!aj))"
    r"|(?P<half>ø)|(?P<diminished>dim|o(?!mit))|(?P<augmented>aug|\+(?!5|9|11|13))"
    r"|(?P<sus>sus(?:24|42|[24])?)|(?P<add>[aA]dd(?P<added>[b#]?(?:13|11|[24679])))|(?P<no>(?:no|omit)(?P<omitted>[35]))"
    r"|(?P<alt>alt)|(?P<altered>(?P<sign>[b#+-])(?P<degree>13|11|[569]))|(?P<number>6[/,]?9|13|11|[2679]|5(?!\d))"
    r"|(?P<space>[(),/ ])"
)
# Degree of the scale -> fifths from the root.
_DEGREES = {2: 2, 4: -1, 5: 1, 6: 3, 7: -2, 9: 2, 11: -1, 13: 3}
_SIGNS = {"b": -7, "-": -7, "#": 7, "+": 7, "": 0}
_ALTERED = ((9, -5), (91, 9), (11, 6), (13, -4))  # what `alt` puts on a dominant


@dataclass
class _Building:
    """A chord while its suffix is read: degree -> fifths from the root; a degree with 1 behind is a second form."""

    third: int | None = 4
    fifth: int | None = 1
    seventh: int | None = None
    quality: str = ""  # the first word that named one
    raised: bool = False  # `maj` was said: sevenths are major
    suspended: dict[int, int] = field(default_factory=dict)
    more: dict[int, int] = field(default_factory=dict)

    def steps(self) -> tuple[int, ...]:
        third = () if self.suspended or self.third is None else (self.third,)
        hanging = tuple(self.suspended.values())
        fifth = () if self.fifth is None else (self.fifth,)
        sixth = tuple(self.more[d] for d in (6,) if d in self.more)
        seventh = () if self.seventh is None else (self.seventh,)
        upper = tuple(self.more[d] for d in (2, 4, 9, 91, 11, 111, 13, 131) if d in self.more)
        return tuple(dict.fromkeys((0, *third, *hanging, *fifth, *sixth, *seventh, *upper)))


@lru_cache(maxsize=4096)
def read_chord(text: str, german: bool = False) -> Chord | None:
    """The chord of a symbol; None where it says that there is none (`N.C.`).

    Keeps the symbol as written, so that the chord prints back in its writer's spelling. `german`: H is B, and B is
    B flat. Raises UnreadableChord.
    """
    written = unicodedata.normalize("NFKC", text.strip())
    if _NO_CHORD.fullmatch(written):
        return None
    match = _ROOT.match(written)
    root = _tonal(match, german) if match else None
    if match is None or root is None or len(written) > _LONGEST:
        raise UnreadableChord(symbol=text[:40])
    under = _BASS.search(written, match.end())
    bass = _tonal(under, german) if under else None
    if under and bass is None:
        raise UnreadableChord(symbol=text[:40])
    suffix = written[match.end() : under.start() if under else None]
    parts = (match[0], suffix, under[0] if under else "")
    steps = _steps(suffix.translate(_PLAIN), text)
    quality = _quality(steps)
    exact = QUALITIES[quality][0] == steps
    return Chord(root, quality, bass if bass != root else None, () if exact else steps, parts)


def _tonal(match: re.Match[str], german: bool) -> int | None:
    letter, sign = match[1], (match[2] or "").translate(_PLAIN)
    if letter == "H":
        return pitch.parse_name("B" + sign) if german else None
    if german and letter == "B" and not sign:
        return -2
    return pitch.parse_name(letter + sign)


def _steps(suffix: str, text: str) -> tuple[int, ...]:
    made, at = _Building(), 0
    if suffix.startswith("-") and not suffix.startswith("-5"):  # a dash at once is minor, later it flattens
        made.third, made.quality, at = -3, "minor", 1
    while at < len(suffix):
        match = _TOKEN.match(suffix, at)
        if match is None or not _take(made, match, suffix):
            raise UnreadableChord(symbol=text[:40])
        at = match.end()
    if suffix.count("(") != suffix.count(")") or suffix.endswith("/"):
        raise UnreadableChord(symbol=text[:40])
    return made.steps()


def _take(made: _Building, match: re.Match[str], suffix: str) -> bool:
    """Works one token into the chord; False where it makes no sense there."""
    kind = match.lastgroup
    first = match.start() == 0
    match "add" if match["add"] else "no" if match["no"] else "altered" if match["altered"] else kind:
        case "major" if not made.raised:
            made.raised = True
            made.quality = made.quality or "major"
            if match["major"] == "Δ" or made.seventh == -2:
                made.seventh = 5
        case "minor" if first:
            made.third, made.quality = -3, "minor"
        case "half" if first:
            made.third, made.fifth, made.seventh, made.quality = -3, -6, -2, "half"
        case "diminished" if first:
            made.third, made.fifth, made.quality = -3, -6, "diminished"
        case "augmented":
            if made.fifth != 1 or made.third == -3:
                return False
            made.fifth, made.quality = 8, "augmented"
        case "sus":
            for digit in match["sus"][3:] or "4":
                made.suspended[int(digit)] = _DEGREES[int(digit)]
        case "add":
            _alter(made, match["added"].rstrip("0123456789"), int(match["added"].lstrip("b#")))
        case "no":
            if match["omitted"] == "3":
                made.third = None
            else:
                made.fifth = None
        case "alt":
            made.seventh, made.fifth = -2, None
            made.more |= dict(_ALTERED)
        case "altered":
            _alter(made, match["sign"], int(match["degree"]))
        case "number":
            return _number(made, match["number"], suffix[: match.start()])
        case "space":
            return True
        case _:
            return False
    return True


def _alter(made: _Building, sign: str, degree: int) -> None:
    step = _DEGREES[degree] + _SIGNS[sign]
    if degree == 5:
        if (made.fifth == -6 and step == 8) or (made.fifth == 8 and step == -6):
            made.more[131] = step
        else:
            made.fifth = step
    elif degree == 7:
        made.seventh = step
    elif degree in made.more and made.more[degree] not in (_DEGREES[degree], step):
        made.more[degree * 10 + 1 if degree == 9 else int(f"{degree}1")] = step
    else:
        made.more[degree] = step


def _number(made: _Building, number: str, before: str) -> bool:
    """A figure: what it stacks depends on what stands before it."""
    value = 69 if number.startswith("6") and number.endswith("9") else int(number)
    extending = before.endswith("/") or "(" in before
    match value:
        case 5 if not before:
            made.third = None
        case 2 if not before:
            made.more[2] = 2
        case 2 | 5:
            return False
        case _ if before[-1:].isdigit():
            return False
        case 6:
            made.more[6] = 3
        case 69:
            made.more[6], made.more[9] = 3, 2
        case _ if extending and value != 7 and (made.seventh is not None or 6 in made.more):
            made.more[value] = _DEGREES[value]
        case _:
            made.seventh = made.seventh if made.quality == "half" or made.seventh == 5 else _seventh(made)
            if value > 7:
                made.more.setdefault(9, 2)
            if value in (11, 13):
                made.more[value] = _DEGREES[value]
    return True


def _seventh(made: _Building) -> int:
    if made.raised:
        return 5
    return -9 if made.quality == "diminished" else -2


def _quality(steps: tuple[int, ...]) -> str:
    """The table's quality with these tones, else the richest one that lies within them; failing that, by its third."""
    for name, (tones, _) in QUALITIES.items():
        if tones == steps:
            return name
    if 1 not in steps and 8 not in steps and 4 in steps and (-2 in steps or 5 in steps):
        return "7" if -2 in steps else "maj7"
    inside = [name for name, (tones, _) in QUALITIES.items() if set(tones) <= set(steps)]
    if inside:
        return max(inside, key=lambda name: (len(QUALITIES[name][0]), bool({-2, 5} & {*QUALITIES[name][0]})))
    return "min" if -3 in steps else "sus4" if -1 in steps and 4 not in steps else "maj"
