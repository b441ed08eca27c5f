"""Our looks in Discord's form: embeds, buttons, selects, the modal, the commands. Plain JSON, nothing is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.commands import COMMANDS
from core.events import Button
from core.looks import Look, Rows

Say = Callable[..., str]  # locale, code, values
Json = dict[str, Any]

MOST_TEXT, MOST_TITLE, MOST_DESCRIPTION = 2000, 256, 4096
_ROWS, _IN_A_ROW, _OPTIONS = 5, 5, 25
_LABEL, _OPTION = 80, 100
_COLOUR = 0x5B4B8A
NOBODY: Json = {"parse": [], "replied_user": False}  # whom a message of ours may ping
_PRIMARY, _SECONDARY = 1, 2


def payload(look: Look) -> Json:
    """Content, embed and components of a message; its files are told by whoever sends them."""
    body: Json = {"content": "", "embeds": [], "components": components(look.rows), "allowed_mentions": NOBODY}
    if look.title and look.final:
        first, _, rest = look.text.partition("\n")
        embed: Json = {"title": _escaped(first)[:MOST_TITLE], "description": _escaped(rest), "color": _COLOUR}
        if "card" in look.files:
            embed["image"] = {"url": "attachment://card.png"}
        body["embeds"] = [embed]
    else:
        body["content"] = look.text if look.markdown and look.final else _escaped(look.text)
    return body


def measure(text: str) -> int:
    """How long a text may become when what would be read as Markdown is escaped."""
    return max(len(text), len(_escaped(text)))


# Signs that mean something in Discord's Markdown, and beginnings of lines that do: headings, lists, small print. The
# library's own escaping leaves the second of two masked links alone, and all of them beside an address.
_MARKS = re.compile(r"[\\*_~`|\[\]<>]")
_LINE = re.compile(r"(?m)^([ \t]*)(?:(#{1,3}|-#?|\+)(?=\s)|(\d+)(?=\.\s))")


def _escaped(text: str) -> str:
    text = _MARKS.sub(r"\\\g<0>", text)
    return _LINE.sub(lambda m: m[1] + (f"\\{m[2]}" if m[2] else f"{m[3]}\\"), text)


def inert(text: str) -> str:
    """Words that hold what people wrote; a channel that we name stays one."""
    return re.sub(r"\\<#(\d+)\\>", r"<#\1>", _escaped(text))


def components(rows: Rows) -> list[Json]:
    """Buttons in their rows; where these are too many, all but the last row become a select."""
    if len(rows) <= _ROWS and all(len(row) <= _IN_A_ROW for row in rows):
        return [_row([_button(button) for button in row]) for row in rows]
    *above, last = rows
    choices = [button for row in above for button in row]
    selects = [choices[first : first + _OPTIONS] for first in range(0, len(choices), _OPTIONS)]
    made = [_row([_select(number, options)]) for number, options in enumerate(selects[: _ROWS - 1])]
    return [*made, _row([_button(button) for button in last[:_IN_A_ROW]])]


def _row(inside: list[Json]) -> Json:
    return {"type": 1, "components": inside}


def _button(button: Button) -> Json:
    style = _PRIMARY if button.id.startswith(("vary:", "first")) else _SECONDARY
    return {"type": 2, "style": style, "label": button.label[:_LABEL], "custom_id": button.id[:100]}


def _select(number: int, options: Sequence[Button]) -> Json:
    some = " · ".join(button.label for button in options[:4])
    return {
        "type": 3, "custom_id": f"choose:{number}", "placeholder": f"{some[:140]} …",
        "options": [{"label": b.label[:_OPTION], "value": b.id[:100]} for b in options],
    }  # fmt: skip


# Commands

_STRING, _INTEGER, _ATTACHMENT = 3, 4, 11
_SERVER_AND_USER, _EVERYWHERE = [0, 1], [0, 1, 2]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a slash command: how its value becomes words, {} standing for it."""

    name: str
    kind: int
    words: str = "{}"
    completed: bool = False  # offered while it is typed


COMPOSE = (
    Option("words", _STRING), Option("style", _STRING, completed=True), Option("key", _STRING, "in {}"),
    Option("tempo", _INTEGER, "at {} bpm"), Option("bars", _INTEGER, "{} bars"),
    Option("instrument", _STRING, "for {}", completed=True), Option("file", _ATTACHMENT, ""),
)  # fmt: skip
_REVISE = (Option("words", _STRING), Option("file", _ATTACHMENT, ""))
_NAMED = {
    ("library", "words"): "option-library-words", ("title", "words"): "option-title-words",
    ("revise", "words"): "option-revise-words",
}  # fmt: skip
REMIX, RENDER = "Remix this", "Render this ABC"


def options_of(command: str) -> tuple[Option, ...]:
    if command == "compose":
        return COMPOSE
    if command == "revise":
        return _REVISE
    argument = next((each.argument for each in COMMANDS if each.name == command), "")
    return (Option(argument, _STRING),) if argument else ()


def commands(say: Say) -> list[Json]:
    """Every command, in English and Chinese, for servers, direct messages and people who install it for themselves."""
    names = [*(command.name for command in COMMANDS), "revise"]
    slash = [
        {
            "type": 1, "name": name, "name_localizations": {"zh-CN": say("zh", f"slash-{name}")},
            **_described(f"command-{name}", say),
            "options": [_option(option, name, say) for option in options_of(name)],
            "integration_types": _SERVER_AND_USER, "contexts": _EVERYWHERE,
        }
        for name in names
    ]  # fmt: skip
    menus = [
        {"type": 3, "name": name, "name_localizations": {"zh-CN": say("zh", code)},
         "integration_types": _SERVER_AND_USER, "contexts": _EVERYWHERE}
        for name, code in ((REMIX, "menu-remix"), (RENDER, "menu-render"))
    ]  # fmt: skip
    return [*slash, *menus]


def _option(option: Option, command: str, say: Say) -> Json:
    made: Json = {
        "type": option.kind, "name": option.name, "required": command in ("revise", "title") and option.name == "words",
        **_described(_NAMED.get((command, option.name), f"option-{option.name}"), say),
    }  # fmt: skip
    if option.completed:
        made["autocomplete"] = True
    if option.kind == _INTEGER:
        made |= {"min_value": 1, "max_value": 400}
    return made


def _described(code: str, say: Say) -> Json:
    return {
        "description": say("en", code)[:100], "description_localizations": {"zh-CN": say("zh", code)[:100]},
    }  # fmt: skip
