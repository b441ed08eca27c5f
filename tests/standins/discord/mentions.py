"""Whom a message of the bot's would ping."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.standins.discord.world import Json

EVERYONE = re.compile(r"@(?:everyone|here)")
PERSON = re.compile(r"<@!?(\d+)>")
ROLE = re.compile(r"<@&(\d+)>")


def pinged(text: str, allowed: Json | None) -> Iterator[str]:
    """The mentions in a text that `allowed_mentions` lets through; without it Discord lets all through."""
    for pattern, kind in ((EVERYONE, "everyone"), (PERSON, "users"), (ROLE, "roles")):
        for found in pattern.finditer(text):
            if allowed is None or kind in (allowed.get("parse") or []) or _listed(found, allowed.get(kind)):
                yield found[0]


def _listed(found: re.Match[str], ids: object) -> bool:
    return isinstance(ids, list) and bool(found.groups()) and found[1] in map(str, ids)


def pings_replied(allowed: Json | None) -> bool:
    """Whether a reply notifies the author of what it replies to."""
    return allowed is None or bool(allowed.get("replied_user"))
