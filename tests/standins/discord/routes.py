"""The shape of a route: a pattern, and what answers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.standins.discord.forms import Upload
from tests.standins.discord.world import Json

Answer = Json | list[Json] | None  # None is 204


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was read: `ids` are the route's placeholders in their order."""

    ids: tuple[str, ...]
    query: Mapping[str, str]
    body: Json
    many: list[Json] = field(default_factory=list)  # the body when it is a list
    uploads: Mapping[int, Upload] = field(default_factory=dict)


Handler = Callable[[Asked], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    pattern: re.Pattern[str]
    handler: Handler
    status: int
    bot: bool  # whether it wants the bot's token


def route(method: str, template: str, handler: Handler, status: int = 200, bot: bool = True) -> Route:
    """A route from a template such as `/channels/{}/messages`."""
    pattern = re.escape(template).replace(r"\{\}", "([^/]+)")
    return Route(method, re.compile(pattern), handler, status, bot)
