"""Telegram on bad days: slow, refusing, repeating itself, gone for a while; and the program killed in between."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from tests.behaviours.on_telegram import SONG, SOON, ann, card, cards, first, labels, said, serving
from tests.behaviours.served import Serve
from tests.standins.telegram.standin import Telegram
from tests.standins.telegram.values import Media, Seen

LONG = "a waltz for violin and piano in F, 48 bars"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Telegram, Serve]]:
    """With sound and pictures, as it is meant to be."""
    with Telegram() as service, serving(service, tmp_path_factory.mktemp("data")) as served:
        yield service, served


@pytest.fixture
def telegram(world: tuple[Telegram, Serve]) -> Iterator[Telegram]:
    yield world[0]
    world[0].mend()


def media(telegram: Telegram, chat: int, kind: str) -> Media:
    """The first file of a kind in a chat, waited for."""
    found = telegram.until(
        lambda: first(s for s in telegram.bot_messages(chat) if s.media and s.media.kind == kind), SONG
    )
    assert found.media
    return found.media


def at_work(telegram: Telegram, chat: int) -> Seen:
    """The bubble of a song that is being written."""
    return telegram.until(lambda: first(s for s in telegram.bot_messages(chat) if "Cancel" in labels(s)), SOON)


def test_a_song_is_heard_seen_and_kept(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "/compose a calm waltz for violin and piano in F, 8 bars")
    audio = media(telegram, me, "audio")
    song = first(iter(cards(telegram, me)))
    assert song.media == audio
    assert audio.title
    assert audio.title in song.text
    assert audio.performer == "Tunesmith"
    assert audio.mime == "audio/mpeg"
    assert 8 < audio.duration < 30
    assert audio.content[:3] == b"ID3"
    assert audio.thumbnail is not None
    assert max(Image.open(io.BytesIO(audio.thumbnail)).size) == 320
    score = Image.open(io.BytesIO(media(telegram, me, "photo").content))
    assert score.width == 1600
    assert media(telegram, me, "document").content.startswith(b"MThd")
    assert {seen.reply_to for seen in telegram.bot_messages(me) if seen.id != song.id} == {song.id}
    telegram.press(me, me, song.id, "More …")
    telegram.until(lambda: "Stems" in labels(telegram.message(me, song.id)), SOON)
    telegram.press(me, me, song.id, "Stems")
    stems = telegram.until(lambda: [s for s in telegram.bot_messages(me) if s.album], SONG)
    assert len(stems) == 2
    for stem in stems:
        assert stem.media
        with wave.open(io.BytesIO(stem.media.content)) as sound:
            samples = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)
        assert np.abs(samples).max() > 1000
    assert telegram.ignored_thumbnails == []


def test_a_deleted_bubble_is_left_alone_and_the_song_is_posted_once(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, LONG)
    telegram.delete(me, at_work(telegram, me).id)
    media(telegram, me, "document")
    assert len(cards(telegram, me)) == 1
    tried = [c for c in telegram.calls if c.chat == me and c.method.startswith("edit") and c.status == 400]
    assert len(tried) <= 1


def warned(telegram: Telegram, chat: int) -> float:
    """When a call for that chat was answered with 429."""
    for call in telegram.calls:
        if (call.chat, call.status) == (chat, 429):
            return call.at
    raise LookupError


def test_a_flood_warning_holds_that_chat_alone(telegram: Telegram) -> None:
    me, bob = ann(telegram), ann(telegram)
    hold = 8.0
    telegram.fail("edit*", status=429, retry_after=round(hold), chat=me)
    telegram.write(me, me, LONG)
    begun = telegram.until(lambda: warned(telegram, me), SONG)
    telegram.write(bob, bob, "a jig in D, 4 bars")
    card(telegram, bob)
    assert [call for call in telegram.calls if call.chat == bob and begun < call.at < begun + hold]
    card(telegram, me)
    media(telegram, me, "document")
    assert not [call for call in telegram.calls if call.chat == me and begun < call.at < begun + hold]


def test_what_the_network_loses_is_sent_again(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.drop("sendMessage", chat=me)
    telegram.fail("edit*", status=502, chat=me)
    telegram.drop("sendDocument", chat=me)
    telegram.fail("getUpdates", status=502)
    telegram.write(me, me, "a jig in D, 8 bars")
    media(telegram, me, "document")
    assert len(cards(telegram, me)) == 1
    assert len(telegram.bot_messages(me)) == 3


def test_refused_formatting_gives_the_same_words_plain(telegram: Telegram) -> None:
    me = ann(telegram)
    same = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same"
    telegram.fail("editMessageText", status=400, description=same, chat=me)
    telegram.fail("sendMessage", status=400, description="Bad Request: can't parse entities: no end", chat=me)
    telegram.write(me, me, "/compose a jig in D, 8 bars")
    media(telegram, me, "document")
    assert len(cards(telegram, me)) == 1
    assert not [s for s in telegram.bot_messages(me) if "Bad Request" in s.text]


def test_the_same_update_twice_and_an_edit_are_one_request(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.hold()
    asked = telegram.write(me, me, "a jig in D, 4 bars")
    telegram.repeat(telegram.update_of(me, asked))
    telegram.release()
    card(telegram, me)
    telegram.repeat(telegram.update_of(me, asked))
    telegram.edit(me, me, asked, "a jig in D, 4 bars!")
    telegram.write(me, me, "/help")
    said(telegram, me, "I write songs")
    telegram.until(lambda: not telegram.pending, SOON)
    assert len(cards(telegram, me)) == 1


def test_a_request_that_still_waits_takes_an_edit_over(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, LONG)
    asked = telegram.write(me, me, "/compose a jig in D, 4 bars")
    at_work(telegram, me)
    telegram.edit(me, me, asked, "/compose a jig in A, 4 bars")
    telegram.until(lambda: len(cards(telegram, me)) == 2, SONG)
    assert "A major" in cards(telegram, me)[1].text


def test_two_messages_in_a_row_are_answered_in_order_and_the_second_knows_the_first(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a waltz in F, 8 bars, 120 bpm")
    telegram.write(me, me, "in D minor")
    assert "D minor · 120 bpm" in card(telegram, me, 2).text


def test_who_blocks_the_bot_hears_nothing_and_the_others_do(telegram: Telegram) -> None:
    me, bob = ann(telegram), ann(telegram)
    telegram.write(me, me, "a jig in D, 8 bars")
    telegram.block(me)
    telegram.write(bob, bob, "a jig in G, 4 bars")
    card(telegram, bob)
    telegram.unblock(me)
    telegram.write(me, me, "/help")
    said(telegram, me, "I write songs")
    assert not cards(telegram, me)


def test_killed_and_started_again_it_finishes_the_song_in_its_message_and_old_buttons_work(
    telegram: Telegram, world: tuple[Telegram, Serve]
) -> None:
    served = world[1]
    me = ann(telegram)
    telegram.write(me, me, "a jig in D, 8 bars")
    old = card(telegram, me)
    media(telegram, me, "document")
    telegram.write(me, me, "a waltz for violin and piano in D, 130 bars")
    # Telegram cannot tell a message from its like: killed right behind the first words, they would stay as an orphan.
    bubble = telegram.until(
        lambda: first(s for s in telegram.bot_messages(me) if s.edited and "Cancel" in labels(s)), SOON
    )
    assert "✓ Harmony" in bubble.text
    assert "▰" in bubble.text
    served.kill()
    telegram.write(me, me, "/help")  # while nobody is there
    served.start()
    song = telegram.until(lambda: first(s for s in cards(telegram, me) if s.id == bubble.id), SONG)
    assert song.media
    said(telegram, me, "I write songs")
    telegram.press(me, me, old.id, "Variation")
    assert "D major" in card(telegram, me, 3).text


def test_a_polite_end_says_back_in_a_moment(telegram: Telegram, world: tuple[Telegram, Serve]) -> None:
    served = world[1]
    me = ann(telegram)
    telegram.write(me, me, LONG)
    bubble = at_work(telegram, me)
    assert served.stop() == 0
    assert "Back in a moment" in telegram.message(me, bubble.id).text
    served.start()
    telegram.until(lambda: telegram.message(me, bubble.id).text.startswith("♪"), SONG)
