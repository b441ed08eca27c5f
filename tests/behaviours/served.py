"""The program as `serve`, in a process of its own, talking to stand-ins of the platforms on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

from tests.behaviours.console import ROOT

_START, _END = 60.0, 20.0


class Serve:
    """`./tunesmith serve`, with further settings. It has begun when it has said `ready`.

    with Serve(tmp_path, TUNESMITH_TELEGRAM_TOKEN=…) as served: …
    """

    def __init__(
        self, data: Path, ready: str = "I am", formats: str | None = None, command: str = "serve", **settings: str
    ) -> None:
        self.lines: list[str] = []
        self._command = [sys.executable, "-m", "bot", command, "--data", str(data)]
        self._command += ["--formats", formats] if formats else []
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **settings}
        self._ready, self._changed = ready, threading.Condition()
        self.start()

    def start(self) -> None:
        begun = len(self.lines)
        self.process = subprocess.Popen(
            self._command, cwd=ROOT, env=self._environment, stderr=subprocess.PIPE, text=True
        )
        self._reading = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self._reading.start()
        self.said(self._ready, begun)

    def said(self, words: str, since: int = 0) -> str:
        """The first line that holds the words, waited for."""
        with self._changed:
            found = self._changed.wait_for(
                lambda: next((line for line in self.lines[since:] if words in line), None), _START
            )
        assert found, "\n".join(self.lines)
        return found

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """Politely; its exit code."""
        self.process.terminate()
        code = self.process.wait(_END)
        self._close()
        return code

    def _close(self) -> None:
        self._reading.join()
        if self.process.stderr:
            self.process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_END)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._close()
