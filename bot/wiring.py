"""Builds every object, and hands each what it needs. The only room that knows the adapters."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapters.console.jsonl import JsonConsole, event_line
from adapters.console.terminal import Terminal, bubble_text
from adapters.workshop.files import prepared
from config.data import line_of, read_distress, read_evaluation, read_files, read_helplines_table, read_locales
from config.settings import Settings
from core.brief.lexicon import Lexicon, lexicon_of
from core.cards import Bubble
from core.commands import COMMANDS
from core.localisation import Words, locale_of
from core.music.catalogue import Catalogue, CatalogueError, read_catalogue
from core.ports import EditingChat, Files, Platform, Renderer
from core.quota import Quota
from core.routing.intents import Router, read_rules
from core.routing.sensitive import Helpline, Sensitive, read_helplines
from core.suggesting import suggestions

if TYPE_CHECKING:
    from adapters.workshop.pool import Workshop
    from adapters.workshop.written import WrittenOnly
    from bot.doctor import Examination
    from bot.service import Service
    from bot.studio import Studio


__all__ = [
    "Knowledge",
    "back_up",
    "bubble_text",
    "evaluation_files",
    "event_line",
    "examinations",
    "json_console",
    "knowledge",
    "platforms",
    "prepared",
    "restored",
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
    sensitive: Sensitive
    helplines: tuple[Helpline, ...]


def knowledge(helplines: Path | None = None) -> Knowledge:
    """`helplines`: the operator's own table of where help is. Raises CatalogueError whose text names file and line."""
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
        Sensitive(files["sensitive"]),
        read_helplines(read_helplines_table(helplines)),
    )


@asynccontextmanager
async def studio(
    known: Knowledge, settings: Settings, formats: tuple[str, ...], checkpoints: Any = None, files: Files | None = None
) -> AsyncIterator[Studio]:
    """A studio with its render workers, which warm up while the band composes. `files`: where songs are kept."""
    # The graph's import comes before the workers' start: on two cores they would slow each other down,
    # and the first stage is what a listener waits for.
    import langgraph.graph  # noqa: F401, PLC0415

    from adapters.workshop.keeping import Keeping  # noqa: PLC0415
    from adapters.workshop.pool import Workshop  # noqa: PLC0415
    from adapters.workshop.written import WrittenOnly  # noqa: PLC0415
    from bot.bringing import Bringing  # noqa: PLC0415
    from bot.studio import Studio  # noqa: PLC0415
    from core.composer.graph import Band  # noqa: PLC0415

    band = Band(known.catalogue, max_revisions=settings.max_revisions, checkpoints=checkpoints)
    written = set(formats) <= {"midi", "abc", "musicxml"}  # nothing that a worker process is needed for
    async with nullcontext() if written else Workshop(settings.render_workers, settings.soundfont) as workshop:
        maker: Workshop | WrittenOnly = workshop or WrittenOnly()
        renderer: Renderer = Keeping(maker, files) if files else maker
        bringing = Bringing(maker, known.catalogue, known.lexicon)
        yield Studio(band, renderer, known.catalogue, known.lexicon, known.words, formats, bringing)


@asynccontextmanager
async def service(
    known: Knowledge,
    settings: Settings,
    data: Path,
    formats: tuple[str, ...],
    seed: int | None = None,
    lost: Callable[[], None] = lambda: None,
    patience: float = 0.0,
    say: Callable[..., None] = lambda code, **values: None,
) -> AsyncIterator[Service]:
    """The whole service, one a process, which ends with it. On SQLite it owns the data folder; on Postgres it is one
    of any number.

    `lost` is called when another process may have taken this one's place. `patience`: seconds that a job waits for a
    database or a full disk. Raises DataInUse, UnwritableFolder.
    """
    from adapters.files.store import FileStore  # noqa: PLC0415
    from adapters.health import answering  # noqa: PLC0415
    from adapters.incoming import FetchedFiles  # noqa: PLC0415
    from adapters.jobs.checkpoints import checkpoints, migrate, tidy  # noqa: PLC0415
    from adapters.jobs.durable import DurableQueue  # noqa: PLC0415
    from adapters.likeness import Distress  # noqa: PLC0415
    from adapters.storage.database import Database  # noqa: PLC0415
    from adapters.storage.ledger import SqlLedger  # noqa: PLC0415
    from adapters.storage.library import SqlLibrary  # noqa: PLC0415
    from adapters.storage.lock import owning  # noqa: PLC0415
    from adapters.storage.notices import listen  # noqa: PLC0415
    from adapters.storage.people import SqlPeople  # noqa: PLC0415
    from bot.care import Care  # noqa: PLC0415
    from bot.conversation import Conversation  # noqa: PLC0415
    from bot.health import Health  # noqa: PLC0415
    from bot.retention import Retention  # noqa: PLC0415
    from bot.service import Service  # noqa: PLC0415
    from bot.showing import Wakes  # noqa: PLC0415
    from bot.songs import thread_of  # noqa: PLC0415
    from bot.working import Worker  # noqa: PLC0415

    url = settings.database_url
    here = prepared(data)
    places = {name: url or f"sqlite:///{here / name}.db" for name in ("tunesmith", "jobs", "checkpoints")}
    async with AsyncExitStack() as stack:
        if url is None:
            stack.enter_context(owning(data))
        database = Database(places["tunesmith"])
        stack.push_async_callback(database.close)
        await database.open()
        await asyncio.to_thread(migrate, places["checkpoints"])
        saver = await stack.enter_async_context(checkpoints(places["checkpoints"]))
        files = FileStore(data / "store", settings.files_url, data / "files")
        made = await stack.enter_async_context(studio(known, settings, formats, saver, files))
        wakes = Wakes()
        ledger, library = SqlLedger(database, wakes.wake), SqlLibrary(database)
        people, incoming = SqlPeople(database), FetchedFiles(_fetchers(settings))
        care = Care(known.sensitive, Distress(read_distress()), known.helplines, people, known.words, settings.country)
        conversation = Conversation(
            made, library, files, known.router, known.words, data / "files", people, incoming, care, seed
        )
        worker = Worker(conversation, ledger, known.words, str(os.getpid()), patience)
        queue = DurableQueue(places["jobs"], worker.work, settings.jobs_at_once, lost, final=True)
        await stack.enter_async_context(queue)
        urgent = known.sensitive.matter
        serving = Service(
            ledger,
            queue,
            worker,
            wakes,
            library,
            files,
            known.words,
            settings.jobs_at_once,
            urgent,
            math.inf if patience else 0.0,
            _quota(settings) if patience else None,  # who talks to it alone, in a terminal, is not counted
        )
        if url is not None:
            hearing = asyncio.create_task(listen(url, serving.heard), name="hearing")
            stack.callback(hearing.cancel)
        serving.health = Health(ledger, data, {"workers": settings.render_workers})

        async def checkpointed(before: float) -> int:
            return await tidy(saver, {thread_of(job.message) for job in await ledger.unfinished()})

        async def stray(before: float) -> int:
            return await files.tidy(before, await library.named_files())

        tidies = {"jobs": ledger.tidy, "workflows": queue.tidy, "checkpoints": checkpointed, "files": stray}
        serving.retention = Retention(tidies)
        for work in (serving.retention.daily(), _watched(data, say, lost)):
            task = asyncio.create_task(work)
            stack.callback(task.cancel)
        if settings.health_port is not None:
            address = answering(settings.health_host, settings.health_port, serving.health.look)
            await stack.enter_async_context(address)
        await serving.resume()
        try:
            yield serving
        finally:
            broken_off = await worker.interrupt()  # before its tools go: their end is no song's end
            with suppress(Exception):  # the database may be what is away
                async with asyncio.timeout(1):
                    await ledger.give_back(broken_off)


async def _watched(data: Path, say: Callable[..., None], lost: Callable[[], None]) -> None:
    """Until the data folder is gone, or another one: the process must stop, and says so."""
    from adapters.storage.lock import until_vanished  # noqa: PLC0415

    await until_vanished(data)
    say("data-gone", folder=data)
    lost()


def _quota(settings: Settings) -> Quota:
    return Quota(
        settings.person_at_once, settings.chat_at_once, settings.person_hourly, settings.chat_hourly,
        settings.person_music * 60, settings.queue_most,
    )  # fmt: skip


def platforms(service: Service, known: Knowledge, settings: Settings, say: Callable[..., None]) -> list[Platform]:
    """Every platform that has a token; where none has, what is missing is said."""
    from adapters.encoding import within  # noqa: PLC0415
    from bot.progress import Bubbles  # noqa: PLC0415

    chats: list[EditingChat] = []
    if settings.telegram_token:
        from adapters.telegram.client import Telegram  # noqa: PLC0415

        chats.append(
            Telegram(
                settings.telegram_token,
                lambda locale: [(c.name, known.words.say(locale, f"command-{c.name}")) for c in COMMANDS],
                partial(service.ledger.moved, "telegram"), say, settings.telegram_url, settings.telegram_webhook,
                settings.telegram_port,
            )
        )  # fmt: skip
    if settings.discord_token:
        from adapters.discord.client import Discord  # noqa: PLC0415

        complete = partial(suggestions, known.words, known.catalogue)
        private = lambda words: known.sensitive.matter(words) in ("self-harm", "danger")  # noqa: E731
        chats.append(Discord(settings.discord_token, known.words.say, complete, say, settings.discord_url, private))
    if not chats:
        for code in ("serve-no-platform", "telegram-missing", "discord-missing"):
            say(code)
    tokens = {"telegram": settings.telegram_token or "", "discord": settings.discord_token or ""}

    def held(name: str) -> Callable[[], AbstractAsyncContextManager[None]]:
        if settings.database_url is None:
            return nullcontext  # the data folder is owned
        from adapters.storage.alone import alone  # noqa: PLC0415

        return partial(alone, settings.database_url, name, tokens[name], say)

    return [Bubbles(chat, service.ledger, known.words, service.wait, within, alone=held(chat.name)) for chat in chats]


def _fetchers(settings: Settings) -> dict[str, Callable[[str, Path], Awaitable[None]]]:
    """By platform, how its files are had."""
    found: dict[str, Callable[[str, Path], Awaitable[None]]] = {}
    if settings.telegram_token:
        from adapters.telegram.client import fetcher as telegram  # noqa: PLC0415

        found["telegram"] = telegram(settings.telegram_token, settings.telegram_url)
    if settings.discord_token:
        from adapters.discord.files import fetcher as discord  # noqa: PLC0415

        found["discord"] = discord()
    return found


def back_up(data: Path, target: Path) -> int:
    """See adapters.backup.back_up."""
    from adapters.backup import back_up  # noqa: PLC0415

    return back_up(data, target)


def restored(source: Path, data: Path) -> None:
    """See adapters.backup.restore."""
    from adapters.backup import restore  # noqa: PLC0415

    restore(source, data)


def examinations(settings: Settings, data: Path) -> list[Examination]:
    """See adapters.examining.examinations."""
    from adapters.examining import Means, examinations  # noqa: PLC0415

    return examinations(
        Means(
            data, settings.database_url, settings.files_url, settings.soundfont, settings.telegram_token,
            settings.telegram_url, settings.discord_token, settings.discord_url,
        )
    )  # fmt: skip


def evaluation_files() -> tuple[list[Any], dict[str, Any], bytes]:
    """See config.data.read_evaluation."""
    return read_evaluation()


def json_console() -> JsonConsole:
    return JsonConsole()


def terminal(known: Knowledge, settings: Settings) -> Terminal:
    greeting = known.words.say(settings.locale or "en", "terminal-greeting")
    return Terminal(greeting, lambda text: Bubble(known.words, settings.locale or locale_of(text)), settings.locale)
