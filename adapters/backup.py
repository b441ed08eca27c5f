"""Back-ups of a data folder, also of one in use: the databases as they are at one moment, then the files."""

from __future__ import annotations

import io
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import BadBackup, DataInUse, NoData

_DATABASES = ("tunesmith.db", "jobs.db", "checkpoints.db")
_MARK = "tunesmith-backup"  # the first member's name; what it holds is the form's number
_FORM = b"1\n"


def back_up(data: Path, target: Path) -> int:
    """Writes a tar of the folder; its bytes. A file that is being written appears whole or not at all.

    Raises NoData where there is none.
    """
    if not (data / _DATABASES[0]).is_file():
        raise NoData(folder=data)
    draft = target.with_name(f".{target.name}.part")
    with TemporaryDirectory(dir=target.parent) as scratch:
        try:
            with tarfile.open(draft, "w") as tar:
                mark = tarfile.TarInfo(_MARK)
                mark.size = len(_FORM)
                tar.addfile(mark, io.BytesIO(_FORM))
                for copy in _copies(data, Path(scratch)):
                    tar.add(copy, copy.name)
                if (data / "store").is_dir():  # after the databases: what they name is there
                    tar.add(data / "store", "store", filter=_finished)
            draft.chmod(0o600)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    return target.stat().st_size


def _copies(data: Path, scratch: Path) -> Iterator[Path]:
    for name in _DATABASES:
        if (data / name).is_file():
            copy = scratch / name
            with closing(sqlite3.connect(data / name)) as source, closing(sqlite3.connect(copy)) as into:
                source.backup(into)
            yield copy


def _finished(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if member.name.endswith(".part") or "/." in member.name else member


def restore(source: Path, data: Path) -> None:
    """Unpacks a back-up into a folder that has no data yet. Raises BadBackup, DataInUse."""
    if (data / _DATABASES[0]).exists():
        raise DataInUse(folder=data, process="?")
    try:
        with tarfile.open(source) as tar:
            first = tar.next()
            if first is None or first.name != _MARK:
                raise BadBackup(file=source)
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
            tar.extractall(data, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise BadBackup(file=source) from error
    (data / _MARK).unlink(missing_ok=True)
