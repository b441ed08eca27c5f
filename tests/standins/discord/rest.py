"""The REST server: reads a request, lets faults and limits at it, answers in Discord's JSON."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.web_request import FileField

from tests.standins.discord.faults import Faults
from tests.standins.discord.forms import Upload
from tests.standins.discord.limits import Limits, refusal
from tests.standins.discord.refusals import Refused, refused
from tests.standins.discord.routes import Asked, Route
from tests.standins.discord.world import Json, World

PREFIX = "/api/v10"
FILE = re.compile(r"files\[(\d+)\]$")
MOST_BYTES = 25 * 1024 * 1024  # of a whole request


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the bot's: `at` by `time.monotonic()`, `path` below /api/v10; status 0 when it was dropped."""

    at: float
    method: str
    path: str
    status: int


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: Any
    headers: dict[str, str]


class Rest:
    def __init__(self, world: World, token: str, routes: Sequence[Route]) -> None:
        self._world = world
        self._token = token
        self._routes = routes
        self.limits = Limits()
        self.faults = Faults()
        self.calls: list[Call] = []

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, or drop it."""
        at = time.monotonic()
        path = request.path.removeprefix(PREFIX)
        asked = await _read(request)
        with self._world.changed:
            reply = self._reply(request, path, asked)
            self.calls.append(Call(at, request.method, path, reply.status if reply else 0))
            self._world.changed.notify_all()
        if reply is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        if reply.body is None:
            return web.Response(status=reply.status, headers=reply.headers)
        # exactly application/json: clients compare it
        body = json.dumps(reply.body).encode()
        return web.Response(body=body, status=reply.status, headers=reply.headers, content_type="application/json")

    def _reply(self, request: web.Request, path: str, asked: Asked | Refused) -> Reply | None:
        named = f"{request.method} {path}"
        fault = self.faults.take(named)
        if fault and fault.status is None:
            if fault.after:
                self._answer(request, path, asked)
            return None
        if fault and fault.status == 429:
            self.limits.hold(named, fault.retry_after or 0.0, fault.everywhere)
            verdict = refusal(fault.retry_after or 0.0, fault.everywhere)
            return Reply(429, _too_many(verdict.wait, fault.everywhere), verdict.headers)
        if (hold := self.limits.held(named)) is not None:
            return Reply(429, _too_many(hold.wait, hold.everywhere), hold.headers)
        if fault and fault.status:
            return Reply(fault.status, {"message": "asked to fail", "code": fault.code}, {})
        verdict = self.limits.take(named)
        if verdict.wait is not None:
            return Reply(429, _too_many(verdict.wait, verdict.everywhere), verdict.headers)
        status, body = self._answer(request, path, asked)
        return Reply(status, body, verdict.headers)

    def _answer(self, request: web.Request, path: str, asked: Asked | Refused) -> tuple[int, Any]:
        try:
            if isinstance(asked, Refused):
                raise asked
            route, ids = self._find(request.method, path)
            if route.bot and request.headers.get("Authorization") != f"Bot {self._token}":
                raise refused("unauthorized")
            body = route.handler(Asked(ids, asked.query, asked.body, asked.many, asked.uploads))
        except Refused as error:
            return error.status, error.body
        return (route.status, body) if body is not None else (204, None)

    def _find(self, method: str, path: str) -> tuple[Route, tuple[str, ...]]:
        for route in self._routes:
            found = route.pattern.fullmatch(path) if route.method == method else None
            if found:
                return route, found.groups()
        raise refused("not found")


def _too_many(wait: float | None, everywhere: bool) -> Json:
    return {"message": "You are being rate limited.", "retry_after": wait, "global": everywhere, "code": 0}


async def _read(request: web.Request) -> Asked | Refused:
    """The request's JSON and its files, from a plain or a multipart body."""
    uploads: dict[int, Upload] = {}
    try:
        if (request.content_length or 0) > MOST_BYTES:
            await request.read()
            return refused("request too large")
        if request.content_type.startswith("multipart/"):
            fields = await request.post()
            body = json.loads(str(fields.get("payload_json", "{}")))
            for name, value in fields.items():
                if isinstance(value, FileField) and (found := FILE.match(name)):
                    uploads[int(found[1])] = Upload(value.filename, value.file.read(), value.content_type)
                    value.file.close()
        else:
            text = await request.text()
            body = json.loads(text) if text else {}
    except ValueError:
        return refused("json")
    if isinstance(body, list):
        return Asked((), request.query, {}, body, uploads)
    if not isinstance(body, dict):
        return refused("json")
    return Asked((), request.query, body, [], uploads)
