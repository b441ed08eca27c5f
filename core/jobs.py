"""A job: one message and what came of it so far, wherever it is worked on."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Literal

from pydantic import TypeAdapter

from core.events import Accepted, Done, Event, Failed, Stage, Text
from core.messages import Message

State = Literal["queued", "running", "done", "failed", "cancelled"]
OVER: frozenset[str] = frozenset({"done", "failed", "cancelled"})
SOON, USUAL = 1, 1000  # priorities: what answers at once goes before a long song
MOST_ATTEMPTS = 3
_ENOUGH = 5  # songs whose durations say something of the next

_KINDS: dict[str, type[Event]] = {"accepted": Accepted, "stage": Stage, "text": Text, "done": Done, "failed": Failed}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_ADAPTERS = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}
_MESSAGE = TypeAdapter(Message)


@dataclass(frozen=True, slots=True)
class Job:
    """`events`: all so far; the platform has shown the first `shown` of them. `accepted`: seconds since 1970."""

    id: str
    message: Message
    lane: str
    priority: int
    state: State
    events: tuple[Event, ...]
    shown: int
    attempts: int
    accepted: float

    @property
    def over(self) -> bool:
        return self.state in OVER


@dataclass(frozen=True, slots=True)
class Wait:
    """How a job stands in line. `place`: jobs before it; `usual` and `most`: seconds (p50, p90), None where unknown."""

    place: int = 0
    usual: float | None = None
    most: float | None = None


def estimate(place: int, at_once: int, durations: Sequence[float]) -> Wait:
    """From the measured durations of earlier songs; honest where there are too few of them."""
    if len(durations) < _ENOUGH:
        return Wait(place)
    cuts = statistics.quantiles(sorted(durations), n=10, method="inclusive")
    rounds = place // max(1, at_once)
    return Wait(place, round((rounds + 1) * cuts[4], 1), round(rounds * cuts[4] + cuts[8], 1))


def job_id(platform: str, chat: str, external: str) -> str:
    """The same update is the same job, however often it comes."""
    name = f"{chat} {external}".encode()
    return f"{platform}-{blake2b(name, digest_size=16).hexdigest()}"


def joined(earlier: Message, later: Message) -> Message:
    """A message that nobody has begun to answer, with another text (edited), or with further files (an album)."""
    if later.edited:
        return replace(earlier, text=later.text)
    new = tuple(file for file in later.files if file.source not in {each.source for each in earlier.files})
    return replace(earlier, text=earlier.text or later.text, files=(*earlier.files, *new))


def events_json(events: Sequence[Event]) -> str:
    return json.dumps([{"kind": _NAMES[type(event)], **asdict(event)} for event in events], ensure_ascii=False)


def events_of(text: str) -> tuple[Event, ...]:
    """Raises pydantic.ValidationError where the text is none of ours."""
    found: list[Event] = []
    for row in json.loads(text):
        found.append(_ADAPTERS[row.pop("kind")].validate_python(row))
    return tuple(found)


def message_json(message: Message) -> str:
    return _MESSAGE.dump_json(message).decode()


def message_of(text: str) -> Message:
    fields = json.loads(text)
    # Messages accepted before attachments had kinds name their files by path alone.
    fields["files"] = [{"source": file} if isinstance(file, str) else file for file in fields.get("files") or ()]
    return _MESSAGE.validate_python(fields)
