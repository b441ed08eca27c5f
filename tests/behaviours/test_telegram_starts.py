"""Telegram, begun in several ways: many people at once, by webhook, without a token or with a wrong one."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.behaviours.on_telegram import SOON, ann, card, cards, serving
from tests.behaviours.served import Serve
from tests.standins.telegram.standin import Telegram


@pytest.mark.parametrize("people", [20, pytest.param(100, marks=pytest.mark.long)])
def test_many_at_once(people: int, tmp_path: Path) -> None:
    """All accepted within a second, first words at the permitted rate, nothing exceeded, nothing lost."""
    with Telegram() as telegram, serving(telegram, tmp_path, formats="midi", TUNESMITH_LOG_LEVEL="WARNING"):
        chats = [ann(telegram) for _ in range(people)]
        telegram.hold()
        for chat in chats:
            telegram.write(chat, chat, "a jig in G, 8 bars")
        begun = telegram.now()
        telegram.release()
        telegram.until(lambda: not telegram.pending, SOON)
        accepted = telegram.now() - begun
        telegram.until(lambda: all(len(telegram.bot_messages(chat)) == 2 for chat in chats), 3 * people)
        firsts = sorted(min(at for at, _ in cards(telegram, chat)[0].history) - begun for chat in chats)
        for chat in chats:
            song, midi = telegram.bot_messages(chat)
            assert song.text.startswith("♪")
            assert midi.media
            assert midi.media.content.startswith(b"MThd")
        print(f"{people}: accepted {accepted:.2f} s, first words p99 {firsts[-1 - people // 100]:.2f} s")  # noqa: T201


# Coming in another way, and not coming in


def test_by_webhook_with_a_secret(tmp_path: Path, unused_port: int) -> None:
    address = f"http://127.0.0.1:{unused_port}/hook"
    settings = {"TUNESMITH_TELEGRAM_WEBHOOK": address, "TUNESMITH_TELEGRAM_PORT": str(unused_port)}
    with Telegram() as telegram, serving(telegram, tmp_path, formats="midi", **settings):
        me = ann(telegram)
        telegram.write(me, me, "a jig in D, 4 bars")
        card(telegram, me)
        forged = urllib.request.Request(address, b'{"update_id": 1}', {"Content-Type": "application/json"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(forged, timeout=5)
        assert not [c for c in telegram.calls if c.method == "getUpdates"]


def test_without_a_token_it_says_which_setting_is_missing_and_where_to_get_it(tmp_path: Path) -> None:
    with Serve(tmp_path, ready="TUNESMITH_TELEGRAM_TOKEN", formats="midi", TUNESMITH_TELEGRAM_TOKEN="") as served:
        assert "@BotFather" in served.said("TUNESMITH_TELEGRAM_TOKEN")
        assert served.stop() == 0


def test_with_a_wrong_token_it_says_what_telegram_said_without_the_token(tmp_path: Path) -> None:
    wrong = "123456:wrong-token"
    with Telegram() as telegram:
        settings = {"TUNESMITH_TELEGRAM_TOKEN": wrong, "TUNESMITH_TELEGRAM_URL": telegram.url}
        with Serve(tmp_path, ready="does not let me in", formats="midi", **settings) as served:
            assert "Unauthorized" in served.said("does not let me in")
            assert "@BotFather" in served.said("TUNESMITH_TELEGRAM_TOKEN")
            assert served.process.wait(SOON) == 2
            assert wrong not in "\n".join(served.lines)
