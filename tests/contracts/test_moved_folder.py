"""A data folder that is somewhere else today: its files are found, and nothing is made where it was."""

from __future__ import annotations

import shutil
from pathlib import Path

from adapters.files.store import FileStore
from core.library import Gone, KeptFile


def store(data: Path) -> FileStore:
    return FileStore(data / "store", None, data / "files")


async def test_files_are_found_where_the_folder_is_today(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    song = there / "files" / "room" / "1" / "song.mid"
    song.parent.mkdir(parents=True)
    song.write_bytes(b"MThd")
    kept = await store(there).keep(song)
    shutil.copytree(there / "store", here / "store")  # as a back-up has it: without the files by name
    shutil.rmtree(there)
    found = await store(here).fetch(kept)
    assert found == here / "files" / "room" / "1" / "song.mid"
    assert found.read_bytes() == b"MThd"
    old = KeptFile(str(song), kept.hash, kept.size, kept.name)  # as earlier releases wrote it
    assert await store(here).fetch(old) == found
    assert not there.exists()
    await store(here).forget(Gone((), (str(song),)))
    assert not found.exists()
