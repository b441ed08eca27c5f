"""Drives the program as another program does: lines in, events out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
Events = list[dict[str, Any]]


def run(
    *arguments: str, text: str = "", env: dict[str, str] | None = None, code: str | None = None
) -> subprocess.CompletedProcess[str]:
    """`python -m bot …` in a process of its own. `code` runs before it, in the same process."""
    command = [sys.executable, "-m", "bot", *arguments]
    if code:
        start = f"import sys; {code}; import runpy; runpy.run_module('bot', run_name='__main__')"
        command = [sys.executable, "-c", start, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=110, check=False, env=environment, cwd=ROOT
    )


def events(output: str) -> Events:
    return [json.loads(line) for line in output.splitlines()]


def chat(data: Path, *lines: str | dict[str, Any], formats: str = "midi,abc", seed: int = 7) -> Events:
    """A whole conversation; it must end well."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = run("chat", "--json", "--data", str(data), "--formats", formats, "--seed", str(seed), text=text)
    assert done.returncode == 0, done.stderr
    return events(done.stdout)


def last(found: Events, message: int) -> dict[str, Any]:
    """The one event that ends a message."""
    ends = [e for e in found if e["message"] == message and e["event"] in ("done", "error") and "chat" not in e]
    assert len(ends) == 1
    return ends[0]
