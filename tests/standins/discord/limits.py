"""Discord's rate limits: fixed windows, announced in the headers of every answer."""

from __future__ import annotations

import hashlib
import math
import re
import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rule:
    """`count` calls in `seconds` for each value of the route's group, its major parameter."""

    name: str
    route: re.Pattern[str]
    count: int
    seconds: float


def _rule(name: str, route: str, count: int, seconds: float) -> Rule:
    return Rule(name, re.compile(route), count, seconds)


RULES = (
    _rule("messages", r"POST /channels/(\d+)/messages$", 5, 5.0),
    _rule("edits", r"PATCH /channels/(\d+)/messages/\d+$", 5, 5.0),
    _rule("reactions", r"(?:PUT|DELETE) /channels/(\d+)/messages/\d+/reactions/", 1, 0.25),
    _rule("webhook", r"[A-Z]+ /webhooks/\d+/([^/]+)", 5, 5.0),
)
GLOBAL = 50  # calls a second
OUTSIDE_GLOBAL = re.compile(r"[A-Z]+ /(?:interactions|webhooks)/")


@dataclass
class Window:
    left: int
    ends: float  # by time.monotonic()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a call may pass; the headers it is answered with; how long to wait if not."""

    headers: dict[str, str]
    wait: float | None = None
    everywhere: bool = False


@dataclass
class Limits:
    """The windows of one bot."""

    on: bool = True
    exceeded: list[str] = field(default_factory=list)
    _held: dict[str, float] = field(default_factory=dict)  # until when, by what is held; "" is everything
    _windows: dict[tuple[str, str], Window] = field(default_factory=dict)
    _latest: list[float] = field(default_factory=list)

    def take(self, route: str) -> Verdict:
        """Count a call, `METHOD /path`."""
        if not self.on:
            return Verdict({})
        now = time.monotonic()
        if not OUTSIDE_GLOBAL.match(route):
            self._latest = [at for at in self._latest if at > now - 1]
            if len(self._latest) >= GLOBAL:
                self.exceeded.append(f"{route} (global)")
                return refusal(self._latest[0] + 1 - now, everywhere=True)
            self._latest.append(now)
        for rule in RULES:
            if found := rule.route.match(route):
                return self._count(rule, found[1], route, now)
        return Verdict({})

    def hold(self, route: str, seconds: float, everywhere: bool = False) -> None:
        """Refused with 429: until then every further call of its kind is, too, and counts as one too many."""
        self._held["" if everywhere else _kind(route)] = time.monotonic() + seconds

    def held(self, route: str) -> Verdict | None:
        for kind, until in self._held.items():
            left = until - time.monotonic()
            mine = kind == _kind(route) or (not kind and not OUTSIDE_GLOBAL.match(route))
            if left > 0 and mine:
                self.exceeded.append(f"{route} (in a hold)")
                return refusal(left, everywhere=not kind)
        return None

    def _count(self, rule: Rule, major: str, route: str, now: float) -> Verdict:
        window = self._windows.get((rule.name, major))
        if window is None or window.ends <= now:
            window = self._windows[rule.name, major] = Window(rule.count, now + rule.seconds)
        over = window.left == 0
        window.left = max(0, window.left - 1)
        wait = window.ends - now
        headers = {
            "X-RateLimit-Limit": str(rule.count),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Reset-After": f"{math.ceil(wait * 1000) / 1000:.3f}",
            "X-RateLimit-Bucket": hashlib.md5(rule.name.encode()).hexdigest(),
        }
        if not over:
            return Verdict(headers)
        self.exceeded.append(f"{route} ({rule.name})")
        late = refusal(wait)
        return Verdict(headers | late.headers | {"X-RateLimit-Scope": "user"}, late.wait)


def _kind(route: str) -> str:
    """The method and the template with its major parameter: calls that one bucket counts."""
    method, _, path = route.partition(" ")
    first, major, *rest = path.strip("/").split("/")
    return " ".join([method, first, major, *("{}" if part.isdecimal() else part for part in rest)])


def refusal(wait: float, everywhere: bool = False) -> Verdict:
    """A 429; without the Via header clients take it for a ban by Cloudflare."""
    wait = math.ceil(wait * 1000) / 1000
    headers = {"Via": "1.1 google", "Retry-After": str(math.ceil(wait))}
    if everywhere:
        headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    return Verdict(headers, wait, everywhere)
