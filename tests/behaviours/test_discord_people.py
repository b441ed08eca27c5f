"""What befalls people on Discord: distress, what others may see, the platform's holds, what may not be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.behaviours.on_discord import Room, serving, text
from tests.standins.discord.standin import Discord


@pytest.fixture(scope="module")
def discord(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Discord]:
    data = tmp_path_factory.mktemp("data")
    with Discord() as service, serving(service, data, formats="midi,abc", TUNESMITH_COUNTRY="GB"):
        yield service


def public(room: Room) -> str:
    """All that others can read, at any time."""
    found = [seen for seen in room.discord.messages(room.channel) if not seen.ephemeral_to]
    return "\n".join(version.content for seen in found for version in seen.history)


@pytest.mark.parametrize(
    "words",
    [
        "I want to end my life",  # known by the table: acknowledged for its person alone
        "the pills are on the table in front of me. something quiet please",  # by likeness, when it is acknowledged
    ],
)
def test_care_is_seen_by_the_person_alone(discord: Discord, words: str) -> None:
    ann = Room(discord)
    ann.slash("compose", words=words)
    care = ann.said("116 123")
    assert care.ephemeral_to == ann.user
    ann.said("answer you alone")
    assert "116 123" not in public(ann)
    assert not ann.cards()


def test_care_for_a_mention_comes_in_private(discord: Discord) -> None:
    ann = Room(discord)
    ann.write("I don't want to live anymore")
    ann.said("answer you alone")
    alone = Room(discord, user=ann.user, private=True)
    assert "116 123" in alone.said("116 123").content
    assert "116 123" not in public(ann)


def test_no_call_goes_out_in_a_hold(discord: Discord) -> None:
    ann, bob = Room(discord), Room(discord)
    before = len(discord.exceeded)
    discord.fail(rf"PATCH /channels/{ann.channel}/messages", status=429, retry_after=7.0)
    ann.write("a waltz for violin and piano in D, 130 bars")
    bob.write("a jig in G, 8 bars")
    assert "G major" in text(bob.card())
    assert "D major" in text(ann.card())
    assert discord.exceeded[before:] == []


def test_a_global_hold_ends_and_everything_goes_on(discord: Discord) -> None:
    ann = Room(discord)
    before = len(discord.exceeded)
    discord.fail(rf"POST /channels/{ann.channel}/messages", status=429, retry_after=6.0, everywhere=True)
    ann.write("a jig in G, 8 bars")
    assert "G major" in text(ann.card())
    bob = Room(discord)
    bob.write("a polka in C, 8 bars")
    assert "C major" in text(bob.card())
    assert len(discord.exceeded) - before <= 1  # what was on its way as it began


def test_where_it_may_not_read_back_it_answers_without_a_reference(discord: Discord) -> None:
    ann = Room(discord)
    discord.deny(ann.channel, "read_message_history")
    ann.write("a jig in G, 8 bars")
    assert "G major" in text(ann.card())


def test_a_title_holds_no_link(discord: Discord) -> None:
    ann = Room(discord, private=True)
    ann.write("a jig in G, 8 bars")
    ann.card()
    ann.write("/title [a](b) [Free Nitro](https://evil.example)")
    ann.card(2)
    ann.write("/library")
    listed = ann.said("Free Nitro")
    assert "](https" not in listed.content.replace("\\](", "")
