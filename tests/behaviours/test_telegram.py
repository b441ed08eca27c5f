"""What somebody sees on Telegram: the whole program as `serve`, against a Bot API server on loopback."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.behaviours.on_telegram import SONG, SOON, ann, card, cards, first, labels, said, serving
from tests.standins.telegram.standin import Telegram
from tests.standins.telegram.values import Seen

ABC = b"X:1\nT:The Lane\nM:6/8\nL:1/8\nK:G\nDGG BGB | dGB d2B | cAF GED | G3 G2 z |]\n"


@pytest.fixture(scope="module")
def telegram(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Telegram]:
    """One service for all these tests; each has people of its own. Songs come without sound and MIDI: Telegram allows a
    message a second.
    """
    with Telegram() as service, serving(service, tmp_path_factory.mktemp("data"), formats="abc,musicxml"):
        yield service


def tempo(seen: Seen) -> int:
    found = re.search(r"(\d+) bpm", seen.text)
    assert found, seen.text
    return int(found[1])


def test_the_first_words_are_a_greeting_and_one_tap_gives_a_song(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "/start")
    hello = said(telegram, me, "band writes it while you watch")
    assert labels(hello) == ["♪ A first song"]
    telegram.press(me, me, hello.id, "♪ A first song")
    assert "A minor · 80 bpm · 4/4 · 8 bars" in card(telegram, me).text


def test_a_request_is_one_message_that_becomes_the_song(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "/compose a jig in G, 8 bars")
    song = card(telegram, me)
    assert "G major" in song.text
    assert "6/8 · 8 bars" in song.text
    assert "seed" in song.text
    assert labels(song) == ["Variation", "Change …", "More …"]
    assert len(telegram.bot_messages(me)) == 1
    bold = [e for e in song.entities if e["type"] == "bold"]
    assert [(e["offset"], e["length"]) for e in bold] == [(0, len(song.text.split("\n")[0]))]


def test_small_talk_gets_one_answer_and_no_bubble(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "hello!")
    answer = said(telegram, me, "Tell me what you would like to hear")
    assert [text for _, text in answer.history] == [answer.text]


def test_words_after_a_song_change_it_and_a_reply_branches_from_the_card_it_answers(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a waltz in F, 8 bars, 120 bpm")
    one = card(telegram, me)
    telegram.write(me, me, "make it slower")
    two = card(telegram, me, 2)
    assert tempo(two) < tempo(one) == 120
    telegram.write(me, me, "in D minor", reply_to=one.id)
    three = card(telegram, me, 3)
    assert "D minor" in three.text
    assert tempo(three) == 120


def test_a_reply_to_words_that_are_no_card_is_just_a_message(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "/help")
    help_ = said(telegram, me, "I write songs")
    telegram.write(me, me, "a polka in C, 8 bars", reply_to=help_.id)
    assert "C major" in card(telegram, me).text


def test_buttons_change_the_song_and_the_rest_is_one_tap_away(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a march in C, 8 bars, 100 bpm")
    one = card(telegram, me)

    def now() -> Seen:
        return telegram.message(me, one.id)

    def shown(label: str) -> Seen:
        telegram.until(lambda: label in labels(now()), SOON)
        return now()

    telegram.press(me, me, one.id, "More …")
    assert shown("Faster").text == one.text
    telegram.press(me, me, one.id, "Instruments …")
    melody = telegram.until(lambda: [label for label in labels(now()) if label.startswith("Melody")], SOON)
    telegram.press(me, me, one.id, melody[0])
    shown("flute")
    telegram.press(me, me, one.id, "flute")
    two = card(telegram, me, 2)
    assert "flute" in two.text
    telegram.press(me, me, one.id, "◂ Back")
    telegram.until(lambda: melody[0] in labels(now()), SOON)
    telegram.press(me, me, one.id, "◂ Back")
    telegram.press(me, me, shown("Faster").id, "Faster")
    assert tempo(card(telegram, me, 3)) > 100
    telegram.press(me, me, one.id, "◂ Back")
    telegram.until(lambda: labels(now()) == ["Variation", "Change …", "More …"], SOON)
    telegram.press(me, me, one.id, "Variation")
    assert card(telegram, me, 4).text.split("\n")[1] == one.text.split("\n")[1]


def test_change_asks_for_words_and_the_reply_changes_that_song(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a march in C, 8 bars, 100 bpm")
    one = card(telegram, me)
    telegram.write(me, me, "a waltz in E minor, 8 bars, 140 bpm")
    card(telegram, me, 2)
    telegram.press(me, me, one.id, "Change …")
    prompt = said(telegram, me, "Reply with a few words")
    assert prompt.force_reply
    telegram.write(me, me, "in D", reply_to=prompt.id)
    three = card(telegram, me, 3)
    assert "D major · 100 bpm" in three.text


def test_files_versions_links_and_likes_are_in_the_menu(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a waltz for violin and piano in F, 8 bars")
    one = card(telegram, me)
    telegram.press(me, me, one.id, "More …")
    telegram.until(lambda: "👍" in labels(telegram.message(me, one.id)), SOON)
    before = len(telegram.toasts)
    telegram.press(me, me, one.id, "👍")
    telegram.until(lambda: [t for t in telegram.toasts[before:] if "noted" in t.text], SOON)
    telegram.press(me, me, one.id, "Files")
    album = telegram.until(lambda: [s for s in telegram.bot_messages(me) if s.album], SOON)
    assert {Path(s.media.name).suffix for s in album if s.media and s.media.name} == {".musicxml", ".abc"}
    telegram.press(me, me, one.id, "Link")
    link = said(telegram, me, "gets a copy").text.split("start=")[1]
    bob = ann(telegram)
    telegram.write(bob, bob, f"/start {link}")
    copy = card(telegram, bob)
    assert copy.text == one.text
    telegram.write(bob, bob, "faster")
    card(telegram, bob, 2)
    telegram.press(me, me, one.id, "Versions …")
    telegram.until(lambda: any("a waltz for violin" in x for x in labels(telegram.message(me, one.id))), SOON)
    assert len(labels(telegram.message(me, one.id))) == 2  # Bob's change is Bob's


def test_the_library_is_searched_and_opens_a_song_by_a_tap(telegram: Telegram) -> None:
    me = ann(telegram)
    for number, instrument in enumerate(("piano", "harp")):
        telegram.write(me, me, f"/compose a tune for {instrument} alone, 4 bars")
        card(telegram, me, number + 1)
    telegram.write(me, me, "/library piano")
    found = said(telegram, me, "with “piano”")
    assert len(labels(found)) == 1
    telegram.press(me, me, found.id, labels(found)[0])
    assert card(telegram, me, 3).text.split("\n")[:2] == cards(telegram, me)[0].text.split("\n")[:2]


def test_the_language_is_chosen_by_button_and_holds_from_then_on(telegram: Telegram) -> None:
    me = ann(telegram, "zh-hans")
    telegram.write(me, me, "/settings")
    asked = said(telegram, me, "我该用哪种语言回答")
    telegram.press(me, me, asked.id, "English")
    telegram.until(lambda: "✓ English" in labels(telegram.message(me, asked.id)), SOON)
    telegram.write(me, me, "一首欢快的吉格舞曲，8小节")
    assert "8 bars" in card(telegram, me).text
    assert {"en", "zh", ""} >= set(telegram.commands)
    assert dict(telegram.commands["zh"])["compose"] == "用一句话写一首歌"


def test_cancel_is_a_button_on_the_bubble(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a symphony in D, 200 bars")
    telegram.write(me, me, "an anthem, 200 bars")
    bubble = telegram.until(lambda: first(s for s in telegram.bot_messages(me) if "Cancel" in labels(s)), SOON)
    telegram.press(me, me, bubble.id, "Cancel")
    telegram.until(lambda: telegram.message(me, bubble.id).text == "Stopped. Nothing of it was kept.", SOON)
    telegram.until(lambda: [t for t in telegram.toasts if t.person == me and t.text == "Stopped."], SOON)
    telegram.write(me, me, "/cancel")
    telegram.until(  # the second song may be there already
        lambda: [s for s in telegram.bot_messages(me) if s.text == "Stopped." or "Nothing of yours" in s.text], SOON
    )


def test_a_reaction_is_kept_without_a_word(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.write(me, me, "a jig in D, 4 bars")
    one = card(telegram, me)
    for emoji in (("👍",), ("🔥",), ()):
        telegram.react(me, me, one.id, *emoji)
    telegram.write(me, me, "/library")
    said(telegram, me, "Your songs")
    assert len(telegram.bot_messages(me)) == 2


# Files


def test_written_music_as_a_file_becomes_a_song_changed_as_the_caption_asks(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.attach(me, me, "document", ABC, "../../../x.abc", caption="in A")
    assert "A major" in card(telegram, me).text


def test_a_text_file_without_a_type_is_read_as_words(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.attach(me, me, "document", b"a polka in B flat, 8 bars", "message.txt", mime="")
    assert "B♭ major" in card(telegram, me).text


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [("voice", None, "recording"), ("audio", "hum.mp3", "recording"), ("photo", None, "picture")],
)
def test_what_cannot_be_read_yet_is_kept_and_answered_honestly(
    telegram: Telegram, kind: str, name: str | None, words: str
) -> None:
    me = ann(telegram)
    picture = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10\x00\x00\x00\x10\x08\x02\x00\x00\x00"
    telegram.attach(me, me, kind, picture if kind == "photo" else b"OggS", name)  # type: ignore[arg-type]
    said(telegram, me, f"I've got your {words}")


def test_a_file_that_is_too_large_is_not_fetched(telegram: Telegram) -> None:
    me = ann(telegram)
    telegram.attach(me, me, "audio", b"x", "long.mp3", size=30_000_000)
    said(telegram, me, "larger than I can fetch")
    telegram.attach(me, me, "sticker", b"RIFF")
    said(telegram, me, "can't read that kind")


def test_an_album_is_one_message_with_all_its_files(telegram: Telegram) -> None:
    me = ann(telegram)
    for number in range(3):
        tune = ABC.replace(b"The Lane", b"Lane %d" % number)
        telegram.attach(me, me, "document", tune, f"{number}.abc", caption="faster" if not number else "", album="al1")
        telegram.until(lambda: not telegram.pending, SOON)  # they come one by one
    song = card(telegram, me)
    assert "first of your 3 files" in song.text
    telegram.write(me, me, "/library")
    assert len(labels(said(telegram, me, "Your songs"))) == 1


# Groups


def test_in_a_group_it_answers_those_who_speak_to_it_and_each_has_songs_of_their_own(telegram: Telegram) -> None:
    a, b, c = (telegram.person(name) for name in ("Ann", "Bob", "Cy"))
    room = telegram.group("Band", a, b, c)
    telegram.write(room, a, "what a nice day for a waltz")
    asked = [
        telegram.write(room, a, "@tunesmith_bot a waltz in C, 8 bars, 100 bpm"),
        telegram.write(room, b, "/compose@tunesmith_bot a jig in G, 8 bars"),
        telegram.write(room, c, "/compose@other_bot a jig in G"),
    ]
    telegram.until(lambda: len(cards(telegram, room)) == 2, SONG)
    by = {seen.reply_to: seen for seen in cards(telegram, room)}
    assert set(by) == {asked[0], asked[1]}
    waltz = by[asked[0]]
    assert "C major" in waltz.text
    telegram.write(room, b, "@tunesmith_bot in A")  # Bob's own song, though Ann's is as new
    telegram.until(lambda: [s for s in cards(telegram, room) if "A major" in s.text and "6/8" in s.text], SONG)
    telegram.write(room, b, "faster", reply_to=waltz.id)
    refused = said(telegram, room, "somebody else's song")
    telegram.press(room, b, refused.id, "Make a copy of mine")
    telegram.until(lambda: len([s for s in cards(telegram, room) if "C major" in s.text]) == 2, SONG)
    telegram.press(room, a, waltz.id, "More …")
    telegram.until(lambda: "Let others change it" in labels(telegram.message(room, waltz.id)), SOON)
    telegram.press(room, a, waltz.id, "Let others change it")
    telegram.until(lambda: [t for t in telegram.toasts if t.person == a and "Everybody here" in t.text], SOON)
    telegram.write(room, b, "in E", reply_to=waltz.id)
    telegram.until(lambda: [s for s in cards(telegram, room) if "E major · 100" in s.text], SONG)


def test_topics_are_chats_of_their_own(telegram: Telegram) -> None:
    me = telegram.person("Ann")
    room = telegram.supergroup("Band", me, topics=True)
    one, two = telegram.topic(room, "Waltzes"), telegram.topic(room, "Jigs")
    telegram.write(room, me, "@tunesmith_bot a waltz in C, 8 bars", topic=one)
    waltz = card(telegram, room, topic=one)
    telegram.write(room, me, "@tunesmith_bot faster", topic=two)
    telegram.until(lambda: [s for s in telegram.bot_messages(room, two) if "no song here" in s.text], SOON)
    telegram.react(room, me, waltz.id, "🔥")
    telegram.write(room, me, "slower", reply_to=waltz.id)
    assert tempo(card(telegram, room, 2, one)) < tempo(waltz)


def test_nothing_private_is_told_in_a_group(telegram: Telegram) -> None:
    me = ann(telegram)
    room = telegram.group("Band", me)
    telegram.write(me, me, "/compose a lament for the lost umbrella, 4 bars")
    card(telegram, me)
    telegram.write(room, me, "/library@tunesmith_bot")
    assert "umbrella" not in said(telegram, room, "No songs yet").text
    telegram.write(room, me, "@tunesmith_bot undo")
    said(telegram, room, "nothing to undo")


def test_a_group_that_becomes_a_supergroup_keeps_its_songs(telegram: Telegram) -> None:
    me = telegram.person("Ann")
    room = telegram.group("Band", me)
    telegram.write(room, me, "@tunesmith_bot a jig in G, 8 bars")
    card(telegram, room)
    new = telegram.migrate(room)
    telegram.write(new, me, "@tunesmith_bot in D")
    assert "D major" in card(telegram, new).text
