"""The log: on standard error, and no secret in it, whoever writes it and at whatever level."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence

_TOKENS = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w-]{20,}")  # good for a quarter of an hour

# They tell every call, with its address.
_CHATTY = ("httpx", "httpcore", "telegram", "discord", "tornado", "aiosqlite")


class Hiding(logging.Formatter):
    """Formats, and then hides the secrets: in arguments and tracebacks as well."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _TOKENS.sub(r"\1***", text)


def begin(level: str, secrets: Sequence[str]) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Hiding(secrets))
    logging.basicConfig(level=level, handlers=[handler])
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
