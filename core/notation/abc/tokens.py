"""What a line of ABC music is made of: one expression, its alternatives tried in order at each place."""

from __future__ import annotations

import re

# A note: accidental, letter, octave marks, length.
NOTE = re.compile(r"(\^\^|__|\^|_|=)?([A-Ga-g])([',]*)(\d*)(/*)(\d*)")
LENGTH = re.compile(r"(\d*)(/*)(\d*)")

TOKEN = re.compile(
    r"""
      (?P<note>(?:\^\^?|__?|=)?[A-Ga-g][',]*[\d/]*)
    | (?P<bar>\.?(?::*\[?\|[|\]:]*|::+|:+(?=\s{0,9}$))(?:\s*\[(?=\s*["\d]))?
        (?P<ending>(?<![\s:])\d+(?:[,.-]\d+)*(?![/\d]))?)
    | (?P<space>[ \t\x0b\x0c`]+)
    | (?P<broken>>+|<+)
    | (?P<tuplet>\(\d(?::\d*(?::\d*)?)?)
    | (?P<slur>\.?\(|\))
    | (?P<tie>\.?-)
    | (?P<quoted>"[^"\n]{0,400}")
    | (?P<field>\[[A-Za-z]:[^\]\n]{0,200}\])
    | (?P<later>\[?(?P<numbers>(?<=\[)\d+(?:[,.-]\d+)*)|\["[^"\]\n]{0,80}"(?=\s*[|\n]|$))
    | (?P<chord>\[[^\]\[|\n]{0,300}\][\d/]*)
    | (?P<rest>[zx][\d/]*)
    | (?P<bars>[ZX]\d*)
    | (?P<grace>\{[^}\n]{0,200}\})
    | (?P<decoration>![^!|\n ]{1,40}!|\+[A-Za-z.<>()0-9]{1,40}\+|[.~H-Wh-w])
    | (?P<spacer>y[\d/]*)
    | (?P<overlay>&)
    | (?P<skipped>[$*!\\]|\bN\b)
    | (?P<wrong>.)
    """,
    re.VERBOSE,
)
# A line that is a field: a letter and a colon, unless the colon is part of a bar line.
FIELD = re.compile(r"([A-Za-z+]):(?![|:])\s*(.*)")


class Unnotatable(Exception):
    """A length that is no length."""


def fraction(text: str) -> tuple[int, int]:
    """`3/2`, `/`, `//`, `/4`, `2` as numerator and denominator. Raises Unnotatable."""
    if not text:
        return 1, 1
    match = LENGTH.fullmatch(text)
    if not match or len(text) > 9:
        raise Unnotatable
    top = int(match[1]) if match[1] else 1
    bottom = int(match[3]) if match[3] else 2 ** len(match[2])
    if (match[3] and len(match[2]) > 1) or not top or not bottom or bottom > 512 or top > 512:
        raise Unnotatable
    return top, bottom


def syllables(text: str) -> list[str]:
    """`Hap-py birth-day_ to *`: each syllable with its hyphen, `_` holds, `*` skips a note."""
    found: list[str] = []
    for word in re.findall(r"[|*]|_|(?:\\-|[^\s\-_|*])+-?|-", text):
        if word == "-":
            found.append("_")
        else:
            found.append(word.replace("\\-", "‑").replace("~", " "))
    return found
