"""Files on their way to Discord and from it: as parts of a form, small enough, as a voice message."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import aiohttp

from adapters.discord.forms import Json
from adapters.discord.translate import MOST_BYTES
from adapters.encoding import opus_bytes, seconds_of, waveform
from core.errors import NotFetched


async def parts(files: Mapping[str, Path]) -> tuple[Json, list[Json]]:
    about, parts = [], []
    for number, (name, path) in enumerate(files.items()):
        filename = "card.png" if name == "card" else path.name
        about.append({"id": number, "filename": filename})
        parts.append(part(number, filename, await asyncio.to_thread(path.read_bytes)))
    return {"attachments": about}, parts


def part(number: int, filename: str, content: bytes, type_: str = "application/octet-stream") -> Json:
    return {
        "name": f"files[{number}]", "value": content, "filename": filename, "content_type": type_,
    }  # fmt: skip


def as_voice(path: Path) -> tuple[bytes, str, float]:
    return opus_bytes(path), base64.b64encode(waveform(path)).decode(), round(seconds_of(path), 2)


def fetcher() -> Callable[[str, Path], Awaitable[None]]:
    """Brings a file that somebody sent: its address is good for a day. Raises NotFetched."""

    async def fetch(source: str, path: Path) -> None:
        limit = aiohttp.ClientTimeout(total=60)
        try:
            async with aiohttp.ClientSession(timeout=limit) as session, session.get(source) as answer:
                answer.raise_for_status()
                with path.open("wb") as file:
                    async for chunk in answer.content.iter_chunked(1 << 16):
                        file.write(chunk)
                        if file.tell() > MOST_BYTES:
                            raise NotFetched(name=path.name.removesuffix(".part"), reason="size")
        except (aiohttp.ClientError, TimeoutError) as error:
            raise NotFetched(name=path.name.removesuffix(".part"), reason=type(error).__name__) from None

    return fetch
