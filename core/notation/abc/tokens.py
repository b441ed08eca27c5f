"""What a line of ABC music is made of: one expression, its alternatives tried in order at each place."""

from __future__ import annotations

import re

# A note: accidental, letter, octave marks, length.
NOTE = re.compile(r"(\^\^|__|\^|_|=)?([A-Ga-g])([',]*)(\d*)(/*)(\d*)")
LENGTH = re.compile(r"(\d*)(/*)(\d*)")

TOKEN = re.compile(
    r"""
      (?P<note>(?:\^\^?|__?|=)?[A-Ga-g][',]*[\d/]*)
    | (?P<bar>\.?(?::*\[?\|[|\]:]*|::+|:+(?=\s*$))(?:\s*\[(?=\s*["\d]))?
        (?P<ending>(?<![\s:])\d+(?:[,.-]\d+)*(?![/\d]))?)
    | (?P<space>[ \t\x0b\x0c`]+)
    | (?P<broken>>+|<+)
    | (?P<tuplet>\(\d(?::\d*(?::\d*)?)?)
    | (?P<slur>\.?\(|\))
    | (?P<tie>\.?-)
    | (?P<quoted>"[^"\n]*")
    | (?P<field>\[[A-Za-z]:[^\]\n]*\])
    | (?P<later>\[?(?P<numbers>(?<=\[)\d+(?:[,.-]\d+)*)|\["[^"\]\n]*"(?=[^\]]*$|[^\]]*\|)(?![A-Ga-g^_=]))
    | (?P<chord>\[[^\]\[|\n]*\][\d/]*)
    | (?P<rest>[zx][\d/]*)
    | (?P<bars>[ZX]\d*)
    | (?P<grace>\{[^}\n]*\})
    | (?P<decoration>![^!|\n ]+!|\+[A-Za-z.<>()0-9]+\+|[.~H-Wh-w])
    | (?P<spacer>y[\d/]*)
    | (?P<overlay>&)
    | (?P<skipped>[$*!\\]|\bN\b)
    | (?P<wrong>.)
    """,
    re.VERBOSE,
)
# A line that is a field: a letter and a colon, unless the colon is part of a bar line.
FIELD = re.compile(r"([A-Za-z+]):(?![|:])\s*(.*)")
