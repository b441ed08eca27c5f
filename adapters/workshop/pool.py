"""Renders in warm worker processes that can be killed, with time limits; a worker's death is not the song's end."""

from __future__ import annotations

import asyncio
import gc
import itertools
import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from pebble import ProcessPool

from adapters.workshop.files import Made, discard, file_stem, prepared
from adapters.workshop.healing import HealingPool
from adapters.workshop.notes import write_notes
from core.errors import NoSound, TunesmithError, WorkerDied
from core.music.score import Score
from core.notation.assembling import Read
from core.notation.problems import refused
from core.ports import Face, Problem, Rendered

_SOUND = frozenset({"mp3", "wav", "stems", "card"})  # made in one task, as the card shows the waveform
_PLAIN = frozenset({"midi", "abc"})  # written at once, before anything else can fail
_ENGRAVED = frozenset({"musicxml", "score"})
_TIME_LIMIT = 240.0  # seconds for one task
_READING_LIMIT = 20.0
_STEP = 0.1  # of a rendering: how finely it is told


class Workshop:
    """Implements core.ports.Renderer. An async context manager; workers start at once, in the background."""

    def __init__(self, workers: int = 2, soundfont: str | None = None) -> None:
        self._soundfont = soundfont
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["adapters.workshop.bench"])
        self._shares = shares = context.SimpleQueue()  # (task, share done), from all workers
        self._listeners: dict[int, Callable[[float], None]] = {}
        self._done: dict[int, float] = {}  # by task: the share that its worker told last
        self._tasks = itertools.count(1)
        self._pool = HealingPool(
            lambda count: ProcessPool(max_workers=count, context=context, initializer=_hear, initargs=(shares,)),
            workers,
        )

    async def __aenter__(self) -> Self:
        # The first worker's birth waits for the forkserver's imports: in a thread, nobody waits with it.
        loop = asyncio.get_running_loop()
        self._started = loop.run_in_executor(None, self._pool.start, _warm, self._soundfont)
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()
        return self

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while (told := self._shares.get()) is not None:
            with suppress(RuntimeError):  # the loop has closed
                loop.call_soon_threadsafe(self._share, *told)

    def _share(self, task: int, share: float) -> None:
        if listener := self._listeners.get(task):
            self._done[task] = share
            listener(share)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.wait([self._started])
        self._shares.put(None)
        await self._pool.close()
        # The queue's two semaphores are unlinked as it is freed, at the latest by an orderly exit; the process may
        # leave without one, and Python would warn of a leak on the user's terminal.
        del self._pool, self._shares
        gc.collect()

    async def render(
        self,
        score: Score,
        face: Face,
        formats: tuple[str, ...],
        folder: Path,
        told: Callable[[float], None] = lambda share: None,
    ) -> Rendered:
        """MIDI and ABC at once; then audio and pictures side by side, each in a worker."""
        prepared(folder)
        stem = file_stem(face.title)
        plain = await asyncio.to_thread(write_notes, score, tuple(f for f in formats if f in _PLAIN), folder, stem)
        made = await asyncio.gather(
            self._sound(score, face, formats, folder, stem, told),
            self._engraved(score, formats, folder, stem),
            return_exceptions=True,
        )
        results = [plain]
        for result in made:
            if isinstance(result, BaseException):  # half a song is none
                discard(path for other in (plain, *made) if isinstance(other, tuple) for path in other[0].values())
                raise result
            results.append(result)
        files = {name: Path(path) for part, _, _ in results for name, path in part.items()}
        problems = tuple(dict.fromkeys(problem for _, found, _ in results for problem in found))
        seconds = next((length for _, _, length in results if length), None)
        return Rendered(files, problems, seconds)

    async def _sound(
        self,
        score: Score,
        face: Face,
        formats: tuple[str, ...],
        folder: Path,
        stem: str,
        told: Callable[[float], None],
    ) -> Made:
        if not set(formats) & _SOUND:
            return {}, [], None
        task = next(self._tasks)
        self._listeners[task] = told
        try:
            args = (task, score, face, formats, folder, stem, self._soundfont)
            return cast(Made, await self._run(_make_sound, args, alive=lambda: self._done.get(task)))
        except Exception as error:
            if not _its_own(error):
                raise
            return {}, [Problem("mp3", NoSound.code, (("reason", _short(error)),))], None
        finally:
            self._listeners.pop(task, None)
            self._done.pop(task, None)

    async def _engraved(self, score: Score, formats: tuple[str, ...], folder: Path, stem: str) -> Made:
        wanted = tuple(name for name in formats if name in _ENGRAVED)
        if not wanted:
            return {}, [], None
        try:
            return cast(Made, await self._run(_write_notes, (score, wanted, folder, stem)))
        except Exception as error:
            if not _its_own(error):
                raise
            problem = Problem("score", "error-no-picture", (("reason", _short(error)),))
            if wanted != ("musicxml",) and "musicxml" in wanted:  # the engraver's fault is not the file's
                files, problems, _ = await self._engraved(score, ("musicxml",), folder, stem)
                return files, [*problems, problem], None
            return {}, [problem], None

    async def read(self, source: Path | str) -> tuple[str, Read | str]:
        """Implements core.ports.Reader."""
        try:
            return cast(tuple[str, Read | str], await self._run(_read_notation, (source,), _READING_LIMIT))
        except (TimeoutError, WorkerDied, MemoryError):
            raise refused("notation-failed", expected=f"{_READING_LIMIT:.0f}") from None

    async def alone(self, work: Callable[..., Any], *args: Any) -> Any:
        """Implements core.ports.Alone: in a worker, whose death is told as WorkerDied."""
        return await self._run(work, args)

    async def _run(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        limit: float = _TIME_LIMIT,
        alive: Callable[[], object] = int,
    ) -> Any:
        await asyncio.shield(self._started)
        return await self._pool.run(function, args, limit, alive)


def _warm(setting: str | None) -> None:
    from adapters.workshop import bench  # noqa: PLC0415

    bench.warm(setting)


_shares: Any = None  # a worker's way to say how far it is


def _hear(shares: Any) -> None:
    global _shares
    _shares = shares


def _make_sound(task: int, *args: Any) -> Any:
    from adapters.workshop import bench  # noqa: PLC0415

    last = 0.0

    def told(share: float) -> None:
        nonlocal last
        if share - last >= _STEP:
            last = share
            _shares.put((task, round(share, 2)))

    return bench.make_sound(*args, told)  # type: ignore[call-arg]


def _write_notes(*args: Any) -> Any:
    from adapters.workshop import bench  # noqa: PLC0415

    return bench.write_notes(*args)


def _read_notation(*args: Any) -> Any:
    from adapters.workshop import bench  # noqa: PLC0415

    return bench.read_source(*args)


def _its_own(error: Exception) -> bool:
    """Whether the song goes on without it: it raised, took too long, or three workers died of it. A full disk and the
    like are told as what they are.
    """
    return isinstance(error, WorkerDied | TimeoutError) or not isinstance(error, TunesmithError | OSError)


def _short(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"{_TIME_LIMIT:.0f} s"
    if isinstance(error, WorkerDied):
        return "its process died three times"
    return str(error)[:200] or type(error).__name__
