"""Faults on demand: answers that fail, connections that drop."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Fault:
    """For the next `times` calls whose `METHOD /path` the pattern finds; a drop is a fault without a status."""

    route: re.Pattern[str]
    times: int
    status: int | None = None
    code: int = 0
    retry_after: float | None = None
    after: bool = False
    everywhere: bool = False  # a global hold


@dataclass
class Faults:
    waiting: list[Fault] = field(default_factory=list)

    def take(self, route: str) -> Fault | None:
        """The fault that this call meets, the one asked for first."""
        for fault in self.waiting:
            if fault.times > 0 and fault.route.search(route):
                fault.times -= 1
                return fault
        return None
