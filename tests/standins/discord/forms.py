"""The form of a message that the bot sends: read, then refused as Discord would."""

from __future__ import annotations

import copy
import mimetypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.standins.discord import components
from tests.standins.discord.refusals import Path, Problems, refused
from tests.standins.discord.world import COMPONENTS_V2, EPHEMERAL, VOICE, File, Json, Message

SETTABLE = 1 << 2 | EPHEMERAL | 1 << 12 | VOICE | COMPONENTS_V2  # with "suppress embeds" and "suppress notifications"
EDITABLE = 1 << 2 | COMPONENTS_V2


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart body."""

    name: str
    data: bytes
    content_type: str | None


@dataclass(frozen=True, slots=True)
class Form:
    """A message as it would be if the form were taken."""

    content: str
    embeds: list[Json]
    components: list[Json]
    files: list[File]
    new: list[File]
    flags: int


def read(body: Json, uploads: Mapping[int, Upload], old: Message | None, new_id: Callable[[], str]) -> Form:
    """What the body asks for; what it leaves out stays as it was in `old`."""

    def given(key: str, before: object) -> object:
        return body.get(key, before)

    flags = int(body.get("flags") or 0)
    if old:  # the flag of components v2, once set, stays
        flags = old.flags & ~EDITABLE | (flags & EDITABLE if "flags" in body else old.flags & EDITABLE)
        flags |= old.flags & COMPONENTS_V2
    else:
        flags &= SETTABLE
    shown = copy.deepcopy(given("components", old.components if old else []) or [])
    assert isinstance(shown, list)
    components.number(shown)
    content, embeds = given("content", old.content if old else ""), given("embeds", old.embeds if old else [])
    files, new = _files(body, uploads, old, new_id)
    return Form(
        content=str(content or "").strip(),
        embeds=[_rich(embed) for embed in embeds or []] if isinstance(embeds, list) else [],
        components=shown,
        files=files,
        new=new,
        flags=flags,
    )


def _rich(embed: Json) -> Json:
    return {**embed, "type": "rich"}


def _files(
    body: Json, uploads: Mapping[int, Upload], old: Message | None, new_id: Callable[[], str]
) -> tuple[list[File], list[File]]:
    """The files of the message, and those among them that are new."""
    before = {file.id: file for file in old.files} if old else {}
    listed = body.get("attachments")
    if listed is None:
        new = [_file(upload, {}, new_id()) for upload in uploads.values()]
        return [*before.values(), *new], new
    files, new = [], []
    for entry in listed:
        id_ = str(entry.get("id"))
        if id_ in before:
            files.append(before[id_])
        elif id_.isdigit() and int(id_) in uploads:
            new.append(_file(uploads[int(id_)], entry, new_id()))
            files.append(new[-1])
        else:
            problems = Problems()
            problems.add(("attachments",), "ATTACHMENT_NOT_FOUND", f"Unknown attachment {id_}")
            problems.refuse()
    return files, new


def _file(upload: Upload, entry: Json, id_: str) -> File:
    name = entry.get("filename") or upload.name
    return File(
        id=id_,
        name=name,
        data=upload.data,
        content_type=mimetypes.guess_type(name)[0] or upload.content_type,
        description=entry.get("description"),
        seconds=entry.get("duration_secs"),
        waveform=entry.get("waveform"),
        told_type=upload.content_type,
    )


def check(form: Form, body: Json, file_limit: int, root: Path) -> None:
    """Refuse what Discord refuses."""
    problems = Problems(root)
    v2 = bool(form.flags & COMPONENTS_V2)
    problems.length(("content",), form.content, 2000)
    problems.length(("nonce",), str(body.get("nonce") or ""), 25)
    _check_embeds(form.embeds, problems)
    for index, file in enumerate(form.new):
        problems.length(("attachments", index, "description"), file.description, 1024)
    if len(form.files) > 10:
        problems.add(("attachments",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    components.check(form.components, v2, problems)
    _check_mentions(body.get("allowed_mentions"), problems)
    if v2:
        _check_v2(form, body, problems)
    problems.refuse()
    if any(len(file.data) > file_limit for file in form.new):
        raise refused("too large")
    if form.flags & VOICE:
        _check_voice(form, body)
    shown = form.components if v2 else [*form.embeds, *form.files, *body.get("sticker_ids", [])]
    if not form.content and not shown and not body.get("poll"):
        raise refused("empty message")


def _check_mentions(allowed: Json | None, problems: Problems) -> None:
    parsed = (allowed or {}).get("parse") or []
    for kind in parsed:
        if kind not in ("roles", "users", "everyone"):
            problems.add(("allowed_mentions", "parse"), "BASE_TYPE_CHOICES", f"{kind} is none of the choices")
        elif (allowed or {}).get(kind):
            problems.add(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", f"parse and {kind} exclude")


def _check_v2(form: Form, body: Json, problems: Problems) -> None:
    for field in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(field) or (field == "content" and form.content) or (field == "embeds" and form.embeds):
            message = f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            problems.add((field,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message)
    names = {file.name for file in form.files}
    for path, url in components.media(form.components):
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
            message = "The referenced attachment was not found"
            problems.add(path, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)


def _check_voice(form: Form, body: Json) -> None:
    if form.content or form.embeds or form.components or body.get("poll"):
        raise refused("voice with more")
    if len(form.files) != 1:
        raise refused("voice without audio")
    file = form.files[0]
    if not file.data.startswith(b"OggS") or not (file.told_type or "").startswith("audio/"):
        raise refused("voice without audio")
    if not file.seconds or not file.waveform:
        raise refused("voice without metadata")


def _check_embeds(embeds: list[Json], problems: Problems) -> None:
    if len(embeds) > 10:
        problems.add(("embeds",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    total = 0
    for index, embed in enumerate(embeds):
        texts = [
            (("title",), embed.get("title"), 256, 0),
            (("description",), embed.get("description"), 4096, 0),
            (("footer", "text"), (embed.get("footer") or {}).get("text"), 2048, 0),
            (("author", "name"), (embed.get("author") or {}).get("name"), 256, 0),
        ]
        for place, field in enumerate(embed.get("fields") or []):
            texts.append((("fields", str(place), "name"), field.get("name"), 256, 1))
            texts.append((("fields", str(place), "value"), field.get("value"), 1024, 1))
        image = (embed.get("image") or {}).get("url")
        if image is not None and not str(image).startswith(("attachment://", "http://", "https://")):
            problems.add(("embeds", index, "image", "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be http or https.")
        if not 0 <= int(embed.get("color") or 0) <= 0xFFFFFF:
            problems.add(("embeds", index, "color"), "NUMBER_TYPE_MAX", "int value should be at most 16777215.")
        for path, text, most, least in texts:
            problems.length(("embeds", index, *path), text, most, least)
            total += len(text or "")
        if len(embed.get("fields") or []) > 25:
            problems.add(("embeds", index, "fields"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    if total > 6000:
        problems.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
