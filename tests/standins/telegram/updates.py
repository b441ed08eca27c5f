"""The updates on their way to the bot."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.standins.telegram.values import Json

UNASKED = {"chat_member", "message_reaction", "message_reaction_count"}  # only sent to who names them


@dataclass
class Pending:
    """An update not acknowledged yet.

    `loose` ones are out of the order of their ids, so that no offset can acknowledge them: the next request does.
    """

    update: Json
    lane: int | None  # updates of one lane arrive one after another
    loose: bool = False
    given: bool = False
    flying: bool = False

    @property
    def id(self) -> int:
        return int(self.update["update_id"])


@dataclass
class Updates:
    """What was made, what is still to be delivered, and which kinds the bot asked for."""

    made: dict[int, Pending] = field(default_factory=dict)
    pending: list[Pending] = field(default_factory=list)
    asked: tuple[str, ...] = ()
    held: bool = False
    _next: int = 700_000_001

    def add(self, kind: str, body: Json, lane: int | None) -> int | None:
        """The new update's id; nothing is made of a kind the bot did not ask for."""
        if kind in UNASKED if not self.asked else kind not in self.asked:
            return None
        one = Pending({"update_id": self._next, kind: body}, lane)
        self._next += 1
        self.made[one.id] = one
        self.pending.append(one)
        return one.id

    def acknowledge(self, offset: int) -> None:
        if offset > 0:
            self.pending = [p for p in self.pending if (not p.given if p.loose else p.id >= offset)]
        elif offset < 0:
            self.pending = self.pending[offset:]

    def give(self, limit: int) -> list[Json]:
        """The next updates for a poll; they stay until they are acknowledged."""
        if self.held:
            return []
        for one in self.pending[:limit]:
            one.given = True
        return [one.update for one in self.pending[:limit]]

    def next_to_post(self, most: int) -> Pending | None:
        """The next update whose lane is free, when fewer than `most` are in flight."""
        flying = [p for p in self.pending if p.flying]
        if self.held or len(flying) >= most:
            return None
        busy = {p.lane for p in flying}
        for one in self.pending:
            if one.lane not in busy:
                one.flying = True
                return one
        return None

    def landed(self, one: Pending, *, arrived: bool) -> None:
        one.flying = False
        if arrived:
            self.pending = [p for p in self.pending if p is not one]

    def repeat(self, update_id: int) -> None:
        """Delivers an update once more; before all others, for the offset follows the last of a batch."""
        earlier = self.made[update_id]
        self.pending.insert(0, Pending(earlier.update, earlier.lane, loose=True))

    def shuffle(self, order: list[int]) -> None:
        """Delivers these pending updates in this order, and the rest after them."""
        by_id = {p.id: p for p in self.pending}
        first = [by_id[i] for i in order]
        for one in first:
            one.loose = True
        self.pending = first + [p for p in self.pending if p not in first]
