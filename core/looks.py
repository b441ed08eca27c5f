"""What one of our messages shows, before any platform's form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from core.events import Button

Rows = tuple[tuple[Button, ...], ...]
Measure = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Look:
    """`text` is plain, or Markdown; its first line is a heading where `title` says so.

    `files`: by format, what the message itself should hold; `seconds`: how long the music plays.
    """

    text: str
    rows: Rows = ()
    title: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    markdown: bool = False
    asks: bool = False  # a reply is wanted
    final: bool = False


def rows_of(buttons: Iterable[Button]) -> Rows:
    """Buttons by their rows, in order."""
    rows: dict[int, list[Button]] = {}
    for button in buttons:
        rows.setdefault(button.row, []).append(button)
    return tuple(tuple(rows[number]) for number in sorted(rows))


def utf16(text: str) -> int:
    """How Telegram counts: a character beyond the basic plane is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split(text: str, most: int, measure: Measure = len) -> list[str]:
    """Parts of at most `most` units. Cut at a line's end, else at a space, else anywhere between two characters.

    A code fence that a cut falls into is closed before it and opened again behind it, with its language. Without these
    added fences the parts joined are the text.
    """
    parts: list[str] = []
    fence = ""  # the line that opened the fence we are in
    while True:
        head = fence + "\n" if fence else ""
        if measure(head + text) <= most:
            return [*parts, head + text] if text or not parts else parts
        room = most - measure(head) - measure("\n```")
        taken = text[: _cut(text, room, measure)]
        text = text[len(taken) :]
        inside = _fence(taken, fence)
        end = ("" if taken.endswith("\n") else "\n") + "```" if inside else ""
        parts.append(head + taken + end)
        fence = inside


def _cut(text: str, room: int, measure: Measure) -> int:
    """How many characters fit, ended where a reader would pause."""
    low, high = 1, min(len(text), max(1, room))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(text[:middle]) <= room else (low, middle - 1)
    for pause in ("\n", " "):
        at = text.rfind(pause, low // 2, low)
        if at > 0:
            return at + 1
    return low


def _fence(text: str, fence: str) -> str:
    """The fence that is open at the end of a text, "" for none."""
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fence = "" if fence else line.strip()
    return fence
