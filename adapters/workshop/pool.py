"""The render pool: warm worker processes that can be killed, with time limits."""

from __future__ import annotations

import asyncio
import gc
import itertools
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from pebble import ProcessExpired, ProcessPool

from adapters.workshop.files import discard, file_stem, prepared
from core.errors import NoSound, TunesmithError
from core.music.score import Score
from core.notation.assembling import Read
from core.notation.problems import refused
from core.ports import Face, Problem, Rendered

_SOUND = frozenset({"mp3", "wav", "stems", "card"})  # made in one task, as the card shows the waveform
_NOTES = frozenset({"midi", "abc", "musicxml", "score"})
_TIME_LIMIT = 240.0  # seconds for one task
_READING_LIMIT = 20.0
_STEP = 0.1  # of a rendering: how finely it is told


class Workshop:
    """Implements core.ports.Renderer. An async context manager; workers start at once, in the background."""

    def __init__(self, workers: int = 2, soundfont: str | None = None) -> None:
        self._soundfont = soundfont
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["adapters.workshop.bench"])
        self._workers = workers
        self._shares = context.SimpleQueue()  # (task, share done), from all workers
        self._listeners: dict[int, Callable[[float], None]] = {}
        self._tasks = itertools.count(1)
        self._pool = ProcessPool(max_workers=workers, context=context, initializer=_hear, initargs=(self._shares,))

    async def __aenter__(self) -> Self:
        # The first worker's birth waits for the forkserver's imports: in a thread, nobody waits with it.
        loop = asyncio.get_running_loop()
        self._started = loop.run_in_executor(None, self._start)
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()
        return self

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while (told := self._shares.get()) is not None:
            with suppress(RuntimeError):  # the loop has closed
                loop.call_soon_threadsafe(self._share, *told)

    def _share(self, task: int, share: float) -> None:
        if listener := self._listeners.get(task):
            listener(share)

    def _start(self) -> None:
        for _ in range(self._workers):
            self._pool.schedule(_warm, args=(self._soundfont,))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.wait([self._started])
        self._shares.put(None)
        self._pool.stop()
        await asyncio.to_thread(self._pool.join, 5)
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
        """Audio and pictures side by side, each in a worker."""
        prepared(folder)
        stem = file_stem(face.title)
        tasks: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = []
        if set(formats) & _SOUND:
            task = next(self._tasks)
            self._listeners[task] = told
            tasks.append(("mp3", _make_sound, (task, score, face, formats, folder, stem, self._soundfont)))
        if set(formats) & _NOTES:
            tasks.append(("score", _write_notes, (score, formats, folder, stem)))
        try:
            results = await asyncio.gather(
                *(self._run(function, args) for _, function, args in tasks), return_exceptions=True
            )
        finally:
            for _, function, args in tasks:
                if function is _make_sound:
                    del self._listeners[args[0]]
        files: dict[str, Path] = {}
        problems: list[Problem] = []
        seconds = None
        for (main, _, _), result in zip(tasks, results, strict=True):
            match result:
                case TunesmithError() | asyncio.CancelledError():
                    discard(path for other in results if isinstance(other, tuple) for path in other[0].values())
                    raise result
                case BaseException():
                    problems.append(
                        Problem(
                            main,
                            NoSound.code if main == "mp3" else "error-no-picture",
                            (("reason", _short(result)),),
                        )
                    )
                case _:
                    made, notes, length = result
                    files |= {name: Path(path) for name, path in made.items()}
                    problems += notes
                    seconds = seconds or length
        return Rendered(files, tuple(dict.fromkeys(problems)), seconds)

    async def read(self, source: Path | str) -> tuple[str, Read | str]:
        """Implements core.ports.Reader."""
        try:
            return cast(tuple[str, Read | str], await self._run(_read_notation, (source,), _READING_LIMIT))
        except (FutureTimeout, ProcessExpired, MemoryError):
            raise refused("notation-failed", expected=f"{_READING_LIMIT:.0f}") from None

    async def _run(self, function: Callable[..., Any], args: tuple[Any, ...], limit: float = _TIME_LIMIT) -> Any:
        await asyncio.shield(self._started)
        future = self._pool.schedule(function, args=args, timeout=limit)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            future.cancel()  # kills the worker; pebble starts another
            raise


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


def _short(error: BaseException) -> str:
    if isinstance(error, FutureTimeout):
        return f"{_TIME_LIMIT:.0f} s"
    if isinstance(error, ProcessExpired):
        return f"worker exit {error.exitcode}"
    return str(error)[:200] or type(error).__name__
