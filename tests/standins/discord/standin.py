"""Discord on loopback, in a thread of the test's own process."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

from aiohttp import web

from tests.standins.discord.account import Account
from tests.standins.discord.answering import Answering
from tests.standins.discord.channels import Channels, Typing
from tests.standins.discord.faults import Fault
from tests.standins.discord.gateway import Gateway
from tests.standins.discord.interactions import Ack, Interaction, Interactions
from tests.standins.discord.modals import Modal
from tests.standins.discord.people import People
from tests.standins.discord.posting import Posting
from tests.standins.discord.rest import Call, Rest
from tests.standins.discord.seen import Seen, Thread, picture, seen
from tests.standins.discord.using import Using
from tests.standins.discord.world import Json, World

T = TypeVar("T")
GLANCE = 0.05  # seconds between looks at a condition that also depends on things elsewhere
BODY = 1024**3  # bytes of a request: what is too large is for Discord's rules to say


class Discord:
    """The whole of it: what people do, what they see, what goes wrong. Safe to use from any thread.

    Point discord.py at `base` and `gateway_url`, log in with `token`. Faults match a regular
    expression against `METHOD /path`, the path as below /api/v10.
    """

    def __init__(
        self,
        name: str = "Tunesmith",
        token: str = "stand-in.token",
        shards: int = 1,
        privileged: frozenset[str] = frozenset({"message_content"}),
        rate_limits: bool = True,
        heartbeat: float = 41.25,
        response_deadline: float = 3.0,
        token_lifetime: float = 900.0,
    ) -> None:
        self.token = token
        self._world = World(name, shards)
        self._gateway = Gateway(self._world, token, set(privileged), heartbeat)
        posting = Posting(self._world, self._gateway)
        self._interactions = Interactions(self._world)
        self._interactions.deadline, self._interactions.lifetime = response_deadline, token_lifetime
        self._account = Account(self._world, self._gateway)
        self._channels = Channels(self._world, self._gateway, posting)
        answering = Answering(self._world, posting, self._interactions)
        routes = [*self._account.routes(), *self._channels.routes(), *answering.routes()]
        self._rest = Rest(self._world, token, routes)
        self._rest.limits.on = rate_limits
        self._using = Using(self._world, self._gateway, self._account, self._interactions)
        self._let_people_act(People(self._world, self._gateway, self._channels))
        self._serve()

    def _let_people_act(self, people: People) -> None:
        self.user, self.guild, self.channel, self.dm = people.user, people.guild, people.channel, people.dm
        self.thread, self.join, self.leave = people.thread, people.join, people.leave
        self.deny, self.close_dms, self.remove_channel = people.deny, people.close_dms, people.remove_channel
        self.write, self.edit, self.delete = people.write, people.edit, people.delete
        self.react, self.unreact = people.react, people.unreact
        using = self._using
        self.slash, self.autocomplete, self.context = using.slash, using.autocomplete, using.context
        self.click, self.choose, self.submit, self.expire = using.click, using.choose, using.submit, using.expire

    # --- what is seen

    def messages(self, channel: str, as_user: str | None = None) -> list[Seen]:
        """What stands in a channel, oldest first; ephemeral messages only before the eyes they are for."""
        with self._world.changed:
            found = self._world.messages_of(channel)
            return [seen(message) for message in found if message.ephemeral_to in (None, as_user)]

    def threads(self, channel: str) -> list[Thread]:
        with self._world.changed:
            return [
                Thread(
                    id=thread.id,
                    name=thread.name,
                    parent=channel,
                    owner=thread.owner or "",
                    message=thread.id if thread.id in self._world.messages else None,
                    archived=thread.archived,
                    locked=thread.locked,
                )
                for thread in self._world.threads_of(channel)
            ]

    def picture(self, channel: str | None = None) -> str:
        """What everybody sees, ephemeral messages included, as text; of all channels unless one is named."""
        with self._world.changed:
            return picture(self._world, [channel] if channel else list(self._world.channels))

    def until(self, predicate: Callable[[], T], seconds: float = 5.0, channel: str | None = None) -> T:
        """Wait for a condition that is looked at after every change; what it gave when it was true."""
        end = time.monotonic() + seconds
        with self._world.changed:
            while not (found := predicate()) and (left := end - time.monotonic()) > 0:
                self._world.changed.wait(min(left, GLANCE))
            if found:
                return found
            failed = [f"  {call.method} {call.path}: {call.status}" for call in self.calls if call.status >= 400]
            trouble = "\nand the bot was refused:\n" + "\n".join(failed[-10:]) if failed else ""
            raise AssertionError(f"not within {seconds:g} s; this is seen:\n{self.picture(channel)}{trouble}")

    async def until_async(self, predicate: Callable[[], T], seconds: float = 5.0, channel: str | None = None) -> T:
        """The same for a test whose own event loop runs the bot."""
        return await asyncio.to_thread(self.until, predicate, seconds, channel)

    @property
    def application_id(self) -> str:
        """The application's and the bot's user's id."""
        return self._world.bot.id

    @property
    def base(self) -> str:
        return self._world.base

    @property
    def gateway_url(self) -> str:
        return self._gateway.url

    @property
    def mention(self) -> str:
        """What mentions the bot in a message."""
        return f"<@{self.application_id}>"

    @property
    def shards(self) -> int:
        """How many shards the bot is told to run."""
        return self._world.shards

    @property
    def connected(self) -> list[int]:
        """The shards that have a connection."""
        with self._world.changed:
            return self._gateway.shards

    @property
    def identifies(self) -> int:
        return self._gateway.identifies

    @property
    def resumes(self) -> int:
        return self._gateway.resumes

    @property
    def commands(self) -> list[Json]:
        """The global commands as they are registered."""
        return self._account.commands

    @property
    def guild_commands(self) -> dict[str, list[Json]]:
        return self._account.guild_commands

    @property
    def calls(self) -> list[Call]:
        return self._rest.calls

    @property
    def exceeded(self) -> list[str]:
        """Every 429 that the bot brought upon itself."""
        return self._rest.limits.exceeded

    @property
    def pings(self) -> list[str]:
        """Every mention of the bot's that was let through to ping."""
        return self._world.pings

    @property
    def acknowledged(self) -> list[Ack]:
        return self._interactions.acknowledged

    @property
    def interactions(self) -> list[Interaction]:
        return list(self._interactions.all.values())

    @property
    def unanswered(self) -> list[Interaction]:
        """Those of which people were told that the application did not respond."""
        with self._world.changed:
            return self._interactions.unanswered()

    @property
    def modals(self) -> dict[str, Modal]:
        """The modal that each user has open."""
        return self._interactions.modals

    @property
    def typing(self) -> list[Typing]:
        return self._channels.typing

    # --- what goes wrong

    def fail(
        self,
        route: str,
        times: int = 1,
        status: int = 500,
        code: int = 0,
        retry_after: float | None = None,
        everywhere: bool = False,
    ) -> None:
        """Answer the next calls of a route with an error, without doing what they ask. A 429 holds until its time is
        over: calls of its kind, or (`everywhere`) all but those of interactions.
        """
        fault = Fault(re.compile(route), times, status, code, retry_after, everywhere=everywhere)
        with self._world.changed:
            self._rest.faults.waiting.append(fault)

    def drop(self, route: str, times: int = 1, after: bool = False) -> None:
        """Cut the connection instead of answering, before or `after` doing what is asked.

        aiohttp's client itself repeats an idempotent call once when a reused connection breaks.
        """
        with self._world.changed:
            self._rest.faults.waiting.append(Fault(re.compile(route), times, after=after))

    def drop_gateway(self, resumable: bool = True) -> None:
        """Cut the websockets; what happens before a RESUME is replayed after it."""
        self._gateway.drop(resumable)

    def invalid_session(self, resumable: bool) -> None:
        self._gateway.invalidate(resumable)

    def ask_reconnect(self) -> None:
        self._gateway.ask_reconnect()

    def zombie(self, on: bool = True) -> None:
        """The present websockets stay open but fall silent: no acks, no events."""
        self._gateway.set_deaf(on)

    def gateway_down(self) -> None:
        """Cut the websockets and refuse new ones."""
        self._gateway.set_down(True)

    def gateway_up(self) -> None:
        self._gateway.set_down(False)

    def repeat(self, event: str) -> None:
        """Deliver people's last MESSAGE_CREATE or INTERACTION_CREATE once more."""
        self._gateway.repeat(event)

    def set_rate_limits(self, on: bool) -> None:
        self._rest.limits.on = on

    def set_privileged(self, *intents: str) -> None:
        """Which of members, presences and message_content the application may ask for from now on."""
        with self._world.changed:
            self._gateway.privileged = set(intents)

    def set_deadlines(self, response: float | None = None, token: float | None = None) -> None:
        """How many seconds an interaction waits for its first response, and its token is good for."""
        self._interactions.deadline = self._interactions.deadline if response is None else response
        self._interactions.lifetime = self._interactions.lifetime if token is None else token

    # --- the server

    def _serve(self) -> None:
        self._loop = self._gateway.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="discord stand-in", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)

    async def _start(self) -> None:
        application = web.Application(client_max_size=BODY)
        application.router.add_get("/gateway/", self._gateway.connect)
        application.router.add_get("/attachments/{channel}/{id}/{name}", self._attachment)
        application.router.add_route("*", "/api/v10/{path:.*}", self._rest.serve)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        port = self._runner.addresses[0][1]
        self._world.base = f"http://127.0.0.1:{port}"
        self._gateway.url = f"ws://127.0.0.1:{port}/gateway/"

    async def _attachment(self, request: web.Request) -> web.Response:
        with self._world.changed:
            id_ = request.match_info["id"]
            file = self._world.find_file(id_) or self._using.uploads.get(id_)
        if file is None:
            return web.Response(status=404)
        return web.Response(body=file.data, content_type=file.content_type or "application/octet-stream")

    def close(self) -> None:
        """Stop serving; whoever is connected is cut off."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _stop(self) -> None:
        self._gateway.close()
        await self._runner.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
