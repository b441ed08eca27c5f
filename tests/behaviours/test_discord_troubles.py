"""Discord on bad days: it drops us, refuses us, repeats itself; and the program killed in between."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise

import pytest
import soundfile

from tests.behaviours.on_discord import SONG, Room, labels, serving, text
from tests.behaviours.served import Serve
from tests.standins.discord.seen import Seen
from tests.standins.discord.standin import Discord

LONG = "a waltz for violin and piano in D, 130 bars"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Discord, Serve]]:
    """With sound and pictures, as it is meant to be, on two shards."""
    with Discord(shards=2) as service, serving(service, tmp_path_factory.mktemp("data")) as served:
        yield service, served


@pytest.fixture
def discord(world: tuple[Discord, Serve]) -> Discord:
    return world[0]


def at_work(room: Room) -> Seen:
    """The bubble of a song that is being written."""
    return room.until(lambda: [s for s in room.ours() if "Cancel" in labels(s) and "✓" in s.content])[0]


def test_a_song_is_heard_seen_and_kept_on_every_shard(discord: Discord) -> None:
    rooms = [Room(discord), Room(discord)]
    for room in rooms:
        room.slash("compose", words="a calm waltz for violin and piano in F, 8 bars")
    for room in rooms:
        song = room.card()
        files = {name.rpartition(".")[2]: data for name, data, _ in song.attachments}
        assert set(files) == {"png", "mp3", "mid"}
        assert len(song.attachments) == 4
        assert song.embeds[0]["image"]["url"] == "attachment://card.png"
        samples, rate = soundfile.read(io.BytesIO(files["mp3"]))
        assert 8 < len(samples) / rate < 30
        assert abs(samples).max() > 0.3
    song = rooms[0].card()
    rooms[0].choose(rooms[0].menu(song), "Voice note")
    voice = rooms[0].until(lambda: [s for s in rooms[0].ours() if s.voice], SONG)[0]
    assert voice.attachments[0].data.startswith(b"OggS")
    rooms[0].choose(song, "Stems")
    stems = rooms[0].until(lambda: [s for s in rooms[0].ours() if len(s.attachments) == 2], SONG)[0]
    assert {name.rpartition(".")[2] for name, _, _ in stems.attachments} == {"wav"}
    rooms[0].until(lambda: not [s for s in rooms[0].ours() if "Composing" in s.content])


def test_stages_are_seen_in_the_answer_while_the_band_works(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words=LONG)
    bubble = at_work(ann)
    assert "▰" in bubble.content
    song = ann.card()
    assert song.id == bubble.id
    times = [version.at for version in song.history[1:-1]]
    assert all(later - earlier > 1 for earlier, later in pairwise(times))


def test_what_is_too_large_for_a_server_comes_with_a_lower_bit_rate_or_is_said(discord: Discord) -> None:
    ann, bob = Room(discord, limit=200_000), Room(discord, limit=40_000)
    for room in (ann, bob):
        room.slash("compose", words="a calm waltz for violin and piano in F, 8 bars, 100 bpm")
    audio = next(data for name, data, _ in ann.card().attachments if name.endswith(".mp3"))
    assert 50_000 < len(audio) < 200_000
    assert 8 < soundfile.info(io.BytesIO(audio)).duration < 30
    song = bob.card()
    assert "MP3 can't be sent here" in text(song)
    assert any(name.endswith(".mid") for name, _, _ in song.attachments)


def test_a_dropped_gateway_loses_and_doubles_nothing(discord: Discord) -> None:
    ann = Room(discord, private=True)
    resumes = discord.resumes
    discord.drop_gateway()
    ann.write("a jig in D, 8 bars")
    ann.card()
    assert discord.resumes > resumes
    discord.repeat("MESSAGE_CREATE")
    ann.write("/help")
    ann.said("I write songs")
    assert len(ann.cards()) == 1


def test_an_invalid_session_is_begun_anew(discord: Discord) -> None:
    identifies = discord.identifies
    discord.invalid_session(False)
    discord.until(lambda: discord.identifies > identifies and len(discord.connected) == 2, 30)
    ann = Room(discord, private=True)
    ann.write("hello!")
    ann.said("Tell me what you would like to hear")


def test_a_deleted_bubble_is_left_alone_and_the_song_is_posted_once(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words=LONG)
    discord.delete(ann.channel, at_work(ann).id)
    ann.card()
    assert len(ann.ours()) == 1


def test_after_its_fifteen_minutes_an_interaction_goes_on_in_ordinary_messages(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words=LONG)
    bubble = at_work(ann)
    discord.expire(discord.interactions[-1])
    song = ann.card()
    assert song.id == bubble.id
    assert [s.id for s in ann.ours()] == [song.id]


def test_refusals_and_floods_do_not_lose_the_song(discord: Discord) -> None:
    ann, bob = Room(discord), Room(discord)
    discord.fail(r"PATCH /webhooks", times=1, status=502)
    discord.fail(rf"POST /channels/{bob.channel}/messages", times=1, status=429, retry_after=3)
    ann.slash("compose", words="a jig in D, 8 bars")
    bob.write("a jig in G, 8 bars")
    ann.card()
    bob.card()
    assert len(ann.ours()) == len(bob.ours()) == 1


def test_where_we_may_not_write_the_others_go_on(discord: Discord) -> None:
    ann, bob, cy = Room(discord), Room(discord), Room(discord, private=True)
    discord.deny(ann.channel, "send_messages")
    discord.close_dms(cy.user)
    ann.write("a jig in D, 8 bars")
    cy.write("a jig in D, 8 bars")
    bob.write("a jig in G, 8 bars")
    bob.card()
    assert ann.ours() == cy.ours() == []


def test_where_files_or_cards_are_not_allowed_the_song_comes_in_words(discord: Discord) -> None:
    ann, bob = Room(discord), Room(discord)
    discord.deny(ann.channel, "attach_files")
    discord.deny(bob.channel, "embed_links")
    ann.write("a jig in D, 8 bars")
    bob.write("a jig in D, 8 bars")
    for room in (ann, bob):
        room.said("D major")
        assert "Composing" not in text(room.ours()[0])
    assert "MP3 can't be sent here" in text(ann.ours()[0])


def test_where_no_thread_may_be_opened_it_says_so(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="a jig in D, 8 bars")
    song = ann.card()
    discord.deny(ann.channel, "create_public_threads")
    ann.click(ann.menu(song), "Open a session")
    ann.said("Create Public Threads")


def test_a_song_with_many_pages_comes_in_two_messages(discord: Discord) -> None:
    ann = Room(discord)
    ann.slash("compose", words="an orchestral symphony in D, 128 bars")
    song = ann.card()
    assert len(song.attachments) == 10
    rest = ann.until(lambda: ann.ours()[1:], SONG)[0]
    assert all(name.endswith(".png") for name, _, _ in rest.attachments)


def test_a_lost_acknowledgement_does_not_lose_the_request(discord: Discord) -> None:
    ann = Room(discord)
    discord.drop(r"POST /interactions", after=True)
    ann.slash("compose", words="a jig in D, 8 bars")
    assert "D major" in text(ann.card())


def test_in_a_thread_that_was_archived_the_song_comes_in_a_new_message(discord: Discord) -> None:
    ann = Room(discord)
    ann.write(LONG)
    bubble = at_work(ann)
    discord.fail(rf"PATCH /channels/{ann.channel}/messages", times=9, status=400, code=50083)
    song = ann.card()
    assert song.id != bubble.id
    assert len(ann.cards()) == 1


def test_killed_and_started_again_it_finishes_the_song_in_its_message(
    discord: Discord, world: tuple[Discord, Serve]
) -> None:
    served = world[1]
    ann = Room(discord)
    ann.slash("compose", words="a jig in D, 8 bars")
    old = ann.card()
    discord.react(ann.channel, ann.user, old.id, "👍")
    ann.write(LONG)
    bubble = at_work(ann)
    served.kill()
    served.start()
    song = ann.card(2)
    assert song.id == bubble.id
    assert len(ann.ours()) == 2
    discord.react(ann.channel, ann.user, old.id, "🔥")  # on a message from before the restart
    ann.choose(ann.menu(old), "Versions …")
    ann.until(lambda: any("+1" in label for label in labels(ann.now(old))))
