"""The catalogues: every sentence is there, in both languages, and none is unused or hard-coded."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from fluent.syntax import FluentParser
from fluent.syntax.ast import Message, Placeable, VariableReference
from fluent.syntax.visitor import Visitor

from core.errors import TunesmithError
from core.music.keys import MODES

ROOT = Path(__file__).resolve().parent.parent.parent
LOCALES = ROOT / "config" / "locales"
CODE = [
    p for folder in ("bot", "core", "adapters") for p in (ROOT / folder).rglob("*.py") if "migrations" not in p.parts
]


class Variables(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)

    def visit_Placeable(self, node: Placeable) -> None:  # noqa: N802
        self.generic_visit(node)


def catalogue(locale: str) -> dict[str, set[str]]:
    """Message id -> the variables it uses."""
    found = {}
    for entry in FluentParser().parse((LOCALES / f"{locale}.ftl").read_text()).body:
        assert type(entry).__name__ != "Junk", entry
        if isinstance(entry, Message):
            visitor = Variables()
            visitor.visit(entry)
            assert entry.id.name not in found, f"twice: {entry.id.name}"
            found[entry.id.name] = visitor.names
    return found


def strings() -> set[str]:
    """Every string constant of the code, and the fixed beginning of every f-string."""
    found = set()
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
                found.add(str(node.values[0].value) + "*")
    return found


def test_both_languages_say_the_same_sentences_with_the_same_values() -> None:
    english, chinese = catalogue("en"), catalogue("zh")
    assert english == chinese


def test_every_sentence_is_used() -> None:
    used = strings()
    prefixes = tuple(word[:-1] for word in used if word.endswith("-*"))
    unused = [name for name in catalogue("en") if name not in used and not name.startswith(prefixes)]
    assert unused == []


def test_every_sentence_that_the_code_names_is_there() -> None:
    known = catalogue("en")
    kinds = (
        r"(error|remark|note|edit|card|button|stage|format|section|command|reaction|library|nothing|undo|open|title)"
    )
    named = {word for word in strings() if re.fullmatch(kinds + r"(-[a-z0-9]+)+", word)}
    assert {name for name in named if name not in known} == set()


def kinds_of(error: type[TunesmithError]) -> list[type[TunesmithError]]:
    return [error, *(kind for sub in error.__subclasses__() for kind in kinds_of(sub))]


def test_every_error_mode_and_correction_has_its_sentence() -> None:
    known = catalogue("en")
    assert all(kind.code in known for kind in kinds_of(TunesmithError))
    assert all(f"mode-{mode.replace(' ', '-')}" in known for mode in MODES)
    for kind in ("padded", "cut", "unreadable", "respelled", "retrogression", "cadence"):
        assert f"note-{kind}" in known


PROSE = re.compile(r"[A-Z][a-z]+ [a-z]+ [a-z]+|[\u4e00-\u9fff]{3,}.*[，。！？：]")
QUIET_CALLS = ("log.", "re.", "text(")  # a log line, a pattern, SQL


def docstrings(tree: ast.Module) -> set[int]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.body]
    return {id(n.body[0].value) for n in nodes if isinstance(n.body[0], ast.Expr)}


def quiet(tree: ast.Module) -> set[int]:
    """Constants that no user reads: in raises, asserts, patterns and log calls."""
    found = set()
    for node in ast.walk(tree):
        call = isinstance(node, ast.Call) and ast.unparse(node.func).startswith(QUIET_CALLS)
        if call or isinstance(node, ast.Raise | ast.Assert):
            found |= {id(inner) for inner in ast.walk(node)}
    return found


def test_no_sentence_is_written_into_the_code() -> None:
    """Prose outside docstrings, patterns and logs is a sentence that cannot be translated."""
    found = []
    for path in CODE:
        if path.name == "__main__.py" or "evaluation" in path.parts:
            continue  # the command line's own help, and the report for those who build the composer
        tree = ast.parse(path.read_text())
        skipped = docstrings(tree) | quiet(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
                found += [(path.name, node.value[:60])] if PROSE.search(node.value) else []
    assert found == []
