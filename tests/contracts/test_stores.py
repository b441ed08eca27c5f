"""What ledger, library and files promise, on SQLite and on Postgres alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from adapters.files.store import FileStore
from adapters.storage.database import Database, downgrade, upgrade
from adapters.storage.ledger import SqlLedger
from adapters.storage.library import SqlLibrary
from core.brief.brief import Brief
from core.events import Accepted, Done, Failed, Stage
from core.jobs import SOON, USUAL, estimate
from core.library import KeptFile, NewVersion
from core.messages import Message
from core.music.score import Score
from core.serial import packed
from tests.faults.postgres import Postgres

KINDS = ("sqlite", "postgres")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres").database())
    return f"sqlite:///{tmp_path / 'x.db'}"


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


def written(text: str, external: str = "", user: str = "ann", chat: str = "room", group: bool = False) -> Message:
    return Message("loop", chat, user, text=text, external=external, group=group)


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_a_job_has_one_end_whoever_comes_first(url: str) -> None:
    async with opened(url) as database:
        heard: list[str] = []
        ledger = SqlLedger(database, heard.append)
        job, new = await ledger.accept(written("a jig", "u1"), USUAL)
        again, twice = await ledger.accept(written("a jig", "u1"), USUAL)
        assert (new, twice) == (True, False)
        assert again.id == job.id
        assert job.message.id == 1
        assert (await ledger.accept(written("more", "u2"), USUAL))[0].message.id == 2
        begun = await ledger.begin(job.id, "w1")
        assert begun is not None
        assert begun.attempts == 1
        assert await ledger.record(job.id, [Accepted(1), Stage(1, "harmony", "started")])
        ends = await asyncio.gather(
            *(ledger.record(job.id, [Done(1, f"song {i}")]) for i in range(5)),
            ledger.record(job.id, [Failed(1, "cancelled", "")], "cancelled"),
        )
        assert sum(ends) == 1
        over = await ledger.job(job.id)
        assert over is not None
        assert over.over
        assert len(over.events) == 3
        assert await ledger.begin(job.id, "w2") is None
        assert not await ledger.record(job.id, [Stage(1, "melody", "started")])
        assert heard.count(job.id) == 2
        await ledger.shown(job.id, 3)
        assert [each.message.id for each in await ledger.unshown("loop")] == [2]


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_a_turn_is_stored_whole_or_not_at_all(url: str) -> None:
    async with opened(url) as database:
        ledger = SqlLedger(database)
        answered, _ = await ledger.accept(written("hello", "u1"), SOON)
        stopped, _ = await ledger.accept(written("a song", "u2"), USUAL)
        await ledger.record(answered.id, [Done(1, "hi")])
        await ledger.record(stopped.id, [Failed(2, "cancelled", "")], "cancelled")
        async with database.reading() as connection:
            rows = (await connection.execute(text("SELECT question, answer FROM turns"))).all()
        assert [tuple(row) for row in rows] == [("hello", "hi")]


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_nobody_overtakes_in_their_own_lane_and_who_asks_much_stands_behind(url: str) -> None:
    async with opened(url) as database:
        ledger = SqlLedger(database)
        songs = [(await ledger.accept(written("a song", f"u{i}"), USUAL))[0] for i in range(3)]
        edit, _ = await ledger.accept(written("", "u9"), SOON)
        other, _ = await ledger.accept(written("a song", "v1", user="bob", chat="elsewhere"), USUAL)
        order = sorted([*songs, edit, other], key=lambda job: (job.priority, job.accepted))
        assert [job.id for job in order] == [songs[0].id, other.id, songs[1].id, songs[2].id, edit.id]
        assert await ledger.waiting(other) == 1
        in_group = written("a song", "g1", user="eve", group=True)
        assert in_group.lane != written("a song", "g2", user="dan", group=True).lane


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_fifty_writers_at_once(url: str) -> None:
    async with opened(url) as database:
        ledger = SqlLedger(database)
        jobs = await asyncio.gather(*(ledger.accept(written("x", f"u{i}", chat=f"c{i % 7}"), USUAL) for i in range(50)))
        assert len({job.id for job, _ in jobs}) == 50
        numbers: dict[str, list[int]] = {}
        for job, _ in jobs:
            numbers.setdefault(job.message.chat, []).append(job.message.id)
        assert all(sorted(each) == list(range(1, len(each) + 1)) for each in numbers.values())


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_files_are_shared_and_kept_until_the_last_song_has_gone(
    url: str, tmp_path: Path, song: Callable[[str, int], Score], brief_of: Callable[[str, int], Brief]
) -> None:
    store = FileStore(tmp_path / "store")
    paths = [tmp_path / "a.mid", tmp_path / "b.mid", tmp_path / "c.mid"]
    for path, content in zip(paths, (b"same", b"same", b"other"), strict=True):
        path.write_bytes(content)
    one, two, three = [await store.keep(path) for path in paths]
    assert one.hash == two.hash != three.hash
    assert paths[0].stat().st_ino == paths[1].stat().st_ino  # on the disk once
    async with opened(url) as database:
        library, ledger = SqlLibrary(database), SqlLedger(database)
        brief, score = brief_of("a jig, 8 bars", 1), song("a jig, 8 bars", 1)
        for number, kept in ((1, {"midi": one, "abc": three}), (2, {"midi": two})):
            await ledger.accept(written("a jig", f"u{number}"), USUAL)
            new = NewVersion("loop", "room", "ann", number, brief, score, 9.0, "a jig", files=kept, told=("said",))
            version = await library.keep(new)
            assert await library.keep(new) == version  # after a crash it comes again
        found = await library.version_on("loop", "room", 1)
        assert found is not None
        assert (found.files["midi"], found.told, found.score) == (one, ("said",), score)
        assert await library.current("loop", "room", before=2) == found
        paths[0].unlink()
        assert (await store.fetch(found.files["midi"])).read_bytes() == b"same"
        assert await library.forget(found.piece, "loop", "elsewhere") is None
        first = await library.forget(found.piece, "loop", "room")
        assert first is not None
        assert first.hashes == (three.hash,)
        assert set(first.paths) == {one.path, three.path}
        second = await library.version_on("loop", "room", 2)
        assert second is not None
        last = await library.forget(second.piece, "loop", "room")
        assert last is not None
        assert last.hashes == (one.hash,)
        for gone in (first, last, last):  # twice: a crash came between
            await store.forget(gone)
        assert not any(path.exists() for path in paths)
        with pytest.raises(FileNotFoundError):
            await store.fetch(KeptFile(str(tmp_path / "gone"), one.hash))


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_the_same_update_in_two_processes_at_once_is_one_job(url: str) -> None:
    async with opened(url) as one, opened(url) as two:
        ledgers = (SqlLedger(one), SqlLedger(two))
        for i in range(10):
            both = await asyncio.gather(*(each.accept(written("x", f"u{i}"), USUAL) for each in ledgers))
            assert sorted(new for _, new in both) == [False, True]
            assert len({job.id for job, _ in both}) == 1
        last, _ = await ledgers[0].accept(written("y", "last"), USUAL)
        assert last.message.id == 11


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_what_no_database_can_hold_is_left_out(url: str) -> None:
    async with opened(url) as database:
        ledger = SqlLedger(database)
        job, _ = await ledger.accept(written("a\x00 jig \ud800", "u" * 500, user="v" * 500), USUAL)
        assert job.message.text == "a jig ?"
        assert await ledger.record(job.id, [Done(1, "fine")])


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_a_polite_end_does_not_count_as_an_attempt(url: str) -> None:
    async with opened(url) as database:
        ledger = SqlLedger(database)
        job, _ = await ledger.accept(written("x", "u1"), USUAL)
        for _ in range(5):
            begun = await ledger.begin(job.id, "w")
            assert begun is not None
            assert begun.attempts == 1
            await ledger.give_back([job.id])


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_the_number_of_a_request_is_the_same_after_a_crash(url: str) -> None:
    async with opened(url) as database:
        library, ledger = SqlLibrary(database), SqlLedger(database)
        for i in range(3):
            await ledger.accept(written("x", f"u{i}"), USUAL)
        assert [await library.next_request("loop", "room", n) for n in (1, 3, 1, 3)] == [0, 1, 0, 1]


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_migrations_go_up_and_down_and_keep_what_was_there(
    url: str, song: Callable[[str, int], Score], brief_of: Callable[[str, int], Brief]
) -> None:
    plain = Database(url).url
    await asyncio.to_thread(upgrade, plain, "0001")
    database = Database(url)
    async with database.writing() as connection:  # what the previous revision had
        for statement in (
            "INSERT INTO chats (id, platform, chat, last_message, requests, begun) VALUES (1, 'loop', 'room', 4, 1, 0)",
            "INSERT INTO pieces (id, chat_id, \"user\", title) VALUES (1, 1, 'ann', 'Old Song')",
            "INSERT INTO cards (chat_id, message, piece_id, version) VALUES (1, 4, 1, 1)",
        ):
            await connection.execute(text(statement))
        brief, score = brief_of("a jig, 8 bars", 1), song("a jig, 8 bars", 1)
        await connection.execute(
            text(
                "INSERT INTO versions (piece_id, number, change, brief, score, rating, files) "
                "VALUES (1, 1, 'a jig', :brief, :score, 9.0, :files)"
            ),
            {"brief": packed(brief), "score": packed(score), "files": '{"midi": "/x.mid"}'},
        )
    await database.open()
    try:
        library = SqlLibrary(database)
        found = await library.version_on("loop", "room", 4)
        assert found is not None
        assert (found.title, found.score.parts, found.files) == ("Old Song", score.parts, {"midi": KeptFile("/x.mid")})
        job, _ = await SqlLedger(database).accept(written("next", "u1"), USUAL)
        assert job.message.id == 5
    finally:
        await database.close()
    await asyncio.to_thread(downgrade, plain, "0001")
    await asyncio.to_thread(upgrade, plain)
    async with opened(url) as again:
        assert await SqlLibrary(again).version_on("loop", "room", 4) is not None


def test_a_new_file_is_made_as_the_migrations_would(tmp_path: Path) -> None:
    async def both() -> None:
        async with opened(f"sqlite:///{tmp_path / 'new.db'}"):
            await asyncio.to_thread(upgrade, Database(f"sqlite:///{tmp_path / 'migrated.db'}").url)

    asyncio.run(both())
    schemas = []
    for name in ("new.db", "migrated.db"):
        engine = create_engine(f"sqlite:///{tmp_path / name}")
        found = inspect(engine)
        schemas.append(
            {
                table: (
                    {column["name"]: (str(column["type"]), column["nullable"]) for column in found.get_columns(table)},
                    found.get_pk_constraint(table)["constrained_columns"],
                    sorted(index["name"] or "" for index in found.get_indexes(table)),
                    sorted(unique["name"] or "" for unique in found.get_unique_constraints(table)),
                )
                for table in found.get_table_names()
            }
        )
        engine.dispose()
    assert schemas[0] == schemas[1]


def test_an_estimate_is_honest_when_unknown() -> None:
    assert estimate(3, 2, [1.0] * 4).usual is None
    wait = estimate(3, 2, [float(n) for n in range(1, 12)])
    assert (wait.place, wait.usual, wait.most) == (3, 12.0, 16.0)


@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_a_writer_that_is_cancelled_leaves_nothing_locked(url: str) -> None:
    async with opened(url) as database:
        ledger = SqlLedger(database)
        for number in range(40):
            task = asyncio.create_task(ledger.accept(written("a jig", f"u{number}"), USUAL))
            for _ in range(number):  # a little further each time
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            async with asyncio.timeout(2):
                await ledger.accept(written("another", f"v{number}"), USUAL)


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize("url", KINDS, indirect=True)
async def test_a_chat_that_moves_takes_its_songs_and_a_song_in_the_making_finds_it(
    url: str, taken: bool, song: Callable[[str, int], Score], brief_of: Callable[[str, int], Brief]
) -> None:
    async with opened(url) as database:
        ledger, library = SqlLedger(database), SqlLibrary(database)
        score, brief = song("a jig in G, 8 bars", 1), brief_of("a jig in G, 8 bars", 1)

        async def made(message: Message) -> int:
            new = NewVersion("loop", message.chat, "ann", message.id, brief, score, 9.0, "a jig")
            return (await library.keep(new)).piece

        first = (await ledger.accept(written("a jig", "5", chat="old"), USUAL))[0]
        piece = await made(first.message)
        await ledger.delivered(first.id, "bubble", "6")
        await ledger.record(first.id, [Done(first.message.id, "a jig")])
        working = (await ledger.accept(written("another", "7", chat="old"), USUAL))[0]
        await ledger.delivered(working.id, "bubble", "8")
        if taken:
            await ledger.accept(written("hello", "1", chat="new"), USUAL)
        await ledger.moved("loop", "old", "new")
        await ledger.moved("loop", "old", "new")
        late = await made(working.message)  # its worker still calls the chat by its old name
        assert {p.id for p in await library.pieces("loop", "new")} == {piece, late}
        assert await ledger.delivery(working.id, "bubble") == ("sent", "gone")
        again = (await ledger.accept(written("faster", "5", chat="new"), USUAL))[0]  # the numbers begin anew there
        assert again.message.text == "faster"
        current = await library.current("loop", "new", before=again.message.id)
        assert current is not None
        assert current.piece in (piece, late)
        moved = await ledger.job(working.id)
        assert moved is not None
        assert moved.message.chat == "new"
        assert (await ledger.accept(written("x", "9", chat="old"), USUAL))[0].message.chat == "new"
