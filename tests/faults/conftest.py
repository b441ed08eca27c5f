"""What the fault tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dbos import DBOS

from adapters.jobs.checkpoints import migrate
from adapters.storage.database import async_url, upgrade
from tests.faults.postgres import Postgres
from tests.faults.world import World


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module")
def migrated(postgres: Postgres) -> str:
    """A Postgres database as it is after the first start: most of a start's time goes into making it."""
    url = postgres.database()
    upgrade(async_url(url))
    migrate(url)
    DBOS.migrate(url)
    return url


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    kind, _, fresh = getattr(request, "param", "sqlite").partition(" ")
    url = None
    if kind == "postgres":
        template = None if fresh else request.getfixturevalue("migrated")
        url = request.getfixturevalue("postgres").database(template)
    made = World(tmp_path, url, bool(fresh))
    yield made
    made.close()
