"""What a round trip has to keep of a score."""

from __future__ import annotations

from typing import Any

from core.music.score import Score


def kept(score: Score) -> dict[str, Any]:
    """Pitches with their spelling, onsets, durations, meters, keys, tempos, parts, lyrics and chords.

    A drum stroke has no notated length and no spelling.
    """
    return {
        "key": score.key, "meter": score.meter, "bars": score.bars, "tempo": round(score.tempo, 2),
        "pickup": score.pickup, "changes": score.changes, "length": score.length,
        "chords": [(span.onset, span.chord) for span in score.chords],
        "parts": [
            (part.name, part.program, part.drums, part.lyrics,
             [(n.onset, n.pitch) if part.drums else (n.onset, n.duration, n.pitch, n.tpc) for n in part.notes])
            for part in score.parts
        ],
    }  # fmt: skip


def differences(before: Score, after: Score) -> dict[str, tuple[Any, Any]]:
    """What was lost: empty where all was kept."""
    one, two = kept(before), kept(after)
    return {name: (one[name], two[name]) for name in one if one[name] != two[name]}
