"""Reads the data files of this folder, and knows on which line each value stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FILES = (
    "moods",
    "forms",
    "instruments",
    "progressions",
    "grooves",
    "accompaniment",
    "titles",
    "lexicon",
    "intents",
    "sensitive",
)


class DataError(ValueError):
    """A data file that is no YAML: file, line and why."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason}")


def read_files() -> dict[str, Any]:
    """The content of every file by its name without ending; `styles` by genre. Raises DataError."""
    files: dict[str, Any] = {name: _read(HERE / f"{name}.yaml") for name in _FILES}
    files["statistics"] = json.loads((HERE / "statistics.json").read_text())
    files["styles"] = {path.stem: _read(path) for path in sorted((HERE / "styles").glob("*.yaml"))}
    return files


def read_locales() -> dict[str, str]:
    """The Fluent source of each language."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((HERE / "locales").glob("*.ftl"))}


def read_helplines_table(file: Path | None = None) -> list[Any]:
    """Where help is, by country; of another file where the operator has one."""
    rows: list[Any] = _read(file or HERE / "helplines.yaml")
    return rows


def read_distress() -> dict[str, Any]:
    """What scripts/train_distress.py found."""
    layers: dict[str, Any] = json.loads((HERE / "distress.json").read_text())
    return layers


def read_evaluation() -> tuple[list[Any], dict[str, Any], bytes]:
    """The request suite, the lead sheets' percentiles, and the index of known tunes."""
    folder = HERE / "evaluation"
    reference = json.loads((folder / "reference.json").read_text())
    return _read(folder / "music.yaml"), reference, (folder / "known.bin").read_bytes()


def _read(path: Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DataError(path, line, error.problem or "not YAML") from None


def line_of(file: str, place: tuple[object, ...]) -> int:
    """The line of a file of this folder on which a value stands, as near as it can be found; from 1."""
    node: Any = yaml.compose((HERE / file).read_text(encoding="utf-8"), Loader=_Loader)
    for step in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((k, v) for k, v in node.value if k.value == str(step)), None)
            if found is None:
                break
            node = found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
        else:
            break
    return int(node.start_mark.line) + 1
