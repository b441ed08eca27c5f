"""The intent rules: a table, tried from top to bottom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.brief.numbers import normalised

Intent = Literal["compose", "revise", "undo", "library", "help", "question", "small talk"]
Phrases = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """See config/intents.yaml. Empty conditions hold always."""

    intent: Intent
    words: Phrases | None = None
    start: Phrases | None = None
    not_: Phrases | None = None
    when: Literal["song", "none"] | None = None
    musical: bool | None = None
    changing: bool | None = None


def read_rules(rows: list[dict[str, object]]) -> tuple[Rule, ...]:
    """Rules from the table's rows. Raises TypeError on an unknown condition."""
    return tuple(Rule(**{("not_" if key == "not" else key): value for key, value in row.items()}) for row in rows)  # type: ignore[arg-type]


class Router:
    """Says what a message wants. Rules first; a model when unsure comes with the language models."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = [
            (rule, _pattern(rule.words), _pattern(rule.start, start=True), _pattern(rule.not_)) for rule in rules
        ]

    def intent(self, text: str, has_song: bool, musical: bool, changing: bool = False) -> Intent:
        """`musical`: whether the words name something a brief can hold (a genre, a key, a mood …).

        `changing`: whether they name a change of the song that is there.
        """
        plain = normalised(text).lower()
        for rule, words, start, not_ in self._rules:
            if rule.when and (rule.when == "song") != has_song:
                continue
            if rule.musical is not None and rule.musical != musical:
                continue
            if rule.changing is not None and rule.changing != changing:
                continue
            if words and not words.search(plain):
                continue
            if start and not start.match(plain):
                continue
            if not_ and not_.search(plain):
                continue
            return rule.intent
        return "compose"


def _pattern(phrases: Phrases | None, start: bool = False) -> re.Pattern[str] | None:
    if not phrases:
        return None
    forms = []
    for phrase in (p for group in phrases.values() for p in group):
        word = re.escape(normalised(phrase).lower())
        if phrase[0].isascii() and phrase[0].isalnum():
            word = r"(?<![a-z])" + word
        if phrase[-1].isascii() and phrase[-1].isalnum():
            word += r"(?![a-z])"
        forms.append(word)
    joined = "|".join(forms)
    return re.compile(rf"\W*(?:{joined})" if start else joined)
