"""Everything a commit must pass: lint, types, import rules, tests. `./tunesmith test` runs it.

`--long` adds the sweeps and soaks; other arguments go to pytest.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

BIN = Path(sys.executable).parent


def main(arguments: list[str]) -> int:
    steps: list[tuple[str, list[str]]] = [
        ("lint", [str(BIN / "ruff"), "check", "--quiet", "."]),
        ("format", [str(BIN / "ruff"), "format", "--check", "--quiet", "."]),
        ("types", [str(BIN / "mypy")]),
        ("import rules", [str(BIN / "lint-imports")]),
        ("tests", [sys.executable, "-m", "pytest", "-q", "-n", "4", "--dist", "loadfile", *arguments]),
    ]
    failed = []
    for name, command in steps:
        begun = time.perf_counter()
        code = subprocess.run(command, check=False).returncode
        print(f"{'ok' if code == 0 else 'FAILED'}: {name} ({time.perf_counter() - begun:.1f} s)", flush=True)
        if code:
            failed.append(name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
