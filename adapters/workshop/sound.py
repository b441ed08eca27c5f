"""The sounding music: MP3, WAV, stems, and the card that shows the waveform."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from adapters.encoding import mp3_bytes, write_tags, write_wav
from adapters.engrave.card import card_png, thumbnail_jpeg
from adapters.synth.fluid import RATE, Fluid
from adapters.synth.playing import Recording, play
from adapters.synth.soundfont import soundfont
from adapters.workshop.files import Desk, Made, write_bytes
from core.errors import NoEncoder, NoPicture, Unavailable
from core.music.score import Score
from core.notation.abc.writer import key_field
from core.ports import Face, Problem

# Shares of the whole time after which the song is played, mastered, and its card drawn; then it is encoded. Measured on
# 32 bars of pop with MP3 and card.
_PLAYED, _MASTERED, _DRAWN = 0.7, 0.8, 0.85
FORMATS = frozenset({"mp3", "wav", "stems", "card"})


@lru_cache(maxsize=2)
def fluid(setting: str | None) -> Fluid:
    """The resident synthesiser of this process. Raises NoSound."""
    return Fluid(soundfont(setting))


def make_sound(
    score: Score,
    face: Face,
    formats: tuple[str, ...],
    folder: Path,
    stem: str,
    setting: str | None,
    told: Callable[[float], None] = lambda share: None,
) -> Made:
    """The audio files and the card, which shows the audio's waveform. `told` hears the share done, 0 to 1."""
    desk = Desk(folder, stem)
    recording: Recording | None = None
    audible = tuple(f for f in ("mp3", "wav", "stems") if f in formats)
    try:
        if audible or "card" in formats:
            recording = play(score, fluid(setting), stems="stems" in formats, told=lambda share: told(_PLAYED * share))
    except Unavailable as error:
        values = tuple(error.values.items())
        desk.problems += [Problem(name, error.code, values) for name in audible]
    told(_MASTERED)
    card: bytes | None = None
    if "card" in formats or "mp3" in formats:
        try:
            card = card_png(score, face, recording.mix if recording else None)
        except NoPicture as error:
            desk.problems.append(Problem("card", error.code, tuple(error.values.items())))
    if card and "card" in formats:
        desk.put("card", "-card.png", lambda path: write_bytes(path, card))
    told(_DRAWN)
    if recording:
        _audio(desk, recording, score, face, formats, card)
    return desk.files, desk.problems, recording.seconds if recording else None


def _audio(
    desk: Desk,
    recording: Recording,
    score: Score,
    face: Face,
    formats: tuple[str, ...],
    card: bytes | None,
) -> None:
    if "wav" in formats:
        desk.put("wav", ".wav", lambda path: write_wav(path, recording.mix, RATE))
    for name, stem in recording.stems.items():
        slug = name.lower().replace(" ", "-")
        desk.put(f"stem-{slug}", f"-{slug}.wav", lambda path, stem=stem: write_wav(path, stem, RATE))  # type: ignore[misc]
    if "mp3" in formats:
        encoded = mp3_bytes(recording.mix, RATE)
        desk.put("mp3", ".mp3", lambda path: _write_mp3(path, encoded, _tags(score, face), card, desk))


def _write_mp3(path: Path, encoded: bytes, tags: dict[str, str], card: bytes | None, desk: Desk) -> None:
    """The MP3 with its tags; without them, and the reason told, where ffmpeg cannot help."""
    plain, cover = path.with_suffix(".plain"), path.with_suffix(".cover.jpg")
    try:
        plain.write_bytes(encoded)
        if card:
            cover.write_bytes(thumbnail_jpeg(card, 480))
        try:
            write_tags(plain, path, tags, cover if card else None)
        except NoEncoder as error:
            desk.problems.append(Problem("tags", error.code, tuple(error.values.items())))
            path.write_bytes(encoded)
    finally:
        plain.unlink(missing_ok=True)
        cover.unlink(missing_ok=True)


def _tags(score: Score, face: Face) -> dict[str, str]:
    return {
        "title": face.title, "artist": "Tunesmith", "TBPM": f"{score.tempo:.0f}", "TKEY": key_field(score.key)[:3],
        "genre": score.genre, "comment": face.comment,
    }  # fmt: skip
