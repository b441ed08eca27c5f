"""The written music: MIDI, ABC, MusicXML and the engraved score."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from adapters.engrave.score import Engraver
from adapters.workshop.files import Desk, Made, write_bytes
from core.music.score import Score
from core.notation.abc.writer import abc_text
from core.notation.assembling import Read
from core.notation.midi import midi_bytes
from core.notation.musicxml import musicxml_bytes
from core.notation.problems import Problem, UnreadableNotation
from core.notation.reading import MOST_BYTES, kind_of, plain_words, read_notation

FORMATS = frozenset({"midi", "abc", "musicxml", "score"})


@lru_cache(maxsize=1)
def engraver() -> Engraver:
    """The resident engraver of this process."""
    return Engraver()


def write_notes(score: Score, formats: tuple[str, ...], folder: Path, stem: str) -> Made:
    """MIDI, ABC, MusicXML and the engraved score."""
    desk = Desk(folder, stem)
    if "midi" in formats:
        desk.put("midi", ".mid", lambda path: write_bytes(path, midi_bytes(score)))
    if "abc" in formats:
        desk.put("abc", ".abc", lambda path: write_bytes(path, abc_text(score).encode()))
    if "musicxml" in formats or "score" in formats:
        document = musicxml_bytes(score)
        if "musicxml" in formats:
            desk.put("musicxml", ".musicxml", lambda path: write_bytes(path, document))
        if "score" in formats:
            desk.attempt("score", lambda: _pages(desk, document))
    return desk.files, desk.problems, None


def read_source(source: Path | str) -> tuple[str, Read | str]:
    """The kind and the music of a file, or of ABC text. Raises UnreadableNotation."""
    if isinstance(source, str):
        return read_notation(source.encode(), "abc")
    try:
        with source.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError:
        raise UnreadableNotation((Problem("notation-gone"),)) from None
    if kind_of(data) is None and (words := plain_words(data)):
        return "text", words
    return read_notation(data)


def _pages(desk: Desk, document: bytes) -> None:
    for number, page in enumerate(engraver().pages(document), 1):
        name = "score" if number == 1 else f"score-{number}"
        ending = "-score.png" if number == 1 else f"-score-{number}.png"
        desk.put(name, ending, lambda path, page=page: write_bytes(path, page))  # type: ignore[misc]
