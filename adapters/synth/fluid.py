"""libfluidsynth by ctypes: one font loaded once, a fresh synth for every song.

pyfluidsynth's wrapper lacks `add_sfont` and `process`, and gives 16 bits only. A fresh synth that
shares the resident font renders bit for bit the same every time; a used one, even reset, does not.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import NoSound

RATE = 44100
BLOCK = 64  # samples: events fall on block boundaries, within .8 ms
_SAID = 5 * RATE  # samples of sound between two words on how far it is
_DRUM_CHANNEL = 1
_LINEAR = 1  # drums sound at their samples' own pitch: there is next to nothing to interpolate
_NAMES = ("libfluidsynth.so.3", "libfluidsynth.3.dylib", "libfluidsynth.dylib")

BEND = -1  # as the key of an event: bend the channel's pitch to the value, 8192 in the middle, ±2 semitones

# (place in samples, channel, key, velocity); velocity 0 ends a note
Event = tuple[int, int, int, int]


def _library() -> Any:
    for name in (*_NAMES, ctypes.util.find_library("fluidsynth")):
        if name:
            try:
                return ctypes.CDLL(name)
            except OSError:
                continue
    raise NoSound(reason="libfluidsynth")


_POINTERS = (
    "new_fluid_settings", "new_fluid_synth", "fluid_synth_get_sfont_by_id",
)  # fmt: skip


class Fluid:
    """The resident synthesiser. Not safe to use from two threads at once."""

    def __init__(self, font: Path) -> None:
        self.font = font
        self._lib = lib = _library()
        for name in _POINTERS:
            getattr(lib, name).restype = ctypes.c_void_p
        lib.fluid_settings_setnum.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double]
        lib.fluid_settings_setint.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        lib.fluid_set_log_function(0, None, None)
        for level in range(4):  # panic … info: our own words say what is wrong
            lib.fluid_set_log_function(level, None, None)
        lib.fluid_synth_process.argtypes = [
            ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p,
        ]  # fmt: skip
        self._anchor = ctypes.c_void_p(lib.new_fluid_synth(self._settings(1)))
        number = lib.fluid_synth_sfload(self._anchor, str(font).encode(), 0)
        if number < 0:
            raise NoSound(reason=f"{font.name}: not a soundfont")
        self._room = np.zeros(0, dtype=np.float32)
        self._sfont = ctypes.c_void_p(lib.fluid_synth_get_sfont_by_id(self._anchor, number))

    def _settings(self, groups: int) -> ctypes.c_void_p:
        lib = self._lib
        settings = ctypes.c_void_p(lib.new_fluid_settings())
        for name, number in (("synth.sample-rate", float(RATE)), ("synth.gain", 0.5)):
            lib.fluid_settings_setnum(settings, name.encode(), number)
        whole = {
            "synth.audio-channels": groups, "synth.audio-groups": groups, "synth.polyphony": 256,
            "synth.threadsafe-api": 0, "synth.lock-memory": 0, "synth.dynamic-sample-loading": 1,
            "synth.reverb.active": 0, "synth.chorus.active": 0, "synth.cpu-cores": 1,
        }  # fmt: skip
        for name, value in whole.items():
            lib.fluid_settings_setint(settings, name.encode(), value)
        return settings

    @contextmanager
    def synth(self, programs: list[tuple[int, bool]]) -> Iterator[Synth]:
        """A fresh synth with a channel, and a stereo group, for each (program, drums)."""
        lib, settings = self._lib, self._settings(max(1, len(programs)))
        handle = ctypes.c_void_p(lib.new_fluid_synth(settings))
        number = lib.fluid_synth_add_sfont(handle, self._sfont)
        try:
            for channel, (program, drums) in enumerate(programs):
                if drums:
                    lib.fluid_synth_set_channel_type(handle, channel, _DRUM_CHANNEL)
                lib.fluid_synth_program_select(handle, channel, number, 128 if drums else 0, program)
                if drums:
                    self._kit(handle, channel, number, program)
                    lib.fluid_synth_set_interp_method(handle, channel, _LINEAR)
            yield Synth(lib, handle, len(programs), self._cleared)
        finally:
            lib.fluid_synth_remove_sfont(handle, self._sfont)  # before the synth goes, or the font goes with it
            lib.delete_fluid_synth(handle)
            lib.delete_fluid_settings(settings)

    def _cleared(self, groups: int, length: int) -> NDArray[np.float32]:
        """Zeros of shape (groups, 2, length) in memory that is kept: fresh pages cost more than clearing old ones."""
        size = groups * 2 * length
        if self._room.size < size:
            self._room = np.zeros(size, dtype=np.float32)
        room = self._room[:size].reshape(groups, 2, length)
        room.fill(0)
        return room

    def _kit(self, handle: ctypes.c_void_p, channel: int, number: int, program: int) -> None:
        """The standard kit where the font lacks the one asked for."""
        if self._lib.fluid_synth_program_select(handle, channel, number, 128, program) != 0:
            self._lib.fluid_synth_program_select(handle, channel, number, 128, 0)


class Synth:
    """Renders one song, piece by piece, into dry stereo stems."""

    def __init__(
        self, lib: Any, handle: ctypes.c_void_p, groups: int, room: Callable[[int, int], NDArray[np.float32]]
    ) -> None:
        self._lib, self._handle, self._groups, self._room = lib, handle, groups, room

    def render(
        self, events: list[Event], start: int, length: int, told: Callable[[int], None] = lambda samples: None
    ) -> NDArray[np.float32]:
        """Stems (groups, 2, length) of the samples from `start`; they last until the next call.

        `events`: those of this stretch, in order. `told` hears how many samples are done, every few seconds of sound.
        """
        length = -(-length // BLOCK) * BLOCK
        out = self._room(self._groups, length)
        at = said = 0
        for place, channel, key, velocity in events:
            here = min(length, max(0, round((place - start) / BLOCK)) * BLOCK)
            if here > at:
                self._process(out, at, here - at)
                at = here
            if at - said >= _SAID:
                said = at
                told(at)
            if key == BEND:
                self._lib.fluid_synth_pitch_bend(self._handle, channel, velocity)
            elif velocity:
                self._lib.fluid_synth_noteon(self._handle, channel, key, velocity)
            else:
                self._lib.fluid_synth_noteoff(self._handle, channel, key)
        if at < length:
            self._process(out, at, length - at)
        return out

    def _process(self, out: NDArray[np.float32], at: int, count: int) -> None:
        base, stride, step = out.ctypes.data, out.strides[1], 4 * at
        pointers = (ctypes.c_void_p * (2 * self._groups))(*[base + i * stride + step for i in range(2 * self._groups)])
        self._lib.fluid_synth_process(self._handle, count, 0, None, 2 * self._groups, pointers)

    @property
    def sounding(self) -> bool:
        return bool(self._lib.fluid_synth_get_active_voice_count(self._handle))
