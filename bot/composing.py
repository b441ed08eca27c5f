"""The compose command: one sentence, one song, files in a folder. Nothing is stored."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from rich.console import Console
from rich.live import Live

from bot.studio import Studio, Take
from bot.wiring import Knowledge, bubble_text, event_line
from core import cards
from core.brief.brief import Brief
from core.brief.completing import complete
from core.brief.reading import read
from core.cards import Bubble
from core.events import Done, Event, Stage
from core.localisation import locale_of
from core.messages import Message
from core.music.chance import seed_of


async def compose_one(
    known: Knowledge,
    studio: AbstractAsyncContextManager[Studio],
    text: str,
    seed: int | None,
    out: Path,
    locale: str | None,
    json: bool,
) -> int:
    """Composes and shows the song; 0 is the exit code of success."""
    locale = locale or locale_of(text)
    if seed is None:
        seed = seed_of("compose", text) % 1_000_000_000
    message = Message("console", "compose", "compose", text=text, id=1)
    begun = time.perf_counter()
    show = _json if json else _Shown(Bubble(known.words, locale))
    try:
        async with studio as made:
            brief = complete(text, read(text, known.lexicon), known.catalogue, seed, locale)
            async for event in made.compose(brief, seed, message, locale, out):
                if isinstance(event, Take):
                    show(_done(event, brief, known, locale, time.perf_counter() - begun))
                else:
                    show(event)
    finally:
        if isinstance(show, _Shown):
            show.close()
    return 0


def _done(take: Take, brief: Brief, known: Knowledge, locale: str, seconds: float) -> Done:
    text = cards.song_text(take.score, brief, take.rating, take.remarks, known.words, locale)
    return Done(
        1, text, None, 1, take.score.title, cards.brief_json(brief, take.score.seed), take.rating,
        {name: file.path for name, file in take.files.items()},
        seconds=round(seconds, 3),
    )  # fmt: skip


def _json(event: Event) -> None:
    sys.stdout.write(event_line(event) + "\n")
    sys.stdout.flush()


class _Shown:
    """The stages in one block that edits itself; then the card and the files."""

    def __init__(self, bubble: Bubble) -> None:
        self._bubble = bubble
        self._console = Console(highlight=False)
        self._live = Live(bubble_text(bubble), console=self._console, refresh_per_second=8)
        self._live.start()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Stage):
            self._bubble.take(event)
            self._live.update(bubble_text(self._bubble), refresh=True)
        elif isinstance(event, Done):
            self.close()
            self._console.print(event.text, markup=False)
            for name, path in event.files.items():
                self._console.print(f"  {name:10} {path}", style="dim", soft_wrap=True, markup=False)

    def close(self) -> None:
        self._live.stop()
