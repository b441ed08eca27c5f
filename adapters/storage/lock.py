"""One process owns a data folder. The lock goes with the process, however it ends."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import DataInUse, UnwritableFolder

_LOOK = 5.0  # seconds


@contextmanager
def owning(folder: Path) -> Iterator[None]:
    """Holds the folder. Raises DataInUse, naming the owner, or UnwritableFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "owner", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnwritableFolder(folder=folder, reason=error.strerror or "") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        owner = os.pread(handle, 32, 0).decode(errors="replace").strip() or "?"
        os.close(handle)
        raise DataInUse(folder=folder, process=owner) from None
    try:
        with suppress(OSError):  # it may be somebody else's, and ours to write in all the same
            folder.chmod(0o700)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)


async def until_vanished(folder: Path) -> None:
    """Until the folder is not there any more, or is another one: what is written then goes nowhere."""
    known = await asyncio.to_thread(_inode, folder)
    while True:
        await asyncio.sleep(_LOOK)
        if await asyncio.to_thread(_inode, folder) != known:
            return


def _inode(folder: Path) -> int | None:
    try:
        return folder.stat().st_ino
    except OSError:
        return None
