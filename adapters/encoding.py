"""Audio files: MP3 by lameenc, tags and cover by ffmpeg, WAV by soundfile."""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import lameenc
import numpy as np
import soundfile

from core.audio.loudness import Audio
from core.errors import NoEncoder

BIT_RATE = 192  # kbit/s, constant: lameenc writes no Xing header, and variable rates are then misread
_LOWER = (160, 128, 96, 64, 48, 32)  # kbit/s for a file that must be smaller
_HEAD = 4096  # bytes of tags
QUALITY = 7  # LAME's scale: 7 costs half of 5, and a third of 3


def mp3_bytes(audio: Audio, rate: int) -> bytes:
    encoder = lameenc.Encoder()
    encoder.set_bit_rate(BIT_RATE)
    encoder.set_in_sample_rate(rate)
    encoder.set_channels(2)
    encoder.set_quality(QUALITY)
    encoder.silence()
    samples = np.clip(audio.T * 32767, -32768, 32767).astype("<i2")
    return bytes(encoder.encode(samples.tobytes()) + encoder.flush())


def write_wav(path: Path, audio: Audio, rate: int) -> None:
    soundfile.write(path, audio.T, rate, subtype="PCM_16", format="WAV")


def write_tags(source: Path, target: Path, tags: dict[str, str], cover: Path | None) -> None:
    """Copies an MP3 with ID3 v2.3 tags and a cover. Raises NoEncoder where ffmpeg is missing or fails."""
    ffmpeg = shutil.which("ffmpeg")
    if not ffmpeg:
        raise NoEncoder(reason="ffmpeg")
    command = [ffmpeg, "-v", "error", "-y", "-i", str(source)]
    if cover:
        command += ["-i", str(cover), "-map", "0:a", "-map", "1:v", "-disposition:v", "attached_pic"]
    command += ["-c", "copy", "-id3v2_version", "3"]
    for name, value in tags.items():
        command += ["-metadata", f"{name}={value}"]
    done = subprocess.run(
        [*command, "-f", "mp3", str(target)],
        capture_output=True,
        timeout=30,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise NoEncoder(reason=done.stderr.decode(errors="replace").strip()[-200:] or "ffmpeg")


def opus_bytes(path: Path) -> bytes:
    """The music as OGG/Opus, which is what chats play as a voice note. Raises NoEncoder."""
    return _ffmpeg(path, "-c:a", "libopus", "-b:a", "96k", "-f", "ogg")


def seconds_of(path: Path) -> float:
    return float(soundfile.info(path).duration)


def waveform(path: Path, points: int = 200) -> bytes:
    """The loudness of an audio file over its length, a byte a point."""
    samples, _ = soundfile.read(path, dtype="float32", always_2d=True)
    loud = np.abs(samples).max(axis=1)
    edges = np.linspace(0, len(loud), points + 1).astype(int)
    peaks = np.array([loud[a:b].max() if b > a else 0.0 for a, b in pairwise(edges)])
    top = float(peaks.max()) or 1.0
    return (peaks / top * 255).astype(np.uint8).tobytes()


def within(path: Path, most: int) -> Path | None:
    """The file; where it is too large and is audio, one beside it with a lower bit rate; else None. `most`: bytes."""
    if not path.exists():
        return None
    if path.stat().st_size <= most:
        return path
    if path.suffix not in (".mp3", ".wav") or most <= 0:
        return None
    seconds = seconds_of(path)
    rate = next((rate for rate in _LOWER if (rate * 125 * seconds + _HEAD) < most), None)
    if rate is None:
        return None
    smaller = path.with_name(f"{path.stem}-{rate}k.mp3")
    if not smaller.exists():
        cover = ("-map", "0:a", "-map_metadata", "0", "-id3v2_version", "3")
        try:
            content = _ffmpeg(path, *cover, "-c:a", "libmp3lame", "-b:a", f"{rate}k", "-f", "mp3")
        except NoEncoder:
            return None
        written = smaller.with_suffix(".part")
        written.write_bytes(content)
        written.replace(smaller)
    return smaller


def _ffmpeg(path: Path, *options: str) -> bytes:
    ffmpeg = shutil.which("ffmpeg")
    if not ffmpeg:
        raise NoEncoder(reason="ffmpeg")
    command = [ffmpeg, "-v", "error", "-i", str(path), "-vn", *options, "pipe:1"]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise NoEncoder(reason=done.stderr.decode(errors="replace").strip()[-200:] or "ffmpeg")
    return done.stdout
