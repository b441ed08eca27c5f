"""What a file is, by its first bytes: its name and its platform's word for it may be wrong."""

from __future__ import annotations

from core.messages import Kind
from core.notation.reading import kind_of

HEAD = 8192  # bytes that are looked at

# (place, bytes, kind); of containers that hold sound or moving pictures the brand decides.
_SIGNS: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"ID3", "audio"), (0, b"\xff\xfb", "audio"), (0, b"\xff\xf3", "audio"), (0, b"\xff\xf2", "audio"),
    (0, b"\xff\xf1", "audio"), (0, b"OggS", "audio"), (0, b"fLaC", "audio"), (8, b"WAVE", "audio"),
    (0, b"#!AMR", "audio"), (8, b"AIFF", "audio"), (4, b"ftypM4A", "audio"), (4, b"ftyp", "video"),
    (0, b"\x1aE\xdf\xa3", "video"), (8, b"AVI ", "video"), (0, b"GIF8", "video"), (0, b"\x89PNG", "image"),
    (0, b"\xff\xd8\xff", "image"), (8, b"WEBP", "image"), (0, b"BM", "image"), (0, b"II*\x00", "image"),
)  # fmt: skip


def content_kind(head: bytes, told: Kind) -> Kind:
    """`file` for written music and text; `told` where the bytes do not say."""
    for place, sign, kind in _SIGNS:
        if head.startswith(sign, place):
            return told if told == "voice" and kind == "audio" else kind
    if kind_of(head) is not None:
        return "file"
    return told
