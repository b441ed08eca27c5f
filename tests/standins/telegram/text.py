"""Text with entities as the service keeps it: offsets in UTF-16 units, checked, trimmed, links found."""

from __future__ import annotations

import re
from itertools import accumulate

from tests.standins.telegram.values import Json, bad

Formatted = tuple[str, list[Json]]

_FOUND = {
    "bot_command": re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,32}(?:@\w{3,32})?(?!\w)"),
    "url": re.compile(r"\b(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]]"),
    "email": re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.]*\w"),
    "mention": re.compile(r"(?<!\w)@\w{3,32}"),
    "hashtag": re.compile(r"(?<!\w)#\w+"),
}
# The service finds these itself and takes nobody's word for them.
_UNTOLD = {*_FOUND, "cashtag", "phone_number"}
_OPAQUE = {"pre", "code", "text_link", "text_mention"}


def units(text: str) -> int:
    """The length in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """The part an entity covers."""
    return text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


def found(text: str, taken: list[Json]) -> list[Json]:
    """The commands, addresses and mentions in a text, outside code and links."""
    spans = [(e["offset"], e["offset"] + e["length"]) for e in taken if e["type"] in _OPAQUE]
    entities: list[Json] = []
    for kind, pattern in _FOUND.items():
        for match in pattern.finditer(text):
            start, end = units(text[: match.start()]), units(text[: match.end()])
            if all(end <= first or last <= start for first, last in spans):
                spans.append((start, end))
                entities.append({"type": kind, "offset": start, "length": end - start})
    return entities


def fixed(text: str, entities: list[Json]) -> Formatted:
    """A text as it is stored; refuses entities that lie outside of it or inside a character."""
    text = re.sub(r"[\x00-\x08\x0b-\x1f]", " ", text)
    _check(text, entities)
    told = [dict(e) for e in entities if e["type"] not in _UNTOLD and e["length"]]
    text, told = _trimmed(text, told)
    told += found(text, told)
    return text, sorted(told, key=lambda e: (e["offset"], -e["length"], e["type"]))


def _check(text: str, entities: list[Json]) -> None:
    sizes = [2 if ord(c) > 0xFFFF else 1 for c in text]
    edges = set(accumulate(sizes, initial=0))
    total = sum(sizes)
    for entity in entities:
        start, length = int(entity["offset"]), int(entity["length"])
        end = start + length
        if start < 0:
            raise bad(f"receive an entity with incorrect offset {start}")
        if length < 0:
            raise bad(f"receive an entity with incorrect length {length}")
        if start > total:
            raise bad(f"entity begins after the end of the text at UTF-16 offset {start}")
        if end > total:
            raise bad(
                f"entity beginning at UTF-16 offset {start} ends after the end of the text at UTF-16 offset {end}"
            )
        if start not in edges:
            raise bad(f"entity begins in a middle of a UTF-16 symbol at byte offset {_bytes(text, start)}")
        if end not in edges:
            where = f"in a middle of a UTF-16 symbol at byte offset {_bytes(text, end)}"
            raise bad(f"entity beginning at UTF-16 offset {start} ends {where}")


def _bytes(text: str, offset: int) -> int:
    """Where the first character begins that is not before this offset."""
    sizes = accumulate((units(c) for c in text), initial=0)
    return len(text[: next(n for n, size in enumerate(sizes) if size >= offset)].encode())


def _trimmed(text: str, entities: list[Json]) -> Formatted:
    text = text.rstrip()
    end = units(text)
    kept = [e | {"length": min(e["length"], end - e["offset"])} for e in entities if e["offset"] < end]
    first = min((e["offset"] for e in kept), default=end)
    skipped = min(len(text) - len(text.lstrip(" \n")), first)
    return text[skipped:], [e | {"offset": e["offset"] - skipped} for e in kept]
