"""Reads whatever written music a person sends: what it is, its bytes say, not its name."""

from __future__ import annotations

import re

from core.notation.abc.reader import read_abc
from core.notation.assembling import Read
from core.notation.midi_reader import read_midi
from core.notation.musicxml_reader import read_musicxml
from core.notation.problems import refused

MOST_BYTES = 12_000_000
MOST_WORDS = 20_000
_MIDI = re.compile(rb"MThd|RIFF....RMID", re.DOTALL)


def kind_of(data: bytes) -> str | None:
    """`abc`, `midi` or `musicxml`; None where it is no written music."""
    head = data[:4096]
    if _MIDI.match(head):
        return "midi"
    if head[:2] == b"PK":
        return "musicxml" if b"META-INF" in data[:1000] or b".xml" in head or b".musicxml" in head else None
    text = decoded(head) or ""
    if text.lstrip("\ufeff \t\r\n").startswith("<") and ("<score-" in text or "<!DOCTYPE" in text or "<?xml" in text):
        return "musicxml"
    if re.search(r"(?:^|[\r\n])(?:X|T|M|L|K):", text):
        return "abc"
    return None


def read_notation(data: bytes, kind: str | None = None) -> tuple[str, Read]:
    """What kind it is, and what it holds. Raises UnreadableNotation."""
    if not data:
        raise refused("notation-no-bytes")
    if len(data) > MOST_BYTES:
        raise refused("notation-too-big", expected=f"{MOST_BYTES // 1_000_000} MB")
    kind = kind or kind_of(data)
    match kind:
        case "midi":
            return kind, read_midi(data)
        case "musicxml":
            return kind, read_musicxml(data)
        case "abc":
            text = decoded(data)
            if text is not None:
                return kind, read_abc(text)
        case _:
            pass
    raise refused("notation-unknown")


def plain_words(data: bytes) -> str | None:
    """The words of a text file that somebody sent instead of a message; None where it is no short text."""
    text = decoded(data) if len(data) <= MOST_WORDS else None
    if not text or any(not char.isprintable() and char not in "\r\n\t" for char in text):
        return None
    return text.strip()


def decoded(data: bytes) -> str | None:
    """UTF-8, UTF-16 with or without its mark, or Latin-1; None where the bytes are no text."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").lstrip("\ufeff")
    if data[1:2] == b"\x00" and data[3:4] == b"\x00":
        return data.decode("utf-16-le", "replace")
    if data[:1] == b"\x00" and data[2:3] == b"\x00":
        return data.decode("utf-16-be", "replace")
    if b"\x00" in data:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start > len(data) - 4 and len(data) >= 4096:  # a head that was cut inside a letter
            return data[: error.start].decode("utf-8-sig")
        return data.decode("latin-1")
