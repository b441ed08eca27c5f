"""Reads the bytes of a MIDI file into what was played: leniently, within limits, with warnings.

Our own reader and not mido's: that one makes an object of every event (ten times the time on a long file) and gives
the whole file up at the first byte it does not expect.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.notation.problems import Problem, refused

MOST_BYTES = 4_000_000
MOST_TRACKS = 64
MOST_EVENTS = 200_000
USUAL_DIVISION = 480
_DATA_BYTES = {0x8: 2, 0x9: 2, 0xA: 2, 0xB: 2, 0xC: 1, 0xD: 1, 0xE: 2}
DRUM_CHANNEL = 9


@dataclass(frozen=True, slots=True)
class Strike:
    """A note as played: ticks of the file, MIDI pitch, velocity 1–127."""

    onset: int
    duration: int
    pitch: int
    velocity: int


@dataclass
class PlayedTrack:
    """One channel of one track."""

    name: str
    channel: int
    program: int = 0
    strikes: list[Strike] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)
    lyrics: list[tuple[int, str]] = field(default_factory=list)

    @property
    def drums(self) -> bool:
        return self.channel == DRUM_CHANNEL


@dataclass
class Recording:
    """A file as it was played, in ticks of which `division` make a quarter. The maps are merged over all tracks.

    `tempos`: quarters a minute; `meters`: numerator and denominator; `keys`: fifths and whether it is minor.
    """

    division: int = USUAL_DIVISION
    title: str = ""
    tracks: list[PlayedTrack] = field(default_factory=list)
    tempos: list[tuple[int, float]] = field(default_factory=list)
    meters: list[tuple[int, tuple[int, int]]] = field(default_factory=list)
    keys: list[tuple[int, tuple[int, bool]]] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)
    markers: list[tuple[int, str]] = field(default_factory=list)
    end: int = 0
    warnings: list[Problem] = field(default_factory=list)

    def seconds_at(self, tick: float) -> float:
        """When that tick sounded, through every change of tempo."""
        now, since, tempo = 0.0, 0, 120.0
        for onset, following in self.tempos:
            if onset >= tick:
                break
            now += (onset - since) / self.division * 60 / tempo
            since, tempo = onset, following
        return now + (tick - since) / self.division * 60 / tempo

    def warn(self, code: str, **values: object) -> None:
        problem = Problem(code, **{key: str(value) for key, value in values.items()})  # type: ignore[arg-type]
        if problem not in self.warnings:
            self.warnings.append(problem)


def read_events(data: bytes) -> Recording:
    """Raises UnreadableNotation where the bytes are no MIDI file, are cut short, or go beyond the limits."""
    if len(data) > MOST_BYTES:
        raise refused("midi-too-big", expected=f"{MOST_BYTES // 1_000_000} MB")
    start = data.find(b"MThd", 0, 4096)
    if start < 0 or len(data) < start + 14:
        raise refused("midi-none")
    format_, tracks = (int.from_bytes(data[start + i : start + i + 2], "big") for i in (8, 10))
    recording = Recording()
    recording.division = _division(int.from_bytes(data[start + 12 : start + 14], "big"), recording)
    if tracks > MOST_TRACKS:
        raise refused("midi-tracks", expected=MOST_TRACKS, found=tracks)
    at = start + 8 + max(6, int.from_bytes(data[start + 4 : start + 8], "big"))
    number, events = 0, 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4 : at + 8], "big")
        if data[at : at + 4] == b"MTrk":
            number += 1
            if number > MOST_TRACKS:
                raise refused("midi-tracks", expected=MOST_TRACKS, found=number)
            if at + 8 + size > len(data):
                raise refused("midi-short", found=number)
            events += _Track(data, at + 8, at + 8 + size, recording, number, format_, MOST_EVENTS - events).read()
        at += 8 + size
        if format_ == 2 and any(track.strikes for track in recording.tracks):
            recording.warn("midi-first-song")
            break
    if number < tracks and format_ != 2:
        raise refused("midi-short", found=number)
    for name in ("tempos", "meters", "keys", "texts", "markers"):
        getattr(recording, name).sort(key=lambda event: event[0])
    return recording


def _division(value: int, recording: Recording) -> int:
    """Ticks a quarter. A file in seconds (SMPTE) is read at 120 beats a minute."""
    if value & 0x8000:
        frames, ticks = 256 - (value >> 8), value & 0xFF
        recording.warn("midi-smpte")
        return max(1, frames * ticks // 2)
    if value == 0:
        recording.warn("midi-division", found=0, expected=USUAL_DIVISION)
        return USUAL_DIVISION
    return value


class _Track:
    """One track's bytes, from `at` up to `end`."""

    def __init__(
        self, data: bytes, at: int, end: int, recording: Recording, number: int, format_: int, most: int
    ) -> None:
        self.data, self.at, self.end, self.recording = data, at, end, recording
        self.number, self.format, self.most = number, format_, most
        self.name = ""
        self.now = 0
        self.channels: dict[int, PlayedTrack] = {}
        self.programs: dict[int, int] = {}
        self.open: dict[tuple[int, int], tuple[int, int]] = {}  # (channel, pitch) -> (tick, velocity)
        self.texts: list[tuple[int, str]] = []
        self.lyrics: list[tuple[int, str]] = []

    def read(self) -> int:
        """The number of events."""
        status, count = 0, 0
        while self.at < self.end:
            self.now += self._number()
            byte = self.data[self.at] if self.at < self.end else 0xFF
            if byte & 0x80:
                self.at += 1
                status = byte if byte < 0xF0 else status
            else:
                byte = status
            count += 1
            if count > self.most:
                raise refused("midi-events", expected=MOST_EVENTS)
            if byte == 0xFF:
                if self._meta():
                    break
            elif byte in (0xF0, 0xF7):
                self.at += self._number()
            elif byte < 0x80 or byte > 0xEF:
                self.at += 1
                self.recording.warn("midi-byte", bar=0, found=self.number)
            else:
                self._channel(byte >> 4, byte & 0xF)
        self._close()
        return count

    def _number(self) -> int:
        """A variable-length quantity of at most four bytes."""
        value = 0
        for _ in range(4):
            if self.at >= self.end:
                raise refused("midi-short", found=self.number)
            byte = self.data[self.at]
            self.at += 1
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                return value
        raise refused("midi-delta", found=self.number)

    def _channel(self, kind: int, channel: int) -> None:
        size = _DATA_BYTES[kind]
        values = self.data[self.at : min(self.at + size, self.end)]
        if len(values) < size:
            raise refused("midi-short", found=self.number)
        self.at += size
        first, second = values[0], values[-1]
        if first > 127 or second > 127:
            self.recording.warn("midi-byte", found=self.number)
            first, second = min(first, 127), min(second, 127)
        if kind == 9 and second:
            self._off(channel, first)
            self.open[channel, first] = (self.now, second)
        elif kind in (8, 9):
            self._off(channel, first)
        elif kind == 12:
            self.programs[channel] = first
            if channel in self.channels and not self.channels[channel].strikes:
                self.channels[channel].program = first

    def _off(self, channel: int, pitch: int) -> None:
        begun = self.open.pop((channel, pitch), None)
        if begun is None:
            return
        track = self.channels.get(channel)
        if track is None:
            track = self.channels[channel] = PlayedTrack(self.name, channel, self.programs.get(channel, 0))
        onset, velocity = begun
        track.strikes.append(Strike(onset, max(1, self.now - onset), pitch, velocity))

    def _meta(self) -> bool:
        """Whether the track ends here."""
        kind = self.data[self.at] if self.at < self.end else 0x2F
        self.at += 1
        size = self._number() if self.at < self.end else 0
        value = self.data[self.at : min(self.at + size, self.end)]
        self.at += size
        recording, now = self.recording, self.now
        match kind:
            case 0x2F:
                return True
            case 0x51 if len(value) >= 3 and (micros := int.from_bytes(value[:3], "big")):
                recording.tempos.append((now, 60_000_000 / micros))
            case 0x58 if len(value) >= 2 and 0 < value[0] <= 64 and value[1] <= 6:
                recording.meters.append((now, (value[0], 2 ** value[1])))
            case 0x59 if len(value) >= 2 and (value[0] <= 7 or value[0] >= 249):
                recording.keys.append((now, (value[0] - 256 if value[0] > 127 else value[0], value[1] == 1)))
            case 0x51 | 0x58 | 0x59:
                recording.warn("midi-meta", found=self.number)
            case 0x03:
                self.name = self.name or _text(value)
            case 0x01:
                self.texts.append((now, _text(value)))
            case 0x05:
                self.lyrics.append((now, _text(value)))
            case 0x06:
                recording.markers.append((now, _text(value)))
            case _:
                pass
        return False

    def _close(self) -> None:
        """Notes that nobody ended end with the track; what was found joins the recording."""
        if self.open:
            self.recording.warn("midi-hanging", found=self.number)
        for channel, pitch in list(self.open):
            self._off(channel, pitch)
        recording = self.recording
        recording.end = max(recording.end, self.now)
        if not self.channels:
            recording.texts += self.texts
            recording.title = recording.title or self.name
        elif self.format == 0 or len(self.channels) > 1:
            recording.texts += self.texts
        for channel, track in sorted(self.channels.items()):
            track.name = self.name
            track.program = self.programs.get(channel, 0) if not track.program else track.program
            track.texts, track.lyrics = self.texts, self.lyrics
            track.strikes.sort(key=lambda strike: (strike.onset, strike.pitch))
            recording.tracks.append(track)


def _text(value: bytes) -> str:
    """UTF-8, or the Latin-1 of old files; without control characters."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return "".join(char for char in text if char.isprintable())[:200].strip()
