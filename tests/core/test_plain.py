"""What people write changes nothing beside it; what they send is what its bytes say."""

from __future__ import annotations

import pytest

from core.content import content_kind
from core.menus import pressed
from core.messages import Kind
from core.plain import one_line, plain


def test_signs_that_turn_or_ring_are_taken_out() -> None:
    assert plain("a\u202eb\x07c\r\nd\te\u2066") == "abc\nd\te"
    assert one_line("  The\n\nLong\u2029 Road \x1b[31m ", 120) == "The Long Road [31m"
    assert one_line("👩‍🚀 语", 9) == "👩‍🚀 语"


@pytest.mark.parametrize(
    ("head", "told", "kind"),
    [
        (b"MThd\x00\x00", "audio", "file"), (b"X:1\nT:a\nK:G\n", "audio", "file"), (b"ID3\x04", "file", "audio"),
        (b"OggS\x00", "voice", "voice"), (b"\x00\x00\x00 ftypisom", "file", "video"), (b"GIF89a", "file", "video"),
        (b"\x00\x00\x00 ftypM4A ", "file", "audio"), (b"\x89PNG", "file", "image"), (b"hello there", "file", "file"),
        (b"", "audio", "audio"),
    ],
)  # fmt: skip
def test_bytes_decide(head: bytes, told: Kind, kind: Kind) -> None:
    assert content_kind(head, told) == kind


def test_a_number_that_no_database_holds_is_the_highest_it_does() -> None:
    assert pressed("open:999999999999:999999999").piece == 2**31 - 1
