"""The 12,978 ABC tunes that come with music21, split into single tunes."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path

import music21


@lru_cache(maxsize=1)
def tunes() -> tuple[tuple[str, str], ...]:
    """(file and number, text) of each tune."""
    found = []
    for path in sorted((Path(music21.__file__).parent / "corpus").rglob("*.abc")):
        for text in re.split(r"(?m)^(?=X:)", path.read_text("utf-8"))[1:]:
            number = text[2 : text.index("\n")].strip()
            found.append((f"{path.name} {number}", text))
    return tuple(found)


def sample(count: int, seed: int = 1850) -> list[tuple[str, str]]:
    return random.Random(seed).sample(tunes(), count)


def written_notes(text: str) -> int:
    """The note letters after the first K: line, counted with nothing of the product's."""
    body = text[re.search(r"(?m)^K:.*$", text).end() :]  # type: ignore[union-attr]
    lines = [line.split("%")[0] for line in body.split("\n") if not re.match(r"[A-Za-z+]:(?![|:])|%", line)]
    music = re.sub(r'"[^"]*"|\[[A-Za-z]:[^\]]*\]|![^!|\s]+!|\{[^}]*\}|\+[A-Za-z.<>()0-9]+\+', "", "\n".join(lines))
    return len(re.findall(r"[A-Ga-g]", music))
