"""The words a request may hold, as one table: phrase -> what kind of thing it names, and which."""

from __future__ import annotations

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

    English phrases match whole words, with a plural s; Chinese ones match anywhere. Phrases are kept by
    their first two letters: one alternation of all of them would cost a quarter of a second to compile.
    """

    def __init__(self, entries: Mapping[str, tuple[str, str]]) -> None:
        self.entries = entries
        self._by_start: dict[str, list[str]] = {}
        for phrase in sorted(entries, key=len, reverse=True):
            self._by_start.setdefault(phrase[:2], []).append(phrase)

    def spans(self, text: str) -> list[Span]:
        plain = _lowered(text)
        found: list[Span] = []
        at = 0
        while at < len(plain):
            span = self._longest(plain, at)
            if span:
                found.append(span)
            at = span.end if span else at + 1
        return found

    def _longest(self, text: str, at: int) -> Span | None:
        if text[at].isspace() or (_latin(text[at]) and at > 0 and _latin(text[at - 1])):
            return None
        for start in (text[at : at + 2], text[at]):
            for phrase in self._by_start.get(start, ()):
                if text.startswith(phrase, at) and (end := _word_end(text, at + len(phrase))) is not None:
                    return Span(at, end, *self.entries[phrase])
        return None


def _lowered(text: str) -> str:
    """Letter for letter in lower case, hyphens as spaces: places stay what they are."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text).replace("-", " ")


def _latin(character: str) -> bool:
    return character.isascii() and character.isalpha()


def _word_end(text: str, end: int) -> int | None:
    """Where the word that ends here ends with its plural; None inside of a longer word."""
    if not _latin(text[end - 1]):
        return end
    for plural in ("", "s", "es"):
        stop = end + len(plural)
        if text.startswith(plural, end) and (stop == len(text) or not _latin(text[stop])):
            return stop
    return None


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
        for name, entry in table.items():
            add(kind, name, (name,), entry.en, entry.zh)
    return Lexicon(entries)
