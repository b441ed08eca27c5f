"""Renders, and keeps every file by its content before saying that it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.music.score import Score
from core.ports import Face, Files, Rendered, Renderer


class Keeping:
    """Implements core.ports.Renderer over another one."""

    def __init__(self, renderer: Renderer, files: Files) -> None:
        self._renderer, self._files = renderer, files

    async def render(
        self,
        score: Score,
        face: Face,
        formats: tuple[str, ...],
        folder: Path,
        told: Callable[[float], None] = lambda share: None,
    ) -> Rendered:
        rendered = await self._renderer.render(score, face, formats, folder, told)
        names = list(rendered.files)
        kept = await asyncio.gather(*(self._files.keep(rendered.files[name]) for name in names))
        return replace(rendered, kept=dict(zip(names, kept, strict=True)))

    async def alone(self, work: Callable[..., Any], *args: Any) -> Any:
        return await self._renderer.alone(work, *args)
