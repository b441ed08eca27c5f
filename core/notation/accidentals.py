"""Which accidentals a reader needs to see: the key signature's and the bar's earlier ones are known."""

from __future__ import annotations

from core.music import pitch
from core.music.keys import Key


class Accidentals:
    """One voice's accidentals within one bar. Ask in the order of writing.

    Whether an accidental also holds in other octaves, players and programs do not agree upon: where it matters, it is
    written again.
    """

    def __init__(self, key: Key) -> None:
        self._signature = {pitch.letter(tpc): pitch.alteration(tpc) for tpc in range(key.fifths - 1, key.fifths + 6)}
        self._here: dict[tuple[str, int], int] = {}
        self._anywhere: dict[str, int] = {}

    def needed(self, letter: str, octave: int, shift: int) -> bool:
        """Whether this alteration must be written; it then lasts to the end of the bar."""
        usual = self._signature[letter]
        if self._here.get((letter, octave), usual) == self._anywhere.get(letter, usual) == shift:
            return False
        self._here[letter, octave] = self._anywhere[letter] = shift
        return True
