"""The studio: composes and renders for the conversation and the command line, and tells how it goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.bringing import Bringing
from core import cards
from core.brief.brief import Brief, Remark, remark
from core.brief.lexicon import Lexicon
from core.composer.graph import Band, Finished
from core.composer.review import review
from core.composer.state import StageEvent
from core.editing.apply import apply
from core.editing.edits import Edit
from core.events import Event, Stage
from core.library import KeptFile
from core.localisation import Words
from core.messages import Message
from core.music.catalogue import Catalogue
from core.music.score import Score
from core.ports import Rendered, Renderer
from core.threads import in_thread


@dataclass(frozen=True, slots=True)
class Take:
    """A finished song with its files and what the listener should be told."""

    brief: Brief
    score: Score
    rating: float
    files: dict[str, KeptFile]
    remarks: tuple[str, ...]
    seconds: float | None


class Studio:
    """Makes songs. `formats`: which files every song comes with."""

    def __init__(
        self,
        band: Band,
        renderer: Renderer,
        catalogue: Catalogue,
        lexicon: Lexicon,
        words: Words,
        formats: tuple[str, ...],
        bringing: Bringing,
    ) -> None:
        self.bringing = bringing
        self.catalogue, self.lexicon = catalogue, lexicon
        self._band, self._renderer, self._words, self._formats = band, renderer, words, formats

    async def compose(
        self,
        brief: Brief,
        seed: int,
        message: Message,
        locale: str,
        folder: Path,
        edits: tuple[Edit, ...] = (),
        thread: str | None = None,
        alone: bool = False,
    ) -> AsyncIterator[Event | Take]:
        """Stages as they happen, then the Take. `edits` are applied before it is rendered. `thread`: the job's name,
        under which an interrupted composition goes on where it stopped. `alone`: in a process apart.

        Raises Inapplicable, and WorkerDied where that process died of it.
        """

        def changed(score: Score) -> tuple[Score, Brief]:
            return self.edited(score, brief, edits, seed, lenient=True) if edits else (score, brief)

        async def render(score: Score, told: Callable[[float], None]) -> Rendered:
            made = changed(score)
            face = cards.face(*made, self._words, locale)
            return await self._renderer.render(made[0], face, self._formats, folder, told)

        async for event in self._band.compose(
            brief, seed, render, thread, self._renderer.alone if alone else in_thread
        ):
            match event:
                case StageEvent():
                    yield self._stage(event, message, locale)
                case Finished(take, rendered, failures, _):
                    told = [*brief.remarks, *(remark(f"remark-missing-{f.stage}") for f in failures)]
                    score, described = changed(take.score)
                    yield self._take(described, score, take.review.rating, rendered, tuple(told), locale)

    async def forget(self, thread: str) -> None:
        """The job is over: nothing of it will go on."""
        await self._band.forget(thread)

    async def render(
        self,
        score: Score,
        brief: Brief,
        message: Message,
        locale: str,
        folder: Path,
        formats: tuple[str, ...] = (),
    ) -> AsyncIterator[Event | Take]:
        """Only the rendering: for a score that an edit has made, or somebody brought; in other `formats` on demand."""
        yield Stage(message.id, "rendering", "started")
        begun = time.perf_counter()
        shares: asyncio.Queue[float | None] = asyncio.Queue()
        face = cards.face(score, brief, self._words, locale)
        work = asyncio.create_task(
            self._renderer.render(score, face, formats or self._formats, folder, shares.put_nowait), name="rendering"
        )
        work.add_done_callback(lambda done: shares.put_nowait(None))
        try:
            while (share := await shares.get()) is not None:
                yield Stage(message.id, "rendering", "started", share=share)
            rendered = await work
        finally:
            work.cancel()
        note = ", ".join(name for name in rendered.files if "-" not in name)
        yield Stage(message.id, "rendering", "finished", note, round(time.perf_counter() - begun, 3))
        yield self._take(brief, score, 0.0 if brief.source else review(score).rating, rendered, (), locale)

    def edited(
        self, score: Score, brief: Brief, edits: tuple[Edit, ...], seed: int, lenient: bool = False
    ) -> tuple[Score, Brief]:
        """All edits, one after the other. Raises Inapplicable, and then none is applied."""
        return apply(edits, score, brief, self.catalogue, seed, lenient)

    def _stage(self, event: StageEvent, message: Message, locale: str) -> Stage:
        note = self._words.say(locale, "note-joint").join(self._words.remarks(locale, event.notes))
        seconds = None if event.seconds is None else round(event.seconds, 3)
        return Stage(message.id, event.stage, event.state, note, seconds, event.share)

    def _take(
        self,
        brief: Brief,
        score: Score,
        rating: float,
        rendered: Rendered,
        told: tuple[Remark, ...],
        locale: str,
    ) -> Take:
        remarks = (
            *self._words.remarks(locale, told),
            *(cards.problem_text(problem, self._words, locale) for problem in rendered.problems),
        )
        files = rendered.kept or {name: KeptFile(str(path)) for name, path in rendered.files.items()}
        return Take(brief, score, rating, files, remarks, rendered.seconds)
