"""MIDI files from a score: swing and velocities are in it, small timing is not."""

from __future__ import annotations

from io import BytesIO

import mido

from core.music.feel import Played, perform
from core.music.meter import QUARTER
from core.music.score import Part, Score
from core.notation.abc.writer import key_field

_MAJOR = {
    0: "C",
    1: "G",
    2: "D",
    3: "A",
    4: "E",
    5: "B",
    6: "F#",
    7: "C#",
    -1: "F",
    -2: "Bb",
    -3: "Eb",
    -4: "Ab",
    -5: "Db",
    -6: "Gb",
    -7: "Cb",
}
_MINOR = {
    0: "Am",
    1: "Em",
    2: "Bm",
    3: "F#m",
    4: "C#m",
    5: "G#m",
    6: "D#m",
    7: "A#m",
    -1: "Dm",
    -2: "Gm",
    -3: "Cm",
    -4: "Fm",
    -5: "Bbm",
    -6: "Ebm",
    -7: "Abm",
}
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
    keys = _MINOR if score.key.minor else _MAJOR
    events: list[tuple[int, mido.MetaMessage]] = [
        (0, mido.MetaMessage("track_name", name=score.title)),
        (0, mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(score.tempo))),
        (
            0,
            mido.MetaMessage("time_signature", numerator=score.meter.numerator, denominator=score.meter.denominator),
        ),
        (0, mido.MetaMessage("key_signature", key=keys[score.key.fifths])),
    ]
    # A MIDI key signature knows major and minor alone: the mode itself stands beside it, as ABC writes it.
    events.append((0, mido.MetaMessage("text", text=f"K:{key_field(score.key)}")))
    events += [(s.bar * score.meter.bar, mido.MetaMessage("marker", text=s.name)) for s in score.sections]
    # Chord symbols as text events, so that a reader of the file alone can tell them.
    events += [(span.onset, mido.MetaMessage("text", text=span.chord.symbol)) for span in score.chords]
    return _timed(sorted(events, key=lambda e: e[0]), score.length)


def _track(part: Part, notes: tuple[Played, ...], channel: int, score: Score) -> mido.MidiTrack:
    """Note offs come before note ons where they meet."""
    track = mido.MidiTrack([mido.MetaMessage("track_name", name=part.name)])
    track.append(mido.Message("program_change", channel=channel, program=part.program))
    events = [(n.onset, 1, n.pitch, n.velocity) for n in notes]
    events += [(n.onset + n.duration, 0, n.pitch, 0) for n in notes]
    now = 0
    for tick, on, key, velocity in sorted(events):
        kind = "note_on" if on else "note_off"
        # Unchecked: keys and velocities are whole numbers in range by construction, and checks cost as much again.
        track.append(mido.Message(kind, True, channel=channel, note=key, velocity=velocity, time=tick - now))
        now = tick
    track.append(mido.MetaMessage("end_of_track", time=max(0, score.length - now)))
    return track


def _timed(events: list[tuple[int, mido.MetaMessage]], length: int) -> mido.MidiTrack:
    """Absolute ticks to deltas; every track ends with the last bar."""
    track, now = mido.MidiTrack(), 0
    for tick, message in events:
        track.append(message.copy(time=tick - now))
        now = tick
    track.append(mido.MetaMessage("end_of_track", time=max(0, length - now)))
    return track
