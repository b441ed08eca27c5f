"""Scores, briefs and takes as bytes and back: compact JSON, checked on the way in."""

from __future__ import annotations

import zlib
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")


@lru_cache(maxsize=16)
def _adapter(kind: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, kind))


def packed(value: Any) -> bytes:
    return zlib.compress(_adapter(cast(Hashable, type(value))).dump_json(value), 6)


def unpacked(kind: type[T], data: bytes) -> T:
    """Raises pydantic.ValidationError where the bytes are not of that kind."""
    value: T = _adapter(cast(Hashable, kind)).validate_json(zlib.decompress(data))
    return value
