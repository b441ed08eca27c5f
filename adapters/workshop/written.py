"""Renders written music only, in a thread: for those who want notes and no sound, and for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.workshop.files import file_stem, prepared
from adapters.workshop.notes import FORMATS, read_source, write_notes
from core.music.score import Score
from core.notation.assembling import Read
from core.ports import Face, Rendered


class WrittenOnly:
    """Implements core.ports.Renderer for MIDI, ABC, MusicXML and the engraved score; other formats are left out."""

    async def read(self, source: Path | str) -> tuple[str, Read | str]:
        """Implements core.ports.Reader."""
        return await asyncio.to_thread(read_source, source)

    async def render(
        self,
        score: Score,
        face: Face,
        formats: tuple[str, ...],
        folder: Path,
        told: Callable[[float], None] = lambda share: None,
    ) -> Rendered:
        wanted = tuple(name for name in formats if name in FORMATS)
        made, problems, _ = await asyncio.to_thread(write_notes, score, wanted, prepared(folder), file_stem(face.title))
        return Rendered({name: Path(path) for name, path in made.items()}, tuple(problems))

    async def alone(self, work: Callable[..., Any], *args: Any) -> Any:
        """Such work is seldom: it has workers of its own, and they go with it."""
        from adapters.workshop.pool import Workshop  # noqa: PLC0415

        async with Workshop(1) as workshop:
            return await workshop.alone(work, *args)
