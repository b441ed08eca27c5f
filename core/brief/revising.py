"""Reads what a message changes in a song that is there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.brief.brief import Ask, Brief
from core.brief.lexicon import Lexicon
from core.brief.numbers import normalised
from core.brief.reading import read
from core.music.catalogue import Catalogue
from core.music.edits import Edit, Mute, ScaleTempo, SetInstrument, SetKey, SetTempo, SetTitle, Transpose

_RELATIVE: dict[str, Edit] = {
    "faster": ScaleTempo(1.12), "much faster": ScaleTempo(1.3), "slower": ScaleTempo(0.88),
    "much slower": ScaleTempo(0.72), "up": Transpose(2), "down": Transpose(-2), "octave up": Transpose(12),
    "octave down": Transpose(-12),
}  # fmt: skip
# Fields that an instant edit covers; a change of any other is composed anew.
_INSTANT = {
    "tonic": None,
    "mode": None,
    "tempo": None,
    "title": None,
    "parts": (),
    "excluded": (),
    "remarks": (),
}


@dataclass(frozen=True, slots=True)
class Changes:
    """`edits` are instant. `ask` is not None where the song must be composed anew, `again` with another seed."""

    edits: tuple[Edit, ...]
    ask: Ask | None
    again: bool

    @property
    def empty(self) -> bool:
        return not self.edits and self.ask is None and not self.again


def changes(text: str, brief: Brief, lexicon: Lexicon, catalogue: Catalogue) -> Changes:
    """What the words change in a song with that brief."""
    plain = normalised(text)
    words = [span.value for span in lexicon.spans(plain) if span.kind == "change"]
    ask = read(text, lexicon)
    edits: list[Edit] = [_RELATIVE[word] for word in words if word in _RELATIVE]
    if ask.tonic is not None or ask.mode:
        edits.append(SetKey(ask.tonic, ask.mode))
    if ask.tempo and not any(isinstance(edit, ScaleTempo) for edit in edits):
        edits.append(SetTempo(ask.tempo))
    if ask.title:
        edits.append(SetTitle(ask.title))
    instruments, left = _instruments(ask, brief, catalogue)
    edits += instruments
    muted = [role for role in ask.excluded if brief.has(role)]
    edits += [Mute(role) for role in muted]
    rest = replace(ask, **{**_INSTANT, "parts": left})  # type: ignore[arg-type]
    again = "again" in words
    if rest == replace(Ask(), remarks=rest.remarks):
        return Changes(tuple(dict.fromkeys(edits)), None, again and not edits)
    return Changes((), ask.over(brief.ask), again)


def _instruments(ask: Ask, brief: Brief, catalogue: Catalogue) -> tuple[list[Edit], tuple[object, ...]]:
    """An instrument that replaces one that plays is an edit; one more voice is not."""
    edits: list[Edit] = []
    left = []
    for part in ask.parts:
        name = {"guitar": "acoustic guitar", "woodwinds": "clarinet"}.get(part.instrument or "", part.instrument)
        if name is None:
            continue
        family = catalogue.instruments[name].family
        role = part.role or ("bass" if family == "bass" else "melody")
        if brief.has(role):
            edits.append(SetInstrument(role, name))
        else:
            left.append(part)
    return edits, tuple(left)
