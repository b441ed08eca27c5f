"""What a render worker does. It runs in a process of its own and keeps its tools warm.

The forkserver imports this module once, so that every worker has the heavy libraries from birth.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import music21  # noqa: F401  (half a second that no song should wait for)

from adapters.encoding import mp3_bytes, write_tags, write_wav
from adapters.engrave.card import card_png, thumbnail_jpeg
from adapters.engrave.score import Engraver
from adapters.synth.fluid import RATE, Fluid
from adapters.synth.playing import Recording, play
from adapters.synth.soundfont import soundfont
from core.errors import DiskFull, NoEncoder, NoPicture, TunesmithError, Unavailable
from core.music.score import Score
from core.notation.abc.writer import abc_text, key_field
from core.notation.midi import midi_bytes
from core.notation.musicxml import musicxml_bytes
from core.ports import Face, Problem

Made = tuple[dict[str, str], list[Problem], float | None]


@lru_cache(maxsize=2)
def _fluid(setting: str | None) -> Fluid:
    return Fluid(soundfont(setting))


@lru_cache(maxsize=1)
def _engraver() -> Engraver:
    return Engraver()


def warm(setting: str | None) -> None:
    """Loads the tools before the first song asks for them; what is missing is told with the song."""
    for tool in (lambda: _fluid(setting), _engraver):
        try:
            tool()
        except TunesmithError:
            continue


@dataclass
class _Bench:
    """Where one task's files go: written beside their name, then moved into place."""

    folder: Path
    stem: str

    def __post_init__(self) -> None:
        self.files: dict[str, str] = {}
        self.problems: list[Problem] = []

    def put(self, format_: str, ending: str, write: Callable[[Path], None]) -> Path:
        target = self.folder / f"{self.stem}{ending}"
        draft = target.with_name(f".{target.name}.part")
        try:
            write(draft)
            os.replace(draft, target)
        except OSError as error:
            draft.unlink(missing_ok=True)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(folder=self.folder) from error
            raise
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        self.files[format_] = str(target)
        return target

    def attempt(self, format_: str, work: Callable[[], None]) -> None:
        """One file's fault is its own."""
        try:
            work()
        except Unavailable as error:
            self.problems.append(Problem(format_, error.code, tuple(error.values.items())))


def write_notes(score: Score, formats: tuple[str, ...], folder: Path, stem: str) -> Made:
    """MIDI, ABC, MusicXML and the engraved score."""
    bench = _Bench(folder, stem)
    if "midi" in formats:
        bench.put("midi", ".mid", lambda path: _write(path, midi_bytes(score)))
    if "abc" in formats:
        bench.put("abc", ".abc", lambda path: _write(path, abc_text(score).encode()))
    if "musicxml" in formats or "score" in formats:
        document = musicxml_bytes(score)
        if "musicxml" in formats:
            bench.put("musicxml", ".musicxml", lambda path: _write(path, document))
        if "score" in formats:
            bench.attempt("score", lambda: _pages(bench, document))
    return bench.files, bench.problems, None


def _pages(bench: _Bench, document: bytes) -> None:
    for number, page in enumerate(_engraver().pages(document), 1):
        name = "score" if number == 1 else f"score-{number}"
        ending = "-score.png" if number == 1 else f"-score-{number}.png"
        bench.put(name, ending, lambda path, page=page: _write(path, page))  # type: ignore[misc]


def make_sound(
    score: Score, face: Face, formats: tuple[str, ...], folder: Path, stem: str, setting: str | None
) -> Made:
    """The audio files and the card, which shows the audio's waveform."""
    bench = _Bench(folder, stem)
    recording: Recording | None = None
    audible = tuple(f for f in ("mp3", "wav", "stems") if f in formats)
    try:
        if audible or "card" in formats:
            recording = play(score, _fluid(setting), stems="stems" in formats)
    except Unavailable as error:
        values = tuple(error.values.items())
        bench.problems += [Problem(name, error.code, values) for name in audible]
    card: bytes | None = None
    if "card" in formats or "mp3" in formats:
        try:
            card = card_png(score, face, recording.mix if recording else None)
        except NoPicture as error:
            bench.problems.append(Problem("card", error.code, tuple(error.values.items())))
    if card and "card" in formats:
        bench.put("card", "-card.png", lambda path: _write(path, card))
    if recording:
        _audio(bench, recording, score, face, formats, card)
    return bench.files, bench.problems, recording.seconds if recording else None


def _audio(
    bench: _Bench,
    recording: Recording,
    score: Score,
    face: Face,
    formats: tuple[str, ...],
    card: bytes | None,
) -> None:
    if "wav" in formats:
        bench.put("wav", ".wav", lambda path: write_wav(path, recording.mix, RATE))
    for name, stem in recording.stems.items():
        slug = name.lower().replace(" ", "-")
        bench.put(f"stem-{slug}", f"-{slug}.wav", lambda path, stem=stem: write_wav(path, stem, RATE))  # type: ignore[misc]
    if "mp3" in formats:
        encoded = mp3_bytes(recording.mix, RATE)
        bench.put("mp3", ".mp3", lambda path: _write_mp3(path, encoded, _tags(score, face), card, bench))


def _write_mp3(path: Path, encoded: bytes, tags: dict[str, str], card: bytes | None, bench: _Bench) -> None:
    """The MP3 with its tags; without them, and the reason told, where ffmpeg cannot help."""
    plain, cover = path.with_suffix(".plain"), path.with_suffix(".cover.jpg")
    try:
        plain.write_bytes(encoded)
        if card:
            cover.write_bytes(thumbnail_jpeg(card, 480))
        try:
            write_tags(plain, path, tags, cover if card else None)
        except NoEncoder as error:
            bench.problems.append(Problem("tags", error.code, tuple(error.values.items())))
            path.write_bytes(encoded)
    finally:
        plain.unlink(missing_ok=True)
        cover.unlink(missing_ok=True)


def _tags(score: Score, face: Face) -> dict[str, str]:
    return {
        "title": face.title, "artist": "Tunesmith", "TBPM": f"{score.tempo:.0f}", "TKEY": key_field(score.key)[:3],
        "genre": score.genre, "comment": face.comment,
    }  # fmt: skip


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
