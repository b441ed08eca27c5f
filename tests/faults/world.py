"""A platform, a database, and processes of the service that come and go."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from tests.behaviours.console import ROOT
from tests.faults.platform import Loopback

PATIENCE = 40.0


class Node(Protocol):
    """A process of the service."""

    pid: int

    def wait(self) -> int: ...

    def ready(self) -> None: ...

    def send(self, number: signal.Signals) -> None: ...

    def end(self) -> None: ...


class Fresh:
    """Started from nothing, as in real life."""

    def __init__(self, environment: dict[str, str], url: str, data: Path, point: str) -> None:
        command = [sys.executable, "-m", "tests.faults.node", url, str(data), point]
        environment = {**os.environ, **environment}
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid

    def wait(self) -> int:
        return self._process.wait(PATIENCE)

    def ready(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline()

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


class Forked:
    """Forked with its imports done: a fifth of the time."""

    def __init__(self, environment: dict[str, str], url: str, data: Path, point: str) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.faults.warm"])
        self._said, out = context.Pipe(duplex=False)
        self._process = context.Process(target=_born, args=(environment, url, str(data), point, out))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        out.close()

    def wait(self) -> int:
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def ready(self) -> None:
        assert self._said.poll(PATIENCE)
        assert self._said.recv()

    def send(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._said.close()


def _born(environment: dict[str, str], url: str, data: str, point: str, out: Connection) -> None:
    from tests.faults.warm import born  # noqa: PLC0415

    born(environment, url, data, point, out.send)


@dataclass
class World:
    """A platform, a database, and processes that come and go."""

    data: Path
    url: str | None = None
    fresh: bool = False  # whether its processes are started from nothing
    formats: str = "midi,abc"
    loop: Loopback = field(default_factory=Loopback)
    nodes: list[Node] = field(default_factory=list)

    def node(self, point: str = "", platform: bool = True, **settings: str) -> Node:
        environment = {f"TUNESMITH_{name.upper()}": value for name, value in settings.items()}
        environment["NODE_FORMATS"] = self.formats
        if self.url:
            environment["TUNESMITH_DATABASE_URL"] = self.url
        started = (Fresh if self.fresh else Forked)(environment, self.loop.url if platform else "-", self.data, point)
        self.nodes.append(started)
        return started

    def dies(self, node: Node) -> None:
        assert node.wait() == -signal.SIGKILL

    def says(self, words: str) -> bool:
        return any(words in seen.text for seen in self.loop.messages.values())

    def songs(self) -> list[str]:
        return [seen.text for seen in self.loop.messages.values() if seen.text.startswith("♪")]

    def finished(self) -> bool:
        return bool(self.songs()) and len(self.loop.files) >= len(self.formats.split(","))

    def until_finished(self) -> None:
        assert self.loop.until(self.finished, PATIENCE), [seen.texts for seen in self.loop.messages.values()]

    def runs(self) -> Counter[str]:
        """How often each stage was run, over all processes."""
        return Counter((self.data / "runs").read_text().split())

    def close(self) -> None:
        for node in self.nodes:
            node.end()
        self.loop.close()


def descendants(pid: int) -> list[int]:
    """All processes that come from one, the nearest first."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has just ended
            parents.setdefault(int(fields[1]), []).append(int(folder.name))
    found, row = [], parents.get(pid, [])
    while row:
        found += row
        row = [child for parent in row for child in parents.get(parent, [])]
    return found


def render_workers(node: Node) -> list[int]:
    """The processes that render for a node: children of its forkserver."""
    return [worker for child in descendants(node.pid) for worker in descendants(child)]
