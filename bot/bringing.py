"""Music and words that people bring as files, or paste: read, and made a song of ours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from core.brief.brief import Brief, Remark, remark
from core.brief.lexicon import Lexicon
from core.brief.revising import changes
from core.editing.adopting import adopted
from core.editing.apply import apply
from core.editing.edits import Inapplicable
from core.music.catalogue import Catalogue
from core.music.chance import seed_of
from core.music.score import Score
from core.notation.assembling import Read
from core.notation.problems import Problem, UnreadableNotation
from core.ports import Reader


@dataclass(frozen=True, slots=True)
class Brought:
    """A song that somebody brought. `told`: what of the music was read otherwise; `remarks`: what of the words."""

    score: Score
    brief: Brief
    told: tuple[Problem, ...]
    remarks: tuple[Remark, ...]


class Bringing:
    def __init__(self, reader: Reader, catalogue: Catalogue, lexicon: Lexicon) -> None:
        self._reader, self._catalogue, self._lexicon = reader, catalogue, lexicon

    async def take(self, files: tuple[Path, ...], text: str) -> Brought | str | None:
        """The first file of written music as a song, changed as `text` asks; else the words of the text files.

        None where no file is either. Raises UnreadableNotation where all written music among them is unreadable.
        """
        found: list[tuple[str, str, Read]] = []
        words: list[str] = []
        wrong: UnreadableNotation | None = None
        for file in files:
            try:
                kind, music = await self._reader.read(file)
            except UnreadableNotation as error:
                if error.problems[0].code != "notation-unknown":
                    wrong = wrong or error
                continue
            if isinstance(music, str):
                words.append(music)
            else:
                found.append((file.stem, kind, music))
        if found:
            extra = (remark("notation-took-first", count=len(found)),) if len(found) > 1 else ()
            return self._song(*found[0], " ".join([text, *words]).strip(), extra)
        if wrong:
            raise wrong
        return "\n".join([text, *words]).strip() if words else None

    async def paste(self, tune: str, words: str) -> Brought:
        """ABC in the message itself, changed as the words around it ask. Raises UnreadableNotation."""
        kind, music = await self._reader.read(tune)
        assert isinstance(music, Read)
        return self._song("ABC", kind, music, words, ())

    def _song(self, name: str, kind: str, music: Read, text: str, extra: tuple[Remark, ...]) -> Brought:
        score, brief = adopted(music, kind, name, self._catalogue, self._lexicon)
        if not text:
            return Brought(score, brief, music.warnings, extra)
        wanted = changes(text, brief, self._lexicon, self._catalogue)
        told = [*extra, *wanted.remarks]
        if wanted.ask is not None or wanted.again:
            told.append(remark("edit-imported"))
        if wanted.edits:
            try:
                score, brief = apply(wanted.edits, score, brief, self._catalogue, seed_of(text), lenient=True)
            except Inapplicable as error:
                told.append(Remark(error.code, tuple(error.values.items())))
        return Brought(score, replace(brief, remarks=()), music.warnings, tuple(told))
