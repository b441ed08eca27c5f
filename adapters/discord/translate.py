"""Discord's messages, interactions and reactions as messages of ours. Pure: nothing is fetched, nothing is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.forms import RENDER, options_of
from core.messages import Attachment, Kind, Message

PLATFORM = "discord"
MOST_BYTES = 50_000_000  # of a file that we fetch
_COMMAND, _COMPONENT, _MODAL = 2, 3, 5
_VOICE_FLAG = 1 << 13
_KINDS: dict[str, Kind] = {"image": "image", "audio": "audio", "video": "video"}


@dataclass(frozen=True, slots=True)
class Handle:
    """What an interaction is answered by: which kind it was, and its token, which is good for fifteen minutes.

    `most`: bytes of a file that may be sent there.
    """

    kind: str  # slash, press or modal
    id: int
    most: int
    token: str

    def __str__(self) -> str:
        return f"{self.kind} {self.id} {self.most} {self.token}"

    @staticmethod
    def of(text: str) -> Handle | None:
        kind, *rest = text.split(" ", 3)
        return Handle(kind, int(rest[0]), int(rest[1]), rest[2]) if len(rest) == 3 else None


def message_of(message: discord.Message, me: int) -> Message | None:
    """What somebody wrote, None where it is nothing for us: in a server only mentions, replies to us, and what is
    written in a session are.
    """
    if message.author.bot or message.author.id == me or message.type not in _SAID:
        return None
    together = _session(message.channel, me)
    reply = message.reference.resolved if message.reference else None
    to_us = isinstance(reply, discord.Message) and reply.author.id == me
    mentioned = any(user.id == me for user in message.mentions)
    if message.guild is not None and not (together or to_us or mentioned):
        return None
    text = re.sub(rf"\s*<@!?{me}>\s*", " ", message.content).strip()
    files = _files(message.attachments, bool(message.flags.value & _VOICE_FLAG))
    empty = not text and not files
    if empty and message.guild is not None and not mentioned and not to_us:
        return None  # without the right to read it all, a session's words are empty
    unheard = "discord-unheard" if empty and to_us and not mentioned and not message.content else None
    return Message(
        PLATFORM, str(message.channel.id), str(message.author.id), text=text, files=files,
        external=str(message.id), name=message.author.display_name, problem=_problem(files) or unheard,
        aside=together and not mentioned and not to_us and not files,
        reply_external=str(message.reference.message_id) if message.reference and message.reference.message_id else "",
        **_where(message.channel, message.guild is not None, me),
    )  # fmt: skip


_SAID = (discord.MessageType.default, discord.MessageType.reply)


def edit_of(id_: int, channel: int, author: int, text: str, me: int) -> Message:
    """Another text for a message that somebody wrote before."""
    plain = re.sub(rf"\s*<@!?{me}>\s*", " ", text).strip()
    return Message(PLATFORM, str(channel), str(author), text=plain, external=str(id_), edited=True)


def interaction_of(interaction: discord.Interaction[Any], me: int) -> Message | None:
    """A command, a press or a filled modal."""
    data: dict[str, Any] = dict(interaction.data or {})
    match interaction.type.value:
        case 2 if data.get("type", 1) == 3:
            return _on_message(interaction, data, me)
        case 2:
            text, files = _slash(data)
            own = any(option["name"] == "words" for option in data.get("options", []))
            return _made(
                interaction, "slash", me, text=text, files=files, problem=_problem(files), worded=own,
                quoted=data["name"] == "revise" or bool(files),
            )  # fmt: skip
        case 3:
            press = (data.get("values") or [data["custom_id"]])[0]
            return _made(interaction, "press", me, press=str(press), on_external=_message_id(interaction))
        case 5:
            words = " ".join(fields_of(data.get("components", [])))
            return _made(interaction, "modal", me, text=words, reply_external=_message_id(interaction), quoted=True)
        case _:
            return None


def reaction_of(event: discord.RawReactionActionEvent, me: int, group: bool) -> Message | None:
    """An emoji that was added to a message, or taken back."""
    if event.user_id == me or (event.member is not None and event.member.bot):
        return None
    if event.message_author_id is not None and event.message_author_id != me:
        return None
    added = event.event_type == "REACTION_ADD"
    emoji = event.emoji.name if event.emoji.is_unicode_emoji() else f":{event.emoji.name}:"
    return Message(
        PLATFORM, str(event.channel_id), str(event.user_id), reaction=emoji if added else f"-{emoji}",
        on_external=str(event.message_id), group=group,
    )  # fmt: skip


def _made(interaction: discord.Interaction[Any], kind: str, me: int, **more: Any) -> Message:
    handle = Handle(kind, interaction.id, interaction.filesize_limit, interaction.token)
    return Message(
        PLATFORM, str(interaction.channel_id), str(interaction.user.id), external=f"{kind} {interaction.id}",
        handle=str(handle), name=interaction.user.display_name, language=str(interaction.locale)[:2],
        **_where(
            interaction.channel, interaction.guild_id is not None, me, interaction.is_guild_integration(),
            interaction.context.dm_channel,
        ), **more,
    )  # fmt: skip


def _where(channel: Any, in_guild: bool, me: int, member: bool = True, ours: bool = True) -> dict[str, Any]:
    """`ours`: whether a private channel is one with us, and not of two others."""
    together = _session(channel, me)
    private = isinstance(channel, discord.DMChannel) and ours
    rooms = in_guild and member and isinstance(channel, discord.TextChannel)
    return {"group": in_guild or not private, "together": together, "rooms": rooms}


def _session(channel: Any, me: int) -> bool:
    """Whether it is a thread that we opened, where several people steer one song."""
    return isinstance(channel, discord.Thread) and channel.owner_id == me


def _slash(data: dict[str, Any]) -> tuple[str, tuple[Attachment, ...]]:
    """`/compose`, its options as words; `/revise` is just words. With a file, the words say what to do with it."""
    name = str(data["name"])
    given = {option["name"]: option["value"] for option in data.get("options", []) if "value" in option}
    known = data.get("resolved", {}).get("attachments", {})
    words = []
    files = []
    for option in options_of(name):
        if option.name not in given:
            continue
        if option.words:
            words.append(option.words.replace("{}", str(given[option.name]).strip()))
        else:
            files.append(_attachment(known[given[option.name]]))
    said = ", ".join(word for word in words if word)
    if name == "revise" or files:
        return said, tuple(files)
    return f"/{name} {said}".strip(), ()


def _on_message(interaction: discord.Interaction[Any], data: dict[str, Any], me: int) -> Message:
    """A command on a message: somebody's words and files are taken up; a song of ours is varied."""
    target = data["resolved"]["messages"][str(data["target_id"])]
    if int(target["author"]["id"]) == me:
        vary = next((id_ for id_ in _ids(target.get("components", [])) if id_.startswith("vary:")), None)
        if vary is None:
            return _made(interaction, "slash", me, problem="remix-no-song")
        return _made(interaction, "slash", me, press=vary, on_external=str(target["id"]))
    files = tuple(_attachment(each) for each in target.get("attachments", []))
    text = re.sub(r"^```\w*\n?|```\s*$", "", target.get("content", "").strip())
    problem = _problem(files)
    if data["name"] == RENDER and not files and not re.search(r"(?m)^K:", text):
        problem = problem or (None if _BARE.fullmatch(text) else "render-no-abc")
        text = f"X:1\nT:ABC\nM:4/4\nL:1/8\nK:C\n{text}"
    return _made(interaction, "slash", me, text=text, files=files, problem=problem, quoted=True, worded=False)


# Notes of ABC without their header: letters in bars, and little else.
_BARE = re.compile(r"(?s)\A(?=.*\|)(?=.*[A-Ga-g])[A-Ga-gzx\d\s|:\[\](){}'\",/^_=<>~.-]+")


def _ids(components: list[dict[str, Any]]) -> Iterable[str]:
    """The ids of a message's buttons."""
    for component in components:
        if component.get("custom_id"):
            yield str(component["custom_id"])
        yield from _ids(component.get("components", []))


def _message_id(interaction: discord.Interaction[Any]) -> str:
    return str(interaction.message.id) if interaction.message else ""


def fields_of(components: list[dict[str, Any]]) -> Iterable[str]:
    """What was typed into a modal's fields."""
    for component in components:
        if isinstance(component.get("value"), str):
            yield component["value"]
        inside = component.get("components") or ([component["component"]] if "component" in component else [])
        yield from fields_of(inside)


def _files(attachments: Iterable[discord.Attachment], voice: bool) -> tuple[Attachment, ...]:
    return tuple(
        _attachment(
            {"url": a.url, "filename": a.filename, "size": a.size, "content_type": a.content_type,
             "duration_secs": a.duration}, voice,
        )
        for a in attachments
    )  # fmt: skip


def _attachment(data: dict[str, Any], voice: bool = False) -> Attachment:
    """What the name and the type say of it; its content is looked at when it is read. MIDI counts as a file."""
    name, type_ = str(data["filename"]), str(data.get("content_type") or "")
    midi = "midi" in type_ or name.lower().endswith((".mid", ".midi"))
    kind: Kind = "voice" if voice else "file" if midi else _KINDS.get(type_.partition("/")[0], "file")
    if kind == "voice":
        name = "voice.ogg"
    return Attachment(str(data["url"]), name, kind, int(data.get("size") or 0), data.get("duration_secs"), remote=True)


def _problem(files: tuple[Attachment, ...]) -> str | None:
    return "file-too-big" if any(file.size > MOST_BYTES for file in files) else None
