"""What happens to one message: from its words to events, ending in exactly one Done or Failed."""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from bot.bringing import Brought
from bot.replies import BUTTONS, MOST_TOLD, Answering, Replies
from bot.studio import Studio, Take
from core import commands
from core.brief.completing import complete
from core.brief.reading import read
from core.brief.revising import Changes, changes, names_a_song
from core.editing.difference import difference
from core.editing.edits import Edit, Inapplicable, SetTitle
from core.errors import DatabaseAway, DiskFull, EmptyText, TunesmithError
from core.events import Event, Failed
from core.library import NewVersion, Version
from core.localisation import Words, locale_of
from core.messages import Message
from core.music.chance import seed_of
from core.notation.abc.reader import parted
from core.notation.problems import UnreadableNotation
from core.ports import Files, Library
from core.routing.intents import Router

log = logging.getLogger(__name__)


class Conversation:
    """Answers messages. `seed`: the first request's seed in each chat, or None to derive it from the message."""

    def __init__(
        self,
        studio: Studio,
        library: Library,
        kept: Files,
        router: Router,
        words: Words,
        files: Path,
        seed: int | None = None,
    ) -> None:
        self._studio, self._library, self._router, self._words = studio, library, router, words
        self._kept, self._files, self._seed = kept, files, seed
        self._replies = Replies(library, kept, words)

    async def answer(self, message: Message) -> AsyncIterator[Event]:
        """Events of one message. Its last one is Done or Failed, whatever happens."""
        locale = message.locale if message.locale in ("en", "zh") else None
        try:
            made = await self._library.made_on(*message.place, message.id)
            if made is not None:  # it was answered before a crash, up to saying so
                words = locale or locale_of(message.text, locale_of(made.brief.text))
                yield self._replies.card(Answering(message, words, made, time.perf_counter()), made, made.told)
                return
            version = await self._spoken_of(message)
            fallback = locale_of(version.brief.text) if version else "en"
            locale = locale or locale_of(message.text, fallback)
            answering = Answering(message, locale, version, time.perf_counter())
            async for event in self._events(answering):
                yield event
        except (DatabaseAway, DiskFull):
            raise  # they pass, and the message is answered then
        except UnreadableNotation as error:
            yield Failed(message.id, error.problems[0].code, self._replies.unreadable(error, locale or "en"))
        except TunesmithError as error:
            yield self._replies.failed(message, locale or "en", error)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(folder=self._files) from error
            log.exception("message %s failed (reference %s)", message.id, _reference(message))
            yield self._replies.failed(message, locale or "en", TunesmithError(reference=_reference(message)))
        except Exception:
            log.exception("message %s failed (reference %s)", message.id, _reference(message))
            yield self._replies.failed(message, locale or "en", TunesmithError(reference=_reference(message)))

    async def finished(self, message: Message, kept: bool) -> None:
        """The message's job is over, whoever ended it; what it made is `kept`, or leaves no trace."""
        await self._studio.forget(_thread(message))
        if not kept and (gone := await self._library.discard(*message.place, message.id)):
            await self._kept.forget(gone)

    async def _spoken_of(self, message: Message) -> Version | None:
        place = message.place
        if message.press and (pressed := _pressed(message.press)):
            return await self._library.version(*pressed[1:], *place)
        if message.reply_to is not None:
            return await self._library.version_on(*place, message.reply_to)
        return await self._library.current(*place, before=message.id)

    async def _events(self, a: Answering) -> AsyncIterator[Event]:
        message = a.message
        if message.problem:
            yield Failed(message.id, message.problem, self._words.say(a.locale, message.problem))
        elif message.reaction is not None:
            yield await self._replies.reacted(a)
        elif message.press is not None:
            async for event in self._pressed(a):
                yield event
        elif message.files:
            async for event in self._sent(a):
                yield event
        elif tune := parted(message.text):
            async for event in self._adopted(a, await self._studio.bringing.paste(*tune)):
                yield event
        elif not message.text.strip():
            raise EmptyText
        elif command := commands.parse(message.text):
            async for event in self._commanded(a, *command):
                yield event
        else:
            async for event in self._spoken(a, message.text):
                yield event

    async def _sent(self, a: Answering) -> AsyncIterator[Event]:
        """Files, with or without words."""
        brought = await self._studio.bringing.take(a.message.files, a.message.text)
        if brought is None:
            yield self._replies.said(a, "files-later")
            return
        following = self._spoken(a, brought) if isinstance(brought, str) else self._adopted(a, brought)
        async for event in following:
            yield event

    async def _adopted(self, a: Answering, brought: Brought) -> AsyncIterator[Event]:
        """A song that somebody brought: rendered, kept, shown, and from then on a song like any other."""
        told = (
            *(self._words.problem(a.locale, problem) for problem in brought.told[:MOST_TOLD]),
            *self._words.remarks(a.locale, brought.remarks),
        )
        take = self._studio.render(brought.score, brought.brief, a.message, a.locale, self._folder(a))
        async for event in self._performed(a, take, None, brought.score.title, told):
            yield event

    async def _spoken(self, a: Answering, text: str) -> AsyncIterator[Event]:
        """Words: what they want is the router's to say."""
        ask = read(text, self._studio.lexicon)
        if a.message.reply_to is not None and a.version is None:
            yield self._replies.said(a, "reply-no-card")
            return
        has_song = a.version is not None
        changing = a.version is not None and self._changes(text, a.version)
        match self._router.intent(text, has_song, not ask.empty, changing):
            case "help":
                yield self._replies.helped(a)
            case "library":
                yield await self._replies.listed(a)
            case "undo":
                yield await self._replies.undone(a)
            case "revise" if a.version:
                async for event in self._revised(a, a.version, text):
                    yield event
            case "question":
                yield self._replies.said(a, "question-later")
            case "small talk":
                yield self._replies.said(a, "small-talk")
            case _ if a.message.reply_to is not None and a.version:
                async for event in self._revised(a, a.version, text):
                    yield event
            case _ if a.version is None and ask.empty and self._only_change(text):
                yield self._replies.said(a, "nothing-to-change")
            case _:
                async for event in self._composed(a, text):
                    yield event

    def _changes(self, text: str, version: Version) -> bool:
        """Whether the words name any change of the song, and no song of their own."""
        if names_a_song(text, self._studio.lexicon):
            return False
        return not changes(text, version.brief, self._studio.lexicon, self._studio.catalogue).empty

    def _only_change(self, text: str) -> bool:
        return any(span.kind == "change" for span in self._studio.lexicon.spans(text))

    async def _commanded(self, a: Answering, name: str, argument: str) -> AsyncIterator[Event]:
        match name:
            case "compose" if argument:
                async for event in self._composed(a, argument):
                    yield event
            case "compose":
                yield self._replies.said(a, "compose-what")
            case "new":
                await self._library.begin_conversation(*a.message.place, a.message.id)
                yield self._replies.said(a, "new-begun")
            case "library":
                yield await self._replies.listed(a)
            case "open":
                yield await self._replies.opened(a, argument)
            case "undo":
                yield await self._replies.undone(a)
            case "delete":
                yield await self._replies.deleted(a, argument)
            case "compare" if a.version:
                yield await self._replies.compared(a, a.version, argument)
            case "remake" if a.version and a.version.brief.source:
                yield self._replies.said(a, "edit-imported")
            case "remake" if a.version:
                async for event in self._composed(a, a.version.brief.text, a.version, a.version.score.seed):
                    yield event
            case "title" if a.version and argument:
                async for event in self._edited(a, a.version, (SetTitle(argument[:120]),), argument):
                    yield event
            case "remake" | "title" | "compare":
                yield self._replies.said(a, "nothing-to-change" if a.version is None else "title-what")
            case "help":
                yield self._replies.helped(a)
            case _:
                yield self._replies.said(a, "command-unknown", name=argument)

    async def _composed(
        self, a: Answering, text: str, version: Version | None = None, seed: int | None = None
    ) -> AsyncIterator[Event]:
        """A new song, or (with `version`) a new version composed from its brief's words."""
        ask = version.brief.ask if version else read(text, self._studio.lexicon)
        if seed is None:
            seed = await self._next_seed(a.message, text)
        brief = complete(text, ask, self._studio.catalogue, seed, a.locale)
        if version:
            brief = replace(brief, title=version.title)
        async for event in self._performed(
            a,
            self._studio.compose(brief, seed, a.message, a.locale, self._folder(a), thread=_thread(a.message)),
            version,
            text,
        ):
            yield event

    async def _next_seed(self, message: Message, text: str) -> int:
        count = await self._library.next_request(*message.place, message.id)
        if message.seed is not None:
            return message.seed
        if self._seed is not None:
            return self._seed + count
        return seed_of(*message.place, message.id, text) % 1_000_000_000

    async def _revised(self, a: Answering, version: Version, text: str) -> AsyncIterator[Event]:
        wanted = changes(text, version.brief, self._studio.lexicon, self._studio.catalogue)
        cannot = self._words.remarks(a.locale, wanted.remarks)
        if wanted.empty:
            yield self._replies.done(a, "\n".join(cannot)) if cannot else self._replies.said(a, "change-unclear")
            return
        instant = wanted.ask is None and not wanted.again
        made = (
            self._edited(a, version, wanted.edits, text, cannot)
            if instant
            else self._recomposed(a, version, wanted, text)
        )
        async for event in made:
            yield event

    async def _recomposed(self, a: Answering, version: Version, wanted: Changes, text: str) -> AsyncIterator[Event]:
        """Composed anew from what was asked so far and now; further changes are applied to that."""
        if version.brief.source:  # it would be another tune
            yield self._replies.said(a, "edit-imported")
            return
        seed = await self._next_seed(a.message, text) if wanted.again else version.score.seed
        if wanted.ask is None:  # another take of the same song: what was inferred stays
            brief = version.brief
        else:
            brief = complete(version.brief.text, wanted.ask, self._studio.catalogue, seed, a.locale)
        brief = replace(brief, title=wanted.ask.title if wanted.ask and wanted.ask.title else version.title)
        take = self._studio.compose(brief, seed, a.message, a.locale, self._folder(a), wanted.edits, _thread(a.message))
        async for event in self._unless_inapplicable(a, self._performed(a, take, version, text)):
            yield event

    async def _unless_inapplicable(self, a: Answering, events: AsyncIterator[Event]) -> AsyncIterator[Event]:
        try:
            async for event in events:
                yield event
        except Inapplicable as error:
            yield self._replies.said(a, error.code, **error.values)

    async def _edited(
        self, a: Answering, version: Version, edits: tuple[Edit, ...], text: str, cannot: tuple[str, ...] = ()
    ) -> AsyncIterator[Event]:
        """`cannot`: what the words asked for besides and cannot be had."""
        try:
            seed = seed_of(*a.message.place, a.message.id, text)
            score, brief = await asyncio.to_thread(self._studio.edited, version.score, version.brief, edits, seed)
        except Inapplicable as error:
            yield self._replies.said(a, error.code, **error.values)
            return
        take = self._studio.render(score, brief, a.message, a.locale, self._folder(a))
        told = (*self._words.remarks(a.locale, difference(version.score, score)), *cannot)
        async for event in self._performed(a, take, version, text, told):
            yield event

    async def _performed(
        self,
        a: Answering,
        take: AsyncIterator[Event | Take],
        parent: Version | None,
        text: str,
        told: tuple[str, ...] = (),
    ) -> AsyncIterator[Event]:
        """Passes the stages on, keeps the version, and shows its card with what is `told` of it."""
        async for event in take:
            if not isinstance(event, Take):
                yield event
                continue
            new = NewVersion(
                a.message.platform, a.message.chat, a.message.user, a.message.id, event.brief, event.score,
                event.rating, text, parent.piece if parent else None, parent.number if parent else None,
                event.files, (*told, *event.remarks),
            )  # fmt: skip
            version = await self._library.keep(new)
            if parent and version.title != parent.title:
                await self._library.rename(version.piece, version.title)
            yield self._replies.card(a, version, version.told)

    async def _pressed(self, a: Answering) -> AsyncIterator[Event]:
        pressed = _pressed(a.message.press or "")
        if pressed is None or a.version is None:
            yield self._replies.said(a, "button-gone")
            return
        match pressed[0]:
            case "undo":
                yield await self._replies.undone(a)
            case "again":
                label = self._words.say(a.locale, "button-again")
                async for event in self._recomposed(a, a.version, Changes((), None, again=True), label):
                    yield event
            case name if name in BUTTONS:
                label = self._words.say(a.locale, f"button-{name}")
                async for event in self._edited(a, a.version, BUTTONS[name], label):
                    yield event
            case _:
                yield self._replies.said(a, "button-gone")

    def _folder(self, a: Answering) -> Path:
        return self._files / folder_name(a.message.platform, a.message.chat) / str(a.message.id)


def folder_name(platform: str, chat: str) -> str:
    """A folder of its own for each chat, whatever its name holds."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "", chat)[:32]
    return f"{platform}-{plain}-{seed_of(platform, chat) % 1_000_000:06d}"


def _thread(message: Message) -> str:
    return "/".join((*message.place, str(message.id)))


def _pressed(button: str) -> tuple[str, int, int] | None:
    match = re.fullmatch(r"([a-z-]+):(\d{1,12}):(\d{1,9})", button)
    return (match[1], int(match[2]), int(match[3])) if match else None


def _reference(message: Message) -> str:
    """Eight letters that find the traceback in the log."""
    return f"{seed_of(*message.place, message.id) % 16**8:08x}"
