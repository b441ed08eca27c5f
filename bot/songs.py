"""Makes songs and changes them: what is kept is a version, and every version is shown on a card."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from bot.bringing import Brought
from bot.replies import MOST_TOLD, Answering, Replies
from bot.studio import Studio, Take
from core.brief.brief import Brief
from core.brief.completing import complete
from core.brief.reading import read
from core.brief.revising import Changes, changes
from core.editing.difference import difference
from core.editing.edits import Edit, Inapplicable
from core.events import Event
from core.library import NewVersion, Version
from core.localisation import Words
from core.messages import Message
from core.music.chance import seed_of
from core.music.score import Score
from core.ports import Library
from core.threads import in_thread

_DRAWS = 8  # tries at a variation that differs


class Songs:
    """`files`: the folder they are rendered into; `seed`: the first request's seed in each chat, or None to derive it
    from the message.
    """

    def __init__(
        self, studio: Studio, library: Library, replies: Replies, words: Words, files: Path, seed: int | None
    ) -> None:
        self._studio, self._library, self._replies, self._words = studio, library, replies, words
        self._files, self._seed = files, seed

    async def adopted(self, a: Answering, brought: Brought) -> AsyncIterator[Event]:
        """A song that somebody brought: rendered, kept, shown, and from then on a song like any other."""
        told = (
            *(self._words.problem(a.locale, problem) for problem in brought.told[:MOST_TOLD]),
            *self._words.remarks(a.locale, brought.remarks),
        )
        take = self._studio.render(brought.score, brought.brief, a.message, a.locale, self.folder(a))
        async for event in self._performed(a, take, None, brought.score.title, told):
            yield event

    async def composed(
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
            self._studio.compose(
                brief, seed, a.message, a.locale, self.folder(a), thread=thread_of(a.message), alone=a.alone
            ),
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

    async def revised(self, a: Answering, version: Version, text: str) -> AsyncIterator[Event]:
        wanted = changes(text, version.brief, self._studio.lexicon, self._studio.catalogue)
        cannot = self._words.remarks(a.locale, wanted.remarks)
        if wanted.empty:
            yield self._replies.done(a, "\n".join(cannot)) if cannot else self._replies.said(a, "change-unclear")
            return
        instant = wanted.ask is None and not wanted.again
        made = (
            self.edited(a, version, wanted.edits, text, cannot)
            if instant
            else self.recomposed(a, version, wanted, text)
        )
        async for event in made:
            yield event

    async def recomposed(self, a: Answering, version: Version, wanted: Changes, text: str) -> AsyncIterator[Event]:
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
        take = self._studio.compose(
            brief, seed, a.message, a.locale, self.folder(a), wanted.edits, thread_of(a.message), a.alone
        )
        async for event in self._unless_inapplicable(a, self._performed(a, take, version, text)):
            yield event

    async def _unless_inapplicable(self, a: Answering, events: AsyncIterator[Event]) -> AsyncIterator[Event]:
        try:
            async for event in events:
                yield event
        except Inapplicable as error:
            yield self._replies.said(a, error.code, **error.values)

    async def edited(
        self, a: Answering, version: Version, edits: tuple[Edit, ...], text: str, cannot: tuple[str, ...] = ()
    ) -> AsyncIterator[Event]:
        """`cannot`: what the words asked for besides and cannot be had."""
        try:
            score, brief = await in_thread(self._changed, version, edits, seed_of(*a.message.place, a.message.id, text))
        except Inapplicable as error:
            yield self._replies.said(a, error.code, **error.values)
            return
        take = self._studio.render(score, brief, a.message, a.locale, self.folder(a))
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
                event.files, (*told, *event.remarks), a.message.name, a.message.anonymous,
            )  # fmt: skip
            version = await self._library.keep(new)
            if parent and version.title != parent.title:
                await self._library.rename(version.piece, version.title)
            yield self._replies.card(a, version, version.told)

    async def stems(self, a: Answering, version: Version) -> AsyncIterator[Event]:
        """Each part by itself, rendered when it is first asked for."""
        stems = {name: file for name, file in version.files.items() if name.startswith("stem-")}
        if not stems:
            take = self._studio.render(version.score, version.brief, a.message, a.locale, self.folder(a), ("stems",))
            async for event in take:
                if not isinstance(event, Take):
                    yield event
                    continue
                stems = event.files
                await self._library.add_files(version, stems)
        yield self._replies.files(a, stems)

    def _changed(self, version: Version, edits: tuple[Edit, ...], seed: int) -> tuple[Score, Brief]:
        """What is drawn by chance, and happens to come out as it was, is drawn again. Raises Inapplicable."""
        for further in range(_DRAWS):
            try:
                return self._studio.edited(version.score, version.brief, edits, seed + further)
            except Inapplicable as error:
                if error.code != "edit-nothing-new" or further == _DRAWS - 1:
                    raise
        raise AssertionError

    def folder(self, a: Answering) -> Path:
        return self._files / folder_name(a.message.platform, a.message.chat) / str(a.message.id)


def folder_name(platform: str, chat: str) -> str:
    """A folder of its own for each chat, whatever its name holds."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "", chat)[:32]
    return f"{platform}-{plain}-{seed_of(platform, chat) % 1_000_000:06d}"


def thread_of(message: Message) -> str:
    return "/".join((*message.place, str(message.id)))
