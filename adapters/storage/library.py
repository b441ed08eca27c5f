"""The library in SQL: implements core.ports.Library."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.tables import cards, chats, pieces, reactions, versions
from core.brief.brief import Brief
from core.library import NewVersion, Piece, Version
from core.music.score import Score
from core.serial import packed, unpacked


class SqlLibrary:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def next_message(self, platform: str, chat: str) -> int:
        return await self._counted("last_message", platform, chat)

    async def next_request(self, platform: str, chat: str) -> int:
        return await self._counted("requests", platform, chat) - 1

    async def _counted(self, column: str, platform: str, chat: str) -> int:
        async with self._database.writing() as connection:
            chat_id = await _chat(connection, platform, chat)
            counter = chats.c[column]
            await connection.execute(update(chats).where(chats.c.id == chat_id).values({column: counter + 1}))
            return int(await connection.scalar(select(counter).where(chats.c.id == chat_id)) or 0)

    async def begin_conversation(self, platform: str, chat: str, message: int) -> None:
        async with self._database.writing() as connection:
            chat_id = await _chat(connection, platform, chat)
            await connection.execute(update(chats).where(chats.c.id == chat_id).values(begun=message))

    async def keep(self, new: NewVersion) -> Version:
        async with self._database.writing() as connection:
            chat_id = await _chat(connection, new.platform, new.chat)
            piece = new.piece
            if piece is None:
                row = {"chat_id": chat_id, "user": new.user, "title": new.brief.title}
                piece = await connection.scalar(insert(pieces).values(row).returning(pieces.c.id))
                assert piece is not None
            newest = select(func.max(versions.c.number)).where(versions.c.piece_id == piece)
            number = int(await connection.scalar(newest) or 0) + 1
            await connection.execute(
                insert(versions).values(
                    piece_id=piece, number=number, parent=new.parent, change=new.change[:2000], files={},
                    brief=packed(new.brief), score=packed(new.score), rating=new.rating,
                )
            )  # fmt: skip
            await _show(connection, chat_id, new.message, piece, number)
        return Version(piece, number, new.parent, new.brief.title, new.brief, new.score, new.rating, new.change)

    async def keep_files(self, version: Version, files: dict[str, str]) -> None:
        async with self._database.writing() as connection:
            await connection.execute(
                update(versions)
                .where(versions.c.piece_id == version.piece, versions.c.number == version.number)
                .values(files=files)
            )

    async def rename(self, piece: int, title: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(pieces).where(pieces.c.id == piece).values(title=title[:200]))

    async def version_on(self, platform: str, chat: str, message: int) -> Version | None:
        return await self._one(_shown(platform, chat).where(cards.c.message == message))

    async def current(self, platform: str, chat: str) -> Version | None:
        query = _shown(platform, chat).where(cards.c.message > chats.c.begun).order_by(cards.c.message.desc())
        return await self._one(query.limit(1))

    async def version(self, piece: int, number: int, platform: str, chat: str) -> Version | None:
        tables = versions.join(pieces, pieces.c.id == versions.c.piece_id).join(chats, chats.c.id == pieces.c.chat_id)
        mine = (chats.c.platform == platform, chats.c.chat == chat)
        query = select(versions, pieces.c.title).select_from(tables)
        return await self._one(query.where(versions.c.piece_id == piece, versions.c.number == number, *mine))

    async def _one(self, query: Select[tuple[object, ...]]) -> Version | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return _version(row) if row else None

    async def show_again(self, version: Version, platform: str, chat: str, message: int) -> None:
        async with self._database.writing() as connection:
            chat_id = await _chat(connection, platform, chat)
            await _show(connection, chat_id, message, version.piece, version.number)

    async def pieces(self, platform: str, chat: str, most: int = 20) -> list[Piece]:
        query = (
            select(pieces.c.id, pieces.c.title, func.max(cards.c.message), func.max(cards.c.version))
            .join(cards, cards.c.piece_id == pieces.c.id)
            .join(chats, chats.c.id == pieces.c.chat_id)
            .where(chats.c.platform == platform, chats.c.chat == chat)
            .group_by(pieces.c.id, pieces.c.title)
            .order_by(func.max(cards.c.message).desc())
            .limit(most)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        found = []
        for id_, title, message, number in rows:
            version = await self.version(id_, number, platform, chat)
            summary = version.brief.text if version else ""
            found.append(Piece(id_, title, number, message, summary))
        return found

    async def react(self, platform: str, chat: str, message: int, user: str, emoji: str | None) -> bool:
        version = await self.version_on(platform, chat, message)
        if version is None:
            return False
        async with self._database.writing() as connection:
            key = {"piece_id": version.piece, "version": version.number, "user": user}
            if emoji:
                row = upsert(reactions).values(**key, emoji=emoji[:32])
                await connection.execute(
                    row.on_conflict_do_update(index_elements=list(key), set_={"emoji": row.excluded.emoji})
                )
            else:
                await connection.execute(delete(reactions).where(*(reactions.c[n] == v for n, v in key.items())))
        return True


async def _chat(connection: AsyncConnection, platform: str, chat: str) -> int:
    """The chat's row, made when it is first seen."""
    new = {"platform": platform, "chat": chat, "last_message": 0, "requests": 0, "begun": 0}
    await connection.execute(upsert(chats).values(new).on_conflict_do_nothing())
    found = await connection.scalar(select(chats.c.id).where(chats.c.platform == platform, chats.c.chat == chat))
    assert found is not None
    return int(found)


async def _show(connection: AsyncConnection, chat_id: int, message: int, piece: int, number: int) -> None:
    row = upsert(cards).values(chat_id=chat_id, message=message, piece_id=piece, version=number)
    set_ = {"piece_id": row.excluded.piece_id, "version": row.excluded.version}
    await connection.execute(row.on_conflict_do_update(index_elements=["chat_id", "message"], set_=set_))


def _shown(platform: str, chat: str) -> Select[tuple[object, ...]]:
    return (
        select(versions, pieces.c.title)
        .join(cards, (cards.c.piece_id == versions.c.piece_id) & (cards.c.version == versions.c.number))
        .join(chats, chats.c.id == cards.c.chat_id)
        .join(pieces, pieces.c.id == versions.c.piece_id)
        .where(chats.c.platform == platform, chats.c.chat == chat)
    )


def _version(row: Row[tuple[object, ...]]) -> Version:
    values = row._mapping
    brief = unpacked(Brief, values["brief"])
    score = unpacked(Score, values["score"])
    title = values["title"]
    return Version(
        piece=values["piece_id"],
        number=values["number"],
        parent=values["parent"],
        title=title,
        brief=replace(brief, title=title),
        score=replace(score, title=title),
        rating=values["rating"],
        change=values["change"],
        files=dict(values["files"]),
    )
