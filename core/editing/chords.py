"""Other chords under the same melody, and other endings."""

from __future__ import annotations

from dataclasses import replace

from core.editing.edits import Inapplicable
from core.editing.song import Song, within
from core.music import pitch
from core.music.arrangement import stopped
from core.music.chords import TRIAD_OF, Chord, degree_of, diatonic
from core.music.score import ChordSpan, Note, Score, chord_at
from core.music.theory import closing

# A triad and what enriches it, the plainest first.
_RICHER = {
    "maj": ("maj9", "maj7", "add9", "6"), "min": ("min9", "min7", "min6"), "dim": ("hdim7",), "sus4": ("7sus4",),
    "7": ("13", "9"), "maj7": ("maj9",), "min7": ("min9",),
}  # fmt: skip


def reharmonised(song: Song, way: str) -> Song:
    """`simpler`: triads; `richer`: sevenths and ninths that the melody allows; `tenser`: dominants on the way."""
    score = song.score
    change = {"simpler": _simpler, "richer": _richer, "tenser": _tenser}[way]
    chords = tuple(span for old in score.chords for span in change(old, score))
    if chords == score.chords:
        raise Inapplicable(f"edit-no-{way}")
    return song.changed(replace(score, chords=chords)).accompanied()


def _simpler(span: ChordSpan, score: Score) -> list[ChordSpan]:
    return [replace(span, chord=Chord(span.chord.root, TRIAD_OF.get(span.chord.quality, "maj")))]


def _richer(span: ChordSpan, score: Score) -> list[ChordSpan]:
    chord = span.chord
    choices: tuple[str, ...] = _RICHER.get(chord.quality, ())
    if chord.quality == "maj" and degree_of(chord, score.key) == 4:
        choices = ("9", "7")  # the dominant keeps its small seventh
    for quality in choices:
        richer = Chord(chord.root, quality, chord.bass)
        if diatonic(richer, score.key) and _friendly(richer, span, score):
            return [replace(span, chord=richer)]
    return [span]


def _friendly(chord: Chord, span: ChordSpan, score: Score) -> bool:
    """No long melody note lies a semitone above one of the chord's tones."""
    melody = score.part("melody")
    held = (
        [n for n in melody.notes if n.onset < span.end and n.end > span.onset and n.duration >= 5040] if melody else []
    )
    return not any((n.pitch - pc) % 12 == 1 for n in held for pc in chord.pitch_classes)


def _tenser(span: ChordSpan, score: Score) -> list[ChordSpan]:
    """The second half of a bar becomes the dominant of what comes next, where the melody bears it."""
    following = chord_at(score.chords, min(span.end, score.length - 1)).chord
    half = score.meter.bar // 2 if score.meter.bar % 2 == 0 else score.meter.unit
    applied = Chord(following.root + 1, "7")
    last = ChordSpan(span.end - half, half, applied)
    room = span.duration > half and span.end < score.length and following != span.chord
    if not room or applied.root == span.chord.root or not _friendly(applied, last, score):
        return [span]
    return [replace(span, duration=span.duration - half), last]


def with_ending(song: Song, ending: str) -> Song:
    """The last two bars close as asked; what comes before stays."""
    if song.brief.ending == ending and "ending" in song.brief.asked:
        raise Inapplicable("edit-same-ending")
    song = song.changed(song.score, ending=ending, asked=song.brief.asked | {"ending"})
    score, bar = song.score, song.score.meter.bar
    last = score.length - bar
    if ending == "fade":
        return song.changed(replace(score, feel=replace(score.feel, fade=True)))
    score = replace(score, feel=replace(score.feel, fade=False))
    if ending == "cold":
        parts = tuple(replace(part, notes=stopped(part.notes, last, score.meter)) for part in score.parts)
        return song.changed(replace(score, parts=parts))
    penult, final = closing(song.plan)
    kept = [replace(s, duration=min(s.duration, last - bar - s.onset)) for s in score.chords if s.onset < last - bar]
    chords = (*kept, ChordSpan(last - bar, bar, penult), ChordSpan(last, bar, final))
    song = song.changed(replace(score, chords=chords))
    if song.melody:
        song = song.with_part("melody", _closed(song.melody, final, last, bar))
    first = score.bars - 2
    return song.accompanied(first, score.bars)


def _closed(melody: tuple[Note, ...], final: Chord, last: int, bar: int) -> tuple[Note, ...]:
    """One long note in the last bar: the tone of the last chord nearest to where the melody is."""
    before = [note for note in melody if note.onset < last]
    near = before[-1].pitch if before else melody[0].pitch
    tpc = min(final.tones[:3], key=lambda t: (abs(pitch.nearest(pitch.pitch_class(t), near) - near), t != final.root))
    note = Note(last, bar, pitch.nearest(pitch.pitch_class(tpc), near), tpc)
    return within(melody, (note,), last, last + bar)
