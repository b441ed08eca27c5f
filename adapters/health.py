"""Whether the process lives and can work, over HTTP: /live, and /ready with what it looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from core.errors import BadSetting

Look = Callable[[], Awaitable[dict[str, object]]]  # what `ready` is, and why


@asynccontextmanager
async def answering(host: str, port: int, look: Look) -> AsyncIterator[int]:
    """The port that it answers at. Raises BadSetting where it is taken."""
    from aiohttp import web  # noqa: PLC0415

    async def live(request: web.Request) -> web.Response:
        return web.json_response({"live": True})

    async def ready(request: web.Request) -> web.Response:
        found = await look()
        return web.json_response(found, status=200 if found["ready"] else 503)

    app = web.Application()
    app.router.add_get("/live", live)
    app.router.add_get("/ready", ready)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise BadSetting(name="TUNESMITH_HEALTH_PORT", reason=error.strerror or str(error)) from None
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
