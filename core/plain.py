"""Text that people wrote, without what would change how the words beside it are read."""

from __future__ import annotations

import re

# Controls (bells, escapes), and the signs that turn the direction of what follows.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]")


def plain(text: str) -> str:
    """Line breaks and tabs stay."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, most: int) -> str:
    """A title or a name: one line, at most so many characters."""
    return re.sub(r"\s+", " ", plain(text.replace("\u2028", " ").replace("\u2029", " "))).strip()[:most]
