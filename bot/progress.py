"""One message a job where messages can be edited: posted at once, edited while the band works, then the song.

Edits may be repeated; what cannot be an edit passes through the ledger's `sending → sent`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bot.pacing import Pacer, Urgency
from core import cards
from core.errors import Barred, FilesRefused, Flooded, MessageGone, TunesmithError, Unanswered
from core.events import Accepted, Done, Failed, Stage, Text
from core.jobs import SOON, Job, Wait
from core.localisation import Words, spoken
from core.looks import Look, split
from core.messages import Message
from core.ports import EditingChat, Ledger

BUBBLE = "bubble"
GONE = "gone"  # in place of its id, once somebody has deleted it
_UNKNOWN = 2  # sendings without an answer, after which nothing is sent again
_LOOK = 2.0  # seconds after which the time and the place in line are shown anew
_GRACE = 0.35  # seconds: what is answered sooner needs no “Composing …”
_IN_ORDER = 1.0  # seconds that first words wait at most for those of an earlier message
_PRETTY = 5.0  # seconds that an edit may take which is only pretty
_GRACE_SOON = 1.5  # the same for what does not compose

Waiting = Callable[[Job], Awaitable[Wait]]
Answered = Callable[[], None]
Smaller = Callable[[Path, int], Path | None]

log = logging.getLogger(__name__)


class Bubbles:
    """Implements core.ports.Platform over a chat whose messages can be edited. `wait`: how a job stands in line;
    `smaller`: a file in at most so many bytes, None where it cannot be had; `alone`: held as long as it is connected.
    """

    def __init__(
        self,
        chat: EditingChat,
        ledger: Ledger,
        words: Words,
        wait: Waiting,
        smaller: Smaller = lambda path, most: path,
        clock: Callable[[], float] = time.time,
        alone: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        self._alone = alone
        self.name, self._smaller = chat.name, smaller
        self._chat, self._ledger, self._words, self._wait, self._clock = chat, ledger, words, wait, clock
        self._pacer = Pacer(chat.pace)
        self._last: dict[str, Look] = {}  # what a bubble says, so that the same is not said twice
        self._going: set[asyncio.Task[None]] = set()  # what is on its way to the platform
        self._unplaced: dict[str, dict[int, asyncio.Event]] = {}  # by chat: whose first words are not there yet
        self._editing: dict[str, asyncio.Task[None]] = {}  # by job: an edit that is only pretty, on its way
        self._heard: set[str] = set()  # presses whose button has stopped turning

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        async with self._alone(), self._chat.connected():
            yield

    def messages(self) -> AsyncIterator[Message]:
        return self._chat.messages()

    async def accepted(self, message: Message) -> None:
        if message.id and not message.quick and message.reaction is None:
            self._unplaced.setdefault(message.chat, {})[message.id] = asyncio.Event()
        await self._chat.accepted(message)

    async def _behind_earlier(self, message: Message) -> None:
        """First words come in the order of the messages they answer: many are on their way at once, and a database
        whose answers overtake each other would let them, too. Not for long, as an earlier one may be held up.
        """
        earlier = [placed for id_, placed in self._unplaced.get(message.chat, {}).items() if id_ < message.id]
        if earlier:
            with suppress(TimeoutError):
                async with asyncio.timeout(_IN_ORDER):
                    await asyncio.gather(*(placed.wait() for placed in earlier))

    def _placed(self, message: Message) -> None:
        here = self._unplaced.get(message.chat, {})
        if placed := here.pop(message.id, None):
            placed.set()
        if not here:
            self._unplaced.pop(message.chat, None)

    async def show(self, job: Job) -> float:
        try:
            last = job.events[-1]
            if job.message.reaction is not None:
                return 0.0  # it is kept; nobody is told that they clicked
            if not job.over:
                return await self._progress(job)
            match last:
                case Done(form="notice"):
                    await self._notice(job, last.text)
                    await self._cleared(job)
                case Done(form="menu" | "page"):
                    await self._redrawn(job, last)
                    await self._cleared(job)
                case Done(form="files"):
                    await self._heard_press(job)
                    await self._files(job, [dict(last.files)], job.message.on_external)
                    await self._cleared(job)
                case Done(form="session"):
                    await self._opened(job, last)
                    await self._cleared(job)
                case Done(form="silence"):
                    await self._cleared(job)
                case Done() if last.private and job.message.group:
                    await self._whispered(job, last)
                case Done() | Failed():
                    await self._heard_press(job)
                    await self._result(job, last)
                case _:
                    return 0.0
            self._placed(job.message)
            self._last.pop(job.id, None)
            self._heard.discard(job.id)
        except Barred:
            self._placed(job.message)
            self._last.pop(job.id, None)
            self._heard.discard(job.id)
            raise
        except Flooded as error:
            self._pacer.hold(self._chat.room(job.message), error.seconds)
            raise
        return 0.0

    async def pause(self, job: Job) -> None:
        """Only where there is a bubble: it is not worth a new message."""
        if self._going:
            await asyncio.wait(self._going)
        known = await self._ledger.delivery(job.id, BUBBLE)
        if known is not None and known[1] not in (None, GONE):
            look = progress(job, self._words, Wait(), self._clock() - job.accepted)
            paused = self._words.say(_locale(job), "bubble-paused")
            async with self._turn(job.message, Urgency.RESULT):
                await self._chat.edit(job.message, known[1], replace(look, text=f"{look.text}\n{paused}"))

    # While it is worked on

    async def _progress(self, job: Job) -> float:
        """The seconds until it should be looked at again."""
        message = job.message
        age = self._clock() - job.accepted
        grace = _GRACE_SOON if job.priority < SOON + 100 else _GRACE
        if not any(isinstance(event, Stage | Text) for event in job.events):
            if message.quick or message.aside:
                return _GRACE_SOON  # it composes nothing, or perhaps nothing
            if age < grace:
                return min(grace, grace - age)
        await self._heard_press(job)
        known = await self._ledger.delivery(job.id, BUBBLE)
        if known is None or known[1] is None:
            tries = await self._ledger.delivering(job.id, BUBBLE)
            if not self._may_repeat(tries):
                return _LOOK  # it is there, or will not be: no more of it until the end
            look = await self._look(job)
            await self._behind_earlier(message)
            async with self._counted(job, BUBBLE), self._turn(message, Urgency.FIRST) as answered:
                await self._unbroken(self._posted(job, look, BUBBLE, tries == 0, answered))
            self._placed(message)
            return _LOOK
        look = await self._look(job)
        if known[1] == GONE or look == self._last.get(job.id):
            return _LOOK
        if job.id in self._editing:
            return _LOOK
        if pause := self._pacer.spare(self._chat.room(message), message.group):
            return pause
        if job.id not in self._editing:
            edit = asyncio.create_task(self._edited(job, known[1], look))
            self._editing[job.id] = edit
            edit.add_done_callback(lambda done: self._editing.pop(job.id, None))
        # It is never broken off: a library that waits for its platform would be left in the middle of that.
        done, _ = await asyncio.wait([self._editing[job.id]], timeout=_PRETTY)
        if not done:
            log.warning("%s is slow to change job %s", self.name, job.id)
        for task in done:
            task.result()
        return _LOOK

    async def _edited(self, job: Job, id_: str, look: Look) -> None:
        try:
            await self._chat.edit(job.message, id_, look)
            self._last[job.id] = look
        except MessageGone:  # somebody deleted it: no more is said until the end
            await self._ledger.delivered(job.id, BUBBLE, GONE)
        finally:
            self._pacer.answered()

    async def _look(self, job: Job) -> Look:
        begun = any(isinstance(event, Stage | Text) for event in job.events)
        wait = Wait() if begun else await self._wait(job)
        look = progress(job, self._words, wait, self._clock() - job.accepted)
        # Of an answer that grows beyond one message its newest part is shown; all of it comes in the end.
        return replace(look, text=split(look.text, self._chat.most, self._chat.measure)[-1])

    # Its end

    async def _result(self, job: Job, last: Done | Failed) -> None:
        """The bubble becomes the result; what it cannot hold follows."""
        look = cards.result(last, self._words, _locale(job), markdown=any(isinstance(e, Text) for e in job.events))
        if not look.text.strip():
            look = replace(look, text=self._words.say(_locale(job), "answer-empty"))
        held, rest = self._held(look.files)
        most = self._chat.most_beside if held else self._chat.most
        first, *more = split(look.text, most, self._chat.measure)
        await self._put_fitting(job, replace(look, text=first, files=held))
        for number, part in enumerate(more, 2):
            await self._once(job, f"part:{number}", partial(self._said, job, Look(part, markdown=look.markdown)))
        if isinstance(last, Done) and last.piece is not None:
            card = await self._ledger.delivery(job.id, BUBBLE)
            beside = (card[1] or "") if card and card[1] != GONE else ""
            await self._files(job, [*_following(last.files, self._chat.follow), rest], beside)

    def _held(self, files: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """The files that stand in the song's own message, the most wanted first; and those it has no room for."""
        order = {name: number for number, name in enumerate(("card", "mp3", "midi", "score"))}
        kinds = [name for name in files if name.split("-")[0] in self._chat.holds]
        names = sorted(kinds, key=lambda name: order.get(name.split("-")[0], len(order)))
        inside = names[: self._chat.most_files]
        return {n: files[n] for n in inside}, {n: files[n] for n in names[len(inside) :]}

    async def _put_fitting(self, job: Job, look: Look) -> None:
        """The result with its files; where the platform refuses these, with smaller ones, and then without."""
        most = self._chat.most_bytes(job.message)
        for limit in (most, most // 4, 0):
            files, missing = await self._fitting(job, look.files, limit)
            try:
                # The last try is words alone: a card may not be allowed there either.
                title = look.title if limit else ""
                text = "\n".join([look.text, *missing])
                await self._put(job, replace(look, text=text, files=files, title=title))
                return
            except FilesRefused:
                if not limit:
                    raise

    async def _fitting(self, job: Job, files: Mapping[str, str], most: int) -> tuple[dict[str, str], list[str]]:
        """The files of at most so many bytes, music with a lower bit rate where it must be; a word about the rest."""
        fitting: dict[str, str] = {}
        missing = []
        for name, path in files.items():
            made = await asyncio.to_thread(self._smaller, Path(path), most) if most else None
            if made is not None:
                fitting[name] = str(made)
            elif name.split("-")[0] != "card":
                what = self._words.say(_locale(job), f"format-{name.split('-')[0]}")
                missing.append(self._words.say(_locale(job), "not-sent", what=what))
        return fitting, list(dict.fromkeys(missing))

    async def _put(self, job: Job, look: Look) -> None:
        """The job's one message says that now. Its id is recorded at once."""
        if edit := self._editing.get(job.id):  # what is still on its way must not come after it
            await asyncio.wait([edit])
        known = await self._ledger.delivery(job.id, BUBBLE)
        if known is not None and known[1] not in (None, GONE):
            try:
                async with self._turn(job.message, Urgency.RESULT):
                    await self._chat.edit(job.message, known[1], look)
                return
            except MessageGone:
                await self._ledger.delivered(job.id, BUBBLE, GONE)
        # Where the bubble's answer was lost nobody knows its id: the song is a message of its own, counted by itself.
        apart = not self._chat.same or (known is not None and known[1] is not None)
        name = "again" if apart else BUBBLE
        tries = await self._ledger.delivering(job.id, name)
        if not self._may_repeat(tries):
            log.warning("job %s was sent twice without an answer; it is not sent again", job.id)
            return
        async with self._counted(job, name), self._turn(job.message, Urgency.RESULT) as answered:
            await self._unbroken(self._posted(job, look, name, tries == 0, answered))

    def _may_repeat(self, tries: int) -> bool:
        """Whether something may be sent (again) that was sent so often before, each time without an answer: where it
        would stand there twice, once more.
        """
        return self._chat.same or tries < _UNKNOWN

    @asynccontextmanager
    async def _counted(self, job: Job, what: str) -> AsyncIterator[None]:
        """A sending that surely failed does not count; one without an answer does, and is repeated later."""
        try:
            yield
        except Unanswered:
            raise
        except (TunesmithError, asyncio.CancelledError):
            await self._ledger.undelivered(job.id, what)
            raise

    def _turn(self, message: Message, urgency: Urgency, calls: int = 1) -> AbstractAsyncContextManager[Answered]:
        return self._pacer.turn(self._chat.room(message), message.group, urgency, calls)

    async def _posted(self, job: Job, look: Look, name: str, fresh: bool, answered: Answered) -> None:
        id_ = await self._chat.post(job.message, look, f"{job.id} {name}")
        answered()
        await self._ledger.delivered(job.id, BUBBLE, id_)
        if (
            not fresh and name == BUBBLE and self._chat.same
        ):  # a crash came before the note: it may be the earlier message, with its words
            await self._chat.edit(job.message, id_, look)
        self._last[job.id] = look

    async def _opened(self, job: Job, done: Done) -> None:
        """A session, and where it is; or that there can be none here."""

        async def opened(nonce: str) -> list[str]:
            return [await self._chat.session(job.message, done.title or "", done.text)]

        try:
            await self._once(job, "session", opened)
        except (Barred, FilesRefused):
            await self._notice(job, self._words.say(_locale(job), "session-refused"))
            return
        known = await self._ledger.delivery(job.id, "session")
        await self._notice(job, self._words.say(_locale(job), "session-open", place=known[1] if known else ""))

    async def _unbroken(self, work: Coroutine[Any, Any, None]) -> None:
        """Not broken off between the platform and the note of it: it would be sent again."""
        task = asyncio.create_task(work)
        self._going.add(task)
        task.add_done_callback(self._going.discard)
        await asyncio.shield(task)

    async def _said(self, job: Job, look: Look, nonce: str) -> list[str]:
        return [await self._chat.post(job.message, replace(look, final=True), nonce)]

    async def _files(self, job: Job, groups: list[dict[str, str]], beside: str) -> None:
        most = self._chat.most_bytes(job.message)
        for group in groups:
            what = f"file:{next(iter(group), '')}"
            fitting, missing = await self._fitting(job, group, most)
            paths = {name: Path(path) for name, path in fitting.items()}
            if paths:
                try:
                    await self._once(job, what, partial(self._chat.send, job.message, paths, beside), len(paths))
                except FilesRefused:  # the others may still arrive
                    _, missing = await self._fitting(job, group, 0)
            if missing:
                await self._once(job, f"{what} missing", partial(self._said, job, Look("\n".join(missing))))

    async def _once(self, job: Job, what: str, send: Callable[[str], Awaitable[list[str]]], calls: int = 1) -> None:
        """Something that cannot be an edit: not sent again once it is known to have arrived."""
        known = await self._ledger.delivery(job.id, what)
        if known is not None and known[0] == "sent":
            return
        if not self._may_repeat(await self._ledger.delivering(job.id, what)):
            log.warning("%s of job %s was sent twice without an answer; it is not sent again", what, job.id)
            return

        async def sent() -> None:
            first, *others = await send(f"{job.id} {what}")
            answered()
            await self._ledger.delivered(job.id, what, first)
            for number, external in enumerate(others, 2):
                await self._ledger.delivered(job.id, f"{what} {number}"[:64], external)

        async with self._counted(job, what), self._turn(job.message, Urgency.FILE, calls) as answered:
            await self._unbroken(sent())

    async def _cleared(self, job: Job) -> None:
        """Where the answer is elsewhere, a bubble that was there meanwhile goes."""
        known = await self._ledger.delivery(job.id, BUBBLE)
        if known is not None and known[1] not in (None, GONE):
            await self._chat.delete(job.message, known[1])

    async def _whispered(self, job: Job, done: Done) -> None:
        """To the person alone; the others see no more than a short word."""

        async def alone(nonce: str) -> list[str]:
            return [await self._chat.whisper(job.message, done.private, nonce)]

        # The short word first: an interaction's first answer is what everybody sees.
        await self._heard_press(job)
        await self._result(job, done)
        try:
            await self._once(job, "whisper", alone)
        except (Barred, FilesRefused, MessageGone):
            log.warning("job %s cannot be answered in private", job.id)

    # Short answers to a press

    async def _heard_press(self, job: Job) -> None:
        if job.message.handle and job.id not in self._heard:
            self._heard.add(job.id)
            task = asyncio.create_task(self._stopped_turning(job.message))  # nobody waits for it
            self._going.add(task)
            task.add_done_callback(self._going.discard)

    async def _stopped_turning(self, message: Message) -> None:
        with suppress(TunesmithError):
            await self._chat.notice(message, "")

    async def _notice(self, job: Job, text: str) -> None:
        """A word to who pressed; a message where it is too late for that."""
        if not await self._chat.notice(job.message, text):
            await self._once(job, "notice", partial(self._said, job, Look(text)))

    async def _redrawn(self, job: Job, done: Done) -> None:
        """The pressed message with other buttons, or other words as well."""
        message = job.message
        look = cards.result(done, self._words, _locale(job))
        await self._heard_press(job)
        if not message.on_external:
            await self._put(job, look)
            return
        try:
            async with self._turn(message, Urgency.RESULT):
                if done.form == "menu":
                    await self._chat.rebutton(message, message.on_external, look.rows)
                else:
                    await self._chat.edit(message, message.on_external, look)
        except MessageGone:
            return


def progress(job: Job, words: Words, wait: Wait, seconds: float) -> Look:
    """What a job's message says while it is worked on: the place in line, the band at work, or the words so far."""
    locale = _locale(job)
    bubble = cards.Bubble(words, locale)
    streamed = ""
    for event in job.events:
        match event:
            case Stage():
                bubble.take(event)
            case Text(_, delta):
                streamed += delta
            case Accepted() | Done() | Failed():
                continue
    if streamed:
        return Look(streamed)
    rows = cards.cancel_row(job.message.id, words, locale)
    head = words.say(locale, _head(bubble))
    if bubble.stages:
        return Look("\n".join([head, *bubble.lines(), bubble.bar(seconds)]), rows)
    return Look("\n".join([head, *_waiting(wait, words, locale)]), rows)


def _head(bubble: cards.Bubble) -> str:
    """What is being done, as far as that is known: a change only renders."""
    if not bubble.stages:
        return "bubble-wait"
    return "bubble-change" if set(bubble.stages) == {"rendering"} else "bubble-begin"


def _waiting(wait: Wait, words: Words, locale: str) -> list[str]:
    """Place in line and estimate; honest where it is unknown."""
    if not wait.place:
        return []
    lines = [words.say(locale, "bubble-place", place=wait.place)]
    if wait.usual is None or wait.most is None:
        return [*lines, words.say(locale, "bubble-unknown")]
    return [*lines, words.say(locale, "bubble-estimate", usual=round(wait.usual), most=round(wait.most))]


def _following(files: Mapping[str, str], kinds: tuple[str, ...]) -> list[dict[str, str]]:
    """The files that follow a card, those of one kind together: the pages of a score, say."""
    groups = [{name: path for name, path in files.items() if name.split("-")[0] == kind} for kind in kinds]
    return [group for group in groups if group]


def _locale(job: Job) -> str:
    """The language of the answer, and until that is known of the message."""
    last = job.events[-1] if job.events else None
    return (last.locale if isinstance(last, Done) else "") or spoken(job.message)
