"""Another key: every note moves with its degree, so that the melody keeps its shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.editing.edits import Inapplicable
from core.editing.song import Song, in_range
from core.music import pitch
from core.music.chords import QUALITIES, Chord
from core.music.keys import Key, writable
from core.music.score import Note


def in_key(song: Song, key: Key) -> Song:
    """What lies outside of the scale moves with the tonic. Raises Inapplicable."""
    old, key = song.score.key, writable(key)
    if key == old:
        raise Inapplicable("edit-same-key")
    shift = (pitch.pitch_class(key.tonic) - pitch.pitch_class(old.tonic)) % 12
    shift = shift - 12 if shift > 6 else shift
    steps = _degrees(old, key)

    def moved(tpc: int) -> int:
        return key.tonic + steps.get(tpc - old.tonic, tpc - old.tonic)

    def note(each: Note) -> Note:
        tpc = moved(each.tpc)
        return replace(each, pitch=pitch.nearest(pitch.pitch_class(tpc), each.pitch + shift), tpc=tpc)

    chords = tuple(replace(span, chord=_chord(span.chord, moved)) for span in song.score.chords)
    changes = tuple(
        replace(c, key=writable(Key(c.key.tonic - old.tonic + key.tonic, c.key.mode))) if c.key else c
        for c in song.score.changes
    )
    score = replace(_every_note(song, note).score, key=key, chords=chords, changes=changes)
    return song.changed(score, asked=song.brief.asked | {"key"})


def transposed(song: Song, semitones: int) -> Song:
    """By octaves without another key; else into the key that many semitones away."""
    if semitones % 12 == 0:
        return _every_note(song, lambda note: replace(note, pitch=note.pitch + semitones))
    fifths = semitones * 7 % 12
    old = song.score.key
    return in_key(song, Key(old.tonic + (fifths - 12 if fifths > 6 else fifths), old.mode))


def _degrees(old: Key, new: Key) -> dict[int, int]:
    """Fifths above the old tonic -> fifths above the new one, degree for degree."""
    if old.mode == new.mode:
        return {}
    if len(old.info.steps) == 7 and len(new.info.steps) == 7:
        return dict(zip(old.info.steps, new.info.steps, strict=True))
    old_steps, new_steps = ((t - key.tonic for t in key.harmony) for key in (old, new))
    return dict(zip(old_steps, new_steps, strict=True))


def _chord(chord: Chord, moved: Callable[[int], int]) -> Chord:
    """The chord of the moved tones; its own quality on the moved root where they spell none we know."""
    root = moved(chord.root)
    if chord.written[0] and all(moved(tone) - root == tone - chord.root for tone in chord.tones):
        return chord.transposed(root - chord.root)
    tones = tuple(moved(tone) - root for tone in chord.tones)
    quality = next((name for name, (steps, _) in QUALITIES.items() if steps == tones), chord.quality)
    return Chord(root, quality, None if chord.bass is None else moved(chord.bass))


def _every_note(song: Song, change: Callable[[Note], Note]) -> Song:
    parts = tuple(
        part if part.drums else in_range(part, tuple(map(change, part.notes)), song.catalogue)
        for part in song.score.parts
    )
    return song.changed(replace(song.score, parts=parts))
