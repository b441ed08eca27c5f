"""What people sent, brought to this machine: implements core.ports.Incoming."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b
from pathlib import Path

from adapters.workshop.files import prepared
from core.errors import NotFetched
from core.messages import Attachment

Fetch = Callable[[str, Path], Awaitable[None]]  # the attachment's source, and the file to write


class FetchedFiles:
    """`remote`: by platform, how its files are had."""

    def __init__(self, remote: Mapping[str, Fetch]) -> None:
        self._remote = remote

    async def fetch(self, platform: str, attachment: Attachment, folder: Path) -> Path:
        if "\0" in attachment.source:
            raise NotFetched(name=safe_name(attachment.name), reason="name")
        if not attachment.remote:
            return Path(attachment.source)
        apart = blake2b(attachment.source.encode(), digest_size=4).hexdigest()  # two may have the same name
        path = prepared(folder / "sent" / apart) / safe_name(attachment.name)
        if path.exists() and path.stat().st_size == attachment.size:
            return path  # brought before a crash
        if platform not in self._remote:
            raise NotFetched(name=attachment.name, reason=platform)
        coming = path.with_name(path.name + ".part")
        try:
            await self._remote[platform](attachment.source, coming)
            coming.replace(path)
        finally:
            coming.unlink(missing_ok=True)
        return path


def safe_name(name: str) -> str:
    """A file name without folders, of plain characters, and not too long."""
    last = re.split(r"[/\\]", name)[-1]
    stem, dot, ending = re.sub(r"[^\w .-]", "_", last.replace("\0", "")).strip(" .").rpartition(".")
    return f"{stem[:80]}{dot}{ending[:12]}".strip(" .") or "file"
