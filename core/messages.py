"""A message as the core knows it, whatever platform it came from."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Message:
    """One thing a person did: wrote `text`, sent files, reacted, or pressed a button.

    `reply_to` and `on` are ids of earlier messages in the chat; `press` is a button's id. `problem`
    is the code of what its platform could not read. `id` is given when the message is accepted.
    """

    platform: str
    chat: str
    user: str
    text: str = ""
    files: tuple[str, ...] = ()
    reply_to: int | None = None
    reaction: str | None = None
    on: int | None = None
    press: str | None = None
    seed: int | None = None
    locale: str | None = None
    problem: str | None = None
    id: int = 0
    external: str = ""  # the platform's own id of the update; "" where it has none
    group: bool = False  # several people write in this chat

    @property
    def place(self) -> tuple[str, str]:
        """The chat it stands in."""
        return (self.platform, self.chat)

    @property
    def lane(self) -> str:
        """What is answered in order: a chat; in a group each person's messages, so that songs grow side by side."""
        return f"{self.platform} {self.chat}" + (f" {self.user}" if self.group else "")


def cleaned(message: Message) -> Message:
    """Without what no database can hold: zero bytes, halves of characters, names without end."""
    return replace(
        message,
        platform=_held(message.platform, 32),
        chat=_held(message.chat, 128),
        user=_held(message.user, 128),
        text=_held(message.text, 100_000),
        external=_held(message.external, 160),
        reaction=None if message.reaction is None else _held(message.reaction, 32),
        press=None if message.press is None else _held(message.press, 200),
    )


def _held(text: str, most: int) -> str:
    return text.replace("\x00", "").encode("utf-8", "replace").decode()[:most]
