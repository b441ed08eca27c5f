"""Long texts in parts that a platform takes: nothing lost, nothing cut in two that belongs together."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from core.events import Button
from core.looks import rows_of, split, utf16


def test_emoji_are_counted_as_telegram_counts_them() -> None:
    parts = split("😀" * 5000, 4096, utf16)
    assert "".join(parts) == "😀" * 5000
    assert all(0 < utf16(part) <= 4096 for part in parts)


def test_a_fence_is_closed_before_the_cut_and_opened_again_with_its_language() -> None:
    tune = "\n".join(f"C D E F | G A B c | % {number}" for number in range(300))
    first, second, *rest = split(f"Here it is:\n```abc\n{tune}\n```\nPlay it.", 2000)
    assert first.endswith("\n```")
    assert second.startswith("```abc\n")
    assert all(len(part) <= 2000 and part.count("```") % 2 == 0 for part in (first, second, *rest))
    lines = [line for part in (first, second, *rest) for line in part.split("\n") if not line.startswith("```")]
    assert [line for line in lines if line] == ["Here it is:", *tune.split("\n"), "Play it."]


def test_a_cut_falls_at_the_end_of_a_line_or_between_words() -> None:
    text = "word " * 30 + "\n" + "other " * 30
    assert split(text, 200) == ["word " * 30 + "\n", "other " * 30]
    assert "".join(split("a" * 250, 100)) == "a" * 250


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="`")), st.integers(16, 300))
def test_without_fences_the_parts_joined_are_the_text(text: str, most: int) -> None:
    parts = split(text, most, utf16)
    assert "".join(parts) == text
    assert all(utf16(part) <= most for part in parts)


@given(st.lists(st.sampled_from(["```abc", "```", "CDEF", "word " * 9, "", "😀" * 30])), st.integers(40, 120))
def test_with_fences_every_part_is_within_the_limit_and_no_word_is_lost(lines: list[str], most: int) -> None:
    parts = split("\n".join(lines), most, utf16)
    assert all(utf16(part) <= most for part in parts)
    kept = re.sub(r"```(abc)?|\s", "", "".join(parts))
    assert kept == re.sub(r"```(abc)?|\s", "", "".join(lines))


def test_buttons_stand_in_their_rows() -> None:
    buttons = (Button("a", "A", 1), Button("b", "B"), Button("c", "C", 1))
    assert [[b.id for b in row] for row in rows_of(buttons)] == [["b"], ["a", "c"]]
