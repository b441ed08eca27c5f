"""MIDI files from a score: swing and velocities are in it, small timing is not."""

from __future__ import annotations

from functools import partial
from io import BytesIO

import mido

from core.music import pitch
from core.music.feel import Played, perform
from core.music.grid import grid
from core.music.keys import Key
from core.music.meter import QUARTER, Meter
from core.music.score import Part, Score
from core.notation.abc.writer import WRITTEN_MODES, key_field
from core.notation.spelling import usual_spelling

_MAJOR = ("Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#")  # from seven flats up
_MINOR = ("Abm", "Ebm", "Bbm", "Fm", "Cm", "Gm", "Dm", "Am", "Em", "Bm", "F#m", "C#m", "G#m", "D#m", "A#m")
DRUM_CHANNEL = 9


def channels(parts: tuple[Part, ...]) -> list[int]:
    """A channel for each part: drums on the tenth (9 from 0), parts of one program share beyond fifteen."""
    free = [c for c in range(16) if c != DRUM_CHANNEL]
    given: list[int] = []
    by_program: dict[int, int] = {}
    for part in parts:
        if part.drums:
            given.append(DRUM_CHANNEL)
            continue
        channel = free.pop(0) if free else by_program.get(part.program, 15)
        by_program[part.program] = channel
        given.append(channel)
    return given


def midi_bytes(score: Score) -> bytes:
    """A type 1 file, `QUARTER` ticks to a quarter: a conductor's track, then a named track for each part."""
    file = mido.MidiFile(type=1, ticks_per_beat=QUARTER, charset="utf-8")
    file.tracks.append(_conductor(score))
    performed = perform(score)
    for (part, notes), channel in zip(performed, channels(score.sounding), strict=True):
        file.tracks.append(_track(part, notes, channel, score))
    out = BytesIO()
    file.save(file=out)
    return out.getvalue()


def _conductor(score: Score) -> mido.MidiTrack:
    text = partial(mido.MetaMessage, "text")
    events: list[tuple[int, mido.MetaMessage]] = [
        (0, mido.MetaMessage("track_name", name=score.title)),
        *_signed(0, score.meter, score.key, score.tempo),
    ]
    # What MIDI has no event for stands in text events: `core.notation.midi_reader` reads them.
    if score.pickup:
        events.append((0, text(text=f"pickup {score.pickup}/{QUARTER}")))
    if score.feel.swing != 0.5:
        events.append((0, text(text=f"swing {score.feel.swing:g} of {score.feel.swing_unit}/{QUARTER}")))
    for change in score.changes:
        events += _signed(change.onset, change.meter, change.key, change.tempo)
    bars = grid(score)
    names = [(section.bar, section.label if section.name == "strain" else section.name) for section in score.sections]
    events += [(bars[bar].onset, mido.MetaMessage("marker", text=name)) for bar, name in names]
    events += [(onset, text(text=symbol)) for onset, symbol in score.chord_marks.items()]
    return _timed(sorted(events, key=lambda e: e[0]), score.length)


def _signed(
    onset: int, meter: Meter | None, key: Key | None, tempo: float | None
) -> list[tuple[int, mido.MetaMessage]]:
    found: list[tuple[int, mido.MetaMessage]] = []
    if tempo:
        found.append((onset, mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(tempo))))
    if meter:
        signature = {"numerator": meter.numerator, "denominator": meter.denominator}
        found.append((onset, mido.MetaMessage("time_signature", **signature)))
        if len(set(meter.grouping)) > 1:
            groups = "+".join(map(str, meter.grouping))
            found.append((onset, mido.MetaMessage("text", text=f"{meter.name} as {groups}")))
    if key:
        keys = _MINOR if key.minor else _MAJOR
        found.append((onset, mido.MetaMessage("key_signature", key=keys[key.fifths + 7])))
        # A MIDI key signature knows major and minor alone: the mode itself stands beside it.
        found.append((onset, mido.MetaMessage("text", text=f"K:{key_field(key)}")))
        if key.mode not in WRITTEN_MODES:
            found.append((onset, mido.MetaMessage("text", text=f"{pitch.name(key.tonic)} {key.mode}")))
    return found


def _track(part: Part, notes: tuple[Played, ...], channel: int, score: Score) -> mido.MidiTrack:
    """Note offs come before note ons where they meet; syllables and unusual spellings just before their note."""
    track = mido.MidiTrack([mido.MetaMessage("track_name", name=part.name)])
    track.append(mido.Message("program_change", channel=channel, program=part.program))
    events: list[tuple[int, int, int, int | str]] = [(n.onset, 2, n.pitch, n.velocity) for n in notes]
    events += [(n.onset + n.duration, 0, n.pitch, 0) for n in notes]
    events += [(n.onset, 1, n.pitch, text) for n, text in zip(notes, _spellings(part, score), strict=True) if text]
    syllables = dict(part.lyrics)
    sung = {note.onset: played for note, played in zip(part.notes, notes, strict=True) if note.onset in syllables}
    events += [(played.onset, 1, -1, syllables[onset]) for onset, played in sung.items()]
    now = 0
    for tick, order, key, value in sorted(events, key=lambda event: event[:3]):
        if isinstance(value, str):
            kind = "lyrics" if key < 0 else "text"
            track.append(mido.MetaMessage(kind, text=value, time=tick - now))
        else:
            # Unchecked: keys and velocities are in range by construction, and checks cost as much again.
            kind = "note_on" if order else "note_off"
            track.append(mido.Message(kind, True, channel=channel, note=key, velocity=value, time=tick - now))
        now = tick
    track.append(mido.MetaMessage("end_of_track", time=max(0, score.length - now)))
    return track


def _spellings(part: Part, score: Score) -> list[str]:
    """`spell 66 Gb` for each note that its reader would spell otherwise, "" for the others."""
    if part.drums:
        return [""] * len(part.notes)
    usual = (usual_spelling(note.pitch, note.onset, score) for note in part.notes)
    return [
        "" if note.tpc == tpc else f"spell {note.pitch} {pitch.name(note.tpc)}"
        for note, tpc in zip(part.notes, usual, strict=True)
    ]


def _timed(events: list[tuple[int, mido.MetaMessage]], length: int) -> mido.MidiTrack:
    """Absolute ticks to deltas; every track ends with the last bar."""
    track, now = mido.MidiTrack(), 0
    for tick, message in events:
        track.append(message.copy(time=tick - now))
        now = tick
    track.append(mido.MetaMessage("end_of_track", time=max(0, length - now)))
    return track
