"""What people see of messages, and a picture of it in plain text."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.standins.discord.components import BUTTON, ROW, SECTION, SELECTS, TEXT, media, walk
from tests.standins.discord.world import COMPONENTS_V2, EPHEMERAL, LOADING, VOICE, Json, Message, Use, Version, World


class Attached(NamedTuple):
    name: str
    data: bytes
    description: str | None


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    custom_id: str | None
    style: int
    disabled: bool
    emoji: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class Option:
    label: str
    value: str
    description: str | None
    default: bool


@dataclass(frozen=True, slots=True)
class Select:
    type: int
    custom_id: str
    placeholder: str
    options: tuple[Option, ...]
    least: int
    most: int
    disabled: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as it stood when it was looked at; `at` by `time.time()`, the history's by `time.monotonic()`."""

    id: str
    channel: str
    author: str
    at: float
    content: str
    embeds: tuple[Json, ...]
    attachments: tuple[Attached, ...]
    rows: tuple[tuple[Button | Select, ...], ...]
    texts: tuple[str, ...]  # the text displays of components v2
    components: list[Json]
    flags: int
    reply_to: str | None
    ephemeral_to: str | None
    interaction: Use | None
    reactions: dict[str, tuple[str, ...]]
    history: tuple[Version, ...]
    edited: bool

    @property
    def thinking(self) -> bool:
        return bool(self.flags & LOADING)

    @property
    def voice(self) -> bool:
        return bool(self.flags & VOICE)

    @property
    def buttons(self) -> tuple[Button, ...]:
        return tuple(part for row in self.rows for part in row if isinstance(part, Button))

    @property
    def selects(self) -> tuple[Select, ...]:
        return tuple(part for row in self.rows for part in row if isinstance(part, Select))


@dataclass(frozen=True, slots=True)
class Thread:
    id: str
    name: str
    parent: str
    owner: str
    message: str | None  # the message it was started on
    archived: bool
    locked: bool


def seen(message: Message) -> Seen:
    """A snapshot of a message."""
    v2 = bool(message.flags & COMPONENTS_V2)
    shown = {url.removeprefix("attachment://") for _, url in media(message.components)}
    files = [file for file in message.files if not v2 or file.name in shown]  # v2 shows no other files
    found = [component for _, component in walk(message.components)]
    return Seen(
        id=message.id,
        channel=message.channel,
        author=message.author,
        at=message.created,
        content=message.content,
        embeds=tuple(copy.deepcopy(message.embeds)),
        attachments=tuple(Attached(file.name, file.data, file.description) for file in files),
        rows=tuple(_rows(message.components)),
        texts=tuple(component["content"] for component in found if component.get("type") == TEXT),
        components=copy.deepcopy(message.components),
        flags=message.flags | (EPHEMERAL if message.ephemeral_to else 0),
        reply_to=message.reply_to,
        ephemeral_to=message.ephemeral_to,
        interaction=message.use,
        reactions={emoji: tuple(users) for emoji, users in message.reactions.items()},
        history=tuple(message.history),
        edited=message.edited is not None,
    )


def _rows(components: list[Json]) -> Iterator[tuple[Button | Select, ...]]:
    """Rows of controls from the top; a section's button is a row of its own."""
    for _, component in walk(components):
        if component.get("type") == ROW:
            yield tuple(_control(part) for part in component["components"])
        elif component.get("type") == SECTION and component.get("accessory", {}).get("type") == BUTTON:
            yield (_control(component["accessory"]),)


def _control(part: dict[str, Any]) -> Button | Select:
    if part.get("type") in SELECTS:
        options = [
            Option(o["label"], o["value"], o.get("description"), bool(o.get("default")))
            for o in part.get("options", [])
        ]
        return Select(
            type=part["type"],
            custom_id=part["custom_id"],
            placeholder=part.get("placeholder") or "",
            options=tuple(options),
            least=part.get("min_values", 1),
            most=part.get("max_values", 1),
            disabled=bool(part.get("disabled")),
        )
    return Button(
        label=part.get("label") or "",
        custom_id=part.get("custom_id"),
        style=part["style"],
        disabled=bool(part.get("disabled")),
        emoji=(part.get("emoji") or {}).get("name"),
        url=part.get("url"),
    )


def picture(world: World, channels: Iterable[str]) -> str:
    """The channels as text, for a failing test's message."""
    lines = []
    for id_ in channels:
        channel = world.channels[id_]
        kind = "private chat with" if channel.recipient else "thread" if channel.parent else "channel"
        lines.append(f"{kind} {channel.name} ({id_})")
        lines += [line for message in world.messages_of(id_) for line in _drawn(world, seen(message))]
    return "\n".join(lines) or "nothing at all"


def _drawn(world: World, message: Seen) -> Iterator[str]:
    name = world.users[message.author].name
    marks = []
    if message.interaction:
        marks.append(f"{world.users[message.interaction.user].name} used {message.interaction.command}")
    if message.ephemeral_to:
        marks.append(f"only {world.users[message.ephemeral_to].name} sees it")
    if message.reply_to:
        marks.append(f"reply to {message.reply_to}")
    if message.edited:
        marks.append("edited")
    text = "is thinking…" if message.thinking else message.content
    marked = f" ({', '.join(marks)})" if marks else ""
    yield f"  {name}{marked}: {text}   [{message.id}]"
    for embed in message.embeds:
        yield f"    | {embed.get('title') or ''} {embed.get('description') or ''}".rstrip()
    for shown in message.texts:
        yield f"    | {shown}"
    for name, data, description in message.attachments:
        yield f"    file {name}, {len(data)} bytes{f' ({description})' if description else ''}"
    for row in message.rows:
        yield "    " + " ".join(_drawn_control(part) for part in row)
    if message.reactions:
        yield "    " + " ".join(f"{emoji}×{len(users)}" for emoji, users in message.reactions.items())


def _drawn_control(part: Button | Select) -> str:
    off = " (off)" if part.disabled else ""
    if isinstance(part, Select):
        return f"<{part.placeholder or part.custom_id}: {' | '.join(o.label for o in part.options)}>{off}"
    return f"[{part.label or part.emoji or part.url}]{off}"
