"""What somebody sees on Discord: the whole program as `serve`, against a gateway and REST on loopback."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.behaviours.on_discord import SONG, SOON, Room, labels, serving, text
from tests.standins.discord.standin import Discord

ABC = "X:1\nT:The Lane\nM:6/8\nL:1/8\nK:G\nDGG BGB | dGB d2B | cAF GED | G3 G2 z |]\n"
FILE = ("lane.abc", ABC.encode(), None)


@pytest.fixture(scope="module")
def discord(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Discord]:
    """One service for all these tests; each has people and servers of its own. Songs come without sound."""
    with Discord() as service, serving(service, tmp_path_factory.mktemp("data"), formats="midi,abc"):
        yield service


def test_a_slash_command_is_acknowledged_and_its_answer_becomes_the_song(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="a calm tune", style="waltz", key="F major", tempo=120, bars=8)
    song = ann.card()
    assert "F major · 120 bpm · 3/4 · 8 bars" in text(song)
    assert "waltz" in text(song)
    assert [name for name, _, _ in song.attachments] == [song.attachments[0].name]
    assert song.attachments[0].data.startswith(b"MThd")
    assert labels(song) == ["Variation", "Change …", "More …"]
    assert len(ann.ours()) == 1
    assert song.interaction is not None
    assert all(ack.seconds < 1 for ack in discord.acknowledged)


def test_a_slash_command_takes_a_file_and_what_to_do_with_it(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", key="A", file=FILE[:2])
    song = ann.card()
    assert "The Lane" in text(song)
    assert "A major" in text(song)


def test_styles_and_instruments_are_offered_while_they_are_typed(discord: Discord) -> None:
    ann, chinese = Room(discord), Room(discord, locale="zh-CN")
    found = discord.autocomplete(ann.channel, ann.user, "compose", "style", "boss")
    assert found[0] == {"name": "bossa nova", "value": "bossa nova"}
    found = discord.autocomplete(chinese.channel, chinese.user, "compose", "instrument", "长笛")
    assert {"name": "长笛", "value": "flute"} in found
    assert len(discord.autocomplete(ann.channel, ann.user, "compose", "instrument", "")) == 25


def test_commands_are_named_and_described_in_two_languages(discord: Discord) -> None:
    compose = next(command for command in discord.commands if command["name"] == "compose")
    assert compose["name_localizations"]["zh-CN"] == "作曲"
    assert compose["contexts"] == [0, 1, 2]
    chinese = Room(discord, locale="zh-CN")
    chinese.slash("help")
    help_ = chinese.said("我会写歌")
    assert help_.ephemeral_to == chinese.user


def test_mentions_replies_and_private_words_are_a_conversation(discord: Discord) -> None:
    ann = Room(discord)
    discord.write(ann.channel, ann.user, "what a nice day for a waltz")
    asked = ann.write("a waltz in F, 8 bars, 120 bpm")
    one = ann.card()
    assert one.reply_to == asked
    discord.write(ann.channel, ann.user, "in D minor", reply_to=one.id)
    assert "D minor · 120 bpm" in text(ann.card(2))
    discord.write(ann.channel, ann.user, "in E minor", reply_to=one.id)
    assert "E minor · 120 bpm" in text(ann.card(3))
    private = Room(discord, user=ann.user, private=True)
    private.write("hello!")
    answer = private.said("Tell me what you would like to hear")
    assert len(answer.history) == 1
    private.write("undo")
    private.said("nothing to undo")


def test_buttons_a_select_and_the_modal_change_the_song(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="a march in C, 8 bars, 100 bpm")
    one = ann.card()
    ann.choose(ann.menu(one), "Faster")
    assert int(re.findall(r"→ (\d+) bpm", text(ann.card(2)))[0]) > 100
    ann.choose(one, "Instruments …")
    melody = ann.until(lambda: [label for label in labels(ann.now(one)) if label.startswith("Melody")])[0]
    ann.click(ann.now(one), melody)
    ann.until(lambda: "flute" in labels(ann.now(one)))
    (ann.choose if ann.now(one).selects else ann.click)(one, "flute")
    assert "flute" in text(ann.card(3))
    ann.click(ann.card(2), "Change …")
    ann.until(lambda: ann.user in discord.modals)
    modal = discord.modals[ann.user]
    assert modal.title == "What shall I change?"
    discord.submit(ann.user, modal, words="in D")
    assert "D major" in text(ann.card(4))
    ann.click(ann.card(4), "Variation")
    assert "D major" in text(ann.card(5))


def test_a_press_that_needs_only_a_word_is_told_to_that_person_alone(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="a jig in D, 8 bars")
    one = ann.card()
    ann.click(ann.menu(one), "👍")
    thanks = ann.said("noted")
    assert thanks.ephemeral_to == ann.user
    ann.choose(one, "Versions …")
    ann.until(lambda: any("+1" in label for label in labels(ann.now(one))))


def test_a_message_menu_remixes_a_song_and_plays_written_music(discord: Discord) -> None:
    ann = Room(discord)
    tune = discord.write(ann.channel, ann.user, f"```abc\n{ABC}```")
    discord.context(ann.channel, ann.user, "Render this ABC", tune)
    assert "The Lane" in text(ann.card())
    discord.context(ann.channel, ann.user, "Remix this", ann.card().id)
    assert "The Lane" in text(ann.card(2))
    sent = discord.write(ann.channel, ann.user, "in A", attachments=[FILE])
    discord.context(ann.channel, ann.user, "Remix this", sent)
    assert "A major" in text(ann.card(3))


def test_a_voice_message_is_kept_and_answered_honestly(discord: Discord) -> None:
    ann = Room(discord, private=True)
    discord.write(ann.channel, ann.user, attachments=[("voice-message.ogg", b"OggS", "audio/ogg")], voice=True)
    ann.said("I've got your recording")
    discord.write(ann.channel, ann.user, "faster", attachments=[FILE])
    assert "The Lane" in text(ann.card())


def test_in_a_session_several_people_steer_one_song_and_each_turn_is_credited(discord: Discord) -> None:
    bob = discord.user("Bob")
    ann = Room(discord, others=[bob])
    ann.slash("compose", words="a march in C, 8 bars, 100 bpm")
    one = ann.card()
    ann.click(ann.menu(one), "Open a session")
    thread = ann.until(lambda: discord.threads(ann.channel))[0]
    assert thread.message == one.id
    both = [Room(discord, user=user, channel=thread.id) for user in (ann.user, bob)]
    assert "C major" in text(both[0].card())
    discord.write(thread.id, bob, "in D")
    two = both[0].card(2)
    assert "D major" in text(two)
    assert "“in D” – Bob" in text(two)
    discord.write(thread.id, ann.user, "slower")
    three = both[0].card(3)
    assert "D major" in text(three)
    assert "“slower” – Ann" in text(three)
    for user in (ann.user, bob):
        discord.react(thread.id, user, two.id, "🔥")
    discord.react(thread.id, bob, three.id, "👎")
    both[0].click(both[0].menu(three), "👍")
    both[0].choose(three, "Versions …")
    votes = both[0].until(lambda: [label for label in labels(both[0].now(three)) if "in D" in label])
    assert "+2" in votes[0]
    assert len(ann.cards()) == 1  # the song in the channel is as it was


def test_reactions_are_kept_in_silence_and_taken_back_one_by_one(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="a jig in D, 8 bars")
    one = ann.card()
    for emoji in ("👍", "🔥"):
        discord.react(ann.channel, ann.user, one.id, emoji)
    discord.unreact(ann.channel, ann.user, one.id, "👍")
    menu = ann.menu(one)
    ann.choose(menu, "Versions …")
    ann.until(lambda: any("+1" in label for label in labels(ann.now(one))))
    assert len(ann.ours()) == 1


def test_nobody_is_ever_pinged(discord: Discord) -> None:
    ann = Room(discord)
    ann.write("a jig in D, 8 bars")
    ann.card()
    ann.write(f"/title @everyone @here <@{ann.user}>")
    ann.until(lambda: len(ann.cards()) == 2 and "everyone" in text(ann.cards()[1]), SONG)
    ann.slash("library", words="@everyone <@&1>")
    ann.said("No song with")
    assert discord.pings == []


def test_stars_and_underscores_of_a_title_stay_what_they_are(discord: Discord) -> None:
    ann = Room(discord, private=True)
    ann.write("a jig in D, 8 bars")
    ann.card()
    ann.write("/title A *Star* in_the_sky")
    ann.until(lambda: len(ann.cards()) == 2, SONG)
    assert ann.cards()[1].embeds[0]["title"] == r"♪ A \*Star\* in\_the\_sky"


def test_a_long_library_search_and_pages_by_select(discord: Discord) -> None:
    ann = Room(discord, private=True)
    for number in range(3):
        ann.slash("compose", words=f"a tune for {('piano', 'harp', 'oboe')[number]} alone, 4 bars")
        ann.card(number + 1)
    ann.slash("library", words="harp")
    found = ann.said("with “harp”")
    ann.click(found, labels(found)[0])
    assert "harp" in text(ann.card(4))


def test_cancel_is_a_button_on_the_bubble(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="a symphony in D, 200 bars")
    ann.slash("compose", words="an anthem, 200 bars")
    bubble = ann.until(lambda: [s for s in ann.ours() if "Cancel" in labels(s)], SOON)[0]
    ann.click(bubble, "Cancel")
    ann.until(lambda: ann.now(bubble).content == "Stopped. Nothing of it was kept.")


def test_somebody_elses_words_are_never_a_command(discord: Discord) -> None:
    bob = discord.user("Bob")
    ann = Room(discord, others=[bob])
    ann.slash("compose", words="a jig in D, 8 bars")
    ann.card()
    ann.slash("library")
    number = re.findall(r"(\d+)", text(ann.said("Your songs")))[0]
    trap = discord.write(ann.channel, bob, f"/delete {number}")
    discord.context(ann.channel, ann.user, "Remix this", trap)
    ann.until(lambda: len(ann.ours()) == 3 and not ann.ours()[2].thinking, SONG)
    ann.slash("revise", words=f"/delete {number}")
    ann.until(lambda: len(ann.ours()) == 4 and not ann.ours()[3].thinking, SONG)
    assert not any("is deleted" in text(seen) for seen in ann.ours())
    mine = Room(discord, user=bob, channel=ann.channel)
    mine.write(f"/delete {number}")
    mine.said("only they can delete it")


def test_in_a_session_people_talk_to_each_other_too(discord: Discord) -> None:
    bob = discord.user("Bob")
    ann = Room(discord, others=[bob])
    ann.slash("compose", words="a march in C, 8 bars, 100 bpm")
    ann.click(ann.menu(ann.card()), "Open a session")
    thread = ann.until(lambda: discord.threads(ann.channel))[0]
    assert thread.id in ann.said("Everybody can steer it").content
    room = Room(discord, user=bob, channel=thread.id)
    room.card()
    for chatter in ("haha nice one", "brb, dinner", "lol", "what do you think, Ann?"):
        discord.write(thread.id, bob, chatter)
    discord.write(thread.id, bob, "a bit faster please")
    room.card(2)
    discord.write(thread.id, bob, f"{discord.mention} hello!")
    room.said("Tell me what you would like to hear")
    assert len(room.ours()) == 3


def test_only_who_asked_for_a_song_cancels_it(discord: Discord) -> None:
    bob = discord.user("Bob")
    ann = Room(discord, others=[bob])
    for _ in range(3):
        ann.slash("compose", words="a symphony in D, 200 bars")
    bubble = ann.until(lambda: [s for s in ann.ours() if "Cancel" in labels(s)], SOON)[0]
    mine = Room(discord, user=bob, channel=ann.channel)
    mine.click(bubble, "Cancel")
    mine.said("Nothing of yours")
    ann.until(lambda: ann.now(bubble).embeds, SONG)


def test_a_large_file_is_read_whole(discord: Discord) -> None:
    ann = Room(discord, private=True)
    header = "X:1\nT:Long\nM:4/4\nL:1/8\nK:C\n"
    tune = header + "%" + "x" * 45_000 + "\n" + "".join(f"% {'y' * 900}\nCDEF GABc |\n" for _ in range(40)) + "C8 |]\n"
    discord.write(ann.channel, ann.user, "", attachments=[("long.abc", tune.encode(), None)])
    assert "41 bars" in text(ann.card())


def test_render_this_abc_takes_bare_notes_and_says_where_there_are_none(discord: Discord) -> None:
    ann = Room(discord)
    for words in ("CDEF|GABc|", "what a nice day"):
        discord.context(ann.channel, ann.user, "Render this ABC", discord.write(ann.channel, ann.user, words))
    assert "2 bars" in text(ann.card())
    ann.said("no ABC in that message")


def test_chosen_options_alone_are_answered_in_the_language_of_the_device(discord: Discord) -> None:
    ann = Room(discord, locale="zh-CN")
    ann.slash("compose", style="bossa nova", bars=8)
    song = ann.card()
    assert "8小节" in text(song).replace(" ", "")
    assert "变奏" in labels(song)
