"""How tests write to the program on Discord, and what they wait to see there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tests.behaviours.served import Serve
from tests.standins.discord.seen import Seen
from tests.standins.discord.standin import Discord

SOON, SONG = 25.0, 60.0
T = TypeVar("T")


def settings(discord: Discord) -> dict[str, str]:
    return {"TUNESMITH_DISCORD_TOKEN": discord.token, "TUNESMITH_DISCORD_URL": discord.base}


@contextmanager
def serving(discord: Discord, data: Path, formats: str | None = None, **more: str) -> Iterator[Serve]:
    """The program, whose log is as talkative as can be. In the end no limit was exceeded, nobody pinged, and no token
    told.
    """
    told = {**settings(discord), "TUNESMITH_LOG_LEVEL": "DEBUG", **more}
    with Serve(data, formats=formats, **told) as served:
        discord.until(lambda: discord.commands, SOON)
        yield served
    assert discord.exceeded == []
    assert discord.pings == []
    assert discord.unanswered == []
    assert discord.token not in "\n".join(served.lines)


@dataclass
class Room:
    """Somebody in a channel of their own server, or in private."""

    discord: Discord
    name: str = "Ann"
    private: bool = False
    locale: str = "en-US"
    limit: int | None = None
    user: str = ""
    guild: str = ""
    channel: str = ""
    others: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.user = self.user or self.discord.user(self.name, self.locale)
        if self.private:
            self.channel = self.discord.dm(self.user)
        elif not self.channel:
            self.guild = self.discord.guild("Band", self.user, *self.others, filesize_limit=self.limit)
            self.channel = self.discord.channel(self.guild, "music")

    def until(self, found: Callable[[], T], seconds: float = SOON) -> T:
        return self.discord.until(found, seconds, self.channel)

    def ours(self) -> list[Seen]:
        """The bot's messages, those that only this person sees as well."""
        found = self.discord.messages(self.channel, as_user=self.user)
        return [seen for seen in found if seen.author == self.discord.application_id]

    def cards(self) -> list[Seen]:
        return [seen for seen in self.ours() if seen.embeds]

    def card(self, number: int = 1) -> Seen:
        """The n-th song, waited for."""
        self.until(lambda: len(self.cards()) >= number, SONG)
        return self.cards()[number - 1]

    def said(self, words: str) -> Seen:
        """A message of the bot's that holds the words, waited for."""
        return self.until(lambda: next((s for s in self.ours() if words in text(s)), None)) or self.ours()[0]

    def now(self, seen: Seen) -> Seen:
        return next(each for each in self.ours() if each.id == seen.id)

    def slash(self, command: str, /, **options: object) -> None:
        self.discord.slash(self.channel, self.user, command, **options)

    def write(self, words: str, **more: object) -> str:
        """Says it to the bot: in a server by naming it."""
        named = words if self.private else f"{self.discord.mention} {words}"
        return self.discord.write(self.channel, self.user, named, **more)  # type: ignore[arg-type]

    def click(self, seen: Seen, label: str) -> None:
        self.discord.click(self.channel, self.user, seen.id, label)

    def menu(self, seen: Seen) -> Seen:
        """The card with all that can be done."""
        self.click(seen, "More …")
        return self.until(lambda: self.now(seen) if self.now(seen).selects else None) or seen

    def choose(self, seen: Seen, label: str) -> None:
        self.discord.choose(self.channel, self.user, seen.id, self.now(seen).selects[0].custom_id, label)


def text(seen: Seen) -> str:
    """All the words of a message."""
    parts = [seen.content]
    for embed in seen.embeds:
        parts += [str(embed.get("title", "")), str(embed.get("description", ""))]
    return "\n".join(part for part in parts if part)


def labels(seen: Seen) -> list[str]:
    return [button.label for button in seen.buttons] + [o.label for select in seen.selects for o in select.options]
