"""Many people asking at once on Telegram and on Discord, against the stand-ins, the whole program as `serve`.

python -m scripts.bench_chats [people, 100]

Prints, for each platform: seconds until all are accepted (Telegram) or acknowledged (Discord), until their first words,
and until their songs are there; and how many calls were too fast. On Telegram one more person sends 20,000 digits
before them, and another 40 requests. The plain way beside it is what a bot without a pacer would do: the same calls as
fast as they come, as the stand-in's own limits would count them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.behaviours.on_discord import Room, settings
from tests.behaviours.on_telegram import cards
from tests.behaviours.served import Serve
from tests.standins.discord.standin import Discord
from tests.standins.telegram.limits import Rates
from tests.standins.telegram.standin import Telegram

ASKED = "a jig in G, 8 bars"


def spread(label: str, seconds: Sequence[float]) -> str:
    found = sorted(seconds)
    return f"{label}: p50 {found[len(found) // 2]:.2f} s, p99 {found[-1 - len(found) // 100]:.2f} s"


def telegram(people: int, data: Path) -> None:
    with Telegram() as service:
        told = {"TUNESMITH_TELEGRAM_TOKEN": service.token, "TUNESMITH_TELEGRAM_URL": service.url}
        with Serve(data, formats="midi", **told):
            chats = [service.private(service.person(f"P{number}")) for number in range(people)]
            digits, eager = (service.private(service.person(name)) for name in ("Digits", "Eager"))
            service.hold()
            for _ in range(5):  # 20,000 digits from one
                service.write(digits, digits, "1" * 4000)
            for number in range(40):  # and 40 requests from another
                service.write(eager, eager, f"{ASKED}, number {number}")
            for chat in chats:
                service.write(chat, chat, ASKED)
            begun = service.now()
            service.release()
            service.until(lambda: not service.pending, 60)
            accepted = service.now() - begun
            service.until(lambda: all(len(service.bot_messages(chat)) == 2 for chat in chats), 3 * people + 60)
            songs = [cards(service, chat)[0].history for chat in chats]
            print(f"Telegram, {people} people: all accepted after {accepted:.2f} s")
            print("  " + spread("first words", [min(at for at, _ in history) - begun for history in songs]))
            print("  " + spread("the song", [max(at for at, _ in history) - begun for history in songs]))
            print(f"  calls {len(service.calls)}, too fast {len(service.exceeded)}")
            print(f"  the plain way, every first word at once: too fast {unpaced(people)} of {people}")


def unpaced(people: int) -> int:
    """How many of so many messages in one second Telegram would refuse."""
    rates = Rates()
    return sum(rates.charge(chat, group=False, calls=1, now=chat / people) is not None for chat in range(people))


def discord(people: int, data: Path) -> None:
    with Discord() as service, Serve(data, formats="midi", **settings(service)):
        service.until(lambda: service.commands, 30)
        rooms = [Room(service) for _ in range(people)]
        begun = time.monotonic()
        for room in rooms:
            room.slash("compose", words=ASKED)
        service.until(lambda: all(room.cards() for room in rooms), 3 * people + 60)
        print(f"Discord, {people} people")
        print("  " + spread("acknowledged", [ack.seconds for ack in service.acknowledged]))
        print("  " + spread("the song", [room.card().history[-1].at - begun for room in rooms]))
        print(f"  calls {len(service.calls)}, too fast {len(service.exceeded)}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for measured in (telegram, discord):
        with tempfile.TemporaryDirectory() as folder:
            measured(count, Path(folder))
