"""Files by the hash of their content, through obstore: a local folder, or an S3-compatible store by one setting."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.errors import NO_ROOM, DiskFull
from core.library import Gone, KeptFile

_CHUNK = 1 << 20


class FileStore:
    """Implements core.ports.Files. `url`: `s3://bucket/prefix`, or None for the folder. `root`: where files lie under
    their names. A file is noted by its path from there: the folder may move, and other machines have others.
    """

    def __init__(self, folder: Path, url: str | None = None, root: Path | None = None) -> None:
        self._folder = None if url else folder
        self._root = root or folder.parent / "files"
        self._url = url
        self._store: Any = None

    async def keep(self, path: Path) -> KeptFile:
        """Stores the content once, whatever it is called. Raises DiskFull."""
        return await asyncio.to_thread(self._keep, path)

    async def fetch(self, file: KeptFile) -> Path:
        """The file at its path, brought there where it is missing. Raises FileNotFoundError where nobody has it."""
        return await asyncio.to_thread(self._fetch, file, self._here(file.path))

    async def forget(self, gone: Gone) -> None:
        """What is not there is no fault: a crash may have come between."""
        await asyncio.to_thread(self._forget, gone)

    def _forget(self, gone: Gone) -> None:
        for path in gone.paths:
            self._here(path).unlink(missing_ok=True)
        for digest in gone.hashes:
            with suppress(FileNotFoundError):
                self._opened().delete(_key(digest))

    async def tidy(self, before: float, named: Collection[str]) -> int:
        """Files by name that no song has (any more), and drafts of writes that a crash broke off, older than that. How
        many went. `named`: the paths that songs have.
        """
        return await asyncio.to_thread(self._tidy, before, {self._here(path) for path in named})

    def _tidy(self, before: float, named: set[Path]) -> int:
        gone = 0
        for path in self._root.rglob("*"):
            if path.is_file() and path not in named and path.stat().st_mtime < before:
                path.unlink(missing_ok=True)
                gone += 1
        for folder in sorted(self._root.rglob("*"), reverse=True):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        return gone

    def _here(self, path: str) -> Path:
        """Where a file lies on this machine, today. Of whole paths, as noted before, what is behind `files/`."""
        whole = Path(path)
        if whole.is_absolute() and not whole.is_relative_to(self._root) and f"/{self._root.name}/" in path:
            whole = Path(path.rpartition(f"/{self._root.name}/")[2])
        return self._root / whole

    def _opened(self) -> Any:
        if self._store is None:
            from obstore.store import LocalStore, from_url  # noqa: PLC0415

            if self._folder is not None:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._store = LocalStore(self._folder)
            else:
                endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
                plain = urlsplit(endpoint).scheme == "http"
                self._store = from_url(str(self._url), client_options={"allow_http": True} if plain else None)
        return self._store

    def _keep(self, path: Path) -> KeptFile:
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_CHUNK):
                digest.update(block)
        inside = path.is_relative_to(self._root)
        name = str(path.relative_to(self._root) if inside else path)
        kept = KeptFile(name, digest.hexdigest(), path.stat().st_size, path.name)
        store = self._opened()
        try:
            whole = store.head(_key(kept.hash))["size"] == kept.size
        except FileNotFoundError:
            whole = False
        if not whole:  # or half of it, from before a power cut
            try:
                store.put(_key(kept.hash), path)
            except Exception as error:
                if NO_ROOM.search(str(error)):
                    raise DiskFull(folder=self._folder or self._url) from error
                raise
        self._share(path, kept.hash)
        return kept

    def _share(self, path: Path, digest: str) -> None:
        """In a folder of ours, the song's file and the stored one are the same bytes on the disk."""
        if self._folder is None:
            return
        draft = path.with_name(f".{path.name}.link")
        try:
            os.link(self._folder / _key(digest), draft)
            os.replace(draft, path)
        except OSError:  # another disk, or one without links: then it lies there twice
            draft.unlink(missing_ok=True)

    def _fetch(self, file: KeptFile, path: Path) -> Path:
        if path.is_file():
            return path
        if not file.hash:
            raise FileNotFoundError(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.part")
        content = self._opened().get(_key(file.hash)).bytes()
        draft.write_bytes(bytes(content))
        os.replace(draft, path)
        return path


def _key(digest: str) -> str:
    return f"{digest[:2]}/{digest}"
