"""A message as the core knows it, whatever platform it came from."""

from __future__ import annotations

from dataclasses import dataclass


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

    @property
    def lane(self) -> tuple[str, str]:
        """What is answered in order: one chat of one platform."""
        return (self.platform, self.chat)
