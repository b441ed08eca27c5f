"""Which accidentals a reader needs to see: the key signature's and the bar's earlier ones are known."""

from __future__ import annotations

from core.music import pitch
from core.music.keys import Key


class Accidentals:
    """One voice's accidentals within one bar. Ask in the order of writing.

    Whether an accidental also holds in other octaves, players and programs do not agree upon: there it is written.
    """

    def __init__(self, key: Key) -> None:
        self._signature = {pitch.letter(tpc): pitch.alteration(tpc) for tpc in range(key.fifths - 1, key.fifths + 6)}
        self._bar: dict[tuple[str, int], int] = {}
        self._altered: set[str] = set()  # letters with an accidental in any octave

    def needed(self, letter: str, octave: int, shift: int) -> bool:
        """Whether this alteration must be written; it then lasts to the end of the bar."""
        known = self._bar.get((letter, octave))
        if known == shift or (known is None and letter not in self._altered and self._signature[letter] == shift):
            return False
        self._bar[letter, octave] = shift
        self._altered.add(letter)
        return True
