"""How much the service lets a bot say, and how fast."""

from __future__ import annotations

import math
from collections import deque

MEGABYTE = 1024 * 1024
TEXT_UNITS = 4096
CAPTION_UNITS = 1024
CALLBACK_BYTES = 64
TOAST_UNITS = 200
COMMANDS = 100
UPLOAD_BYTES = 50 * MEGABYTE
DOWNLOAD_BYTES = 20 * MEGABYTE
PHOTO_BYTES = 10 * MEGABYTE
PHOTO_SIDES = 10_000
PHOTO_RATIO = 20
THUMBNAIL_BYTES = 200_000
THUMBNAIL_SIDE = 320
ALBUM = (2, 10)

CHAT_BURST = 3  # calls a rested chat takes at once
CHAT_SECONDS = 0.9  # one more call after so long: the rule says one second, less what a network jitters
GROUP_CALLS, GROUP_SECONDS = 20, 60.0
ALL_CALLS, ALL_SECONDS = 30, 1.0


def counted(method: str) -> bool:
    """Whether a call puts something into a chat or changes it there."""
    return method != "sendChatAction" and method.startswith(("send", "edit"))


class Rates:
    """The calls of late, of each chat and of the whole bot."""

    def __init__(self) -> None:
        self._chats: dict[int, tuple[float, float]] = {}  # tokens left, and when that was so
        self._groups: dict[int, deque[float]] = {}
        self._all: deque[float] = deque()

    def charge(self, chat: int, *, group: bool, calls: int, now: float) -> int | None:
        """The seconds to wait when it was too much, else nothing; what is refused is not counted.

        An album goes out when there is room for one message, and leaves a debt for the rest.
        """
        tokens = self._tokens(chat, now)
        recent = self._groups.setdefault(chat, deque()) if group else deque[float]()
        waits = [
            (1 - tokens) * CHAT_SECONDS if tokens < 1 else 0.0,
            _wait(recent, calls, GROUP_CALLS, GROUP_SECONDS, now),
            _wait(self._all, calls, ALL_CALLS, ALL_SECONDS, now),
        ]
        if any(waits):
            return max(1, math.ceil(max(waits)))
        self._chats[chat] = (tokens - calls, now)
        recent.extend([now] * calls)
        self._all.extend([now] * calls)
        return None

    def _tokens(self, chat: int, now: float) -> float:
        tokens, then = self._chats.get(chat, (float(CHAT_BURST), now))
        return min(float(CHAT_BURST), tokens + (now - then) / CHAT_SECONDS)


def _wait(recent: deque[float], calls: int, most: int, seconds: float, now: float) -> float:
    while recent and recent[0] <= now - seconds:
        recent.popleft()
    surplus = len(recent) + calls - most
    return recent[surplus - 1] + seconds - now if surplus > 0 else 0.0
