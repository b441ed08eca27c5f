"""A chat in memory whose messages can be edited, and jobs to show in it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import MessageGone
from core.looks import Look, Rows
from core.messages import Message
from core.ports import Pace


@dataclass
class MemoryChat:
    """Implements core.ports.EditingChat. Errors put into `errors` are raised, one a call."""

    name: str = "memory"
    pace: Pace = field(default_factory=lambda: Pace(total=1000, private=0.0, group=0.0, group_minute=1000))
    same: bool = True
    holds: frozenset[str] = frozenset()
    follow: tuple[str, ...] = ("midi",)
    most_files: int = 10
    most: int = 200
    most_beside: int = 100
    bytes: int = 10**9
    looks: dict[str, list[Look]] = field(default_factory=dict)
    sent: list[tuple[str, ...]] = field(default_factory=list)
    whispers: list[tuple[str, str]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    nonces: dict[str, str] = field(default_factory=dict)

    def room(self, message: Message) -> str:
        return message.chat

    async def session(self, message: Message, title: str, link: str) -> str:
        return f"{title} {link}"

    def measure(self, text: str) -> int:
        return len(text)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        yield

    async def messages(self) -> AsyncIterator[Message]:
        return
        yield

    async def accepted(self, message: Message) -> None:
        """Nobody asks."""

    async def post(self, message: Message, look: Look, nonce: str) -> str:
        self._fail()
        if nonce in self.nonces:
            return self.nonces[nonce]
        id_ = self.nonces[nonce] = str(len(self.looks) + 1)
        self.looks[id_] = [look]
        return id_

    async def edit(self, message: Message, id_: str, look: Look) -> None:
        self._fail()
        if id_ not in self.looks:
            raise MessageGone
        self.looks[id_].append(look)

    async def rebutton(self, message: Message, id_: str, rows: Rows) -> None:
        self._fail()

    async def delete(self, message: Message, id_: str) -> None:
        self.looks.pop(id_, None)

    def most_bytes(self, message: Message) -> int:
        return self.bytes

    async def send(self, message: Message, files: Mapping[str, Path], beside: str, nonce: str) -> list[str]:
        self._fail()
        self.sent.append(tuple(files))
        return [f"file {len(self.sent)} {name}" for name in files]

    async def whisper(self, message: Message, text: str, nonce: str) -> str:
        self._fail()
        self.whispers.append((message.user, text))
        return f"whisper {len(self.whispers)}"

    async def notice(self, message: Message, text: str) -> bool:
        self.notices.append(text)
        return True

    def _fail(self) -> None:
        if self.errors:
            raise self.errors.pop(0)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now
