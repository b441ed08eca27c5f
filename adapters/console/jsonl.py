"""The console for programs: a message a line in, an event a line out. See docs/console.md."""

from __future__ import annotations

import asyncio
import io
import json
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import asdict
from typing import IO, Any

from core.events import Accepted, Done, Event, Failed, Stage, Text
from core.jobs import Job
from core.messages import Attachment, Message

PLATFORM = "console"
_STRINGS = ("text", "reaction", "press", "user", "chat", "locale")
_OPTIONAL = frozenset(
    {"place", "usual", "most", "share", "length", "locale", "private"}
)  # said where there is something to say
_NUMBERS = ("reply_to", "on", "seed")


def event_line(event: Event, chat: str | None = None, number: int | None = None) -> str:
    """One JSON object. `chat` is named where it is not the usual one; `number` counts the events of a message."""
    fields: dict[str, Any] = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(event).items()}
    for name in _OPTIONAL:
        if fields.get(name, ...) in (None, 0, ""):
            del fields[name]
    if isinstance(event, Stage) and event.seconds is None:
        del fields["seconds"]
    name = {Accepted: "accepted", Stage: "stage", Text: "text", Done: "done", Failed: "error"}[type(event)]
    if chat is not None:
        fields["chat"] = chat
    if number is not None:
        fields["number"] = number
    return json.dumps({"event": name, **fields}, ensure_ascii=False)


def message_of(line: str) -> Message:
    """The message of an input line; what it cannot read is the message's `problem`."""
    line = line.strip()
    if not line.startswith("{"):
        return Message(PLATFORM, "console", "console", text=line)
    try:
        data = json.loads(line)
        line.encode()
    except (ValueError, RecursionError):
        return Message(PLATFORM, "console", "console", problem="error-json")
    wrong = [n for n in _STRINGS if not isinstance(data.get(n), str | None)]
    wrong += [n for n in _NUMBERS if not isinstance(data.get(n), int | None) or isinstance(data.get(n), bool)]
    wrong += [n for n in _STRINGS if _broken(data.get(n))]
    wrong += [n for n in _NUMBERS if not 0 <= (data.get(n) or 0) < 2**53] if not wrong else []
    files = data.get("files") or []
    if wrong or not isinstance(files, list) or not all(isinstance(f, str) for f in files):
        chat = data.get("chat")
        known = chat if isinstance(chat, str) and chat and not _broken(chat) else "console"
        return Message(PLATFORM, known, "console", problem="error-json")
    return Message(
        PLATFORM,
        data.get("chat") or "console",
        data.get("user") or "console",
        text=data.get("text") or "",
        files=tuple(Attachment(file, file.rpartition("/")[2]) for file in files),
        reply_to=data.get("reply_to"),
        reaction=data.get("reaction"),
        on=data.get("on"),
        press=data.get("press"),
        seed=data.get("seed"),
        locale=data.get("locale"),
    )


def _broken(value: object) -> bool:
    """Half a surrogate pair: JSON can write it, no file or database can hold it."""
    return isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value)


class JsonConsole:
    """Implements core.ports.Platform over two streams."""

    name = PLATFORM

    def __init__(self, source: IO[str] = sys.stdin, sink: IO[str] = sys.stdout) -> None:
        self._source, self._sink = source, sink
        if isinstance(source, io.TextIOWrapper):
            source.reconfigure(errors="replace")  # bytes that are no UTF-8 are the sender's fault, not a reason to fall

    def connected(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def messages(self) -> AsyncIterator[Message]:
        """Until the input ends. Lines are read in a thread of their own: a pipe may stay silent for hours."""
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def pump() -> None:
            for line in self._source:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

        threading.Thread(target=pump, daemon=True).start()
        while (line := await queue.get()) is not None:
            if line.strip():
                yield message_of(line)

    async def accepted(self, message: Message) -> None:
        """The accepted event says so."""

    async def show(self, job: Job) -> float:
        chat = job.message.chat if job.message.chat != "console" else None
        for number, event in enumerate(job.events[job.shown :], job.shown + 1):
            self._sink.write(event_line(event, chat, number) + "\n")
        self._sink.flush()
        return 0.0

    async def pause(self, job: Job) -> None:
        """Programs wait for the next process."""
