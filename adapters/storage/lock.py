"""One process owns a data folder. The lock goes with the process, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import DataInUse, UnwritableFolder


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
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)
