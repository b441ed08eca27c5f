"""Which accidentals a reader needs to see: the key signature's and the bar's earlier ones are known."""

from __future__ import annotations

from core.music import pitch
from core.music.keys import Key


class Accidentals:
    """One voice's accidentals within one bar. Ask in the order of writing."""

    def __init__(self, key: Key) -> None:
        self._signature = {pitch.letter(tpc): pitch.alteration(tpc) for tpc in range(key.fifths - 1, key.fifths + 6)}
        self._bar: dict[tuple[str, int], int] = {}

    def needed(self, letter: str, octave: int, shift: int) -> bool:
        """Whether this alteration must be written; it then lasts to the end of the bar."""
        if self._bar.get((letter, octave), self._signature[letter]) == shift:
            return False
        self._bar[letter, octave] = shift
        return True
