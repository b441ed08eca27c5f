"""Running it: the doctor, back-ups, health, rights, and faults at the start in one sentence."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.console import chat, last, run
from tests.behaviours.on_telegram import ann, card, serving
from tests.behaviours.served import Serve
from tests.standins.telegram.standin import Telegram


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a song in it."""
    folder = tmp_path / "data"
    song = last(chat(folder, "a jig in G, 8 bars"), 1)
    assert song["event"] == "done"
    return folder


def test_the_doctor_finds_what_is_there_and_says_how_to_mend_what_is_not(data: Path) -> None:
    done = run("doctor", "--data", str(data), env={"PATH": "", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done.stdout
    assert "✓ Database" in done.stdout
    assert "– ffmpeg" in done.stdout
    assert "./tunesmith setup" in done.stdout


def test_the_doctor_tries_tokens_and_tells_none(data: Path) -> None:
    with Telegram() as telegram:
        env = {"TUNESMITH_TELEGRAM_TOKEN": telegram.token, "TUNESMITH_TELEGRAM_URL": telegram.url, "LC_ALL": "C.UTF-8"}
        good = run("doctor", "--data", str(data), env=env)
        bad = run("doctor", "--data", str(data), env=env | {"TUNESMITH_TELEGRAM_TOKEN": "1:wrong"})
    assert f"✓ Telegram  @{telegram.username}" in good.stdout
    assert "✗ Telegram" in bad.stdout
    assert "@BotFather" in bad.stdout
    assert bad.returncode == 1
    assert "1:wrong" not in bad.stdout + bad.stderr


def test_a_damaged_database_is_found_by_the_doctor_and_said_at_the_start(data: Path) -> None:
    (data / "tunesmith.db").write_bytes(b"this is no database" * 100)
    for ending in ("-wal", "-shm"):
        (data / f"tunesmith.db{ending}").unlink(missing_ok=True)
    assert "✗ Database" in run("doctor", "--data", str(data), env={"LC_ALL": "C.UTF-8"}).stdout
    done = run("chat", "--json", "--data", str(data), text="hello\n")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Restore a back-up" in done.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"TUNESMITH_DATABASE_URL": "mysql://x"}, "TUNESMITH_DATABASE_URL"),
        ({"TUNESMITH_FILES_URL": "bucket"}, "TUNESMITH_FILES_URL"),
        ({"TUNESMITH_TELEGRAM_WEBHOOK": "https://x.example/hook"}, "TUNESMITH_TELEGRAM_TOKEN"),
        ({"TUNESMITH_COUNTRY": "England"}, "TUNESMITH_COUNTRY"),
    ],
)
def test_a_wrong_or_half_setting_is_one_sentence(tmp_path: Path, settings: dict[str, str], words: str) -> None:
    done = run("serve", "--data", str(tmp_path / "d"), env=settings)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_database_of_a_later_release_is_left_alone(data: Path) -> None:
    with closing(sqlite3.connect(data / "tunesmith.db")) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    done = run("chat", "--json", "--data", str(data), text="hello\n")
    assert done.returncode == 2
    assert "later release" in done.stderr


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run("serve", "--data", str(tmp_path), env={"TUNESMITH_HEALTH_PORT": port})
    assert done.returncode == 2
    assert "TUNESMITH_HEALTH_PORT" in done.stderr
    assert "Traceback" not in done.stderr


def test_only_its_owner_may_read_the_data(data: Path) -> None:
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    open_ = [path for path in data.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    assert not open_


def test_a_back_up_of_a_folder_in_use_is_restored_elsewhere(data: Path, tmp_path: Path) -> None:
    with Telegram() as telegram, serving(telegram, data, formats="midi,abc"):
        me = ann(telegram)
        telegram.write(me, me, "a waltz in F, 8 bars")
        card(telegram, me)
        done = run("backup", str(tmp_path / "copy.tar"), "--data", str(data))
        assert done.returncode == 0, done.stderr
    there = tmp_path / "elsewhere"
    assert run("restore", str(tmp_path / "copy.tar"), "--data", str(there)).returncode == 0
    data.rename(tmp_path / "old")
    found = chat(there, "/library", "/open 1")
    opened = last(found, 3)
    assert all(Path(path).is_file() for path in opened["files"].values())
    assert all(Path(path).is_relative_to(there) for path in opened["files"].values())
    assert not data.exists()
    assert run("restore", str(tmp_path / "copy.tar"), "--data", str(there)).returncode != 0


def test_what_is_no_back_up_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(b"hello")
    assert run("restore", str(tmp_path / "x.tar"), "--data", str(tmp_path / "d")).returncode == 2
    assert run("backup", str(tmp_path / "y.tar"), "--data", str(tmp_path / "none")).returncode == 2
    assert not (tmp_path / "y.tar").exists()


def asked(port: int, path: str) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.fixture
def healthy(tmp_path: Path, unused_port: int) -> Iterator[tuple[Serve, Telegram, int]]:
    with Telegram() as telegram:
        settings = {"TUNESMITH_HEALTH_PORT": str(unused_port)}
        with serving(telegram, tmp_path / "data", formats="abc", **settings) as served:
            yield served, telegram, unused_port


def test_it_says_whether_it_lives_and_can_work(healthy: tuple[Serve, Telegram, int]) -> None:
    _, _, port = healthy
    assert asked(port, "/live") == (200, {"live": True})
    code, found = asked(port, "/ready")
    assert code == 200
    assert found["database"] is True
    assert found["platforms"] == {"telegram": True}
    assert found["queue"] == 0
    assert found["disk_free_bytes"] > 0


def test_a_data_folder_that_vanishes_is_noticed(healthy: tuple[Serve, Telegram, int], tmp_path: Path) -> None:
    served, _, _ = healthy
    os.rename(tmp_path / "data", tmp_path / "gone")
    served.said("has gone")
    assert served.process.wait(30) == 1
