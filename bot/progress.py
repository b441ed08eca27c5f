"""One message a job where messages can be edited: posted at once, edited while the band works, then the song.

Edits may be repeated; what cannot be an edit passes through the ledger's `sending → sent`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from core.cards import Bubble
from core.errors import MessageGone
from core.events import Accepted, Done, Event, Failed, Stage, Text
from core.jobs import Job
from core.localisation import Words, locale_of
from core.messages import Message
from core.ports import EditingChat, Ledger

BUBBLE = "bubble"
GONE = "gone"  # in place of its id, once somebody has deleted it


class Bubbles:
    """Implements core.ports.Platform over a chat whose messages can be edited."""

    def __init__(self, chat: EditingChat, ledger: Ledger, words: Words) -> None:
        self.name = chat.name
        self._chat, self._ledger, self._words = chat, ledger, words

    def messages(self) -> AsyncIterator[Message]:
        return self._chat.messages()

    async def accepted(self, message: Message) -> None:
        await self._chat.accepted(message)

    async def show(self, job: Job) -> None:
        # Not broken off between the platform and the note of it: that would be sent again.
        await asyncio.shield(self._put(job, bubble_text(job, self._words)))
        last = job.events[-1]
        if isinstance(last, Done):
            for name, path in last.files.items():
                await asyncio.shield(self._file(job, name, Path(path)))

    async def pause(self, job: Job) -> None:
        locale = _locale(job.message)
        await self._put(job, f"{bubble_text(job, self._words)}\n{self._words.say(locale, 'bubble-paused')}")

    async def _put(self, job: Job, text: str) -> None:
        """The job's one message says that now. Its id is recorded at once."""
        known = await self._ledger.delivery(job.id, BUBBLE)
        if known is not None and known[1] == GONE and not job.over:
            return  # somebody deleted it: no more is said until the end
        if known is not None and known[1] not in (None, GONE):
            try:
                await self._chat.edit(job.message.chat, known[1], text)
            except MessageGone:
                await self._ledger.delivered(job.id, BUBBLE, GONE)
                if not job.over:
                    return
            else:
                return
        name = "again" if known is not None and known[1] is not None else BUBBLE
        posted = await self._chat.post(job.message.chat, text, f"{job.id} {name}")
        await self._ledger.delivered(job.id, BUBBLE, posted)

    async def _file(self, job: Job, name: str, path: Path) -> None:
        what = f"file:{name}"
        known = await self._ledger.delivery(job.id, what)
        if known is not None and known[0] == "sent":
            return
        await self._ledger.delivering(job.id, what)
        sent = await self._chat.send(job.message.chat, path, f"{job.id} {what}")
        await self._ledger.delivered(job.id, what, sent)


def bubble_text(job: Job, words: Words) -> str:
    """What the job's message says: the end, the band at work, or the place in line."""
    locale = _locale(job.message)
    last: Event | None = job.events[-1] if job.events else None
    if isinstance(last, Done | Failed):
        return last.text
    bubble = Bubble(words, locale)
    waiting: list[str] = []
    streamed = ""
    for event in job.events:
        match event:
            case Stage():
                bubble.take(event)
            case Text(_, delta):
                streamed += delta
            case Accepted():
                waiting = _waiting(event, words, locale)
            case _:
                continue
    if streamed:
        return streamed
    if bubble.stages:
        return "\n".join(bubble.lines())
    return "\n".join([words.say(locale, "bubble-begin"), *waiting])


def _waiting(event: Accepted, words: Words, locale: str) -> list[str]:
    """Place in line and estimate; honest where it is unknown."""
    if not event.place:
        return []
    lines = [words.say(locale, "bubble-place", place=event.place)]
    if event.usual is None or event.most is None:
        return [*lines, words.say(locale, "bubble-unknown")]
    return [*lines, words.say(locale, "bubble-estimate", usual=round(event.usual), most=round(event.most))]


def _locale(message: Message) -> str:
    return message.locale or locale_of(message.text)
