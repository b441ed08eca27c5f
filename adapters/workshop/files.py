"""Files of one song, written beside their name and then moved into place: nothing half-written stays."""

from __future__ import annotations

import errno
import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from core.errors import DiskFull, Unavailable, UnwritableFolder
from core.ports import Problem

# files by format, what could not be made, and the seconds of audio
Made = tuple[dict[str, str], list[Problem], float | None]


@dataclass
class Desk:
    """Where one task's files go, and what it has to say of them."""

    folder: Path
    stem: str

    def __post_init__(self) -> None:
        self.files: dict[str, str] = {}
        self.problems: list[Problem] = []

    def put(self, format_: str, ending: str, write: Callable[[Path], None]) -> Path:
        target = self.folder / f"{self.stem}{ending}"
        draft = target.with_name(f".{target.name}.part")
        try:
            write(draft)
            os.replace(draft, target)
        except OSError as error:
            draft.unlink(missing_ok=True)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                discard(self.files.values())
                raise DiskFull(folder=self.folder) from error
            raise
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        self.files[format_] = str(target)
        return target

    def attempt(self, format_: str, work: Callable[[], None]) -> None:
        """One file's fault is its own."""
        try:
            work()
        except Unavailable as error:
            self.problems.append(Problem(format_, error.code, tuple(error.values.items())))


def discard(paths: Iterable[str]) -> None:
    """Files of a song that will not be: half a song is none."""
    for path in paths:
        Path(path).unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)


def prepared(folder: Path) -> Path:
    """The folder, made where it is not there. Raises UnwritableFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFolder(folder=folder, reason=error.strerror or "") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UnwritableFolder(folder=folder, reason="not writable")
    return folder


def file_stem(title: str) -> str:
    """A file name from a title, in any script: letters, digits and hyphens."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", title.lower().replace("'", "")))
    return "-".join(words)[:60] or "song"
