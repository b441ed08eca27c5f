"""The commands, one table for every platform. Names are the same in every language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """`argument`: what may follow it. Its description is the sentence `command-NAME` of the catalogues."""

    name: str
    argument: str = ""


COMMANDS = (
    Command("start"),
    Command("compose", "words"),
    Command("new"),
    Command("library", "words"),
    Command("open", "song"),
    Command("undo"),
    Command("cancel"),
    Command("delete", "number"),
    Command("remake"),
    Command("compare", "number"),
    Command("title", "words"),
    Command("settings"),
    Command("help"),
)
_NAMES = {command.name for command in COMMANDS}


def parse(text: str) -> tuple[str, str] | None:
    """(name, argument) of a known command, (`?`, name) of an unknown one, None where the text is none."""
    text = text.strip()
    if not text.startswith("/") or len(text) < 2 or not text[1].isalpha():
        return None
    word, _, argument = text[1:].partition(" ")
    name = word.split("@")[0].lower()
    return (name, argument.strip()) if name in _NAMES else ("?", name)
