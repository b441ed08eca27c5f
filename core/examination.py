"""One thing that has to be there, and how to look whether it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """`code`: of the sentence that says how to mend it; "" where all is well. `found`: what there is."""

    found: str = ""
    code: str = ""
    values: dict[str, str] = field(default_factory=dict)
    needed: bool = True  # whether it cannot run without; else something is missing from songs


@dataclass(frozen=True, slots=True)
class Examination:
    """`name`: of the sentence that names it."""

    name: str
    look: Callable[[], Awaitable[Finding]]
