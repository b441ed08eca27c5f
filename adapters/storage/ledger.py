"""The ledger in SQL: implements core.ports.Ledger. A job's newest state is one row, changed under a condition."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.accepting import accepted, ahead_of, read_job
from adapters.storage.database import Database, unbroken
from adapters.storage.tables import beginnings, cards, chats, deliveries, inbox, jobs, pieces, turns
from core.events import Done, Event, Failed
from core.jobs import OVER, USUAL, Job, Wait, events_json, job_id, joined, message_json, message_of
from core.messages import Message, cleaned
from core.quota import HOUR, Usage

CHANNEL = "tunesmith_jobs"
_DURATIONS = 200  # of the newest songs
_AT_ONCE = 500  # ids in one statement
_BEFORE = 1_000_000  # how far the messages of a chat that joins another are numbered before its own


class SqlLedger:
    """`changed` hears the id of each job that changed here; other processes hear it from Postgres."""

    def __init__(self, database: Database, changed: Callable[[str], None] = lambda job: None) -> None:
        self._database, self._changed = database, changed

    @unbroken
    async def accept(
        self, message: Message, priority: int, wait: Callable[[int], Wait] | None = None
    ) -> tuple[Job, bool]:
        made, upsert = cleaned(message), self._database.upsert
        return await self._database.at_once(lambda connection: accepted(connection, upsert, made, priority, wait))

    @unbroken
    async def amend(self, message: Message) -> Job | None:
        id_ = job_id(message.platform, message.chat, message.external)
        if await self.job(id_) is None:
            return None  # what was not said to us is edited often
        async with self._database.writing() as connection:
            job = await _job(connection, jobs.c.id == id_, lock=self._database.postgres)
            if job is None or job.state != "queued":
                return None
            made = joined(job.message, cleaned(message))
            await connection.execute(update(inbox).where(inbox.c.job == id_).values(message=message_json(made)))
        return replace(job, message=made)

    async def ours(self, platform: str, chat: str, external: str) -> bool:
        # A reaction does not say which topic its message stands in.
        here = or_(inbox.c.chat == chat, inbox.c.chat.startswith(f"{chat}/", autoescape=True))
        query = select(func.count()).select_from(deliveries.join(inbox, inbox.c.job == deliveries.c.job))
        query = query.where(inbox.c.platform == platform, here, deliveries.c.external == external)
        async with self._database.reading() as connection:
            return bool(await connection.scalar(query))

    @unbroken
    async def moved(self, platform: str, chat: str, to: str) -> None:
        """What the new chat has is kept. Old messages are known by no id there: those to come have the same ids."""
        async with self._database.writing() as connection:
            old, new = ((chats.c.platform == platform, chats.c.chat == name) for name in (chat, to))
            row, taken = [await connection.scalar(select(chats.c.id).where(*which)) for which in (old, new)]
            if row is None or await connection.scalar(select(chats.c.moved).where(*old)):
                return
            before = 0
            if taken is None:
                await connection.execute(update(chats).where(*old).values(chat=to))
            else:  # somebody wrote there first: the old messages are numbered before the new ones
                before = _BEFORE
                await connection.execute(update(pieces).where(pieces.c.chat_id == row).values(chat_id=taken))
                earlier = {"chat_id": taken, "message": cards.c.message - before}
                await connection.execute(update(cards).where(cards.c.chat_id == row).values(earlier))
                await connection.execute(update(chats).where(*new, chats.c.begun == 0).values(begun=-before))
                await connection.execute(delete(beginnings).where(beginnings.c.chat_id == row))
                await connection.execute(delete(chats).where(*old))
            await self._readdressed(connection, platform, chat, to, before)
            # Who is still at work on a song for the old chat finds the new one.
            stub = {"platform": platform, "chat": chat, "moved": to, "last_message": 0, "requests": 0, "begun": 0}
            await connection.execute(insert(chats).values(stub))

    async def _readdressed(self, connection: AsyncConnection, platform: str, chat: str, to: str, before: int) -> None:
        """The messages of a chat that has moved, and what we posted there."""
        here = (inbox.c.platform == platform, inbox.c.chat == chat)
        for each in (await connection.execute(select(inbox.c.job, inbox.c.message, inbox.c.number).where(*here))).all():
            message = message_of(each.message)
            there = replace(message, chat=to, id=message.id - before, external=f"moved {message.external}")
            values = {"chat": to, "number": each.number - before, "message": message_json(there)}
            row = update(inbox).where(inbox.c.job == each.job)
            await connection.execute(row.values(**values, external=literal("moved ") + inbox.c.external))
            over = jobs.c.state.in_(OVER)
            open_ = await connection.scalar(select(func.count()).where(jobs.c.id == each.job, ~over))
            lost = "gone" if open_ else literal("moved ") + deliveries.c.external
            was = (deliveries.c.job == each.job, deliveries.c.external.is_not(None))
            await connection.execute(update(deliveries).where(*was).values(external=lost))

    async def job(self, id_: str) -> Job | None:
        async with self._database.reading() as connection:
            return await _job(connection, jobs.c.id == id_)

    @unbroken
    async def begin(self, id_: str, worker: str) -> Job | None:
        async with self._database.writing() as connection:
            row = update(jobs).where(jobs.c.id == id_, jobs.c.state.not_in(OVER))
            started = func.coalesce(jobs.c.started, time.time())
            done = await connection.execute(
                row.values(state="running", attempts=jobs.c.attempts + 1, worker=worker, started=started)
            )
            return await _job(connection, jobs.c.id == id_) if done.rowcount else None

    @unbroken
    async def give_back(self, ids: Sequence[str]) -> None:
        async with self._database.writing() as connection:
            mine = (jobs.c.id.in_(ids), jobs.c.state.not_in(OVER), jobs.c.attempts > 0)
            await connection.execute(update(jobs).where(*mine).values(attempts=jobs.c.attempts - 1))

    @unbroken
    async def record(self, id_: str, events: Sequence[Event], state: str | None = None) -> bool:
        async with self._database.writing() as connection:
            job = await _job(connection, jobs.c.id == id_, lock=self._database.postgres)
            if job is None or job.over:
                return False
            values: dict[str, Any] = {"events": events_json((*job.events, *events)), "seq": jobs.c.seq + len(events)}
            last = events[-1] if events else None
            if state is not None:
                values["state"] = state
            elif isinstance(last, Done | Failed):
                values["state"] = "done" if isinstance(last, Done) else "failed"
            if values.get("state") in OVER:
                values |= {"ended": time.time(), "bars": _bars(last)}
                if isinstance(last, Done):
                    await self._turn(connection, job, last)
            await connection.execute(update(jobs).where(jobs.c.id == id_).values(values))
            if self._database.postgres:
                await connection.execute(text(f"SELECT pg_notify('{CHANNEL}', :job)"), {"job": id_})
        self._changed(id_)
        return True

    async def _turn(self, connection: AsyncConnection, job: Job, done: Done) -> None:
        message = job.message
        if message.text:
            row = self._database.upsert(turns).values(
                job=job.id, platform=message.platform, chat=message.chat, number=message.id, user=message.user,
                question=message.text, answer=done.text, at=time.time(),
            )  # fmt: skip
            await connection.execute(row.on_conflict_do_nothing())

    @unbroken
    async def shown(self, id_: str, count: int) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(jobs).where(jobs.c.id == id_, jobs.c.shown < count).values(shown=count))

    @unbroken
    async def tidy(self, before: float) -> int:
        """Jobs that ended before then: those without a song's card go, of the others their events. How many went."""
        old = (jobs.c.state.in_(OVER), jobs.c.ended < before, jobs.c.shown >= jobs.c.seq)
        shows = (
            select(inbox.c.job)
            .join(chats, (chats.c.platform == inbox.c.platform) & (chats.c.chat == inbox.c.chat))
            .join(cards, (cards.c.chat_id == chats.c.id) & (cards.c.message == inbox.c.number))
        )
        async with self._database.writing() as connection:
            gone = list(await connection.scalars(select(jobs.c.id).where(*old, jobs.c.id.not_in(shows))))
            for first in range(0, len(gone), _AT_ONCE):
                ids = gone[first : first + _AT_ONCE]
                for table, column in ((deliveries, deliveries.c.job), (jobs, jobs.c.id), (inbox, inbox.c.job)):
                    await connection.execute(delete(table).where(column.in_(ids)))
            emptied = update(jobs).where(*old, jobs.c.events != "[]").values(events="[]")
            await connection.execute(emptied)
            await connection.execute(delete(turns).where(turns.c.at < before))
        return len(gone)

    async def unfinished(self) -> list[Job]:
        return await self._jobs(jobs.c.state.not_in(OVER))

    async def unshown(self, platform: str) -> list[Job]:
        return await self._jobs(
            and_(jobs.c.platform == platform, or_(jobs.c.state.not_in(OVER), jobs.c.shown < jobs.c.seq))
        )

    async def running(self, lane: str) -> Job | None:
        found = await self._jobs(and_(jobs.c.lane == lane, jobs.c.state.not_in(OVER)))
        return found[-1] if found else None

    async def waiting(self, job: Job) -> int:
        async with self._database.reading() as connection:
            return int(await connection.scalar(ahead_of(job)) or 0)

    async def usage(self, job: Job) -> Usage:
        message, before = job.message, (jobs.c.accepted < job.accepted, jobs.c.priority >= USUAL)
        whose = inbox.c.platform == message.platform
        person = and_(whose, inbox.c.user == message.user)
        chat = and_(whose, inbox.c.chat == message.chat)
        rows = select(jobs.c.accepted, jobs.c.state, jobs.c.events, inbox.c.user, inbox.c.chat)
        rows = rows.join(inbox, inbox.c.job == jobs.c.id).where(*before, or_(person, chat))
        rows = rows.where(or_(jobs.c.accepted > job.accepted - HOUR, jobs.c.state.not_in(OVER)))
        waiting = select(func.count()).where(*before, jobs.c.state.not_in(OVER))
        async with self._database.reading() as connection:
            found = (await connection.execute(rows.order_by(jobs.c.accepted))).all()
            queue = int(await connection.scalar(waiting) or 0)
        mine = [row for row in found if row.user == message.user]
        here = [row for row in found if row.chat == message.chat]
        return Usage(
            queue,
            sum(row.state not in OVER for row in mine),
            sum(row.state not in OVER for row in here),
            tuple(row.accepted for row in mine),
            tuple(row.accepted for row in here),
            tuple((row.accepted, seconds) for row in mine if (seconds := _seconds(row.events))),
        )

    async def durations(self, bars: int | None) -> list[float]:
        query = select(jobs.c.ended - jobs.c.started).where(jobs.c.state == "done", jobs.c.bars.is_not(None))
        if bars is not None:
            query = query.where(jobs.c.bars.between(bars // 2, bars * 2))
        async with self._database.reading() as connection:
            return list(await connection.scalars(query.order_by(jobs.c.ended.desc()).limit(_DURATIONS)))

    async def _jobs(self, condition: ColumnElement[bool]) -> list[Job]:
        query = select(jobs, inbox.c.message).join(inbox, inbox.c.job == jobs.c.id).where(condition)
        async with self._database.reading() as connection:
            return [read_job(row) for row in await connection.execute(query.order_by(jobs.c.accepted))]

    # Deliveries

    async def delivery(self, id_: str, what: str) -> tuple[str, str | None] | None:
        query = select(deliveries.c.state, deliveries.c.external)
        async with self._database.reading() as connection:
            row = (await connection.execute(query.where(deliveries.c.job == id_, deliveries.c.what == what))).first()
        return (row.state, row.external) if row else None

    @unbroken
    async def delivering(self, id_: str, what: str) -> int:
        async with self._database.writing(first=True) as connection:
            row = self._database.upsert(deliveries).values(job=id_, what=what, state="sending", tries=1)
            again = row.on_conflict_do_update(
                index_elements=["job", "what"], set_={"tries": deliveries.c.tries + 1}
            ).returning(deliveries.c.tries)
            return int((await connection.execute(again)).scalar_one()) - 1

    @unbroken
    async def undelivered(self, id_: str, what: str) -> None:
        async with self._database.writing(first=True) as connection:
            here = (deliveries.c.job == id_, deliveries.c.what == what, deliveries.c.tries > 0)
            await connection.execute(update(deliveries).where(*here).values(tries=deliveries.c.tries - 1))

    @unbroken
    async def delivered(self, id_: str, what: str, external: str) -> None:
        async with self._database.writing(first=True) as connection:
            row = self._database.upsert(deliveries).values(job=id_, what=what, state="sent", external=external, tries=0)
            set_ = {"state": "sent", "external": external, "tries": 0}
            await connection.execute(row.on_conflict_do_update(index_elements=["job", "what"], set_=set_))


async def _job(connection: AsyncConnection, condition: ColumnElement[bool], lock: bool = False) -> Job | None:
    query = select(jobs, inbox.c.message).join(inbox, inbox.c.job == jobs.c.id).where(condition)
    if lock:
        query = query.with_for_update(of=jobs)
    row = (await connection.execute(query)).first()
    return read_job(row) if row else None


def _bars(event: Event | None) -> int | None:
    bars = event.brief.get("bars") if isinstance(event, Done) and event.brief else None
    return bars if isinstance(bars, int) else None


def _seconds(events: str) -> float:
    """Of music, in the song that a job made."""
    last = json.loads(events)[-1:]
    return float((last[0].get("length") if last else 0) or 0)
