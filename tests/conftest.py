"""What every test may use: the data of the product, and songs composed from it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

import pytest

os.environ.setdefault("PTB_TIMEDELTA", "1")  # as bot.__main__ has it

from bot.wiring import Knowledge, knowledge
from core.brief.brief import Brief
from core.brief.completing import complete
from core.brief.reading import read
from core.composer.once import compose_once
from core.music.score import Score

Compose = Callable[[str, int], Score]


@pytest.fixture(scope="session")
def known() -> Knowledge:
    return knowledge()


@pytest.fixture(scope="session")
def brief_of(known: Knowledge) -> Callable[[str, int], Brief]:
    return lambda text, seed: complete(text, read(text, known.lexicon), known.catalogue, seed)


@pytest.fixture(scope="session")
def song(known: Knowledge, brief_of: Callable[[str, int], Brief]) -> Compose:
    """One candidate, straight from the composing functions: no graph, no review."""

    def compose(text: str, seed: int = 1) -> Score:
        return compose_once(brief_of(text, seed), known.catalogue, seed)

    return compose


@pytest.fixture
def unused_port() -> int:
    """A port of loopback that was free a moment ago."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the sweeps and soaks too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="only with --long"))
