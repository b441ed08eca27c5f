"""kill -9 in the middle of a change of the schema: the next start goes on from where it was, and nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.database import Database, newest_revision, upgrade
from tests.behaviours.console import ROOT

# The process says when it has everything loaded; the migrations of an empty database take about a tenth of a second.
MIGRATE = """
import sys
from alembic import command
from adapters.storage.database import upgrade
print("begins", flush=True)
upgrade(sys.argv[1])
"""


def begun_and_killed(url: str, seconds: float) -> None:
    with subprocess.Popen([sys.executable, "-c", MIGRATE, url], cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        threading.Event().wait(seconds)
        process.kill()


async def killed_after(seconds: float, tmp_path: Path) -> None:
    path = tmp_path / "tunesmith.db"
    url = f"sqlite:///{path}"
    upgrade(url, "0001")
    with closing(sqlite3.connect(path)) as file, file:
        row = "INSERT INTO chats (platform, chat, last_message, requests, begun) VALUES ('loop', 'room', 3, 1, 0)"
        file.execute(row)
    begun_and_killed(url, seconds)
    database = Database(url)
    await database.open()
    await database.close()
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT version_num FROM alembic_version").fetchone() == (newest_revision(),)
        assert file.execute("SELECT chat, last_message FROM chats").fetchall() == [("room", 3)]


@pytest.mark.parametrize("seconds", [0.03, 0.08])
async def test_a_kill_in_a_migration_is_survived(seconds: float, tmp_path: Path) -> None:
    await killed_after(seconds, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("step", range(30))
async def test_a_kill_anywhere_in_a_migration_is_survived(step: int, tmp_path: Path) -> None:
    await killed_after(0.008 * step, tmp_path)


async def test_what_an_earlier_release_left_half_done_is_put_right(tmp_path: Path) -> None:
    path = tmp_path / "tunesmith.db"
    upgrade(f"sqlite:///{path}", "0002")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE _alembic_tmp_pieces (id INTEGER)")
    database = Database(f"sqlite:///{path}")
    await database.open()
    await database.close()
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT version_num FROM alembic_version").fetchone() == (newest_revision(),)
    assert path.with_name(f"tunesmith.db.before-{newest_revision()}").exists()
