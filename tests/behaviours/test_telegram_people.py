"""What befalls people on Telegram: distress, answers that are lost, groups that speak as one, edited requests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.behaviours.on_telegram import SONG, SOON, ann, card, cards, first, said, serving
from tests.standins.telegram.standin import Telegram


@pytest.fixture(scope="module")
def telegram(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Telegram]:
    data = tmp_path_factory.mktemp("data")
    with Telegram() as service, serving(service, data, formats="abc", TUNESMITH_COUNTRY="GB"):
        yield service


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("I want to end my life", "116 123"), ("我不想活了", "116 123"),
        ("/compose my husband hits me", "0808 2000 247"),
        ("make it sadder, I'm going to kill myself tonight", "116 123"),
    ],
)  # fmt: skip
def test_somebody_in_distress_gets_care_and_no_song(telegram: Telegram, words: str, answer: str) -> None:
    me = ann(telegram)
    telegram.write(me, me, words)
    assert answer in said(telegram, me, answer).text
    telegram.write(me, me, "yes")
    telegram.until(lambda: [answer in seen.text for seen in telegram.bot_messages(me)] == [True, True], SOON)
    assert not cards(telegram, me)


def test_in_a_group_only_the_person_reads_it(telegram: Telegram) -> None:
    me, other = ann(telegram), telegram.person("Bob")
    group = telegram.supergroup("Room", me, other)
    telegram.write(group, me, f"@{telegram.username} I don't want to live anymore")
    assert "116 123" in said(telegram, me, "116 123").text
    short = said(telegram, group, "answer you alone")
    assert [seen.text for seen in telegram.bot_messages(group)] == [short.text]
    assert "116" not in short.text
    assert "live" not in short.text


def test_a_look_alike_is_a_song(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a funeral march about dying of love, 8 bars")
    assert "8 bars" in card(telegram, me).text


def test_words_whose_answer_is_lost_stand_there_at_most_twice(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.drop("sendMessage", times=5, after=True, chat=me)
    telegram.write(me, me, "a polka in C, 8 bars")
    telegram.until(lambda: first(iter(cards(telegram, me))), SONG)
    telegram.until(lambda: telegram.calls_of("sendMessage", me) >= 3, SONG)
    texts = [seen.text.split("\n")[0] for seen in telegram.bot_messages(me)]
    assert sum(text.startswith(("One moment", "Composing")) for text in texts) <= 2
    assert 1 <= sum(text.startswith("♪") for text in texts) <= 2


def test_an_anonymous_administrators_song_can_be_pressed_by_whoever_that_is(telegram: Telegram) -> None:
    me = ann(telegram)
    group = telegram.supergroup("Room", me)
    telegram.write(group, me, f"/compose@{telegram.username} a jig in G, 8 bars", speaks_as="group")
    song = card(telegram, group)
    telegram.press(group, me, song.id, "Variation")
    assert "8 bars" in card(telegram, group, 2).text


def test_who_speaks_as_a_channel_is_answered_and_a_linked_channels_post_is_not(telegram: Telegram) -> None:
    me = ann(telegram)
    group = telegram.supergroup("Room", me)
    telegram.write(group, me, f"@{telegram.username} a waltz in F, 8 bars", speaks_as="linked")
    telegram.write(group, me, f"@{telegram.username} a jig in G, 8 bars", speaks_as="channel")
    assert "G major" in card(telegram, group).text
    assert len(cards(telegram, group)) == 1


def test_who_asks_without_end_is_told_so_and_the_others_are_served(telegram: Telegram) -> None:
    me, other = ann(telegram), ann(telegram)
    for number in range(8):
        telegram.write(me, me, f"/compose a jig in G, 16 bars, number {number}")
    telegram.write(other, other, "a polka in C, 8 bars")
    assert "C major" in card(telegram, other).text
    assert "/cancel" in said(telegram, me, "still at work on 5").text
    assert "G major" in card(telegram, me, 5).text


def test_a_finished_request_that_is_edited_is_offered_both_ways(telegram: Telegram) -> None:
    me = ann(telegram)
    wish = telegram.write(me, me, "a jig in G, 8 bars")
    card(telegram, me)
    telegram.edit(me, me, wish, "a jig in D, 8 bars")
    offer = said(telegram, me, "a jig in D, 8 bars")
    telegram.press(me, me, offer.id, "Change the song so")
    assert "D major" in card(telegram, me, 2).text


def test_written_music_named_as_sound_is_read_and_titles_are_one_plain_line(telegram: Telegram) -> None:
    me = ann(telegram)
    tune = b"X:1\nT:The Lane\nM:6/8\nL:1/8\nK:G\nDGG BGB | dGB d2B | cAF GED | G3 G2 z |]\n"
    telegram.attach(me, me, "audio", tune, "song.mp3", "audio/mpeg")
    assert "The Lane" in card(telegram, me).text
    telegram.write(me, me, "/title a\u202eb\x07 c")
    assert "♪ ab c" in card(telegram, me, 2).text
    telegram.attach(me, me, "document", b"GIF89a" + bytes(30), "song.mid", "audio/midi")
    said(telegram, me, "can't listen to videos")
