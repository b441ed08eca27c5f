"""The Bot API over HTTP, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import traceback
from contextlib import suppress
from typing import Any

from aiohttp import web

from tests.standins.telegram import limits, methods
from tests.standins.telegram.faults import Fault
from tests.standins.telegram.limits import MEGABYTE
from tests.standins.telegram.params import Params, read
from tests.standins.telegram.posting import Posting
from tests.standins.telegram.pulse import Pulse
from tests.standins.telegram.values import Call, Json, Refusal
from tests.standins.telegram.world import World

_BODY_BYTES = 600 * MEGABYTE  # an album of ten files, each just too large
_CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
_HOOKED = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
_WORDS = {500: "Internal Server Error", 502: "Bad Gateway", 429: "Too Many Requests"}


class Server:
    """Answers the bot until it is closed."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._polls = 0
        self._ready = threading.Event()
        self.port = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="telegram", daemon=True)
        self._thread.start()
        assert self._ready.wait(10), "the stand-in did not start"

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join(10)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        self._pulse = Pulse(self._loop)
        self._world.listen(self._pulse.beat)
        app = web.Application(client_max_size=_BODY_BYTES)
        app.router.add_get("/file/bot{token}/{path:.+}", self._file)
        app.router.add_route("*", "/bot{token}/{method}", self._api)
        # Whoever hangs up takes the request back: a poll, or a call that is never answered.
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.01)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        posting = asyncio.create_task(Posting(self._world, self._pulse).run())
        self._ready.set()
        await self._closing.wait()
        posting.cancel()
        with suppress(asyncio.CancelledError):
            await posting
        await runner.cleanup()

    async def _file(self, request: web.Request) -> web.Response:
        with self._world.lock:
            media = self._world.files.paths.get(request.match_info["path"])
        if request.match_info["token"] != self._world.token or media is None:
            return _answer(_refused(Refusal("Not Found", 404)))
        return web.Response(body=media.content, content_type="application/octet-stream")

    async def _api(self, request: web.Request) -> web.StreamResponse:
        written = request.match_info["method"]
        method = methods.named(written)
        params = await read(request)
        if request.match_info["token"] != self._world.token:
            return self._called(written, params, _refused(Refusal("Unauthorized", 401)))
        if sum(len(upload.content) for upload in params.uploads.values()) > limits.UPLOAD_BYTES:
            return self._called(written, params, _refused(Refusal("Request Entity Too Large", 413)))
        if method is None:
            return self._called(written, params, _refused(Refusal("Not Found", 404)))
        match self._fault(method, params):
            case None:
                return self._called(method, params, await self._result(method, params))
            case Fault(kind="fail") as fault:
                return self._called(method, params, _refused(_injected(fault)))
            case fault:
                return await self._unanswered(request, method, params, fault)

    def _fault(self, method: str, params: Params) -> Fault | None:
        world = self._world
        with world.lock:
            if early := world.faults.too_early(params.chat, world.now()):
                world.early.append(f"{world.now():.2f} s: {method} in {params.chat}, {early:.2f} s too early")
            return world.faults.take(method, params.chat, world.now())

    async def _unanswered(self, request: web.Request, method: str, params: Params, fault: Fault) -> web.StreamResponse:
        if fault.after:
            await self._result(method, params)
        with self._world.changing():
            self._note(method, params, 0)
        if fault.kind == "stall":
            await self._closing.wait()
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    async def _result(self, method: str, params: Params) -> Json:
        work = self._poll(params) if method == methods.POLL else self._perform(method, params)
        try:
            return {"ok": True, "result": await work}
        except Refusal as e:
            return _refused(e)
        except Exception:  # a mistake of the stand-in's own, which must not pass for one of the bot's
            with self._world.changing():
                self._world.defects.append(traceback.format_exc())
            return _refused(Refusal("Internal Server Error: the stand-in failed", 500))

    async def _perform(self, method: str, params: Params) -> Any:
        with self._world.changing():
            return methods.perform(self._world, method, params)

    async def _poll(self, params: Params) -> list[Json]:
        """The next updates, or none after the time-out; of two who ask, the earlier one is sent away."""
        self._polls += 1
        mine = self._polls
        self._pulse.beat()
        updates = self._world.updates
        with self._world.changing():
            if params.text("allowed_updates"):
                updates.asked = tuple(params.json("allowed_updates"))
            updates.acknowledge(params.number("offset") or 0)
        end = self._loop.time() + (params.number("timeout") or 0)
        while True:
            beat = self._pulse.next()
            with self._world.lock:
                if self._world.webhook is not None:
                    raise Refusal(_HOOKED, 409)
                if mine != self._polls:
                    raise Refusal(_CONFLICT, 409)
                found = updates.give(params.number("limit") or 100)
            left = end - self._loop.time()
            if found or left <= 0:
                return found
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await beat.wait()

    def _called(self, method: str, params: Params, body: Json) -> web.Response:
        with self._world.changing():
            self._note(method, params, 200 if body["ok"] else body["error_code"])
        return _answer(body)

    def _note(self, method: str, params: Params, status: int) -> None:
        self._world.calls.append(Call(round(self._world.now(), 3), method, params.chat, status))


def _injected(fault: Fault) -> Refusal:
    words = fault.description or _WORDS.get(fault.status, "Bad Request: refused on purpose")
    if fault.retry_after is None:
        return Refusal(words, fault.status)
    return Refusal(f"{words}: retry after {fault.retry_after}", fault.status, retry_after=fault.retry_after)


def _refused(refusal: Refusal) -> Json:
    parameters = {"parameters": refusal.parameters} if refusal.parameters else {}
    return {"ok": False, "error_code": refusal.status, "description": refusal.description, **parameters}


def _answer(body: Json) -> web.Response:
    return web.json_response(body, status=200 if body["ok"] else body["error_code"])
