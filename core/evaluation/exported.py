"""What a reader finds in a song's exported files: MIDI, ABC and MusicXML, and nothing of the composer's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from xml.etree import ElementTree

import mido

from core.notation.tune import Sounding, sounding, straightened

_TONICS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


@dataclass(frozen=True, slots=True)
class Track:
    """`notes` in quarters, drums as keys; `velocities` in the same order."""

    name: str
    program: int
    channel: int
    notes: Sounding
    velocities: tuple[int, ...]

    @property
    def drums(self) -> bool:
        return self.channel == 9


@dataclass
class Exported:
    """`told`: whether the card had something to say to the listener."""

    midi: bytes
    abc: str
    musicxml: bytes
    told: bool = False

    @cached_property
    def file(self) -> mido.MidiFile:
        return mido.MidiFile(file=BytesIO(self.midi))

    def _meta(self, kind: str) -> list[tuple[float, mido.MetaMessage]]:
        now, found = 0, []
        for message in self.file.tracks[0]:
            now += message.time
            if message.type == kind:
                found.append((now / self.file.ticks_per_beat, message))
        return found

    @cached_property
    def tempo(self) -> float:
        return float(mido.tempo2bpm(self._meta("set_tempo")[0][1].tempo))

    @cached_property
    def meter(self) -> str:
        message = self._meta("time_signature")[0][1]
        return f"{message.numerator}/{message.denominator}"

    @cached_property
    def bar(self) -> float:
        """Quarters."""
        numerator, denominator = map(int, self.meter.split("/"))
        return numerator * 4 / denominator

    @cached_property
    def length(self) -> float:
        """Quarters."""
        ticks: int = max(sum(m.time for m in track) for track in self.file.tracks)
        return ticks / int(self.file.ticks_per_beat)

    @cached_property
    def bars(self) -> float:
        return self.length / self.bar

    @cached_property
    def seconds(self) -> float:
        return self.length * 60 / self.tempo

    @cached_property
    def tonic(self) -> int:
        """Pitch class, as ABC declares it: a MIDI key signature has no modes."""
        key = self.abc_key
        return (_TONICS[key[0]] + key[1:2].count("#") - key[1:2].count("b")) % 12

    @cached_property
    def signature(self) -> str:
        """The MIDI key signature."""
        return str(self._meta("key_signature")[0][1].key)

    @cached_property
    def sections(self) -> list[tuple[float, str]]:
        """(bar, name) of each section marker."""
        return [(at / self.bar, message.text) for at, message in self._meta("marker")]

    @cached_property
    def tracks(self) -> list[Track]:
        found = []
        for track in self.file.tracks[1:]:
            program = next((m.program for m in track if m.type == "program_change"), 0)
            channel = next((m.channel for m in track if m.type in ("note_on", "program_change")), 0)
            name = next((m.name for m in track if m.type == "track_name"), "")
            notes = sounding(track, self.file.ticks_per_beat)
            velocities = tuple(m.velocity for m in track if m.type == "note_on" and m.velocity)
            found.append(Track(name, program, channel, notes, velocities))
        return found

    @cached_property
    def pitched(self) -> list[Track]:
        return [track for track in self.tracks if not track.drums]

    def straight(self, track: Track) -> Sounding:
        """The notes with the swing taken out."""
        return straightened(track.notes)

    @property
    def abc_key(self) -> str:
        return str((re.findall(r"^K:(.*)$", self.abc, re.M) or [""])[-1]).strip()

    @property
    def abc_meter(self) -> str:
        return str((re.findall(r"^M:(.*)$", self.abc, re.M) or [""])[0]).strip()

    @property
    def abc_voices(self) -> int:
        return len(re.findall(r"^V:", self.abc, re.M))

    @cached_property
    def xml(self) -> ElementTree.Element:
        return ElementTree.fromstring(self.musicxml)
