"""The words a request may hold, as one table: phrase -> what kind of thing it names, and which."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.brief.numbers import normalised
from core.music.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Span:
    """A phrase found in a text, and what it names."""

    start: int
    end: int
    kind: str
    value: str


class Lexicon:
    """Finds the longest phrases first, English and Chinese in one pass.

    English phrases match whole words, with a plural s; Chinese ones match anywhere.
    """

    def __init__(self, entries: Mapping[str, tuple[str, str]]) -> None:
        self.entries = entries
        phrases = sorted(entries, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_as_pattern, phrases)), re.IGNORECASE)

    def spans(self, text: str) -> list[Span]:
        found = []
        for match in self._pattern.finditer(text):
            kind, value = self._meaning(match[0].lower())
            found.append(Span(match.start(), match.end(), kind, value))
        return found

    def _meaning(self, phrase: str) -> tuple[str, str]:
        phrase = phrase.replace("-", " ")
        return next(self.entries[form] for form in (phrase, phrase[:-1], phrase[:-2]) if form in self.entries)


def _as_pattern(phrase: str) -> str:
    escaped = re.escape(phrase).replace(r"\ ", "[ -]")
    before = r"(?<![A-Za-z])" if phrase[0].isascii() else ""
    after = r"(?:e?s)?(?![A-Za-z])" if phrase[-1].isascii() and phrase[-1].isalpha() else ""
    return before + escaped + after


def lexicon_of(catalogue: Catalogue, words: Mapping[str, Mapping[str, Mapping[str, list[str]]]]) -> Lexicon:
    """Instruments, genres, moods and forms by their names in both languages, and the further words.

    Where two kinds claim a phrase, the more particular one has it: instrument, form, genre, mood, others.
    """
    entries: dict[str, tuple[str, str]] = {}

    def add(kind: str, value: str, *lists: tuple[str, ...] | list[str]) -> None:
        for phrases in lists:
            for phrase in phrases:
                entries.setdefault(normalised(str(phrase)).lower().replace("-", " "), (kind, value))

    for name, instrument in catalogue.instruments.items():
        add("instrument", name, (name,), instrument.en, instrument.zh)
    for kind, values in words.items():
        for value, languages in values.items():
            add(kind, value, *languages.values())
    for kind, table in (("form", catalogue.forms), ("genre", catalogue.styles), ("mood", catalogue.moods)):
        for name, entry in table.items():  # type: ignore[attr-defined]
            add(kind, name, (name,), entry.en, entry.zh)
    return Lexicon(entries)
