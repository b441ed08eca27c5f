"""The front door, where something is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.behaviours.console import ROOT

TOOLS = ("bash", "env", "cmp", "dirname", "readlink", "id", "cat", "printf")


def house(tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the script in a house without an environment, and a PATH that holds only the shell's own tools."""
    shutil.copy(ROOT / "tunesmith", tmp_path / "tunesmith")
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS:
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    return tmp_path / "tunesmith", tools


@pytest.mark.parametrize(("language", "words"), [("en_GB.UTF-8", "Python 3.11"), ("zh_CN.UTF-8", "需要")])
def test_without_python_it_says_how_to_get_it(tmp_path: Path, language: str, words: str) -> None:
    script, tools = house(tmp_path)
    env = {"PATH": str(tools), "LC_ALL": language}
    done = subprocess.run([str(script), "compose", "a jig"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert "python.org" in done.stderr


def test_a_python_that_is_too_old_is_passed_over(tmp_path: Path) -> None:
    script, tools = house(tmp_path)
    old = tools / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run([str(script)], env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert done.returncode == 2


def test_it_runs_from_anywhere_also_by_a_link(tmp_path: Path) -> None:
    link = tmp_path / "ts"
    link.symlink_to(ROOT / "tunesmith")
    done = subprocess.run(
        [str(link), "--help"], cwd=tmp_path, capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == 0
    assert "compose" in done.stdout
