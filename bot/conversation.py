"""What happens to one message: from its words to events, ending in exactly one Done or Failed."""

from __future__ import annotations

import errno
import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from bot.care import Care
from bot.pressing import HARMLESS, Presses
from bot.replies import BUTTONS, Answering, Replies
from bot.songs import Songs, thread_of
from bot.studio import Studio
from core import commands
from core.brief.reading import read
from core.brief.revising import Changes, changes, names_a_song
from core.content import HEAD, content_kind
from core.editing.edits import BringBack, Edit, Mute, SetEnding, SetInstrument, SetTitle
from core.errors import DatabaseAway, DiskFull, EmptyText, TunesmithError, WorkerDied
from core.events import Event, Failed
from core.library import Version
from core.localisation import Words, spoken
from core.menus import Menus, Pressed, pressed
from core.messages import Attachment, Kind, Message
from core.music.chance import seed_of
from core.notation.abc.reader import parted
from core.notation.problems import UnreadableNotation
from core.plain import one_line
from core.ports import Files, Incoming, Library, People
from core.routing.intents import Router
from core.threads import in_thread

_LATER = {"voice": "recording", "audio": "recording", "video": "video", "image": "picture"}  # what cannot be read yet
_CHANGING = frozenset({"title", "remake"})  # of the song spoken of; what is deleted is named by its number
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
        people: People,
        incoming: Incoming,
        care: Care,
        seed: int | None = None,
    ) -> None:
        self._studio, self._library, self._router, self._words = studio, library, router, words
        self._care, self._people = care, people
        self._kept, self._files, self._incoming = kept, files, incoming
        self._replies = Replies(library, kept, words)
        self._songs = Songs(studio, library, self._replies, words, files, seed)
        self._presses = Presses(library, people, Menus(words, studio.catalogue), self._replies, words)

    async def answer(self, message: Message, alone: bool = False) -> AsyncIterator[Event]:
        """Events of one message. Its last one is Done or Failed, whatever happens.

        `alone`: composed in a process apart; where that dies of it, WorkerDied is raised.
        """
        locale = spoken(message)
        try:
            made = await self._library.made_on(*message.place, message.id)
            if made is not None:  # it was answered before a crash, up to saying so
                words = spoken(message, made.brief.text)
                yield self._replies.card(Answering(message, words, made, time.perf_counter()), made, made.told)
                return
            replied = await self._replied_to(message)
            version = replied or await self._spoken_of(message)
            locale = spoken(message, version.brief.text if version else None)
            answering = Answering(message, locale, version, time.perf_counter(), replied is not None, alone=alone)
            async for event in self._events(answering):
                yield event
        except (DatabaseAway, DiskFull, WorkerDied):
            raise  # they pass, and the message is answered then
        except UnreadableNotation as error:
            yield Failed(message.id, error.problems[0].code, self._replies.unreadable(error, locale))
        except TunesmithError as error:
            yield self._replies.failed(message, locale, error)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(folder=self._files) from error
            log.exception("message %s failed (reference %s)", message.id, _reference(message))
            yield self._replies.failed(message, locale, TunesmithError(reference=_reference(message)))
        except Exception:
            log.exception("message %s failed (reference %s)", message.id, _reference(message))
            yield self._replies.failed(message, locale, TunesmithError(reference=_reference(message)))

    async def finished(self, message: Message, kept: bool) -> None:
        """The message's job is over, whoever ended it; what it made is `kept`, or leaves no trace."""
        await self._studio.forget(thread_of(message))
        if not kept and (gone := await self._library.discard(*message.place, message.id)):
            await self._kept.forget(gone)

    async def _replied_to(self, message: Message) -> Version | None:
        """The song on the message that this one replies to."""
        return None if message.reply_to is None else await self._library.version_on(*message.place, message.reply_to)

    async def _spoken_of(self, message: Message) -> Version | None:
        place = message.place
        if message.press:
            button = pressed(message.press)
            if button.piece is None or button.version is None:
                return None
            return await self._library.version(button.piece, button.version, *place)
        if message.reply_to is not None and not message.reply_external:
            return None  # a program named a message that is no card
        # In a group everybody's words are about their own song.
        return await self._library.current(*place, before=message.id, user=_alone(message))

    async def _events(self, a: Answering) -> AsyncIterator[Event]:
        message = a.message
        if message.problem:
            yield Failed(message.id, message.problem, self._words.say(a.locale, message.problem))
        elif message.edited and a.version is not None:
            yield await self._care.answer(a, message.text) or self._replies.rewritten(a)
        elif message.reaction is not None:
            yield await self._replies.reacted(a)
        elif message.press is not None:
            async for event in self._pressed(a):
                yield event
        elif cared := await self._care.answer(a, message.text):
            yield cared
        elif message.files:
            async for event in self._sent(a):
                yield event
        elif tune := parted(message.text):
            async for event in self._songs.adopted(a, await self._studio.bringing.paste(*tune)):
                yield event
        elif not message.text.strip():
            raise EmptyText
        elif not message.quoted and (command := commands.parse(message.text)):
            async for event in self._commanded(a, *command):
                yield event
        else:
            async for event in self._spoken(a, message.text):
                yield event

    async def _sent(self, a: Answering) -> AsyncIterator[Event]:
        """Files, with or without words."""
        folder = self._songs.folder(a)
        kept = [await self._fetched(a.message.platform, file, folder) for file in a.message.files]
        written = tuple(path for kind, path in kept if kind == "file")
        brought = await self._studio.bringing.take(written, a.message.text) if written else None
        if brought is None:
            kinds = {kind for kind, _ in kept}
            code = next((_LATER[kind] for kind in _LATER if kind in kinds), "files")
            if not a.message.text:
                yield self._replies.said(a, f"later-{code}")
                return
            # What cannot be read yet is said beside the answer to the words.
            aside = self._words.say(a.locale, f"aside-{code}")
            async for event in self._spoken(replace(a, told=(aside,)), a.message.text):
                yield event
            return
        if isinstance(brought, str) and (cared := await self._care.answer(a, brought)):
            yield cared
            return
        following = self._spoken(a, brought) if isinstance(brought, str) else self._songs.adopted(a, brought)
        async for event in following:
            yield event

    async def _fetched(self, platform: str, file: Attachment, folder: Path) -> tuple[Kind, Path]:
        """A file, and what its bytes say that it is."""
        path = await self._incoming.fetch(platform, file, folder)
        return content_kind(await in_thread(_head, path), file.kind), path

    async def _spoken(self, a: Answering, text: str) -> AsyncIterator[Event]:
        """Words: what they want is the router's to say."""
        ask = read(text, self._studio.lexicon)
        if a.message.reply_to is not None and a.version is None and not a.message.reply_external:
            yield self._replies.said(a, "reply-no-card")
            return
        changing = a.version is not None and self._changes(text, a.version)
        if a.message.aside and not changing:
            yield self._replies.done(a, "", "silence")  # people in a session talk to each other, too
            return
        if ask.empty and not changing and (cared := await self._care.going_on(a, text)):
            yield cared
            return
        intent = self._router.intent(text, a.version is not None, not ask.empty, changing)
        if not any(sign.isalnum() for sign in text):  # a smile, a question mark
            intent = "small talk"
        match intent:
            case "help":
                yield self._replies.helped(a)
            case "library":
                yield await self._replies.listed(a)
            case "undo":
                yield await self._replies.undone(a)
            case "revise" if a.version and _foreign(a):
                yield self._presses.foreign(a)
            case "revise" if a.version:
                async for event in self._songs.revised(a, a.version, text):
                    yield event
            case "question":
                yield self._replies.said(a, "question-later")
            case "small talk":
                yield self._replies.said(a, "small-talk")
            case _ if a.replied and a.version and _foreign(a):
                yield self._presses.foreign(a)
            case _ if a.replied and a.version:
                async for event in self._songs.revised(a, a.version, text):
                    yield event
            case _ if a.version is None and ask.empty and self._only_change(text):
                yield self._replies.said(a, "nothing-to-change")
            case _:
                async for event in self._songs.composed(a, text):
                    yield event

    def _changes(self, text: str, version: Version) -> bool:
        """Whether the words name any change of the song, and no song of their own."""
        if names_a_song(text, self._studio.lexicon):
            return False
        return not changes(text, version.brief, self._studio.lexicon, self._studio.catalogue).empty

    def _only_change(self, text: str) -> bool:
        return any(span.kind == "change" for span in self._studio.lexicon.spans(text))

    async def _commanded(self, a: Answering, name: str, argument: str) -> AsyncIterator[Event]:
        if name in _CHANGING and _foreign(a):
            yield self._presses.foreign(a)
            return
        match name:
            case "start":
                yield self._replies.greeted(a)
            case "settings":
                yield await self._presses.settings(a)
            case "compose" if argument:
                async for event in self._songs.composed(a, argument):
                    yield event
            case "compose":
                yield self._replies.said(a, "compose-what")
            case "new":
                await self._library.begin_conversation(*a.message.place, a.message.id, _alone(a.message))
                yield self._replies.said(a, "new-begun")
            case "library":
                yield await self._replies.listed(a, argument)
            case "open" if linked := await self._linked(argument):
                yield await self._presses.copied(replace(a, version=linked))
            case "open" if re.fullmatch(r"[\w-]*[A-Za-z_-][\w-]*", argument):
                yield self._replies.said(a, "link-gone")
            case "open":
                yield await self._replies.opened(a, argument)
            case "cancel":  # it was edited into that
                yield self._replies.said(a, "cancel-nothing")
            case "undo":
                yield await self._replies.undone(a)
            case "delete":
                yield await self._replies.deleted(a, argument)
            case "compare" if a.version:
                yield await self._replies.compared(a, a.version, argument)
            case "remake" if a.version and a.version.brief.source:
                yield self._replies.said(a, "edit-imported")
            case "remake" if a.version:
                async for event in self._songs.composed(a, a.version.brief.text, a.version, a.version.score.seed):
                    yield event
            case "title" if a.version and argument:
                async for event in self._songs.edited(a, a.version, (SetTitle(one_line(argument, 120)),), argument):
                    yield event
            case "remake" | "title" | "compare":
                yield self._replies.said(a, "nothing-to-change" if a.version is None else "title-what")
            case "help":
                yield self._replies.helped(a)
            case _:
                yield self._replies.said(a, "command-unknown", name=argument)

    async def _pressed(self, a: Answering) -> AsyncIterator[Event]:
        button = pressed(a.message.press or "")
        if button.name == "first":
            async for event in self._songs.composed(a, self._words.say(a.locale, "first-song")):
                yield event
            return
        if _foreign(a) and button.name not in HARMLESS:
            yield self._presses.foreign(a)
            return
        if a.version is None:
            answer = await self._presses.answer(a, button)
            yield answer or self._replies.gone(a)
            return
        if button.name in ("reword", "rewrite") and button.argument.isdecimal():
            words = await self._people.words(*a.message.place, int(button.argument))
            reworded = button.name == "reword"
            made = self._songs.revised(a, a.version, words) if reworded else self._songs.composed(a, words)
            async for event in made:
                yield event
            return
        if edits := _edits(button):
            changed = self._label(button, a.locale)
            async for event in self._songs.edited(a, a.version, edits, changed):
                yield event
            return
        match button.name:
            case "undo":
                yield await self._replies.undone(a)
            case "again":
                label = self._words.say(a.locale, "button-again")
                async for event in self._songs.recomposed(a, a.version, Changes((), None, again=True), label):
                    yield event
            case "stems":
                async for event in self._songs.stems(a, a.version):
                    yield event
            case _:
                yield await self._presses.answer(a, button) or self._replies.gone(a)

    def _label(self, button: Pressed, locale: str) -> str:
        """What a button changes, as its listener reads it."""
        label = self._words.say(locale, f"button-{button.name}")
        role, _, instrument = button.argument.partition(".")
        what = {
            "play": lambda: self._words.name(locale, "instrument", instrument),
            "end": lambda: self._words.say(locale, f"ending-{role}"),
            "mute": lambda: self._words.say(locale, f"role-{role}"),
            "unmute": lambda: self._words.say(locale, f"role-{role}"),
        }
        return f"{label} {what[button.name]()}" if button.name in what else label

    async def _linked(self, argument: str) -> Version | None:
        """The song that a link opens; numbers are songs of this chat."""
        return await self._library.linked(argument) if argument and not argument.isdecimal() else None


def _head(path: Path) -> bytes:
    """The first bytes of a file; none where it cannot be read, which is told by whoever reads it."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError:
        return b""


def _edits(button: Pressed) -> tuple[Edit, ...]:
    """What a button changes; nothing where it is no such button."""
    role, _, choice = button.argument.partition(".")
    match button.name:
        case "play" if choice:
            return (SetInstrument(role, choice),)
        case "mute" if role:
            return (Mute(role),)
        case "unmute" if role:
            return (BringBack(role),)
        case "end" if role:
            return (SetEnding(role),)
    return BUTTONS.get(button.name, ())


def _foreign(a: Answering) -> bool:
    """Whether it is about somebody else's song in a group, which they have not opened to others."""
    version = a.version
    mine = version is None or version.owner == a.message.user or version.shared
    return not mine and a.message.group and not a.message.together


def _alone(message: Message) -> str | None:
    """Whose words are about their own song only."""
    return message.user if message.group and not message.together else None


def _reference(message: Message) -> str:
    """Eight letters that find the traceback in the log."""
    return f"{seed_of(*message.place, message.id) % 16**8:08x}"
