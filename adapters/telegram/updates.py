"""Updates on their way in, fetched or sent to us: each is acknowledged only when it is safe with us."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from telegram import Bot, Update
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut
from telegram.ext import Updater

log = logging.getLogger(__name__)

_KINDS = ["message", "edited_message", "callback_query", "message_reaction"]
_POLL = 30  # seconds that Telegram may wait for something to happen
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0


async def polled(bot: Bot, tell: Callable[..., None] = lambda code, **values: None) -> AsyncIterator[Update]:
    """Updates as they come. Asking for the next one acknowledges the last. `tell`: the operator, where somebody else
    asks for them, too. Raises InvalidToken.
    """
    await bot.delete_webhook()
    offset: int | None = None
    pause = _FIRST_PAUSE
    told = False
    while True:
        try:
            updates = await bot.get_updates(offset=offset, timeout=_POLL, allowed_updates=_KINDS)
        except InvalidToken:
            raise
        except TimedOut:
            continue
        except Conflict as error:
            if "webhook" in error.message.lower():  # somebody has set one meanwhile
                tell("telegram-webhook-removed")
                await bot.delete_webhook()
            elif not told:
                told = True
                tell("telegram-two-pollers")
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, 2 * pause)
            continue
        except TelegramError as error:
            seconds = _seconds(error) if isinstance(error, RetryAfter) else pause
            log.warning("Telegram does not answer: %s; asked again in %.0f s", type(error).__name__, seconds)
            await asyncio.sleep(seconds)
            pause = min(_LONGEST_PAUSE, 2 * pause)
            continue
        except Exception:
            log.exception("the library cannot read an update")
            try:
                updates = await _one_by_one(bot, offset)
            except TelegramError as error:
                log.warning("Telegram does not answer: %s", type(error).__name__)
                await asyncio.sleep(pause)
                continue
        pause = _FIRST_PAUSE
        for update in updates:
            yield update
            offset = update.update_id + 1


async def _one_by_one(bot: Bot, offset: int | None) -> tuple[Update, ...]:
    """The same updates, those that cannot be read being empty: they are passed over, and do not come again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library would rather that we used its own reading
        wanted = {"offset": offset, "timeout": 0, "allowed_updates": _KINDS}
        found = await bot.do_api_request("getUpdates", api_kwargs={k: v for k, v in wanted.items() if v is not None})
    return tuple(_readable(update, bot) for update in found)


def _readable(update: dict[str, Any], bot: Bot) -> Update:
    try:
        return Update.de_json(dict(update), bot)
    except Exception:
        return Update(int(update["update_id"]))


class Webhook(asyncio.Queue[Any]):
    """The queue into which python-telegram-bot puts what Telegram sends to our address. Telegram's request is answered
    when we have taken it; else Telegram sends it again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._open: set[asyncio.Future[None]] = set()

    @asynccontextmanager
    async def listening(self, bot: Bot, address: str, port: int) -> AsyncIterator[None]:
        updater = Updater(bot, self)
        await updater.initialize()
        # The same at every start, so that what Telegram still has on the way is let in.
        secret = hashlib.sha256(f"{bot.token} webhook".encode()).hexdigest()[:32]
        try:
            await updater.start_webhook(
                listen="0.0.0.0", port=port, url_path=urlsplit(address).path, webhook_url=address, secret_token=secret,
                allowed_updates=_KINDS,
            )  # fmt: skip
            yield
        finally:
            for taken in self._open:
                if not taken.done():
                    taken.set_exception(NetworkError("closing"))
            with suppress(RuntimeError, TelegramError):
                await updater.stop()

    async def put(self, update: object) -> None:
        taken = asyncio.get_running_loop().create_future()
        self._open.add(taken)
        try:
            await super().put((update, taken))
            await taken
        finally:
            self._open.discard(taken)

    async def updates(self) -> AsyncIterator[Update]:
        while True:
            update, taken = await self.get()
            yield update
            if not taken.done():
                taken.set_result(None)


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return float(after if isinstance(after, int | float) else after.total_seconds())
