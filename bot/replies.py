"""What is said and shown without composing: sentences, song cards and the library's commands."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from core import cards, commands
from core.editing.difference import difference
from core.editing.edits import ChangeBars, Density, Edit, Reharmonise, ScaleTempo, Transpose, Vary
from core.errors import TunesmithError
from core.events import Button, Done, Event, Failed, Form
from core.library import KeptFile, Piece, Version
from core.localisation import Words
from core.messages import Message
from core.notation.problems import UnreadableNotation
from core.plain import one_line
from core.ports import Files, Library

# What a button does; `again` and `undo` are the conversation's own.
BUTTONS: dict[str, tuple[Edit, ...]] = {
    "vary": (Vary(),), "slower": (ScaleTempo(0.88),), "faster": (ScaleTempo(1.12),), "down": (Transpose(-2),),
    "up": (Transpose(2),), "longer": (ChangeBars(8),), "shorter": (ChangeBars(-8),),
    "fewer": (Density(more=False),), "busier": (Density(more=True),), "simpler": (Reharmonise("simpler"),),
    "richer": (Reharmonise("richer"),),
}  # fmt: skip
_ON_CARD = (*BUTTONS, "again")
_PAGE = 8  # songs on one page of the library
MOST_TOLD = 5  # problems of written music that one message lists


@dataclass(frozen=True, slots=True)
class Answering:
    """One message with what is known about it."""

    message: Message
    locale: str
    version: Version | None  # the song it speaks of
    begun: float
    replied: bool = False  # whether it is the song on the message that this one replies to
    told: tuple[str, ...] = ()  # what is said beside the answer
    alone: bool = False  # it is composed in a process apart


class Replies:
    """Finished events: each method answers its message to the end."""

    def __init__(self, library: Library, kept: Files, words: Words) -> None:
        self._library, self._kept, self._words = library, kept, words

    def failed(self, message: Message, locale: str, error: TunesmithError) -> Failed:
        return Failed(message.id, error.code, self._words.say(locale, error.code, **error.values))

    def unreadable(self, error: UnreadableNotation, locale: str) -> str:
        """The first problems with their places, and how to go on."""
        problems, say = error.problems, self._words.say
        lines = [f"• {self._words.problem(locale, problem)}" for problem in problems[:MOST_TOLD]]
        if len(problems) > MOST_TOLD:
            lines.append(say(locale, "notation-more", count=len(problems) - MOST_TOLD))
        return "\n".join([say(locale, "notation-unreadable"), *lines, say(locale, "notation-mend")])

    def card(self, a: Answering, version: Version, remarks: tuple[str, ...] = ()) -> Done:
        words, score, brief = self._words, version.score, version.brief
        if a.message.group and version.by:
            code = "card-turn" if version.parent else "card-begun"
            remarks = (*remarks, words.say(a.locale, code, name=version.by, change=version.change[:80]))
        text = cards.song_text(score, brief, version.rating, (*remarks, *a.told), words, a.locale)
        names: tuple[str, ...] = (*BUTTONS,) if brief.source else _ON_CARD
        names = (*names, "undo") if version.parent else names
        buttons = tuple(
            Button(f"{name}:{version.piece}:{version.number}", words.say(a.locale, f"button-{name}")) for name in names
        )
        return Done(
            a.message.id, text, version.piece, version.number, version.title, cards.brief_json(brief, score.seed),
            None if brief.source else version.rating,
            {name: file.path for name, file in version.files.items()}, buttons, round(time.perf_counter() - a.begun, 3),
            length=round(score.seconds, 1), locale=a.locale,
        )  # fmt: skip

    def files(self, a: Answering, kept: dict[str, KeptFile]) -> Done:
        """Files that somebody asked for."""
        assert a.version is not None
        if not kept:
            return self.said(a, "files-none")
        files = {name: file.path for name, file in kept.items()}
        text = self._words.say(a.locale, "files-of", title=a.version.title)
        return Done(a.message.id, text, a.version.piece, a.version.number, files=files, form="files", locale=a.locale)

    def helped(self, a: Answering) -> Event:
        say = self._words.say
        lines = [f"/{c.name} – {say(a.locale, f'command-{c.name}')}" for c in commands.COMMANDS]
        return self.done(a, "\n".join([say(a.locale, "help"), *lines]), buttons=self._begin(a))

    def rewritten(self, a: Answering) -> Event:
        """Somebody changed the words of a request that is a song by now: both that can be meant are one tap away."""
        assert a.version is not None
        song = f"{a.version.piece}:{a.version.number}:{a.message.id}"
        buttons = tuple(
            Button(f"{name}:{song}", self._words.say(a.locale, f"button-{name}")) for name in ("reword", "rewrite")
        )
        words = one_line(a.message.text, 80)
        return self.done(a, self._words.say(a.locale, "edited-offer", words=words), buttons=buttons)

    def greeted(self, a: Answering) -> Event:
        """The first words to somebody, with a first song one tap away."""
        return self.done(a, self._words.say(a.locale, "start"), buttons=self._begin(a))

    def _begin(self, a: Answering) -> tuple[Button, ...]:
        return (Button("first", self._words.say(a.locale, "button-first")),)

    async def reacted(self, a: Answering) -> Event:
        message = a.message
        version = await self._library.version_on(*message.place, message.on) if message.on is not None else None
        if version is None:
            return self.said(a, "reaction-no-card")
        emoji = message.reaction or ""
        if emoji.startswith("-") or not emoji:
            await self._library.react(version, message.user, None, only=emoji[1:] or None)
            return self.said(a, "reaction-taken-back")
        await self._library.react(version, message.user, emoji)
        return self.said(a, "reaction-kept")

    async def listed(self, a: Answering, words: str = "", page: int = 0, form: Form = "message") -> Event:
        """A page of the library; with `words`, of what holds them."""
        found = await self._library.pieces(*a.message.place, words, _PAGE + 1, page * _PAGE)
        pieces, more = found[:_PAGE], len(found) > _PAGE
        say = self._words.say
        if not pieces:
            return self.done(a, say(a.locale, "library-none", words=words) if words else say(a.locale, "library-empty"))
        lines = [say(a.locale, "library-found", words=words) if words else say(a.locale, "library-head")]
        lines += [f"{p.id}. {p.title} (v{p.versions}) – {p.summary[:60]}" for p in pieces]
        buttons = [
            Button(f"open:{p.id}:{p.versions}", f"{p.id}. {p.title}"[:40], row // 2) for row, p in enumerate(pieces)
        ]
        for there, to, label in ((page > 0, page - 1, "button-newer"), (more, page + 1, "button-older")):
            if there:
                buttons.append(Button(f"songs:0:0:{to} {words}"[:60].rstrip(), say(a.locale, label), _PAGE))
        return self.done(a, "\n".join([*lines, say(a.locale, "library-foot")]), form, tuple(buttons))

    async def deleted(self, a: Answering, argument: str) -> Event:
        """A song with all its versions, and its files where no other song shares them."""
        piece = await self._piece(a, argument)
        if piece and a.message.group and piece.owner != a.message.user:
            return self.said(a, "delete-not-yours", title=piece.title)
        gone = await self._library.forget(piece.id, *a.message.place) if piece else None
        if piece is None or gone is None:
            return self.said(a, "delete-which")
        await self._kept.forget(gone)
        return self.said(a, "delete-done", title=piece.title)

    async def opened(self, a: Answering, argument: str) -> Event:
        """A song of this chat by its number."""
        piece = await self._piece(a, argument)
        version = await self._library.version(piece.id, piece.versions, *a.message.place) if piece else None
        return await self.shown(a, version) if version else self.said(a, "open-which")

    async def _piece(self, a: Answering, argument: str) -> Piece | None:
        """The song of this chat whose number the words hold."""
        number = re.fullmatch(r"(?:.*\s)?\W*(\d{1,9})\W*", argument)
        return await self._library.piece(int(number[1]), *a.message.place) if number else None

    async def compared(self, a: Answering, version: Version, argument: str) -> Event:
        """What differs from another version, the one before it by default."""
        number = int(argument) if argument.isdecimal() and len(argument) < 9 else version.parent or 0
        other = await self._library.version(version.piece, number, *a.message.place)
        if other is None or other.number == version.number:
            return self.said(a, "compare-which")
        told = self._words.remarks(a.locale, difference(other.score, version.score))
        head = self._words.say(a.locale, "compare-head", before=other.number, after=version.number)
        return self.done(a, "\n".join([head, *(told or (self._words.say(a.locale, "compare-same"),))]))

    async def undone(self, a: Answering) -> Event:
        if a.version is None:
            return self.said(a, "nothing-to-undo")
        if a.version.parent is None:
            return self.said(a, "undo-first")
        version = await self._library.version(a.version.piece, a.version.parent, *a.message.place)
        return await self.shown(a, version) if version else self.said(a, "undo-first")

    async def shown(self, a: Answering, version: Version) -> Event:
        await self._library.show_again(version, *a.message.place, a.message.id)
        return self.card(a, version)

    def gone(self, a: Answering) -> Done:
        return self.done(a, self._words.say(a.locale, "button-gone"), "notice")

    def said(self, a: Answering, code: str, **values: object) -> Done:
        return self.done(a, self._words.say(a.locale, code, **values))

    def done(
        self,
        a: Answering,
        text: str,
        form: Form = "message",
        buttons: tuple[Button, ...] = (),
        title: str | None = None,
    ) -> Done:
        seconds = round(time.perf_counter() - a.begun, 3)
        text = "\n".join([text, *a.told])
        return Done(a.message.id, text, title=title, buttons=buttons, seconds=seconds, form=form, locale=a.locale)
