"""The chat command: a conversation in the terminal, for people or for programs."""

from __future__ import annotations

from pathlib import Path

from bot.wiring import Knowledge, json_console, service, terminal
from config.settings import Settings


async def chat_console(
    known: Knowledge, settings: Settings, data: Path, formats: tuple[str, ...], seed: int | None, json: bool
) -> int:
    """Until the input ends and everything accepted is answered."""
    platform = json_console() if json else terminal(known, settings)
    async with service(known, settings, data, formats, seed) as made:
        await made.run(platform)
    return 0
