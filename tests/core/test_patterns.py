"""Every pattern that people's words meet takes time in proportion to their length, whatever they hold."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import core
from bot.wiring import Knowledge
from core.brief.brief import Brief
from core.brief.reading import read
from core.brief.revising import changes
from core.localisation import locale_of
from core.notation.abc.reader import parted

_FOLDERS = (
    "core.brief", "core.routing", "core.notation", "core.commands", "core.localisation", "core.looks", "core.editing",
    "core.music.chord_symbols", "core.music.pitch", "adapters.telegram", "adapters.discord",
)  # fmt: skip
UNITS = (
    "1", "12 ", "一", "十百", " ", "a", "as", "A", "an ", "and ", "the ", "on ", "in ", "a, ", "，", ",", ".", "-", "+",
    "1+", "1/", ":", "1:1", '"', "“", "(", "((", "[", "|", "^", "_", "{", "<@", "\n", "\n\n", "X:1\n", "K:C\n", "a:b ",
    "twenty ", "hundred ", "one ", "half ", "bars ", "bar 1", "1 bars ", "called ", "叫", "名为", "with ", "with a ",
    "把", "用", "b", "#", "C#", "Cm7", "m", "`", "*", "\\", "/", "//", "@", "@a", "http://", "1. ", "s ", "x x",
    "for a ", "guitar ", "piano and ", "minutes ", "1 minutes ", "分", "1分", "半",
    "小节", "第", "dotted ", "=1", "of ",
)  # fmt: skip
LENGTH = 3_000
LIMIT = 0.06  # seconds: what grows with the square needs more than .1; in proportion, a millisecond


def modules() -> Iterator[str]:
    for name in _FOLDERS:
        found = importlib.import_module(name)
        yield name
        for each in pkgutil.walk_packages(getattr(found, "__path__", []), f"{name}."):
            yield each.name


def patterns(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from patterns(each)
    elif isinstance(value, dict):
        yield from patterns(list(value.values()))


def written(path: Path) -> Iterator[re.Pattern[str]]:
    """Patterns that stand in a call: re.search(r"…", …)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        whose = node.func.value
        if isinstance(whose, ast.Name) and whose.id == "re" and node.args and isinstance(node.args[0], ast.Constant):
            yield re.compile(str(node.args[0].value), re.IGNORECASE)


def known_patterns() -> dict[str, re.Pattern[str]]:
    found = {}
    for name in modules():
        module = importlib.import_module(name)
        for variable, value in vars(module).items():
            for number, each in enumerate(patterns(value)):
                found[f"{name}.{variable}[{number}]"] = each
        for number, each in enumerate(written(Path(str(module.__file__)))):
            found[f"{name} call {number}"] = each
    return found


PATTERNS = known_patterns()


def seconds(work: Callable[[], object]) -> float:
    best = 1e9
    for _ in range(3):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
        if best < LIMIT:
            break
    return best


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 60
    assert Path(str(core.__file__)).exists()


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_is_linear(name: str) -> None:
    for unit in UNITS:
        text = (unit * LENGTH)[:LENGTH]
        found = seconds(lambda text=text: [*PATTERNS[name].finditer(text + "\0")])  # type: ignore[misc]
        assert found < LIMIT, f"{unit!r}: {found:.2f} s"


@pytest.mark.parametrize("unit", UNITS)
def test_a_message_of_any_length_is_read_in_half_a_second(
    unit: str, known: Knowledge, brief_of: Callable[[str, int], Brief]
) -> None:
    brief = brief_of("a pop song", 1)
    text = (unit * 100_000)[:100_000]
    assert seconds(lambda: read(text, known.lexicon)) < 0.5
    assert seconds(lambda: changes(text, brief, known.lexicon, known.catalogue)) < 0.5
    assert seconds(lambda: (parted(text), locale_of(text), known.router.intent(text, True, True))) < 0.5
