"""The console for people: a conversation in the terminal, the band in one block that edits itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text as RichText

from core.cards import Bubble
from core.events import Accepted, Done, Event, Failed, Stage, Text
from core.jobs import Job
from core.messages import Attachment, Message

PLATFORM = "console"
_QUIT = frozenset({"/quit", "/exit", "/q"})


def bubble_text(bubble: Bubble) -> RichText:
    """Finished stages bright, coming ones dim."""
    text = RichText()
    for line in bubble.lines():
        style = (
            "green"
            if line.startswith("✓")
            else "red"
            if line.startswith("✗")
            else "yellow"
            if line.startswith("…")
            else "dim"
        )
        text.append(line + "\n", style)
    return text


def _file(line: str) -> str | None:
    """The path of a file that was dragged into the window, or typed."""
    path = Path(line.strip().strip("'\"").replace("\\ ", " ")).expanduser()
    try:
        return str(path) if len(line) < 1000 and path.suffix and path.is_file() else None
    except (OSError, ValueError):
        return None


class Terminal:
    """Implements core.ports.Platform. One message at a time: the prompt comes back when it is answered."""

    name = PLATFORM

    def __init__(
        self,
        greeting: str,
        new_bubble: Callable[[str], Bubble],
        locale: str | None,
        console: Console | None = None,
    ) -> None:
        self._console = console or Console(highlight=False)
        self._greeting, self._new_bubble, self._locale = greeting, new_bubble, locale
        self._answered = asyncio.Event()
        self._live: Live | None = None
        self._bubble: Bubble | None = None

    def connected(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def messages(self) -> AsyncIterator[Message]:
        self._console.print(self._greeting, style="dim")
        while True:
            try:
                line = await asyncio.to_thread(self._console.input, "[bold]› [/bold]")
            except (EOFError, KeyboardInterrupt):
                return
            if line.strip().lower() in _QUIT:
                return
            if line.strip():
                self._answered.clear()
                file = _file(line)
                text, files = ("", (Attachment(file, Path(file).name),)) if file else (line, ())
                yield Message(PLATFORM, "terminal", "terminal", text=text, files=files, locale=self._locale)
                await self._answered.wait()

    async def accepted(self, message: Message) -> None:
        """The prompt is already gone."""

    async def pause(self, job: Job) -> None:
        """The person is leaving."""

    async def show(self, job: Job) -> float:
        for event in job.events[job.shown :]:
            self._event(job.message, event)
        return 0.0

    def _event(self, message: Message, event: Event) -> None:
        match event:
            case Accepted():
                return
            case Stage():
                self._show(event, message)
            case Text(_, delta):
                self._console.print(delta, end="")
            case Done():
                self._close()
                self._console.print(event.text)
                for name, path in event.files.items():
                    self._console.print(f"  {name:10} {path}", style="dim", soft_wrap=True)
                self._answered.set()
            case Failed(_, _, text):
                self._close()
                self._console.print(text, style="red")
                self._answered.set()

    def _show(self, event: Stage, message: Message) -> None:
        if self._bubble is None or self._live is None:
            self._bubble = self._new_bubble(message.text)
            self._live = Live(console=self._console, transient=False, refresh_per_second=8)
            self._live.start()
        self._bubble.take(event)
        self._live.update(bubble_text(self._bubble))

    def _close(self) -> None:
        if self._live:
            self._live.stop()
        self._live = self._bubble = None
