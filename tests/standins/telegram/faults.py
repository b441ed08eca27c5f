"""What goes wrong on purpose: refusals, lost connections, silence."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal


@dataclass
class Fault:
    """A mishap planned for the next `times` calls of a method; a pattern such as `send*` fits several."""

    pattern: str
    kind: Literal["fail", "drop", "stall"]
    times: int
    chat: int | None = None
    status: int = 500
    retry_after: int | None = None
    description: str | None = None
    after: bool = False  # the work is done all the same

    def fits(self, method: str, chat: int | None) -> bool:
        return self.times > 0 and fnmatchcase(method, self.pattern) and self.chat in (None, chat)


@dataclass
class Faults:
    """The planned mishaps in order, and which chats were told to wait until when."""

    planned: list[Fault] = field(default_factory=list)
    quiet: dict[int, float] = field(default_factory=dict)

    def take(self, method: str, chat: int | None, now: float) -> Fault | None:
        """The mishap that this call meets, used up by it."""
        for fault in self.planned:
            if fault.fits(method, chat):
                fault.times -= 1
                if fault.retry_after is not None and chat is not None:
                    self.quiet[chat] = now + fault.retry_after
                return fault
        return None

    def too_early(self, chat: int | None, now: float) -> float:
        """How many seconds a call came before its chat's pause was over."""
        return max(0.0, self.quiet.get(chat, 0.0) - now) if chat is not None else 0.0
