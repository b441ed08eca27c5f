"""People in SQL: implements core.ports.People. They come into the table as their first message is accepted."""

from __future__ import annotations

import time

from sqlalchemy import select

from adapters.storage.database import Database, unbroken
from adapters.storage.tables import inbox, people, turns
from core.jobs import message_of
from core.library import Person


class SqlPeople:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def person(self, platform: str, user: str) -> Person:
        query = select(people.c.name, people.c.locale).where(people.c.platform == platform, people.c.user == user)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return Person(row.name, row.locale) if row else Person()

    async def words(self, platform: str, chat: str, message: int) -> str:
        here = (inbox.c.platform == platform, inbox.c.chat == chat, inbox.c.number == message)
        async with self._database.reading() as connection:
            found = await connection.scalar(select(inbox.c.message).where(*here))
        return message_of(found).text if found else ""

    async def last_words(self, platform: str, chat: str, user: str, before: int, most: int) -> list[str]:
        here = (turns.c.platform == platform, turns.c.chat == chat, turns.c.user == user, turns.c.number < before)
        query = select(turns.c.question).where(*here).order_by(turns.c.number.desc()).limit(most)
        async with self._database.reading() as connection:
            return list(await connection.scalars(query))

    @unbroken
    async def choose(self, platform: str, user: str, locale: str | None) -> None:
        now = time.time()
        row = self._database.upsert(people).values(
            platform=platform, user=user, first=now, last=now, name="", locale=locale
        )
        set_ = {"locale": locale}
        async with self._database.writing() as connection:
            await connection.execute(row.on_conflict_do_update(index_elements=["platform", "user"], set_=set_))
