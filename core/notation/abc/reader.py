"""Reads ABC: `read_abc` for tunes that people bring, `check_abc` for what a language model wrote."""

from __future__ import annotations

import re

from core.notation.abc.checks import Ranges, problems_of
from core.notation.abc.parser import Parser
from core.notation.assembling import Read, assembled
from core.notation.problems import Problem, UnreadableNotation

LONGEST = 400_000  # characters
_FENCE = re.compile(r"^\s*(```|~~~)")
_TUNE = re.compile(r"^X:", re.MULTILINE)


def read_abc(text: str, unfold: bool = True) -> Read:
    """The first tune of a text, in the import profile. Raises UnreadableNotation with every problem found."""
    found = _prepared(text)
    first, lines = _tune(found)
    parser = Parser(strict=False)
    parser.read(lines, first)
    problems = problems_of(parser)
    if problems:
        raise UnreadableNotation(problems)
    read = assembled(parser.sheet, unfold)
    several = len(_TUNE.findall(found))
    if several > 1:
        note = Problem("abc-several", found=str(several), expected=read.score.title or "1")
        return Read(read.score, (note, *read.warnings), read.rhythm)
    return read


def check_abc(text: str, ranges: Ranges | None = None) -> tuple[Read | None, tuple[Problem, ...]]:
    """The strict profile: the score with no problem, or no score with all of them."""
    if not text.strip():
        return None, (Problem("abc-empty"),)
    lines = _lines(text)
    problems: list[Problem] = []
    fence = next((i for i, line in enumerate(lines, 1) if _FENCE.match(line)), 0)
    if fence:
        problems.append(Problem("abc-fenced", line=fence))
        lines = ["" if _FENCE.match(line) else line for line in lines]
    heads = [i for i, line in enumerate(lines, 1) if line.startswith("X:")]
    if len(heads) > 1:
        problems.append(Problem("abc-many", line=heads[1], found=str(len(heads))))
        lines = lines[: heads[1] - 1]
    if len(text) > LONGEST:
        return None, (*problems, Problem("abc-too-long", expected=str(LONGEST)))
    parser = Parser(strict=True)
    try:
        parser.read(lines)
        problems += problems_of(parser, ranges)
        if problems:
            return None, tuple(problems)
        return assembled(parser.sheet), ()
    except UnreadableNotation as error:
        return None, error.problems


def looks_like_abc(text: str) -> bool:
    """Whether a message is a tune in ABC: a key line, and a line of music after it."""
    return bool(re.search(r"^K:.*\n(?:.*\n)*?.*[A-Ga-gz].*", _prepared(text) + "\n", re.MULTILINE)) and bool(
        re.search(r"^[XTMLQ]:", text, re.MULTILINE)
    )


def _prepared(text: str) -> str:
    """Without fences, in one kind of line ends. Raises UnreadableNotation where there is nothing, or too much."""
    if len(text) > LONGEST:
        raise UnreadableNotation((Problem("abc-too-long", expected=str(LONGEST)),))
    kept = [line for line in _lines(text) if not _FENCE.match(line)]
    if not any(line.strip() for line in kept):
        raise UnreadableNotation((Problem("abc-empty"),))
    return "\n".join(kept)


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n|\u2028", text.lstrip("\ufeff"))


def _tune(text: str) -> tuple[int, list[str]]:
    """The lines of the first tune, and the number of the first of them. What stands before its head is left out."""
    lines = text.split("\n")
    heads = [i for i, line in enumerate(lines) if line.startswith("X:")]
    start = heads[0] if heads else next((i for i, line in enumerate(lines) if re.match(r"[A-Z]:", line)), 0)
    end = heads[1] if len(heads) > 1 else len(lines)
    return start + 1, lines[start:end]
