"""How a pitch without a name is spelled: as the chord's own tone, else as the key has it."""

from __future__ import annotations

from core.music import pitch
from core.music.score import Score, chord_at


def usual_spelling(midi: int, onset: int, score: Score) -> int:
    """The tonal pitch class that a musician would expect at that tick."""
    if score.chords and score.chords[0].onset <= onset:
        chord = chord_at(score.chords, onset).chord
        for tpc in (*chord.tones, chord.bass_tone):
            if pitch.pitch_class(tpc) == midi % 12:
                return tpc
    return score.key_at(onset).spell(midi % 12)
