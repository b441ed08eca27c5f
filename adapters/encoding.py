"""Audio files: MP3 by lameenc, tags and cover by ffmpeg, WAV by soundfile."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import lameenc
import numpy as np
import soundfile

from core.audio.loudness import Audio
from core.errors import NoEncoder

BIT_RATE = 192  # kbit/s, constant: lameenc writes no Xing header, and variable rates are then misread
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
