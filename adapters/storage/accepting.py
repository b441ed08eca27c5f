"""A message becomes a job: one transaction, which decides whether it is new, and what it refers to."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, insert, or_, select, update

from adapters.storage.tables import chats, deliveries, inbox, jobs, people
from core.events import Accepted
from core.jobs import OVER, Job, Wait, events_json, events_of, job_id, message_json, message_of
from core.localisation import spoken
from core.messages import Message

Upsert = Callable[[Any], Any]


def accepted(
    connection: Connection, upsert: Upsert, message: Message, priority: int, wait: Callable[[int], Wait] | None
) -> tuple[Job, bool]:
    """See core.ports.Ledger.accept. `upsert`: an INSERT of the database that may say ON CONFLICT."""
    message = _at_home(connection, message)
    # The chat's row first: it is what two processes with the same update wait for each other at.
    chat, number, moved = _counted(connection, upsert, message)
    if moved:
        message = replace(message, chat=moved)  # said in the old chat a moment ago
        chat, number, _ = _counted(connection, upsert, message)
    id_ = job_id(message.platform, message.chat, message.external or f"number {number}")
    if message.external and (known := _known(connection, id_)) is not None:
        back = update(chats).where(chats.c.id == chat).values(last_message=chats.c.last_message - 1)
        connection.execute(back)
        return known, False
    now = time.time()
    chosen = _met(connection, upsert, message, now)
    message = replace(message, id=number, locale=message.locale or chosen)
    made = _referring(connection, message)
    connection.execute(
        insert(inbox).values(
            job=id_, platform=made.platform, chat=made.chat, number=number, user=made.user,
            external=message.external or f"number {number}", message=message_json(made),
        )
    )  # fmt: skip
    ahead = select(func.max(jobs.c.priority)).where(jobs.c.lane == made.lane, jobs.c.state.not_in(OVER))
    # Nobody overtakes their own earlier message; and who has many waiting stands behind who has few.
    priority = max(priority, int(connection.scalar(ahead) or 0) + 1)
    job = Job(id_, made, made.lane, priority, "queued", (), 0, 0, now)
    if wait is not None:
        stands = wait(int(connection.scalar(ahead_of(job)) or 0))
        job = replace(job, events=(Accepted(number, stands.place, stands.usual, stands.most),))
    connection.execute(
        insert(jobs).values(
            id=id_, platform=made.platform, lane=made.lane, priority=priority, state="queued",
            seq=len(job.events), events=events_json(job.events), shown=0, attempts=0, worker="", accepted=now,
        )
    )  # fmt: skip
    return job, True


def _counted(connection: Connection, upsert: Upsert, message: Message) -> tuple[int, int, str | None]:
    """The chat's row, made when it is first seen; the number of a further message; its other name, if any."""
    new = {"platform": message.platform, "chat": message.chat, "last_message": 1, "requests": 0, "begun": 0}
    row = upsert(chats).values(new)
    more = row.on_conflict_do_update(
        index_elements=["platform", "chat"], set_={"last_message": chats.c.last_message + 1}
    ).returning(chats.c.id, chats.c.last_message, chats.c.moved)
    id_, number, moved = connection.execute(more).one()
    return id_, number, moved


def _referring(connection: Connection, message: Message) -> Message:
    """With the numbers of the messages it refers to."""

    def number(external: str) -> int | None:
        here = (inbox.c.platform == message.platform, inbox.c.chat == message.chat)
        ours = select(inbox.c.number).join(deliveries, deliveries.c.job == inbox.c.job)
        found = connection.scalar(ours.where(*here, deliveries.c.external == external).limit(1))
        if found is None:
            found = connection.scalar(select(inbox.c.number).where(*here, inbox.c.external == external))
        return int(found) if found is not None else None

    if message.reply_external:
        message = replace(message, reply_to=number(message.reply_external))
    if message.on_external:
        message = replace(message, on=number(message.on_external))
    if message.press and message.on is not None:
        asked = select(inbox.c.message).where(
            inbox.c.platform == message.platform, inbox.c.chat == message.chat, inbox.c.number == message.on
        )
        if earlier := connection.scalar(asked):  # a button speaks the language of its message
            message = replace(message, language=spoken(message_of(earlier)))
    return message


def _met(connection: Connection, upsert: Upsert, message: Message, now: float) -> str | None:
    """The language that the person chose."""
    row = upsert(people).values(platform=message.platform, user=message.user, first=now, last=now, name=message.name)
    again = {"last": now, "name": row.excluded.name}
    seen = row.on_conflict_do_update(index_elements=["platform", "user"], set_=again)
    chosen: str | None = connection.scalar(seen.returning(people.c.locale))
    return chosen


def _at_home(connection: Connection, message: Message) -> Message:
    """A reaction in the topic of the message that it is on, which its platform does not tell."""
    if message.reaction is None or not message.on_external:
        return message
    query = select(inbox.c.chat).join(deliveries, deliveries.c.job == inbox.c.job)
    there = inbox.c.chat.startswith(f"{message.chat}/", autoescape=True)
    query = query.where(inbox.c.platform == message.platform, there, deliveries.c.external == message.on_external)
    topic = connection.scalar(query.limit(1))
    return message if topic is None else replace(message, chat=topic)


def ahead_of(job: Job) -> Select[Any]:
    """How many unfinished jobs come before it."""
    earlier = or_(jobs.c.priority < job.priority, and_(jobs.c.priority == job.priority, jobs.c.accepted < job.accepted))
    return select(func.count()).select_from(jobs).where(jobs.c.state.not_in(OVER), jobs.c.id != job.id, earlier)


def _known(connection: Connection, id_: str) -> Job | None:
    query = select(jobs, inbox.c.message).join(inbox, inbox.c.job == jobs.c.id).where(jobs.c.id == id_)
    row = connection.execute(query).first()
    return read_job(row) if row else None


def read_job(row: Row[Any]) -> Job:
    """A row of jobs with its message."""
    values = row._mapping
    return Job(
        id=values["id"], message=message_of(values["message"]), lane=values["lane"], priority=values["priority"],
        state=values["state"], events=events_of(values["events"]), shown=values["shown"],
        attempts=values["attempts"], accepted=values["accepted"],
    )  # fmt: skip
