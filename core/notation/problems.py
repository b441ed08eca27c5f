"""What is wrong with written music, and where: values first, sentences by their code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from core.brief.brief import Remark
from core.errors import BadRequest
from core.music.meter import QUARTER


@dataclass(frozen=True, slots=True)
class Problem:
    """`code` is its sentence in the catalogues, which also says how to mend it.

    Bars, lines and columns count from 1; 0 where there is none. `expected`, `found` and `difference` are lengths in
    wholes (`3/4`) or what else the sentence speaks of.
    """

    code: str
    voice: str = ""
    bar: int = 0
    line: int = 0
    column: int = 0
    expected: str = ""
    found: str = ""
    difference: str = ""

    @property
    def remark(self) -> Remark:
        values = (("voice", self.voice), ("bar", self.bar), ("line", self.line), ("column", self.column),
                  ("expected", self.expected), ("found", self.found), ("difference", self.difference))  # fmt: skip
        return Remark(self.code, tuple((name, str(value)) for name, value in values))


class UnreadableNotation(BadRequest):
    """Written music that cannot be taken: the first problem is the error's, all are in `problems`."""

    code = "notation-unreadable"

    def __init__(self, problems: Iterable[Problem] = (), **values: object) -> None:
        super().__init__(**values)
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (self.problems, self.values))


def _rebuilt(problems: tuple[Problem, ...], values: dict[str, str]) -> UnreadableNotation:
    return UnreadableNotation(problems, **values)


def refused(code: str, **values: object) -> UnreadableNotation:
    """A file that cannot be read at all."""
    return UnreadableNotation((Problem(code, **{key: str(value) for key, value in values.items()}),))  # type: ignore[arg-type]


def wholes(ticks: int) -> str:
    """A length as musicians say it: 3780 ticks are `3/16`."""
    value = Fraction(ticks, 4 * QUARTER)
    denominator = max(4, value.denominator)
    return f"{value * denominator}/{denominator}"
