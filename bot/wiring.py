"""Builds every object, and hands each what it needs. The only room that knows the adapters."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapters.console.jsonl import JsonConsole, event_line
from adapters.console.terminal import Terminal, bubble_text
from adapters.workshop.files import prepared
from config.data import line_of, read_evaluation, read_files, read_locales
from config.settings import Settings
from core.brief.lexicon import Lexicon, lexicon_of
from core.cards import Bubble
from core.localisation import Words, locale_of
from core.music.catalogue import Catalogue, CatalogueError, read_catalogue
from core.routing.intents import Router, read_rules

if TYPE_CHECKING:
    from bot.service import Service
    from bot.studio import Studio


__all__ = [
    "Knowledge",
    "bubble_text",
    "evaluation_files",
    "event_line",
    "json_console",
    "knowledge",
    "prepared",
    "service",
    "studio",
    "terminal",
]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is read from data files: the same for every command."""

    catalogue: Catalogue
    lexicon: Lexicon
    words: Words
    router: Router


def knowledge() -> Knowledge:
    """Raises CatalogueError whose text names file and line."""
    files = read_files()
    try:
        catalogue = read_catalogue(files)
    except CatalogueError as error:
        where = f"config/{error.file}, line {line_of(error.file, error.place)}"
        raise CatalogueError(where, error.place, error.reason) from None
    return Knowledge(
        catalogue,
        lexicon_of(catalogue, files["lexicon"]),
        Words(read_locales(), catalogue),
        Router(read_rules(files["intents"])),
    )


@asynccontextmanager
async def studio(known: Knowledge, settings: Settings, formats: tuple[str, ...]) -> AsyncIterator[Studio]:
    """A studio with its render workers, which warm up while the band composes."""
    # The graph's import comes before the workers' start: on two cores they would slow each other down,
    # and the first stage is what a listener waits for.
    import langgraph.graph  # noqa: F401, PLC0415

    from adapters.workshop.pool import Workshop  # noqa: PLC0415
    from adapters.workshop.written import WrittenOnly  # noqa: PLC0415
    from bot.bringing import Bringing  # noqa: PLC0415
    from bot.studio import Studio  # noqa: PLC0415
    from core.composer.graph import Band  # noqa: PLC0415

    band = Band(known.catalogue, max_revisions=settings.max_revisions)
    if set(formats) <= {"midi", "abc", "musicxml"}:  # nothing that a worker is needed for
        written = WrittenOnly()
        bringing = Bringing(written, known.catalogue, known.lexicon)
        yield Studio(band, written, known.catalogue, known.lexicon, known.words, formats, bringing)
        return
    async with Workshop(settings.render_workers, settings.soundfont) as workshop:
        bringing = Bringing(workshop, known.catalogue, known.lexicon)
        yield Studio(band, workshop, known.catalogue, known.lexicon, known.words, formats, bringing)


@asynccontextmanager
async def service(
    known: Knowledge, settings: Settings, data: Path, formats: tuple[str, ...], seed: int | None
) -> AsyncIterator[Service]:
    """The whole service over a data folder, which it owns. Raises DataInUse, UnwritableFolder."""
    from adapters.storage.database import Database  # noqa: PLC0415
    from adapters.storage.library import SqlLibrary  # noqa: PLC0415
    from adapters.storage.lock import owning  # noqa: PLC0415
    from bot.conversation import Conversation  # noqa: PLC0415
    from bot.service import Service  # noqa: PLC0415

    with owning(data):
        async with studio(known, settings, formats) as made:
            database = Database(data / "tunesmith.db")
            await database.open()
            try:
                library = SqlLibrary(database)
                conversation = Conversation(made, library, known.router, known.words, data / "files", seed)
                yield Service(conversation, library)
            finally:
                await database.close()


def evaluation_files() -> tuple[list[Any], dict[str, Any], bytes]:
    """See config.data.read_evaluation."""
    return read_evaluation()


def json_console() -> JsonConsole:
    return JsonConsole()


def terminal(known: Knowledge, settings: Settings) -> Terminal:
    greeting = known.words.say(settings.locale or "en", "terminal-greeting")
    return Terminal(greeting, lambda text: Bubble(known.words, settings.locale or locale_of(text)), settings.locale)
