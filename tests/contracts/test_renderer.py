"""What every renderer promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.workshop.pool import Workshop
from adapters.workshop.written import WrittenOnly
from core.errors import UnwritableFolder
from core.ports import Face, Renderer
from tests.conftest import Compose

FACE = Face("A Title", "line", "tail", ("Verse",) * 9)


@asynccontextmanager
async def renderer(kind: str) -> AsyncIterator[Renderer]:
    if kind == "written":
        yield WrittenOnly()
        return
    async with Workshop(workers=1) as workshop:
        yield workshop


@pytest.mark.parametrize("kind", ["written", "workshop"])
async def test_a_renderer_makes_the_files_asked_for_and_no_others(kind: str, song: Compose, tmp_path: Path) -> None:
    async with renderer(kind) as made:
        rendered = await made.render(song("a jig, 8 bars", 1), FACE, ("midi", "abc"), tmp_path / "deep" / "folder")
        assert set(rendered.files) == {"midi", "abc"}
        assert all(path.is_file() for path in rendered.files.values())
        assert sorted(rendered.files.values()) == sorted((tmp_path / "deep" / "folder").iterdir())
        with pytest.raises(UnwritableFolder):
            await made.render(song("a jig, 8 bars", 1), FACE, ("midi",), Path("/dev/null/x"))
        again = await made.render(song("a jig, 8 bars", 1), FACE, ("midi", "abc"), tmp_path / "again")
        assert again.files["midi"].read_bytes() == rendered.files["midi"].read_bytes()


async def test_a_cancelled_render_stops_its_worker_and_the_pool_goes_on(song: Compose, tmp_path: Path) -> None:
    async with Workshop(workers=1) as workshop:
        long = asyncio.create_task(workshop.render(song("jazz, 256 bars", 1), FACE, ("wav",), tmp_path / "a"))
        await asyncio.sleep(0)
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        rendered = await workshop.render(song("a jig, 4 bars", 1), FACE, ("wav",), tmp_path / "b")
        assert rendered.files["wav"].stat().st_size > 10_000
