"""One process of the service on the loopback platform. It may be told where to kill itself.

    python -m tests.faults.node URL DATA [POINT]

POINT is one of POINTS; the process ends there by SIGKILL, as if its power had gone.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.__main__ import leave
from bot.progress import Bubbles
from bot.service import Service
from bot.serving import Say, serve
from bot.wiring import Knowledge, knowledge, service
from config.settings import Settings
from core.composer.state import STAGES
from core.errors import MessageGone, Unreachable
from core.events import Done, Event, Stage
from core.looks import Look, Rows
from core.messages import Message
from core.ports import Pace

ROLES = tuple(stage for stage in STAGES if stage != "rendering")
POINTS = (
    "accept after", "submit after", "acknowledge after", "post after", "begin after", "keep after", "done before",
    "done after", "final edit after", "send after",
    *(f"{stage} inside" for stage in STAGES),
    *(f"{stage} started" for stage in STAGES),
    *(f"{stage} finished" for stage in STAGES),
)  # fmt: skip


# Moments after the start: the song takes about half a second.
MOMENTS = tuple(f"second {0.02 * step:.2f}" for step in range(1, 31))


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class LoopChat:
    """Implements core.ports.EditingChat."""

    name = "loop"
    pace = Pace(total=1000, private=0.0, group=0.0, group_minute=1000)
    same = True
    holds: frozenset[str] = frozenset()
    follow: tuple[str, ...] = ("midi", "abc", "mp3", "card", "musicxml", "score")
    most = most_beside = 4000
    most_files = 0

    def __init__(self, url: str, point: str) -> None:
        self._url, self._point = url, point

    def room(self, message: Message) -> str:
        return message.chat

    async def session(self, message: Message, title: str, link: str) -> str:
        raise NotImplementedError

    def measure(self, text: str) -> int:
        return len(text)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        yield

    async def _call(self, path: str, **body: str) -> dict[str, Any]:
        return await asyncio.to_thread(self._blocking, path, body)

    def _blocking(self, path: str, body: dict[str, str]) -> dict[str, Any]:
        request = urllib.request.Request(self._url + path, json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                found: dict[str, Any] = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            raise (MessageGone if error.code == 404 else Unreachable)(reason=error.code) from None
        except OSError as error:
            raise Unreachable(reason=error) from None

    async def messages(self) -> AsyncIterator[Message]:
        while True:
            try:
                updates = (await self._call("/updates"))["updates"]
            except Unreachable:
                await asyncio.sleep(0.2)
                continue
            for update in updates:
                yield Message(
                    self.name, update["chat"], update["user"], text=update["text"], external=update["id"],
                    press=update.get("press"), group=bool(update.get("group")),
                )  # fmt: skip

    async def accepted(self, message: Message) -> None:
        await self._call("/acknowledge", id=message.external)
        self._after("acknowledge")

    async def post(self, message: Message, look: Look, nonce: str) -> str:
        id_ = str((await self._call("/post", chat=message.chat, text=look.text, nonce=nonce))["id"])
        self._after("post")
        return id_

    async def edit(self, message: Message, id_: str, look: Look) -> None:
        await self._call("/edit", id=id_, text=look.text)
        if look.text.startswith("♪"):
            self._after("final edit")

    async def whisper(self, message: Message, text: str, nonce: str) -> str:
        return str((await self._call("/post", chat=message.user, text=text, nonce=nonce))["id"])

    async def rebutton(self, message: Message, id_: str, rows: Rows) -> None:
        """Nobody sees buttons here."""

    async def delete(self, message: Message, id_: str) -> None:
        """Nobody presses buttons here."""

    async def notice(self, message: Message, text: str) -> bool:
        return not text

    def most_bytes(self, message: Message) -> int:
        return 10**9

    async def send(self, message: Message, files: Mapping[str, Path], beside: str, nonce: str) -> list[str]:
        for file in files.values():
            content = await asyncio.to_thread(file.read_bytes)
            digest = hashlib.sha256(content).hexdigest()
            sent = await self._call("/send", chat=message.chat, name=file.name, hash=digest, nonce=nonce)
            self._after("send")
        return [str(sent["id"])]

    def _after(self, what: str) -> None:
        if self._point == f"{what} after":
            die()


@dataclass(frozen=True)
class Counted:
    """A role that writes down that it was run, and may end its process or take long."""

    stage: str
    role: Any
    runs: Path
    where: str
    when: str

    def __call__(self, *arguments: Any) -> Any:
        with self.runs.open("a") as file:
            file.write(self.stage + "\n")
        if (self.stage, self.when) == (self.where, "inside"):
            die()
        if self.stage == self.where and self.when.startswith("waits"):  # a stage that takes long
            threading.Event().wait(1 if self.when.endswith("little") else 20)
        return self.role(*arguments)


def armed(made: Service, data: Path, point: str) -> Service:
    """The service with its fuse: every stage that runs is written down, and the point is where it dies."""
    where, _, when = point.partition(" ")
    conversation: Any = made.worker._conversation
    band = conversation._studio._band
    runs = data / "runs"

    for stage in ROLES:
        object.__setattr__(band._roles, stage, Counted(stage, getattr(band._roles, stage), runs, where, when))
    renderer = conversation._studio._renderer
    render = renderer.render

    async def rendered(*arguments: Any) -> Any:
        with runs.open("a") as file:
            file.write("rendering\n")
        result = await render(*arguments)
        if point == "rendering inside":
            die()
        return result

    renderer.render = rendered
    record = made.ledger.record

    async def recorded(id_: str, events: list[Event], state: str | None = None) -> bool:
        last = events[-1]
        if isinstance(last, Done) and point == "done before" and last.piece:
            die()
        result = await record(id_, events, state)
        if isinstance(last, Done) and point == "done after" and last.piece:
            die()
        if isinstance(last, Stage) and last.share is None and point == f"{last.stage} {last.state}":
            die()
        return result

    made.ledger.record = recorded  # type: ignore[method-assign, assignment]
    for owner, name in ((made.ledger, "accept"), (made.queue, "submit"), (made.ledger, "begin"),
                        (conversation._library, "keep")):  # fmt: skip
        if point == f"{name} after":
            setattr(owner, name, _deadly(getattr(owner, name)))
    return made


def _deadly(method: Any) -> Any:
    async def call(*arguments: Any) -> Any:
        await method(*arguments)
        die()

    return call


async def main(url: str, data: Path, point: str, known: Knowledge, say: Say) -> int:
    settings = Settings()
    lost = asyncio.Event()
    formats = tuple(os.environ.get("NODE_FORMATS", "midi,abc").split(","))

    @asynccontextmanager
    async def made() -> AsyncIterator[Service]:
        async with service(known, settings, data, formats, seed=7, lost=lost.set, patience=60) as built:
            if point.startswith("second "):
                asyncio.get_running_loop().call_later(float(point.removeprefix("second ")), die)
            yield armed(built, data, point)

    def platforms(built: Service) -> list[Bubbles]:
        return [Bubbles(LoopChat(url, point), built.ledger, known.words, built.wait)] if url != "-" else []

    return await serve(made(), platforms, say, lost)


def _printed(code: str, **values: object) -> None:
    sys.stdout.write(code + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ["LANGSMITH_TRACING"] = "false"
    here = sys.argv[3] if len(sys.argv) > 3 else ""
    leave(asyncio.run(main(sys.argv[1], Path(sys.argv[2]), here, knowledge(), _printed)))
