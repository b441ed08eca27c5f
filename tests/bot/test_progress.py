"""A job's one message: what it says while the band works, and what it becomes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.storage.database import Database
from adapters.storage.ledger import SqlLedger
from bot.progress import Bubbles
from bot.wiring import Knowledge
from core.errors import FilesRefused, Flooded, Unanswered, Unreachable
from core.events import Accepted, Button, Done, Event, Failed, Stage, Text
from core.jobs import SOON, USUAL, Job, Wait
from core.looks import Look
from core.messages import Message
from tests.bot.chats import Clock, MemoryChat


@dataclass
class Show:
    """A chat, a ledger, and one job whose events come as they are told."""

    ledger: SqlLedger
    known: Knowledge
    chat: MemoryChat = field(default_factory=MemoryChat)
    clock: Clock = field(default_factory=Clock)
    standing: Wait = field(default_factory=Wait)

    def __post_init__(self) -> None:
        self.bubbles = self.restarted()

    def restarted(self) -> Bubbles:
        async def wait(job: Job) -> Wait:
            return self.standing

        self.bubbles = Bubbles(self.chat, self.ledger, self.known.words, wait, clock=self.clock)
        return self.bubbles

    async def asked(self, text: str = "a jig", priority: int = USUAL, **more: object) -> str:
        message = Message("memory", "room", "ann", text=text, external="u1", **more)  # type: ignore[arg-type]
        job, _ = await self.ledger.accept(message, priority)
        await self.ledger.record(job.id, [Accepted(1)])
        return job.id

    async def seen(self, id_: str, *events: Event) -> float:
        """The seconds after which it wants to be asked again."""
        if events:
            await self.ledger.record(id_, list(events))
        job = await self.ledger.job(id_)
        assert job is not None
        return await self.bubbles.show(job)

    @property
    def texts(self) -> list[list[str]]:
        return [[look.text for look in looks] for looks in self.chat.looks.values()]


@pytest.fixture
async def show(tmp_path: Path, known: Knowledge) -> AsyncIterator[Show]:
    database = Database(f"sqlite:///{tmp_path / 'x.db'}")
    await database.open()
    yield Show(SqlLedger(database), known)
    await database.close()


async def test_what_is_answered_soon_needs_no_bubble(show: Show) -> None:
    id_ = await show.asked("hello")
    assert 0 < await show.seen(id_) < 1
    assert show.texts == []
    assert await show.seen(id_, Done(1, "Hello!")) == 0
    assert show.texts == [["Hello!"]]


async def test_place_and_estimate_are_said_while_it_waits_and_a_button_to_cancel(show: Show) -> None:
    id_ = await show.asked()
    show.clock.now += 1
    show.standing = Wait(3, 12.2, 40.0)
    await show.seen(id_)
    show.standing = Wait(1, 5.0, 9.0)
    await show.seen(id_)
    first, second = show.texts[0]
    assert "3 songs are before yours" in first
    assert "About 12 s, at most 40 s" in first
    assert "One song is before yours" in second
    assert [[button.id for button in row] for row in show.chat.looks["1"][0].rows] == [["cancel:1"]]


async def test_stages_fill_in_with_what_was_written_a_bar_and_the_time(show: Show) -> None:
    id_ = await show.asked()
    show.clock.now += 75.5
    await show.seen(id_, Stage(1, "harmony", "finished", "Am – F – C – G", 0.1), Stage(1, "melody", "started"))
    lines = show.texts[0][0].split("\n")
    assert lines[1] == "✓ Harmony  Am – F – C – G"
    assert lines[3] == "… Melody"
    assert lines[-1] == "▰▱▱▱▱▱▱▱▱▱ 1:15"


async def test_a_change_shows_only_what_it_needs(show: Show) -> None:
    id_ = await show.asked()
    await show.seen(id_, Stage(1, "rendering", "started", share=0.5))
    assert show.texts[0][0].split("\n")[1:] == ["… Rendering  50%", "▰▰▰▰▰▱▱▱▱▱ 0:00"]


async def test_the_same_is_not_said_twice(show: Show) -> None:
    id_ = await show.asked()
    stage = Stage(1, "melody", "started")
    await show.seen(id_, stage)
    await show.seen(id_)
    await show.seen(id_)
    assert len(show.texts[0]) == 1


async def test_a_streamed_answer_grows_plain_and_is_formatted_once_at_its_end(show: Show) -> None:
    id_ = await show.asked("what is a fifth?")
    await show.seen(id_, Text(1, "A **perf"))
    await show.seen(id_, Text(1, "ect** fifth"))
    await show.seen(id_, Done(1, "A **perfect** fifth."))
    looks = show.chat.looks["1"]
    assert [look.text for look in looks] == ["A **perf", "A **perfect** fifth", "A **perfect** fifth."]
    assert [(look.markdown, look.final) for look in looks] == [(False, False), (False, False), (True, True)]


async def test_a_long_answer_comes_in_parts_and_nothing_is_lost(show: Show) -> None:
    text = "".join(f"line {number} of a long answer\n" for number in range(40))
    id_ = await show.asked()
    await show.seen(id_, Done(1, text))
    parts = [texts[-1] for texts in show.texts]
    assert len(parts) > 3
    assert all(len(part) <= 200 for part in parts)
    assert "".join(parts) == text
    await show.seen(id_)  # asked again, after a crash: nothing comes twice
    assert len(show.texts) == len(parts)


async def test_while_it_grows_beyond_the_limit_its_end_is_shown(show: Show) -> None:
    id_ = await show.asked()
    await show.seen(id_, Text(1, "word " * 100))
    assert len(show.texts[0][0]) <= 200


@pytest.mark.parametrize("nothing", ["", " \n "])
async def test_an_empty_answer_becomes_a_sentence(show: Show, nothing: str) -> None:
    id_ = await show.asked()
    await show.seen(id_, Done(1, nothing))
    assert show.texts[0][0].startswith("I have no answer")


async def test_a_text_beside_a_file_has_the_smaller_limit(show: Show) -> None:
    show.chat.holds = frozenset({"mp3"})
    id_ = await show.asked()
    text = "♪ A Song\n" + "a remark\n" * 20
    await show.seen(id_, Done(1, text, 1, 1, "A Song", files={"mp3": "/x.mp3", "midi": "/x.mid"}))
    assert all(len(texts[-1]) <= 100 for texts in show.texts)
    assert "".join(texts[-1] for texts in show.texts) == text
    assert show.chat.looks["1"][-1].files == {"mp3": "/x.mp3"}
    assert show.chat.sent == [("midi",)]


async def test_the_result_is_the_last_word_whatever_comes_after_it(show: Show) -> None:
    id_ = await show.asked()
    await show.seen(id_, Stage(1, "melody", "started"))
    await show.seen(id_, Failed(1, "cancelled", "Stopped."))
    await show.ledger.record(id_, [Stage(1, "melody", "finished")])
    await show.seen(id_)
    assert show.texts[0][-1] == "Stopped."


async def test_a_deleted_bubble_is_not_edited_and_the_result_is_posted(show: Show) -> None:
    id_ = await show.asked()
    await show.seen(id_, Stage(1, "melody", "started"))
    del show.chat.looks["1"]
    await show.seen(id_, Stage(1, "melody", "finished", "12 notes"))
    await show.seen(id_, Stage(1, "bass", "started"))
    assert show.texts == []
    await show.seen(id_, Done(1, "the song"))
    assert show.texts == [["the song"]]


async def test_after_a_crash_between_post_and_note_the_message_that_is_there_gets_the_words(show: Show) -> None:
    id_ = await show.asked()
    show.clock.now += 1
    job = await show.ledger.job(id_)
    assert job is not None
    await show.ledger.delivering(id_, "bubble")
    await show.chat.post(job.message, Look("Composing …"), f"{id_} bubble")
    show.restarted()
    await show.seen(id_, Done(1, "the song"))
    assert show.texts == [["Composing …", "the song"]]


async def test_a_flood_warning_pauses_the_chat(show: Show) -> None:
    id_ = await show.asked()
    await show.seen(id_, Stage(1, "melody", "started"))
    show.chat.errors = [Flooded(30)]
    with pytest.raises(Flooded):
        await show.seen(id_, Stage(1, "melody", "finished"))
    assert await show.seen(id_) == pytest.approx(30, abs=1)


async def test_a_file_that_did_not_get_through_is_sent_again_and_the_others_are_not(show: Show) -> None:
    show.chat.follow = ("score", "midi")
    id_ = await show.asked()
    done = Done(1, "♪", 1, 1, "A", files={"score": "/1", "score-2": "/2", "midi": "/3"})
    await show.ledger.record(id_, [done])
    show.chat.errors = []
    original: Callable[..., object] = show.chat.send

    async def send(message: Message, files: dict[str, Path], beside: str, nonce: str) -> str:
        if "midi" in files:
            show.chat.send = original  # type: ignore[method-assign, assignment]
            raise Unreachable
        return await original(message, files, beside, nonce)  # type: ignore[misc, no-any-return]

    show.chat.send = send  # type: ignore[method-assign, assignment]
    with pytest.raises(Unreachable):
        await show.seen(id_)
    await show.seen(id_)
    assert show.chat.sent == [("score", "score-2"), ("midi",)]


async def test_a_press_is_answered_by_a_notice_and_leaves_no_message(show: Show) -> None:
    id_ = await show.asked("", SOON, press="like:1:1", handle="h", on_external="1")
    await show.seen(id_, Done(1, "Thank you, noted.", form="notice"))
    assert show.chat.notices == ["Thank you, noted."]
    assert show.texts == []


async def test_a_reaction_is_kept_in_silence(show: Show) -> None:
    id_ = await show.asked("", SOON, reaction="👍", on_external="1")
    await show.seen(id_, Done(1, "Thank you, noted."))
    assert show.texts == []
    assert show.chat.notices == []


async def test_buttons_stand_under_the_answer(show: Show) -> None:
    id_ = await show.asked()
    await show.seen(id_, Done(1, "Which?", buttons=(Button("a", "A"), Button("b", "B", 1))))
    assert [[b.label for b in row] for row in show.chat.looks["1"][0].rows] == [["A"], ["B"]]


@pytest.mark.parametrize("refusals", [1, 2, 3])
async def test_a_song_whose_files_are_refused_comes_with_smaller_ones_or_without(show: Show, refusals: int) -> None:
    show.chat.holds = frozenset({"mp3"})
    id_ = await show.asked()
    show.chat.errors = [FilesRefused() for _ in range(refusals)]
    await show.ledger.record(id_, [Done(1, "♪ A", 1, 1, "A", files={"mp3": "/x.mp3"})])
    if refusals == 3:  # even without files: that is no refusal of files
        with pytest.raises(FilesRefused):
            await show.seen(id_)
        return
    await show.seen(id_)
    look = show.chat.looks["1"][-1]
    assert look.files == ({"mp3": "/x.mp3"} if refusals == 1 else {})
    assert ("MP3 can't be sent" in look.text) == (refusals == 2)


async def test_a_refused_picture_does_not_keep_the_others_back(show: Show) -> None:
    show.chat.follow = ("score", "midi")
    id_ = await show.asked()
    await show.ledger.record(id_, [Done(1, "♪", 1, 1, "A", files={"score": "/1", "midi": "/3"})])
    send = show.chat.send

    async def refusing(message: Message, files: dict[str, Path], beside: str, nonce: str) -> list[str]:
        if "score" in files:
            raise FilesRefused
        return await send(message, files, beside, nonce)

    show.chat.send = refusing  # type: ignore[method-assign, assignment]
    await show.seen(id_)
    assert show.chat.sent == [("midi",)]
    assert "score can't be sent" in show.texts[1][0]
    await show.seen(id_)
    assert len(show.texts) == 2


async def test_an_edit_that_takes_long_is_not_broken_off_and_the_song_comes_behind_it(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that waits in its platform's hold would be left in the middle of that, and call again in the hold."""
    monkeypatch.setattr("bot.progress._PRETTY", 0.01)
    id_ = await show.asked()
    await show.seen(id_, Stage(1, "harmony", "started"))
    held, edits = asyncio.Event(), 0
    edit = show.chat.edit

    async def slow(message: Message, id_: str, look: Look) -> None:
        nonlocal edits
        edits += 1
        await held.wait()
        await edit(message, id_, look)

    show.chat.edit = slow  # type: ignore[method-assign]
    for stage in ("theory", "melody", "bass"):
        await show.seen(id_, Stage(1, stage, "started"))
    assert edits == 1
    finishing = asyncio.create_task(show.seen(id_, Done(1, "♪ It", 1, 1, "It")))
    held.set()
    await finishing
    assert show.texts[0][-1].startswith("♪ It")


@pytest.mark.parametrize(("same", "most"), [(True, 6), (False, 2)])
async def test_what_is_sent_without_an_answer_is_repeated_once_where_it_would_stand_there_twice(
    show: Show, same: bool, most: int
) -> None:
    show.chat.same = same
    id_ = await show.asked()
    show.chat.errors = [Unanswered() for _ in range(6)]
    for _ in range(6):
        with suppress(Unanswered):
            await show.seen(id_, Done(1, "♪ It", 1, 1, "It"))
    assert 6 - len(show.chat.errors) == most


async def test_only_the_person_reads_what_is_private(show: Show) -> None:
    id_ = await show.asked(group=True)
    await show.seen(id_, Done(1, "I read that.", private="Call 116 123."))
    assert show.chat.whispers == [("ann", "Call 116 123.")]
    assert show.texts == [["I read that."]]


async def test_first_words_come_in_the_order_of_their_messages(show: Show) -> None:
    """As on a database whose answers overtake each other."""
    ids = []
    for number in (1, 2):
        message = Message("memory", "room", "ann", text="a jig", external=f"o{number}")
        job, _ = await show.ledger.accept(message, USUAL)
        await show.bubbles.accepted(job.message)
        await show.ledger.record(job.id, [Accepted(number), Stage(number, "harmony", "started", f"the {number}.")])
        ids.append(job.id)
    slow, free = show.ledger.delivery, asyncio.Event()

    async def delivery(id_: str, what: str) -> tuple[str, str | None] | None:
        if id_ == ids[0]:
            await free.wait()
        return await slow(id_, what)

    show.ledger.delivery = delivery  # type: ignore[method-assign]
    first, second = (asyncio.create_task(show.seen(id_)) for id_ in ids)
    asyncio.get_running_loop().call_later(0.1, free.set)
    await asyncio.gather(first, second)
    assert ["the 1." in show.texts[0][0], "the 2." in show.texts[1][0]] == [True, True]
