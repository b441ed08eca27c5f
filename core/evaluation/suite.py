"""Runs the request suite: each request with each seed becomes a song, its files are read and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.brief.brief import Brief
from core.brief.completing import complete
from core.brief.lexicon import Lexicon
from core.brief.reading import read
from core.brief.revising import changes
from core.composer.once import compose_once
from core.editing.apply import apply
from core.editing.edits import Inapplicable
from core.evaluation.adherence import violations
from core.evaluation.exported import Exported
from core.localisation import locale_of
from core.music.catalogue import Catalogue
from core.music.chance import seed_of
from core.music.score import Score
from core.music.scorecard import Card, Tune, measure
from core.notation.abc.writer import abc_text
from core.notation.midi import midi_bytes
from core.notation.musicxml import musicxml_bytes
from core.notation.tune import tune_of

Request = Mapping[str, Any]


_AS_ASKED = ("edit-same-instrument", "edit-no-simpler", "edit-same-ending", "edit-same-feel", "edit-same-key")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One request with one seed: what was not as asked, and for full-band pieces the card and the tune."""

    kind: str
    text: str
    seed: int
    violations: tuple[str, ...]
    score: Score
    tune: Tune | None = None
    card: Card | None = None


def exported(score: Score, told: bool) -> Exported:
    return Exported(midi_bytes(score), abc_text(score), musicxml_bytes(score), told)


def judged(request: Request, seed: int, catalogue: Catalogue, lexicon: Lexicon) -> Outcome:
    """Composes, follows the request's turns, and reads the exported files at each step."""
    text = request["text"]
    brief = complete(text, read(text, lexicon), catalogue, seed, locale_of(text))
    score = compose_once(brief, catalogue, seed)
    files = exported(score, bool(brief.remarks))
    found = violations(request["expect"], files, catalogue)
    tune, card = _table(request, score, files)
    first = score
    for turn in request.get("turns", ()):
        try:
            score, brief = revised(turn["say"], score, brief, catalogue, lexicon)
        except Inapplicable as error:
            if error.code not in _AS_ASKED:  # "with a trumpet" where one plays: the song must be so already
                found.append(f"{turn['say']!r}: {error.code}")
                continue
        after = exported(score, told=False)
        found += [f"{turn['say']!r}: {told}" for told in violations(turn["expect"], after, catalogue, files)]
        files = after
    return Outcome(request["kind"], text, seed, tuple(found), first, tune, card)


def revised(text: str, score: Score, brief: Brief, catalogue: Catalogue, lexicon: Lexicon) -> tuple[Score, Brief]:
    """What a conversation makes of the words, without a band. Raises Inapplicable."""
    wanted = changes(text, brief, lexicon, catalogue)
    if wanted.empty:
        raise Inapplicable("change-unclear")
    if wanted.ask is not None:
        brief = complete(brief.text, wanted.ask, catalogue, score.seed)
        score = compose_once(brief, catalogue, score.seed)
    seed, anew = seed_of(text, score.seed), wanted.ask is not None
    return apply(wanted.edits, score, brief, catalogue, seed, lenient=anew)


def _table(request: Request, score: Score, files: Exported) -> tuple[Tune | None, Card | None]:
    """The scorecard is for full-band pieces of sixteen bars and more."""
    roles = [part.role for part in score.sounding]
    if request["kind"] != "band" or score.bars < 16 or not {"melody", "chords", "bass"} <= set(roles):
        return None, None
    tune = tune_of(files.midi, 1 + roles.index("melody"), [1 + i for i, role in enumerate(roles) if role == "chords"])
    return tune, measure(tune)
