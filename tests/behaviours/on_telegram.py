"""How tests write to the program on Telegram, and what they wait to see there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.behaviours.served import Serve
from tests.standins.telegram.standin import Telegram
from tests.standins.telegram.values import Seen

SOON, SONG = 25.0, 60.0


@contextmanager
def serving(telegram: Telegram, data: Path, formats: str | None = None, **settings: str) -> Iterator[Serve]:
    """The program, whose log is as talkative as can be. In the end no limit was exceeded, and no token told."""
    settings = {
        "TUNESMITH_TELEGRAM_TOKEN": telegram.token, "TUNESMITH_TELEGRAM_URL": telegram.url,
        "TUNESMITH_LOG_LEVEL": "DEBUG", **settings,
    }  # fmt: skip
    with Serve(data, formats=formats, **settings) as served:
        yield served
    assert telegram.exceeded == []
    assert telegram.early == []
    assert telegram.token not in "\n".join(served.lines)


def ann(telegram: Telegram, language: str = "en") -> int:
    """Somebody new; their id is that of their chat, too."""
    return telegram.private(telegram.person("Ann", language))


def cards(telegram: Telegram, chat: int, topic: int | None = None) -> list[Seen]:
    return [seen for seen in telegram.bot_messages(chat, topic) if seen.text.startswith("♪")]


def card(telegram: Telegram, chat: int, number: int = 1, topic: int | None = None) -> Seen:
    """The n-th song in a chat, waited for."""
    return telegram.until(lambda: cards(telegram, chat, topic)[number - 1], SONG)


def said(telegram: Telegram, chat: int, words: str) -> Seen:
    """A message of the bot's that holds the words, waited for."""
    return telegram.until(lambda: first(s for s in telegram.bot_messages(chat) if words in s.text), SOON)


def labels(seen: Seen) -> list[str]:
    return [label for row in seen.buttons for label, _ in row]


def first(found: Iterator[Seen]) -> Seen:
    """The first of them; where there is none yet, `until` waits for it."""
    for seen in found:
        return seen
    raise LookupError
