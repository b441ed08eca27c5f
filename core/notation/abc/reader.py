"""Reads ABC: `read_abc` for tunes that people bring, `check_abc` for what a language model wrote."""

from __future__ import annotations

import re
from itertools import pairwise

from core.notation.abc.checks import Ranges, problems_of
from core.notation.abc.fields import read_key
from core.notation.abc.parser import Parser
from core.notation.abc.tokens import FIELD
from core.notation.assembling import Read, assembled
from core.notation.problems import Problem, UnreadableNotation

LONGEST = 100_000  # characters of one tune
_FENCE = re.compile(r"^\s*(```|~~~)")
_TUNE = re.compile(r"^X:", re.MULTILINE)


def read_abc(text: str) -> Read:
    """The first tune of a text, in the import profile. Raises UnreadableNotation with every problem found."""
    found = _prepared(text)
    first, lines = _tune(found)
    if sum(map(len, lines)) > LONGEST:
        raise UnreadableNotation((Problem("abc-too-long", expected=str(LONGEST)),))
    parser = Parser(strict=False)
    parser.read(lines, first)
    problems = problems_of(parser)
    if problems:
        raise UnreadableNotation(problems)
    read = assembled(parser.sheet)
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


def parted(message: str) -> tuple[str, str] | None:
    """The tune in a message, and the words around it; None where there is no tune.

    A tune is a fenced block with a K: line, or header lines that end with a K: line and music after them. A blank line
    ends it, unless more music follows.
    """
    lines = [re.sub(r"^\s*(?:>\s?)*", "", line).rstrip() for line in _lines(message)]
    fences = [i for i, line in enumerate(lines) if _FENCE.match(line)]
    for first, last in pairwise([*fences, len(lines)]):
        inside = lines[first + 1 : last]
        if any(line.startswith("K:") for line in inside):
            return "\n".join(inside), _words([*lines[:first], *lines[last + 1 :]])
    key = next((i for i, line in enumerate(lines) if line.startswith("K:") and read_key(line[2:])), None)
    numbered = any(line.startswith("X:") for line in lines[: key or 0])
    if key is None or not _follows(lines[key + 1 :], barred=not numbered):
        return None
    start = key
    while start and (FIELD.match(lines[start - 1]) or lines[start - 1].startswith("%")):
        start -= 1
    end = key + 1
    while end < len(lines) and (_belongs(lines[end]) if lines[end] else _follows(lines[end + 1 :])):
        end += 1
    return "\n".join(lines[start:end]), _words([*lines[:start], *lines[end:]])


def _belongs(line: str) -> bool:
    """Whether a line right under others of a tune is one of it: a field, a remark, or music and not words."""
    return line.startswith("%") or bool(FIELD.match(line)) or _musical(line, barred=False)


def _follows(lines: list[str], barred: bool = True) -> bool:
    """Whether the next line that says something is music, or a field of the same tune."""
    line = next((line for line in lines if line and not line.startswith("%")), "")
    return bool(re.match(r"(?:\[?V:|w:|[KMLQP]:|X:)", line)) or _musical(line, barred)


def _musical(line: str, barred: bool) -> bool:
    """Whether a line is music: mostly notes, and with a bar line, where that is asked for."""
    plain = re.sub(r'"[^"]*"|![^!]*!|\[[A-Za-z]:[^\]]*\]|%.*', "", line)
    letters = [char for char in plain if char.isalpha()]
    notes = sum(char in "ABCDEFGabcdefgzxZ" for char in letters)
    return ("|" in plain or not barred) and (not letters or notes >= 0.6 * len(letters)) and bool(plain.strip())


def _words(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line and not _FENCE.match(line)).strip()


def _prepared(text: str) -> str:
    """Without fences, in one kind of line ends. Raises UnreadableNotation where there is nothing."""
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
