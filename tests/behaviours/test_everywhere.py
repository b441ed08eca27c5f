"""One conversation, held in the console, on Telegram and on Discord: it goes the same way everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.behaviours import on_discord, on_telegram
from tests.behaviours.talks import Console, OnDiscord, OnTelegram, Talk
from tests.standins.discord.standin import Discord
from tests.standins.telegram.standin import Telegram

ABC = b"X:1\nT:The Lane\nM:6/8\nL:1/8\nK:G\nDGG BGB | dGB d2B | cAF GED | G3 G2 z |]\n"


@pytest.fixture(scope="module", params=["console", "telegram", "discord"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    data = tmp_path_factory.mktemp("data")
    if request.param == "console":
        console = Console(data)
        yield console
        console.close()
    elif request.param == "telegram":
        with Telegram() as telegram, on_telegram.serving(telegram, data, formats="abc"):
            yield telegram
    else:
        with Discord() as discord, on_discord.serving(discord, data, formats="abc"):
            yield discord


@pytest.fixture
def talk(place: object) -> Talk:
    if isinstance(place, Console):
        return place.anew()
    if isinstance(place, Telegram):
        return OnTelegram(place)
    assert isinstance(place, Discord)
    return OnDiscord(place)


def test_words_become_a_song_and_further_words_change_it(talk: Talk) -> None:
    talk.write("a waltz for violin and piano in F, 8 bars, 120 bpm")
    one = talk.card(1)
    assert "F major · 120 bpm · 3/4 · 8 bars" in one
    assert "violin, piano" in one
    talk.write("make it slower")
    found = re.search(r"120 → (\d+) bpm", talk.card(2))
    assert found
    assert int(found[1]) < 120


def test_a_reply_branches_from_the_song_it_answers(talk: Talk) -> None:
    talk.write("a march in C, 8 bars, 100 bpm")
    talk.card(1)
    talk.write("faster")
    talk.card(2)
    talk.reply(1, "in D minor")
    assert "D minor · 100 bpm" in talk.card(3)


def test_a_button_makes_a_variation_and_undo_goes_back(talk: Talk) -> None:
    talk.write("a march in C, 8 bars, 100 bpm")
    one = talk.card(1)
    talk.press(1, "vary")
    two = talk.card(2)
    assert "Melody" in two or "bars" in two
    talk.write("undo")
    assert talk.card(3).split("\n")[:2] == one.split("\n")[:2]


def test_written_music_is_changed_as_its_words_ask(talk: Talk) -> None:
    talk.attach("lane.abc", ABC, "in A")
    song = talk.card(1)
    assert "The Lane" in song
    assert "A major" in song
    talk.attach("broken.abc", ABC.replace(b"GED | G3", b"GED2222 | G3"), "")
    assert "bar" in talk.said("I can't read that music")


def test_what_it_hears_decides_the_language_of_its_answer(talk: Talk) -> None:
    talk.write("一首F大调的华尔兹，8小节")
    assert "F大调" in talk.card(1)
    talk.write("hello")
    talk.said("Tell me what you would like to hear")


def test_the_library_lists_finds_and_opens(talk: Talk) -> None:
    talk.write("/library")
    talk.said("No songs yet")
    talk.write("/compose a tune for harp alone in E, 4 bars")
    talk.card(1)
    talk.write("/library harp")
    number = re.search(r"(\d+)\\?\. ", talk.said("with “harp”"))
    assert number
    talk.write(f"/open {number[1]}")
    assert "harp" in talk.card(2)
    talk.write("/open 999999")
    talk.said("no song with that number")
    talk.write(f"/delete {number[1]}")
    talk.said("is deleted")


def test_what_cannot_be_done_is_said_with_a_way_forward(talk: Talk) -> None:
    talk.write("make it faster")
    talk.said("Tell me what to write first")
    talk.write("/nonsense")
    talk.said("/help shows what I can do")
    talk.write("/help")
    assert "/compose" in talk.said("I write songs")
