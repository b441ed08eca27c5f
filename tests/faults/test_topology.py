"""The topology of docker-compose.scale.yml as plain processes, and its files against the format's own schema."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.behaviours.console import ROOT
from tests.behaviours.on_telegram import SONG, ann, card
from tests.behaviours.served import Serve
from tests.faults.postgres import Postgres
from tests.standins.bucket import bucket
from tests.standins.telegram.standin import Telegram

COMPOSE = ("docker-compose.yml", "docker-compose.scale.yml")


@pytest.mark.parametrize("name", COMPOSE)
def test_a_compose_file_is_valid(name: str) -> None:
    checker = Path(sys.executable).parent / "check-jsonschema"
    command = [str(checker), "--builtin-schema", "vendor.compose-spec", str(ROOT / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_up_starts_the_bot_alone_and_everything_else_needs_a_profile() -> None:
    services: dict[str, dict[str, Any]] = {}
    for name in COMPOSE:
        for service, told in yaml.safe_load((ROOT / name).read_text())["services"].items():
            services[service] = {**services.get(service, {}), **told}
    assert [name for name, told in services.items() if "profiles" not in told] == ["bot"]
    for name in ("bot", "worker"):
        assert services[name]["read_only"] is True
        assert services[name]["init"] is True
        assert services[name]["user"] != "root"
        assert services[name]["restart"].startswith("on-failure")
        assert services[name]["mem_limit"]


def test_a_bot_that_talks_and_a_worker_elsewhere_make_a_song(postgres: Postgres, migrated: str, tmp_path: Path) -> None:
    with Telegram() as telegram, bucket() as (address, objects):
        shared = {
            "TUNESMITH_DATABASE_URL": postgres.database(migrated), "TUNESMITH_FILES_URL": "s3://tunesmith/songs",
            "AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "tunesmith", "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
        }  # fmt: skip
        talks = shared | {
            "TUNESMITH_TELEGRAM_TOKEN": telegram.token, "TUNESMITH_TELEGRAM_URL": telegram.url,
            "TUNESMITH_JOBS_AT_ONCE": "0",
        }  # fmt: skip
        formats = "midi,mp3,card"
        with (
            Serve(tmp_path / "bot", formats=formats, **talks),
            Serve(tmp_path / "worker", ready="Ready", formats=formats, command="worker", **shared),
        ):
            me = ann(telegram)
            telegram.write(me, me, "a jig in G, 8 bars")
            song = card(telegram, me)
            assert song.media is not None
            assert song.media.kind == "audio"  # the MP3, in the song's own message
            telegram.until(
                lambda: [s for s in telegram.bot_messages(me) if s.media and s.media.kind == "document"], SONG
            )
            assert objects


def test_a_second_serve_as_the_same_bot_waits_and_takes_over(postgres: Postgres, migrated: str, tmp_path: Path) -> None:
    with Telegram() as telegram:
        settings = {
            "TUNESMITH_DATABASE_URL": postgres.database(migrated), "TUNESMITH_TELEGRAM_TOKEN": telegram.token,
            "TUNESMITH_TELEGRAM_URL": telegram.url,
        }  # fmt: skip
        waits = "another ./tunesmith serve"
        with (
            Serve(tmp_path / "data", formats="abc", **settings) as first,
            Serve(tmp_path / "data", ready=waits, formats="abc", **settings) as second,
        ):
            first.stop()
            second.said("I am @")
