"""What every render worker has from birth: the forkserver imports this module once, heavy libraries and all."""

from __future__ import annotations

import music21  # noqa: F401  (half a second that no song should wait for)

from adapters.workshop.notes import engraver, read_source, write_notes
from adapters.workshop.sound import fluid, make_sound
from core.errors import TunesmithError

__all__ = ["make_sound", "read_source", "warm", "write_notes"]


def warm(setting: str | None) -> None:
    """Loads the tools before the first song asks for them; what is missing is told with the song."""
    for tool in (lambda: fluid(setting), engraver):
        try:
            tool()
        except TunesmithError:
            continue
