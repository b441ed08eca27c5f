"""Scores, briefs and takes as bytes and back: compact JSON, checked on the way in."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


@lru_cache(maxsize=16)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def packed(value: Any) -> bytes:
    return zlib.compress(_adapter(type(value)).dump_json(value), 6)


def unpacked(kind: type[T], data: bytes) -> T:
    """Raises pydantic.ValidationError where the bytes are not of that kind."""
    value: T = _adapter(kind).validate_json(zlib.decompress(data))
    return value
