"""One budget of outgoing calls for a whole platform: what must be said goes first, what is only pretty is dropped."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum

from core.errors import Flooded
from core.ports import Pace

_MINUTE = 61.0  # a little longer, as calls take different times on their way
_LONG = 180.0  # seconds of silence that a platform may ask for before we give up for now
_SOON = 0.001  # seconds; times are compared, and rounding must not let anybody through
_YOUNG = 5.0  # seconds after the start
_MANY = 5_000  # chats that are remembered before the quiet ones are forgotten


class Urgency(IntEnum):
    """In which order calls go out. A bubble's first words come before anybody's result: they are one call each."""

    FIRST = 0
    RESULT = 1
    FILE = 2
    EDIT = 3


@dataclass
class _Chat:
    free: float = 0.0  # when the chat has been quiet as long as its calls so far need
    edits: float = 0.0  # when the next edit that is only pretty may
    held: float = 0.0  # the platform wants silence until then
    minute: deque[float] = field(default_factory=deque)  # a group's calls of the last minute


@dataclass(order=True)
class _Waiting:
    urgency: int
    number: int
    chat: str = field(compare=False)
    group: bool = field(compare=False)
    calls: int = field(compare=False)
    granted: asyncio.Future[None] = field(compare=False)


class Pacer:
    """`clock` gives seconds that only grow."""

    def __init__(self, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace, self._clock = pace, clock
        self._chats: dict[str, _Chat] = {}
        self._begun = clock()
        self._flying = 0  # calls that are not answered yet
        self._calls: deque[float] = deque()  # when those of the last second were answered, all chats
        self._waiting: list[_Waiting] = []
        self._numbers = itertools.count()
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, chat: str, group: bool, urgency: Urgency, calls: int = 1) -> AsyncIterator[Callable[[], None]]:
        """Entered when the call may go, left when it has been answered, or what it gives says so before; an album is as
        many `calls` as it has files.

        Raises Flooded where the platform wants minutes of silence there.
        """
        silence = self._of(chat).held - self._clock()
        if silence > _LONG:
            raise Flooded(silence)
        granted = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, _Waiting(urgency, next(self._numbers), chat, group, calls, granted))
        self._pump()
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self.answered(calls)
            raise
        flying = True

        def back() -> None:
            nonlocal flying
            if flying:
                flying = False
                self.answered(calls)

        try:
            yield back
        finally:
            back()

    def answered(self, calls: int = 1) -> None:
        """A call has come back. The platform saw it at some time before: it counts for a second from now."""
        self._flying -= calls
        self._calls.extend([self._clock()] * calls)
        self._pump()

    def spare(self, chat: str, group: bool) -> float:
        """0 where an edit that is only pretty may go now, to be told of when it is `answered`; else the seconds until
        it might.
        """
        now = self._clock()
        state = self._of(chat)
        soonest = max(self._soonest(state, group, 1, now), state.free, state.edits, self._anywhere(1, now))
        if self._waiting:  # whoever waits comes first; then half of the budget stays for those to come
            soonest = max(soonest, now + 1.0)
        elif self._flying + len(self._calls) > self._pace.total / 2:
            soonest = max(soonest, now + 0.5)
        if soonest > now:
            return soonest - now
        self._count(state, group, 1, now)
        return 0.0

    def hold(self, chat: str, seconds: float) -> None:
        """The platform wants silence in that chat, and only there."""
        state = self._of(chat)
        state.held = max(state.held, self._clock() + seconds)

    def _of(self, chat: str) -> _Chat:
        if len(self._chats) > _MANY:
            now = self._clock()
            quiet = [name for name, state in self._chats.items() if max(state.free, state.held) < now - _MINUTE]
            for name in quiet:
                del self._chats[name]
        if chat not in self._chats:
            # The process before us may have written there just now: nothing comes right behind another at first.
            young = self._clock() - self._begun < _YOUNG
            self._chats[chat] = _Chat(free=self._clock() + self._pace.private if young else 0.0)
        return self._chats[chat]

    def _soonest(self, state: _Chat, group: bool, calls: int, now: float) -> float:
        """When the next calls may go in a chat: one may come right behind another, as what is meant is the average."""
        soonest = max(state.free - self._pace.private, state.held)
        if group:
            while state.minute and state.minute[0] <= now - _MINUTE:
                state.minute.popleft()
            surplus = len(state.minute) + calls - self._pace.group_minute
            if surplus > 0:
                soonest = max(soonest, state.minute[min(surplus, len(state.minute)) - 1] + _MINUTE, now + _SOON)
        return soonest

    def _anywhere(self, calls: int, now: float) -> float:
        """When the whole budget has room; where only answers can make it, in a while, and sooner when one comes."""
        while self._calls and self._calls[0] <= now - 1.0:
            self._calls.popleft()
        surplus = self._flying + len(self._calls) + calls - int(self._pace.total)
        if surplus <= 0 or not self._flying + len(self._calls):
            return now
        room = self._calls[min(surplus, len(self._calls)) - 1] + 1.0 if self._calls else now + 1.0
        return max(room, now + _SOON)

    def _count(self, state: _Chat, group: bool, calls: int, now: float) -> None:
        state.free = max(now, state.free) + calls * self._pace.private
        state.edits = now + (self._pace.group if group else self._pace.private)
        self._flying += calls
        if group:
            state.minute.extend([now] * calls)

    def _pump(self) -> None:
        """Grants what may go, the most urgent first, and comes again when the next may."""
        now = self._clock()
        soonest: float | None = None
        left: list[_Waiting] = []
        for waiting in sorted(self._waiting):
            if waiting.granted.done():  # whoever waited was cancelled
                continue
            state = self._of(waiting.chat)
            at = max(self._soonest(state, waiting.group, waiting.calls, now), self._anywhere(waiting.calls, now))
            if at > now:
                left.append(waiting)
                soonest = at if soonest is None else min(soonest, at)
                continue
            self._count(state, waiting.group, waiting.calls, now)
            waiting.granted.set_result(None)
        self._waiting = left
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if soonest is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.001, soonest - now), self._pump)
