"""Answers words of somebody in distress with care, a plain question, and where help is; and who asks for a human."""

from __future__ import annotations

import re

from bot.replies import Answering
from core.events import Done, Event
from core.localisation import Words
from core.ports import Likeness, People
from core.routing.sensitive import Helpline, Matter, Sensitive, helplines

# Of 1 in 26 look-alikes and bleak images it says so falsely, of the suite never (scripts/train_distress.py, 5-fold).
LIKELY = 0.8
_RECENT = 3  # of their messages: whoever was answered with care is not answered with a song for a "yes"


class Care:
    """`known`: where help is; `country`: where most people there live, None where nobody said."""

    def __init__(
        self,
        sensitive: Sensitive,
        likeness: Likeness,
        known: tuple[Helpline, ...],
        people: People,
        words: Words,
        country: str | None,
    ) -> None:
        self._sensitive, self._likeness, self._known, self._people = sensitive, likeness, known, people
        self._words, self._country = words, country

    async def answer(self, a: Answering, text: str) -> Event | None:
        """None where the words are like any others."""
        matter = await self._matter(text) if text else None
        return self._caring(a, matter) if matter in ("self-harm", "danger") else None

    async def _matter(self, text: str) -> Matter | None:
        """By the table; and where it knows no such words, by their likeness to what people in distress write."""
        if (matter := self._sensitive.matter(text)) is not None:
            return matter
        distress, danger = await self._likeness.likely(text)
        if distress < LIKELY:
            return None
        return "danger" if danger > 0.5 else "self-harm"

    async def going_on(self, a: Answering, text: str) -> Event | None:
        """Words that ask for no music: an answer to the question that care asked; or a wish for a human."""
        if self._sensitive.matter(text) == "person":
            return self._said(a, "care-person")
        message = a.message
        earlier = await self._people.last_words(message.platform, message.chat, message.user, message.id, _RECENT)
        for words in earlier:
            matter = await self._matter(words)
            if matter in ("self-harm", "danger"):
                return self._caring(a, matter, again=True)
            if not _answers(words):
                return None
        return None

    def _caring(self, a: Answering, matter: Matter, again: bool = False) -> Done:
        say = self._words.say
        lines = [say(a.locale, f"care-again-{matter}" if again else f"care-{matter}")]
        found = helplines(self._known, matter, a.locale, self._country)
        lines += [
            say(a.locale, "care-line", country=line.place[a.locale], name=line.name, number=line.number)
            for line in found
        ]
        lines += [say(a.locale, "care-anywhere"), say(a.locale, "care-program")]
        text = "\n".join(lines)
        if not a.message.group:
            return Done(a.message.id, text, locale=a.locale)
        code = "care-group-link" if a.message.home else "care-group"
        short = say(a.locale, code, link=a.message.home.replace("{}", "hello"))
        return Done(a.message.id, short, locale=a.locale, private=text)

    def _said(self, a: Answering, code: str) -> Done:
        return Done(a.message.id, self._words.say(a.locale, code), locale=a.locale)


def _answers(words: str) -> bool:
    """Whether they are short enough to be part of that talk, and no request."""
    return len(words) < 80 and not re.match(r"\s*/", words)
