"""What every test may use: the data of the product, and songs composed from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.wiring import Knowledge, knowledge
from core.brief.brief import Brief
from core.brief.completing import complete
from core.brief.reading import read
from core.music import bass, grooves, harmony, melody, theory
from core.music.arrangement import Lines, arrange
from core.music.plan import plan
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
        brief = brief_of(text, seed)
        planned = plan(brief, known.catalogue, seed)
        chords, _ = theory.settle(harmony.propose(planned, known.catalogue), planned)
        line = melody.compose(planned, chords, known.catalogue) if brief.has("melody") else ()
        low = bass.bass_line(planned, chords, known.catalogue, line) if brief.has("bass") else None
        beat = grooves.drums(planned, known.catalogue) if planned.groove else None
        return arrange(planned, chords, Lines(line, low, beat), known.catalogue)

    return compose


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the sweeps and soaks too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if "long" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="only with --long"))
