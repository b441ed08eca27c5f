"""Tunes a second: ours with every check, with a score made of it, and music21's parser, on the same real tunes."""

from __future__ import annotations

import re
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import music21
from music21 import converter

from core.notation.abc.checks import problems_of
from core.notation.abc.parser import Parser
from core.notation.abc.reader import read_abc
from core.notation.problems import UnreadableNotation


def tunes() -> list[str]:
    files = sorted((Path(music21.__file__).parent / "corpus").rglob("*.abc"))
    return [tune for path in files for tune in re.split(r"(?m)^(?=X:)", path.read_text("utf-8"))[1:]]


def checked(text: str) -> bool:
    parser = Parser(strict=False)
    parser.read(text.split("\n"))
    return not problems_of(parser)


def scored(text: str) -> bool:
    try:
        read_abc(text)
    except UnreadableNotation:
        return False
    return True


def theirs(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(converter.parse(text, format="abc", forceSource=True))


def measured(name: str, work: Callable[[str], bool], texts: list[str]) -> None:
    begun = time.perf_counter()
    accepted = sum(map(work, texts))
    seconds = time.perf_counter() - begun
    print(f"{name:28} {len(texts):6} tunes  {len(texts) / seconds:7.0f} a second  {accepted / len(texts):.4f} accepted")


def main() -> None:
    texts = tunes()
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    measured("parsed and checked", checked, texts[::step])
    measured("checked and made a score", scored, texts[::step])
    measured("music21, nothing checked", theirs, texts[:: 50 * step])


if __name__ == "__main__":
    main()
