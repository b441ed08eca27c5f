"""The three ways to write formatting into a text, read strictly."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from tests.standins.telegram.text import Formatted, units
from tests.standins.telegram.values import Json, Refusal, bad

_TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "pre": "pre",
    "tg-spoiler": "spoiler", "span": "spoiler", "blockquote": "blockquote", "a": "text_link",
    "tg-emoji": "custom_emoji",
}  # fmt: skip
_MARKS = {"||": "spoiler", "__": "underline", "*": "bold", "_": "italic", "~": "strikethrough", "[": "text_link"}
_RESERVED = set("_*[]()~`>#+-=|{}.!")


def parsed(text: str, mode: str) -> Formatted:
    """The text without its markup, and the entities; refuses what is not balanced."""
    match mode.lower():
        case "":
            return text, []
        case "html":
            return _html(text)
        case "markdown":
            return _markdown(text)
        case "markdownv2":
            return _markdown_v2(text)
        case _:
            raise bad("unsupported parse_mode")


def _cannot(why: str) -> Refusal:
    return bad(f"can't parse entities: {why}")


def _at(text: str, position: int) -> str:
    return f"at byte offset {len(text[:position].encode())}"


@dataclass
class _Plain:
    """The text so far, and the entities that ended."""

    text: str = ""
    entities: list[Json] = field(default_factory=list)

    def end(self, kind: str, start: int, **more: str) -> None:
        if length := units(self.text) - start:
            self.entities.append({"type": kind, "offset": start, "length": length, **more})


def _html(text: str) -> Formatted:
    plain = _Plain()
    opened: list[tuple[str, str, int]] = []  # tag, attributes, where it began
    position = 0
    while position < len(text):
        if text[position] != "<":
            end = text.find("<", position) % (len(text) + 1)
            plain.text += html.unescape(text[position:end])
            position = end
            continue
        tag = re.compile(r"<(/?)([A-Za-z0-9-]*)([^>]*)>").match(text, position)
        name = tag[2].lower() if tag else ""
        if tag is None or (not tag[1] and name not in _TAGS):
            raise _cannot(f'Unsupported start tag "{name}" {_at(text, position)}')
        if not tag[1]:
            opened.append((name, tag[3], units(plain.text)))
        elif not opened:
            raise _cannot(f"Unexpected end tag {_at(text, position)}")
        else:
            expected, attributes, start = opened.pop()
            if name not in ("", expected):
                found = f'expected "</{expected}>", found "</{name}>"'
                raise _cannot(f"Unmatched end tag {_at(text, position)}, {found}")
            plain.end(_TAGS[expected], start, **_attributes(expected, attributes))
        position = tag.end()
    if opened:
        raise _cannot(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"')
    return plain.text, plain.entities


def _attributes(tag: str, written: str) -> dict[str, str]:
    value = re.search(r"""(?:href|emoji-id|class)\s*=\s*["']?([^"'>\s]+)""", written)
    if value is None:
        return {}
    name = {"a": "url", "tg-emoji": "custom_emoji_id", "code": "language"}.get(tag)
    return {name: html.unescape(value[1]).removeprefix("language-")} if name else {}


def _markdown(text: str) -> Formatted:
    plain = _Plain()
    position = 0
    while position < len(text):
        mark = text[position]
        if mark == "\\" and text[position + 1 : position + 2] in {"_", "*", "`", "["}:
            plain.text += text[position + 1]
            position += 2
        elif mark in "_*`[":
            position = _span(text, position, plain)
        else:
            plain.text += mark
            position += 1
    return plain.text, plain.entities


def _span(text: str, position: int, plain: _Plain) -> int:
    fence = text.startswith("```", position)
    mark = "```" if fence else text[position]
    closing = "]" if mark == "[" else mark
    end = text.find(closing, position + len(mark))
    if end < 0:
        raise _cannot(f"Can't find end of the entity starting {_at(text, position)}")
    inside, after = text[position + len(mark) : end], end + len(closing)
    start = units(plain.text)
    if fence:
        return _fence(inside, after, plain)
    plain.text += inside
    if mark != "[":
        plain.end({"*": "bold", "_": "italic", "`": "code"}[mark], start)
    elif address := re.compile(r"\(([^)]*)\)").match(text, after):
        plain.end("text_link", start, url=address[1])
        return address.end()
    return after


def _fence(inside: str, after: int, plain: _Plain) -> int:
    language = re.match(r"([\w+-]+)\n", inside)
    start = units(plain.text)
    plain.text += inside[language.end() :] if language else inside.removeprefix("\n")
    plain.end("pre", start, **({"language": language[1]} if language else {}))
    return after


def _markdown_v2(text: str) -> Formatted:
    plain = _Plain()
    opened: list[tuple[str, int, int]] = []  # mark, where it began in the plain text and in the written one
    quote: int | None = None
    position = 0
    while position < len(text):
        here = text[position]
        if here == "\\" and position + 1 < len(text) and ord(text[position + 1]) < 127:
            plain.text += text[position + 1]
            position += 2
        elif here == "`":
            position = _code(text, position, plain)
        elif here == ">" and (position == 0 or text[position - 1] == "\n"):
            quote = units(plain.text) if quote is None else quote
            position += 1
        elif here == "]" and opened and opened[-1][0] == "[":
            position = _link(text, position, plain, opened.pop()[1])
        elif mark := next((m for m in _MARKS if text.startswith(m, position)), None):
            if mark != "[" and any(m == mark for m, _, _ in opened):
                if opened[-1][0] != mark:
                    raise _unclosed(text, opened[-1])
                plain.end(_MARKS[mark], opened.pop()[1])
            else:
                opened.append((mark, units(plain.text), position))
            position += len(mark)
        elif here == "!" and text.startswith("![", position):
            position += 1
        elif here in _RESERVED:
            raise _cannot(f"Character '{here}' is reserved and must be escaped with the preceding '\\'")
        else:
            if here == "\n" and quote is not None and not text.startswith(">", position + 1):
                plain.end("blockquote", quote)
                quote = None
            plain.text += here
            position += 1
    if opened:
        raise _unclosed(text, opened[-1])
    if quote is not None:
        plain.end("blockquote", quote)
    return plain.text, plain.entities


def _unclosed(text: str, opened: tuple[str, int, int]) -> Refusal:
    kind = _MARKS[opened[0]].title().replace("_", "")
    return _cannot(f"Can't find end of {kind} entity {_at(text, opened[2])}")


def _code(text: str, position: int, plain: _Plain) -> int:
    mark = "```" if text.startswith("```", position) else "`"
    body = re.compile(rf"{mark}((?:\\.|[^\\`]|(?!{mark})`)*){mark}", re.DOTALL).match(text, position)
    if body is None:
        kind = "Pre" if mark == "```" else "Code"
        raise _cannot(f"Can't find end of {kind} entity {_at(text, position)}")
    inside = re.sub(r"\\(.)", r"\1", body[1], flags=re.DOTALL)
    if mark == "```":
        return _fence(inside, body.end(), plain)
    start = units(plain.text)
    plain.text += inside
    plain.end("code", start)
    return body.end()


def _link(text: str, position: int, plain: _Plain, start: int) -> int:
    address = re.compile(r"\]\(((?:\\.|[^\\)])*)\)").match(text, position)
    if address is None:
        raise _cannot(f"Can't find end of a URL {_at(text, position)}")
    plain.end("text_link", start, url=re.sub(r"\\(.)", r"\1", address[1]))
    return address.end()
