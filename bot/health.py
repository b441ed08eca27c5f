"""What the process looks at when it is asked whether it can work."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path

from core.ports import Ledger

_PATIENCE = 3.0  # seconds for the database to answer
LEAST_FREE = 200_000_000  # bytes of the disk: some songs' worth


class Health:
    """`platforms`: by name, whether it is connected just now; filled by whoever talks on them."""

    def __init__(self, ledger: Ledger, data: Path, pool: Mapping[str, object]) -> None:
        self._ledger, self._data, self._pool = ledger, data, pool
        self.platforms: dict[str, bool] = {}

    async def look(self) -> dict[str, object]:
        """`ready` only where the database answers, the disk has room and a platform is connected, if there is any."""
        try:
            async with asyncio.timeout(_PATIENCE):
                queue: int | None = len(await self._ledger.unfinished())
        except Exception:
            queue = None
        free = _free(self._data)
        talking = any(self.platforms.values()) or not self.platforms
        return {
            "ready": queue is not None and free >= LEAST_FREE and talking,
            "database": queue is not None,
            "queue": queue,
            "platforms": dict(self.platforms),
            "pool": dict(self._pool),
            "disk_free_bytes": free,
        }


def _free(folder: Path) -> int:
    """0 where the folder has gone."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0
