"""The parameters of a call, urlencoded or multipart."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from tests.standins.telegram import markup, text
from tests.standins.telegram.values import Json, Upload, bad

ATTACH = "attach://"


@dataclass(frozen=True)
class Params:
    """What came in the body, with the files apart."""

    fields: Mapping[str, str]
    uploads: Mapping[str, Upload]

    def text(self, name: str) -> str:
        return self.fields.get(name, "")

    def number(self, name: str) -> int | None:
        value = self.text(name)
        if not value:
            return None
        if not value.lstrip("-").isdigit():
            raise bad(f"parameter {name} is expected to be an integer")
        return int(value)

    def flag(self, name: str) -> bool:
        return self.text(name).lower() in ("true", "1")

    def json(self, name: str) -> Any:
        if not (value := self.text(name)):
            return None
        try:
            return json.loads(value)
        except ValueError as e:
            raise bad(f"can't parse {name} JSON object") from e

    def upload(self, value: object) -> Upload | None:
        """The file that `attach://…` names."""
        if not isinstance(value, str) or not value.startswith(ATTACH):
            return None
        return self.uploads.get(value.removeprefix(ATTACH))

    @property
    def chat(self) -> int | None:
        value = self.text("chat_id")
        return int(value) if value.lstrip("-").isdigit() else None


async def read(request: web.Request) -> Params:
    """A request's query and body; whole files are kept in memory."""
    fields = dict(request.query)
    uploads: dict[str, Upload] = {}
    if request.content_type == "multipart/form-data":
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader), "no multipart within multipart"
            assert part.name is not None
            if part.filename is None:
                fields[part.name] = await part.text()
            else:
                mime = part.headers.get("Content-Type", "application/octet-stream")
                uploads[part.name] = Upload(part.filename, bytes(await part.read()), mime)
    elif request.content_type == "application/json":
        body = await request.json()
        fields |= {name: v if isinstance(v, str) else json.dumps(v) for name, v in body.items()}
    else:
        fields |= {name: v for name, v in (await request.post()).items() if isinstance(v, str)}
    return Params(fields, uploads)


def worded(params: Params, name: str = "text", entities: str = "entities") -> text.Formatted:
    """The text of a call with its formatting, whichever way that was told."""
    return formatted(params.text(name), params.text("parse_mode"), params.json(entities) or [])


def formatted(words: str, mode: str, entities: list[Json]) -> text.Formatted:
    if mode:
        words, entities = markup.parsed(words, mode)
    return text.fixed(words, entities)
