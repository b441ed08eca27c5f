"""A stand-in for Telegram's Bot API on loopback, for bots in this process or another."""

from __future__ import annotations

from typing import Self

from tests.standins.telegram.faults import Fault
from tests.standins.telegram.people import People
from tests.standins.telegram.server import Server
from tests.standins.telegram.sight import Sight
from tests.standins.telegram.world import World

TOKEN = "7000000:stand-in"


class Telegram(People, Sight):
    """The service with its people; every method may be called from any thread, and blocks briefly.

    `limits`: whether a bot that talks too fast is answered with 429. `privacy`: whether the bot hears in groups,
    where it is no administrator, only what is meant for it.

        with Telegram() as telegram:
            ann = telegram.person("Ann")
            telegram.write(telegram.private(ann), ann, "/start")
            telegram.until(lambda: telegram.bot_messages(ann), 5)
    """

    def __init__(
        self, token: str = TOKEN, username: str = "tunesmith_bot", *, limits: bool = True, privacy: bool = False
    ) -> None:
        super().__init__(World(token, username, limited=limits))
        self.world.privacy = privacy
        self.token, self.username = token, username
        self._server = Server(self.world)
        self.url = f"http://127.0.0.1:{self._server.port}"

    def close(self) -> None:
        """Stops serving; complains if the stand-in itself failed, since what it answered then was its own mistake."""
        self._server.close()
        assert not self.world.defects, "\n".join(self.world.defects)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def limits(self) -> bool:
        return self.world.limited

    @limits.setter
    def limits(self, on: bool) -> None:
        with self.world.lock:
            self.world.limited = on

    @property
    def query_seconds(self) -> float:
        """How old a pressed button may get before its answer comes too late."""
        return self.world.query_seconds

    @query_seconds.setter
    def query_seconds(self, seconds: float) -> None:
        with self.world.lock:
            self.world.query_seconds = seconds

    def fail(
        self,
        method: str,
        times: int = 1,
        status: int = 500,
        retry_after: int | None = None,
        description: str | None = None,
        chat: int | None = None,
    ) -> None:
        """The next calls (a pattern such as `send*` fits several methods) are refused, without doing the work."""
        retry_after = 1 if status == 429 and retry_after is None else retry_after
        self._plan(Fault(method, "fail", times, chat, status, retry_after, description))

    def drop(self, method: str, times: int = 1, after: bool = False, chat: int | None = None) -> None:
        """The next calls lose their connection, before or after the work is done."""
        self._plan(Fault(method, "drop", times, chat, after=after))

    def stall(self, method: str, times: int = 1, after: bool = False, chat: int | None = None) -> None:
        """The next calls are never answered."""
        self._plan(Fault(method, "stall", times, chat, after=after))

    def mend(self) -> None:
        """Forgets the mishaps that have not happened yet."""
        with self.world.changing():
            self.world.faults.planned.clear()

    def hold(self) -> None:
        """No update is delivered from now on."""
        with self.world.changing():
            self.world.updates.held = True

    def release(self) -> None:
        with self.world.changing():
            self.world.updates.held = False

    def repeat(self, update_id: int) -> None:
        """Delivers an update once more, acknowledged or not."""
        with self.world.changing():
            self.world.updates.repeat(update_id)

    def shuffle(self, *update_ids: int) -> None:
        """Delivers these pending updates first, in this order: best while they are held."""
        with self.world.changing():
            self.world.updates.shuffle(list(update_ids))

    @property
    def pending(self) -> tuple[int, ...]:
        """The ids of the updates that the bot has not acknowledged, in the order of their delivery."""
        with self.world.lock:
            return tuple(p.id for p in self.world.updates.pending)

    def _plan(self, fault: Fault) -> None:
        with self.world.changing():
            self.world.faults.planned.append(fault)
