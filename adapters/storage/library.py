"""The library in SQL: implements core.ports.Library. Every write may come twice, after a crash, and counts once."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, Table, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, unbroken
from adapters.storage.tables import beginnings, cards, chats, file_uses, files, inbox, pieces, reactions, versions
from core.brief.brief import Brief
from core.library import Gone, KeptFile, NewVersion, Piece, Version
from core.music.score import Score
from core.serial import packed, unpacked

_AGAINST = frozenset({"👎", "😢", "😡", "🤮", "💩", "😴", "🥱"})  # reactions that are no praise
_OF_PIECE = (pieces.c.title, pieces.c.user, pieces.c.shared)


class SqlLibrary:
    def __init__(self, database: Database) -> None:
        self._database = database

    @unbroken
    async def next_request(self, platform: str, chat: str, message: int) -> int:
        here = (inbox.c.platform == platform, inbox.c.chat == chat, inbox.c.number == message)
        async with self._database.writing() as connection:
            known = await connection.scalar(select(inbox.c.request).where(*here))
            if known is not None:
                return int(known)
            row = await chat_row(self._database, connection, platform, chat)
            before = await connection.scalar(select(chats.c.requests).where(chats.c.id == row))
            await connection.execute(update(chats).where(chats.c.id == row).values(requests=chats.c.requests + 1))
            await connection.execute(update(inbox).where(*here).values(request=before))
        return int(before or 0)

    @unbroken
    async def begin_conversation(self, platform: str, chat: str, message: int, user: str | None = None) -> None:
        async with self._database.writing() as connection:
            row = await chat_row(self._database, connection, platform, chat)
            if user is None:
                await connection.execute(update(chats).where(chats.c.id == row).values(begun=message))
                return
            new = self._database.upsert(beginnings).values(chat_id=row, user=user, message=message)
            again = new.on_conflict_do_update(index_elements=["chat_id", "user"], set_={"message": message})
            await connection.execute(again)

    @unbroken
    async def keep(self, new: NewVersion) -> Version:
        made = await self.version_on(new.platform, new.chat, new.message)
        if made is not None:
            return made
        async with self._database.writing() as connection:
            chat = await chat_row(self._database, connection, new.platform, new.chat)
            piece = new.piece
            if piece is None:
                row = {"chat_id": chat, "user": new.user, "title": new.brief.title, "shared": new.shared}
                piece = await connection.scalar(insert(pieces).values(row).returning(pieces.c.id))
                assert piece is not None
            newest = select(func.max(versions.c.number)).where(versions.c.piece_id == piece)
            number = int(await connection.scalar(newest) or 0) + 1
            await connection.execute(
                insert(versions).values(
                    piece_id=piece, number=number, parent=new.parent, change=new.change[:2000], told=list(new.told),
                    files={name: file.path for name, file in new.files.items()},
                    brief=packed(new.brief), score=packed(new.score), rating=new.rating, by=new.by[:128],
                )
            )  # fmt: skip
            await self._used(connection, piece, number, new.files)
            await self._show(connection, chat, new.message, piece, number)
            owned = select(pieces.c.user, pieces.c.shared).where(pieces.c.id == piece)
            owner, shared = (await connection.execute(owned)).one()
        return Version(
            piece, number, new.parent, new.brief.title, new.brief, new.score, new.rating, new.change, new.files,
            new.told, new.by, owner, shared,
        )  # fmt: skip

    async def _used(self, connection: AsyncConnection, piece: int, number: int, kept: dict[str, KeptFile]) -> None:
        for name, file in kept.items():
            if file.hash:
                row = self._database.upsert(files).values(hash=file.hash, size=file.size)
                await connection.execute(row.on_conflict_do_nothing())
                use = {"piece_id": piece, "number": number, "format": name, "hash": file.hash, "name": file.name}
                await connection.execute(insert(file_uses).values(use))

    async def made_on(self, platform: str, chat: str, message: int) -> Version | None:
        shown = await self.version_on(platform, chat, message)
        if shown is None:
            return None
        first = select(func.min(cards.c.message)).where(
            cards.c.piece_id == shown.piece, cards.c.version == shown.number
        )
        async with self._database.reading() as connection:
            return shown if await connection.scalar(first) == message else None

    @unbroken
    async def discard(self, platform: str, chat: str, message: int) -> Gone | None:
        made = await self.made_on(platform, chat, message)
        if made is None:
            return None
        if made.number == 1:
            return await self.forget(made.piece, platform, chat)
        async with self._database.writing() as connection:
            return await self._deleted(connection, made.piece, made.number)

    @unbroken
    async def forget(self, piece: int, platform: str, chat: str) -> Gone | None:
        mine = select(chats.c.id).where(chats.c.platform == platform, chats.c.chat == chat)
        async with self._database.writing() as connection:
            found = await connection.scalar(select(pieces.c.id).where(pieces.c.id == piece, pieces.c.chat_id.in_(mine)))
            if found is None:
                return None
            gone = await self._deleted(connection, piece, None)
            await connection.execute(delete(pieces).where(pieces.c.id == piece))
        return gone

    async def _deleted(self, connection: AsyncConnection, piece: int, number: int | None) -> Gone:
        """A version, or all of a piece; what nobody else uses is gone with it."""

        def of(table: Table, column: str) -> tuple[Any, ...]:
            here = table.c.piece_id == piece
            return (here,) if number is None else (here, table.c[column] == number)

        lying = await connection.scalars(select(versions.c.files).where(*of(versions, "number")))
        paths = sorted({path for files_ in lying for path in files_.values()})
        used = set(await connection.scalars(select(file_uses.c.hash).where(*of(file_uses, "number"))))
        for table, column in ((file_uses, "number"), (reactions, "version"), (cards, "version"), (versions, "number")):
            await connection.execute(delete(table).where(*of(table, column)))
        still = set(await connection.scalars(select(file_uses.c.hash).where(file_uses.c.hash.in_(used))))
        gone = sorted(used - still)
        await connection.execute(delete(files).where(files.c.hash.in_(gone)))
        return Gone(tuple(gone), tuple(paths))

    @unbroken
    async def rename(self, piece: int, title: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(pieces).where(pieces.c.id == piece).values(title=title[:200]))

    async def version_on(self, platform: str, chat: str, message: int) -> Version | None:
        return await self._one(_shown(platform, chat).where(cards.c.message == message))

    async def current(self, platform: str, chat: str, before: int, user: str | None = None) -> Version | None:
        query = _shown(platform, chat).where(cards.c.message > chats.c.begun, cards.c.message < before)
        if user is not None:
            asked = (inbox.c.platform == platform, inbox.c.chat == chat, inbox.c.number == cards.c.message)
            query = query.join(inbox, and_(*asked)).where(inbox.c.user == user)
            mine = (beginnings.c.chat_id == chats.c.id, beginnings.c.user == user)
            begun = select(beginnings.c.message).where(*mine).scalar_subquery()
            query = query.where(cards.c.message > func.coalesce(begun, chats.c.begun))
        return await self._one(query.order_by(cards.c.message.desc()).limit(1))

    async def version(self, piece: int, number: int, platform: str, chat: str) -> Version | None:
        tables = versions.join(pieces, pieces.c.id == versions.c.piece_id).join(chats, chats.c.id == pieces.c.chat_id)
        mine = (chats.c.platform == platform, chats.c.chat == chat)
        query = select(versions, *_OF_PIECE).select_from(tables)
        return await self._one(query.where(versions.c.piece_id == piece, versions.c.number == number, *mine))

    async def _one(self, query: Select[tuple[object, ...]]) -> Version | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
            if row is None:
                return None
            key = (file_uses.c.piece_id == row._mapping["piece_id"], file_uses.c.number == row._mapping["number"])
            columns = (file_uses.c.format, file_uses.c.hash, file_uses.c.name, files.c.size)
            uses = await connection.execute(select(*columns).join(files, files.c.hash == file_uses.c.hash).where(*key))
            return _version(row, {use.format: use for use in uses})

    @unbroken
    async def show_again(self, version: Version, platform: str, chat: str, message: int) -> None:
        async with self._database.writing() as connection:
            row = await chat_row(self._database, connection, platform, chat)
            await self._show(connection, row, message, version.piece, version.number)

    async def pieces(self, platform: str, chat: str, words: str = "", most: int = 20, skip: int = 0) -> list[Piece]:
        query = _pieces(platform, chat)
        for word in words.split():
            held = f"%{word.replace('%', '').replace('_', '')}%"
            query = query.where(or_(pieces.c.title.ilike(held), versions.c.change.ilike(held)))
        return await self._pieces(query.order_by(func.max(cards.c.message).desc()).limit(most).offset(skip))

    async def piece(self, id_: int, platform: str, chat: str) -> Piece | None:
        found = await self._pieces(_pieces(platform, chat).where(pieces.c.id == id_))
        return found[0] if found else None

    async def _pieces(self, query: Select[Any]) -> list[Piece]:
        async with self._database.reading() as connection:
            return [Piece(*row) for row in await connection.execute(query)]

    async def versions(self, piece: int, platform: str, chat: str) -> list[tuple[int, str, int]]:
        tables = versions.join(pieces, pieces.c.id == versions.c.piece_id).join(chats, chats.c.id == pieces.c.chat_id)
        mine = (versions.c.piece_id == piece, chats.c.platform == platform, chats.c.chat == chat)
        query = select(versions.c.number, versions.c.change).select_from(tables).where(*mine)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.order_by(versions.c.number))).all()
            cast = select(reactions.c.version, reactions.c.emoji).where(reactions.c.piece_id == piece)
            votes = Counter[int]()
            for version, emoji in (await connection.execute(cast)).all():
                votes[version] += -1 if emoji in _AGAINST else 1
        return [(row.number, row.change, votes[row.number]) for row in rows]

    @unbroken
    async def add_files(self, version: Version, files: Mapping[str, KeptFile]) -> None:
        row = (versions.c.piece_id == version.piece, versions.c.number == version.number)
        async with self._database.writing() as connection:
            lying = await connection.scalar(select(versions.c.files).where(*row)) or {}
            new = {name: file for name, file in files.items() if name not in lying}
            lying = {**lying, **{name: file.path for name, file in new.items()}}
            await connection.execute(update(versions).where(*row).values(files=lying))
            await self._used(connection, version.piece, version.number, new)

    @unbroken
    async def named_files(self) -> set[str]:
        """The paths of all files that songs have."""
        async with self._database.reading() as connection:
            return {path for files_ in await connection.scalars(select(versions.c.files)) for path in files_.values()}

    async def share(self, piece: int, shared: bool) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(pieces).where(pieces.c.id == piece).values(shared=shared))

    @unbroken
    async def link(self, version: Version) -> str:
        this = (versions.c.piece_id == version.piece, versions.c.number == version.number)
        async with self._database.writing() as connection:
            new = update(versions).where(*this, versions.c.link.is_(None))
            await connection.execute(new.values(link=secrets.token_urlsafe(12)))
            return str(await connection.scalar(select(versions.c.link).where(*this)))

    async def linked(self, link: str) -> Version | None:
        tables = versions.join(pieces, pieces.c.id == versions.c.piece_id)
        return await self._one(select(versions, *_OF_PIECE).select_from(tables).where(versions.c.link == link))

    @unbroken
    async def react(self, version: Version, user: str, emoji: str | None, only: str | None = None) -> None:
        async with self._database.writing() as connection:
            key = {"piece_id": version.piece, "version": version.number, "user": user}
            if emoji:
                row = self._database.upsert(reactions).values(**key, emoji=emoji[:32])
                await connection.execute(
                    row.on_conflict_do_update(index_elements=list(key), set_={"emoji": row.excluded.emoji})
                )
            else:
                gone = delete(reactions).where(*(reactions.c[n] == v for n, v in key.items()))
                await connection.execute(gone if only is None else gone.where(reactions.c.emoji == only[:32]))

    async def _show(self, connection: AsyncConnection, chat: int, message: int, piece: int, number: int) -> None:
        row = self._database.upsert(cards).values(chat_id=chat, message=message, piece_id=piece, version=number)
        set_ = {"piece_id": row.excluded.piece_id, "version": row.excluded.version}
        await connection.execute(row.on_conflict_do_update(index_elements=["chat_id", "message"], set_=set_))


async def chat_row(database: Database, connection: AsyncConnection, platform: str, chat: str) -> int:
    """The id of the chat's row, made when it is first seen."""
    here = (chats.c.platform == platform, chats.c.chat == chat)
    known = (await connection.execute(select(chats.c.id, chats.c.moved).where(*here))).first()
    if known is not None and known.moved:
        return await chat_row(database, connection, platform, known.moved)
    found = known.id if known is not None else None
    if found is None:
        new = {"platform": platform, "chat": chat, "last_message": 0, "requests": 0, "begun": 0}
        await connection.execute(database.upsert(chats).values(new).on_conflict_do_nothing())
        found = await connection.scalar(select(chats.c.id).where(*here))
    assert found is not None
    return int(found)


def _pieces(platform: str, chat: str) -> Select[Any]:
    """Rows of Piece: the newest card, the number of versions, and the words that began it."""
    return (
        select(
            pieces.c.id, pieces.c.title, func.max(cards.c.version), func.max(cards.c.message), versions.c.change,
            pieces.c.user,
        )
        .join(cards, cards.c.piece_id == pieces.c.id)
        .join(chats, chats.c.id == pieces.c.chat_id)
        .join(versions, (versions.c.piece_id == pieces.c.id) & (versions.c.number == 1))
        .where(chats.c.platform == platform, chats.c.chat == chat)
        .group_by(pieces.c.id, pieces.c.title, versions.c.change, pieces.c.user)
    )  # fmt: skip


def _shown(platform: str, chat: str) -> Select[tuple[object, ...]]:
    return (
        select(versions, *_OF_PIECE)
        .join(cards, (cards.c.piece_id == versions.c.piece_id) & (cards.c.version == versions.c.number))
        .join(chats, chats.c.id == cards.c.chat_id)
        .join(pieces, pieces.c.id == versions.c.piece_id)
        .where(chats.c.platform == platform, chats.c.chat == chat)
    )


def _version(row: Row[tuple[object, ...]], uses: dict[str, Any]) -> Version:
    values = row._mapping
    brief = unpacked(Brief, values["brief"])
    score = unpacked(Score, values["score"])
    title = values["title"]
    kept = {
        name: KeptFile(path, uses[name].hash, uses[name].size, uses[name].name) if name in uses else KeptFile(path)
        for name, path in values["files"].items()
    }
    return Version(
        piece=values["piece_id"],
        number=values["number"],
        parent=values["parent"],
        title=title,
        brief=replace(brief, title=title),
        score=replace(score, title=title),
        rating=values["rating"],
        change=values["change"],
        files=kept,
        told=tuple(values["told"] or ()),
        by=values["by"],
        owner=values["user"],
        shared=values["shared"],
    )
