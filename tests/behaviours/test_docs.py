"""Every command that the README and the docs show is run."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.console import ROOT
from tests.faults.postgres import Postgres

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands() -> list[str]:
    """Lines of the bash blocks. `test` is what is running now, and `setup` installs."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```bash\n(.*?)```", page.read_text(), re.S):
            found += [line.partition("  #")[0].strip() for line in block.splitlines() if "./tunesmith" in line]
    return [line for line in dict.fromkeys(found) if not re.search(r"tunesmith (test|setup)", line)]


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_docs_runs(command: str, tmp_path: Path) -> None:
    environment = {**os.environ, "TUNESMITH_DATA": str(tmp_path / "data"), "HOME": str(tmp_path)}
    if re.search(r"tunesmith (serve|worker)", command):
        runs_until_it_is_stopped(command, environment, tmp_path)
        return
    command = (
        command.partition("  #")[0]
        .replace("./tunesmith", str(ROOT / "tunesmith"))
        .replace("/tmp/tunesmith-demo", str(tmp_path / "demo"))
    )
    command = command.replace("/somewhere/else", str(tmp_path / "else"))
    script = ROOT / "tunesmith"
    if re.search(r"tunesmith (backup|restore)", command):  # of a folder that is there, and of a back-up of it
        prepare = f"echo hello | {script} chat --json"
        prepare += f" && {script} backup tunesmith.tar" if "restore" in command else ""
        subprocess.run(prepare, shell=True, cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=True)
    options: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 60, "check": False}
    done = subprocess.run(command, shell=True, cwd=tmp_path, input="a jig, 8 bars\n", env=environment, **options)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def runs_until_it_is_stopped(command: str, environment: dict[str, str], folder: Path) -> None:
    """`serve` and `worker` are ready, and end when they are told to. A worker needs Postgres."""
    server = Postgres() if "worker" in command else None
    if server:
        environment["TUNESMITH_DATABASE_URL"] = server.database()
    words = [str(ROOT / "tunesmith"), *command.partition("#")[0].split()[1:]]
    with subprocess.Popen(words, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "Ready" in process.stderr.readline()
        process.terminate()
        assert process.wait(20) == 0
    if server:
        server.close()


def test_pictures_that_the_pages_show_are_there() -> None:
    for page in PAGES:
        for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text()):
            assert (page.parent / path).is_file(), path
