"""What `serve` takes when nobody asks: seconds until it is ready, memory, and share of a core over a minute.

python -m scripts.measure_serve [seconds]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        for task in Path(f"/proc/{each}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def resident(pid: int) -> float:
    """Megabytes of its own, and its part of what it shares."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024


def seconds(pids: list[int]) -> float:
    fields = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids)
    return sum(int(each[11]) + int(each[12]) for each in fields) / _TICKS


def main() -> None:
    span = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bot", "serve", "--data", folder]
        environment = {**os.environ, "TUNESMITH_RENDER_WORKERS": "1"}
        for turn in ("first", "warm"):
            begun = time.perf_counter()
            server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
            assert server.stderr is not None
            while "Ready" not in (line := server.stderr.readline()) and line:
                pass
            print(f"{turn} start: ready after {time.perf_counter() - begun:.2f} s")
            if turn == "first":
                server.terminate()
                server.wait()
        time.sleep(8)  # the render worker warms up
        pids = family(server.pid)
        print(
            f"main process {resident(server.pid):.0f} MB; all {len(pids)} processes {sum(map(resident, pids)):.0f} MB"
        )
        before = seconds(pids)
        time.sleep(span)
        print(f"idle: {100 * (seconds(pids) - before) / span:.1f} % of one core over {span:.0f} s")
        begun = time.perf_counter()
        server.terminate()
        server.wait()
        print(f"SIGTERM: gone after {time.perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    main()
