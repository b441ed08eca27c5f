"""What the synthesiser and the encoder make, checked by numbers."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import soundfile

from adapters.engrave.card import card_png
from adapters.synth.fluid import RATE, Fluid
from adapters.synth.playing import Recording, play
from adapters.synth.soundfont import soundfont
from adapters.workshop.sound import make_sound
from core.audio.loudness import SILENCE, loudness, true_peak
from core.audio.mastering import master
from core.errors import NoSound
from core.ports import Face
from tests.conftest import Compose

FACE = Face("Test", "A minor", "lo-fi", ("Verse",) * 16)


@pytest.fixture(scope="module")
def fluid() -> Fluid:
    return Fluid(soundfont())


@pytest.fixture(scope="module")
def recording(song: Compose, fluid: Fluid) -> Recording:
    return play(song("a sad lo-fi ballad in A minor at 75 bpm, 16 bars", 5), fluid, stems=True)


def ebur128(path: Path) -> tuple[float, float]:
    """(integrated LUFS, true peak) as ffmpeg measures them."""
    told = subprocess.run(
        ["ffmpeg", "-hide_banner", "-i", str(path), "-af", "ebur128=peak=true", "-f", "null", "-"],
        capture_output=True, text=True, check=True, timeout=60,
    ).stderr  # fmt: skip
    summary = told[told.rindex("Summary") :]
    return float(re.findall(r"I:\s+(-?[\d.]+)", summary)[0]), float(re.findall(r"Peak:\s+(-?[\d.]+)", summary)[0])


def test_our_loudness_agrees_with_ffmpegs(recording: Recording, tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", recording.mix.T, RATE)
    integrated, peak = ebur128(tmp_path / "a.wav")
    assert loudness(recording.mix, RATE) == pytest.approx(integrated, abs=0.1)
    assert true_peak(recording.mix) == pytest.approx(peak, abs=0.2)


@pytest.mark.parametrize(
    "text", ["a sad lo-fi ballad at 75 bpm", "rock", "a solo flute", "ambient, 8 bars", "a trap beat, 8 bars"]
)
def test_songs_lie_at_minus_14_under_minus_1(song: Compose, fluid: Fluid, text: str) -> None:
    mix = play(song(text, 2), fluid).mix
    assert loudness(mix, RATE) == pytest.approx(-14, abs=0.4)
    assert true_peak(mix) <= -0.95


def test_the_melody_is_heard_over_the_others(recording: Recording, song: Compose) -> None:
    names = {part.name: part.role for part in song("a sad lo-fi ballad in A minor at 75 bpm, 16 bars", 5).parts}
    level = {names[name]: loudness(stem, RATE) for name, stem in recording.stems.items()}
    assert level["melody"] > max(level["chords"], level["bass"], level["drums"])
    assert min(level.values()) > level["melody"] - 12


def test_the_last_note_decays_and_no_long_silence_follows(recording: Recording) -> None:
    assert np.abs(recording.mix[:, -10:]).max() < 0.002
    tail = np.abs(recording.mix[:, -RATE // 2 :]).max(axis=0)
    assert tail[: RATE // 4].max() > 10 ** (-75 / 20)


def test_the_same_score_sounds_the_same_bit_for_bit(song: Compose, fluid: Fluid) -> None:
    score = song("jazz, 4 bars", 1)
    first = play(score, fluid).mix
    play(song("rock, 4 bars", 1), fluid)
    assert np.array_equal(first, play(score, fluid).mix)


def test_silence_stays_silence() -> None:
    silence = np.zeros((2, RATE), dtype=np.float32)
    assert loudness(silence, RATE) == SILENCE
    master(silence, RATE)
    assert not silence.any()


def test_a_missing_font_is_named() -> None:
    with pytest.raises(NoSound, match="nowhere"):
        soundfont("/nowhere/x.sf2")


def test_the_mp3_carries_tags_cover_and_length(song: Compose, tmp_path: Path) -> None:
    score = song("a sad lo-fi ballad in A minor at 75 bpm, 8 bars", 5)
    files, problems, seconds = make_sound(score, FACE, ("mp3", "wav", "stems", "card"), tmp_path, "s", None)
    assert problems == []
    told = json.loads(
        subprocess.run(
            ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", files["mp3"]],
            capture_output=True, check=True, timeout=30,
        ).stdout
    )  # fmt: skip
    tags = told["format"]["tags"]
    assert (tags["title"], tags["artist"], tags["TBPM"], tags["TKEY"]) == ("Test", "Tunesmith", "75", "Am")
    assert any(stream["codec_type"] == "video" for stream in told["streams"])
    assert float(told["format"]["duration"]) == pytest.approx(seconds, abs=0.2)
    assert ebur128(Path(files["mp3"]))[0] == pytest.approx(-14, abs=0.5)
    stems = [soundfile.read(path)[0] for name, path in files.items() if name.startswith("stem-")]
    assert len(stems) == len(score.sounding)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(Path(p).name for p in files.values())


def test_a_card_is_small_and_has_its_size(song: Compose) -> None:
    data = card_png(song("pop", 1), FACE)
    assert data[:4] == b"\x89PNG"
    assert int.from_bytes(data[16:20], "big") == 1280
    assert int.from_bytes(data[20:24], "big") == 720
    assert len(data) < 90_000
