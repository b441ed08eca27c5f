"""The same conversation with the program, wherever it is held: three ways to write and to see."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Protocol

from tests.behaviours.console import ROOT
from tests.behaviours.on_discord import Room, text
from tests.behaviours.on_telegram import SONG, SOON, ann, card, cards, said
from tests.standins.discord.standin import Discord
from tests.standins.telegram.standin import Telegram


class Talk(Protocol):
    """Somebody new, in a private chat."""

    def write(self, words: str) -> None: ...

    def reply(self, card: int, words: str) -> None: ...

    def press(self, card: int, button: str) -> None:
        """A button by its name among the buttons of a card."""
        ...

    def attach(self, name: str, content: bytes, words: str) -> None: ...

    def card(self, number: int) -> str:
        """The words on the n-th song, waited for."""
        ...

    def said(self, words: str) -> str:
        """An answer that holds the words, waited for."""
        ...


class Console:
    """The JSON console, in a chat of its own."""

    chats = 0

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-m", "bot", "chat", "--json", "--data", str(data), "--formats", "abc"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._folder, self._done, self._changed = data, list[dict[str, Any]](), threading.Condition()
        self.chat = "room"
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] in ("done", "error"):
                with self._changed:
                    self._done.append(event)
                    self._changed.notify_all()

    def anew(self) -> Console:
        Console.chats += 1
        self.chat, self._done = f"room {Console.chats}", []
        return self

    def _send(self, **message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"chat": self.chat, **message}) + "\n")
        self.process.stdin.flush()

    def _cards(self) -> list[dict[str, Any]]:
        return [event for event in self._done if event.get("piece") and event["form"] == "message"]

    def _until(self, found: Any, seconds: float) -> None:
        with self._changed:
            assert self._changed.wait_for(found, seconds), self._done

    def write(self, words: str) -> None:
        self._send(text=words)

    def reply(self, card: int, words: str) -> None:
        self._send(text=words, reply_to=self._cards()[card - 1]["message"])

    def press(self, card: int, button: str) -> None:
        song = self._cards()[card - 1]
        self._send(press=f"{button}:{song['piece']}:{song['version']}")

    def attach(self, name: str, content: bytes, words: str) -> None:
        path = self._folder / name
        path.write_bytes(content)
        self._send(text=words, files=[str(path)])

    def card(self, number: int) -> str:
        self._until(lambda: len(self._cards()) >= number, SONG)
        return str(self._cards()[number - 1]["text"])

    def said(self, words: str) -> str:
        self._until(lambda: any(words in event["text"] for event in self._done), SOON)
        return next(str(event["text"]) for event in self._done if words in event["text"])

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(SOON)
        self.process.stdout.close()


class OnTelegram:
    def __init__(self, telegram: Telegram) -> None:
        self._telegram, self._me = telegram, ann(telegram)

    def write(self, words: str) -> None:
        self._telegram.write(self._me, self._me, words)

    def reply(self, card: int, words: str) -> None:
        self._telegram.write(self._me, self._me, words, reply_to=cards(self._telegram, self._me)[card - 1].id)

    def press(self, card: int, button: str) -> None:
        song = cards(self._telegram, self._me)[card - 1]
        data = next(data for row in song.buttons for _, data in row if data.startswith(f"{button}:"))
        self._telegram.press(self._me, self._me, song.id, data)

    def attach(self, name: str, content: bytes, words: str) -> None:
        self._telegram.attach(self._me, self._me, "document", content, name, caption=words)

    def card(self, number: int) -> str:
        return card(self._telegram, self._me, number).text

    def said(self, words: str) -> str:
        return said(self._telegram, self._me, words).text


class OnDiscord:
    def __init__(self, discord: Discord) -> None:
        self._room = Room(discord, private=True)

    def write(self, words: str) -> None:
        self._room.write(words)

    def reply(self, card: int, words: str) -> None:
        self._room.write(words, reply_to=self._room.card(card).id)

    def press(self, card: int, button: str) -> None:
        song = self._room.card(card)
        self._room.click(song, next(b.custom_id or "" for b in song.buttons if (b.custom_id or "").startswith(button)))

    def attach(self, name: str, content: bytes, words: str) -> None:
        self._room.write(words, attachments=[(name, content, None)])

    def card(self, number: int) -> str:
        return text(self._room.card(number))

    def said(self, words: str) -> str:
        return text(self._room.said(words))
