"""Discord, begun in several ways: many people at once, beside Telegram, with a wrong token, without all rights."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.behaviours.on_discord import Room, serving, settings
from tests.behaviours.on_telegram import ann as on_telegram
from tests.behaviours.on_telegram import card as telegram_card
from tests.behaviours.served import Serve
from tests.standins.discord.standin import Discord
from tests.standins.telegram.standin import Telegram


@pytest.mark.parametrize("people", [20, pytest.param(100, marks=pytest.mark.long)])
def test_many_at_once(people: int, tmp_path: Path) -> None:
    """All acknowledged within a second, no limit exceeded, nothing lost."""
    with Discord() as discord, serving(discord, tmp_path, formats="midi", TUNESMITH_LOG_LEVEL="WARNING"):
        rooms = [Room(discord) for _ in range(people)]
        for room in rooms:
            room.slash("compose", words="a jig in G, 8 bars")
        discord.until(lambda: all(room.cards() for room in rooms), 3 * people)
        seconds = sorted(ack.seconds for ack in discord.acknowledged)
        assert len(seconds) == people
        for room in rooms:
            assert len(room.ours()) == 1
            assert room.card().attachments[0].data.startswith(b"MThd")
        print(f"{people}: acknowledged p99 {seconds[-1 - people // 100]:.2f} s")  # noqa: T201
        assert seconds[-1] < 3


# Several platforms, and not being let in


def test_two_platforms_in_one_process_and_one_falls(tmp_path: Path) -> None:
    with Discord() as discord, Telegram() as telegram:
        both = {
            **settings(discord), "TUNESMITH_TELEGRAM_TOKEN": telegram.token, "TUNESMITH_TELEGRAM_URL": telegram.url,
        }  # fmt: skip
        with Serve(tmp_path, ready="Discord: I am", formats="midi", **both) as served:
            me, ann = on_telegram(telegram), Room(discord, private=True)
            telegram.write(me, me, "a jig in D, 4 bars")
            ann.write("a jig in D, 4 bars")
            telegram_card(telegram, me)
            ann.card()
            discord.gateway_down()
            discord.drop_gateway(resumable=False)
            telegram.write(me, me, "/compose a jig in G, 4 bars")
            telegram_card(telegram, me, 2)
            discord.gateway_up()
            assert served.stop() == 0


def test_a_wrong_token_on_one_platform_leaves_the_other_and_is_said(tmp_path: Path) -> None:
    with Discord() as discord, Telegram() as telegram:
        both = {
            "TUNESMITH_DISCORD_TOKEN": "wrong.discord.token", "TUNESMITH_DISCORD_URL": discord.base,
            "TUNESMITH_TELEGRAM_TOKEN": telegram.token, "TUNESMITH_TELEGRAM_URL": telegram.url,
        }  # fmt: skip
        with Serve(tmp_path, formats="midi", **both) as served:
            assert "Improper token" in served.said("Discord does not let me in")
            served.said("TUNESMITH_DISCORD_TOKEN")
            me = on_telegram(telegram)
            telegram.write(me, me, "a jig in D, 4 bars")
            telegram_card(telegram, me)
            assert "wrong.discord.token" not in "\n".join(served.lines)


def test_without_the_right_to_read_everything_it_hears_what_is_said_to_it(tmp_path: Path) -> None:
    with Discord(privileged=frozenset()) as discord, serving(discord, tmp_path, formats="midi") as served:
        assert "message content intent" in served.said("Discord: the message")
        ann = Room(discord)
        ann.write("a jig in D, 4 bars")
        ann.card()
