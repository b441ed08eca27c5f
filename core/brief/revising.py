"""Reads what a message changes in a song that is there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.brief.brief import Ask, Brief, Remark, remark
from core.brief.lexicon import Lexicon, Span
from core.brief.numbers import MOST_WORDS, normalised
from core.brief.reading import read, spans_of
from core.editing.edits import (
    AddPart,
    AddSection,
    Answer,
    BringBack,
    BuildFrom,
    ChangeBars,
    ChangeTempo,
    Density,
    DropSection,
    Dynamics,
    Edit,
    HalfTime,
    Humanise,
    Mute,
    Redo,
    Register,
    Reharmonise,
    ScaleTempo,
    SetBars,
    SetEffects,
    SetEnding,
    SetInstrument,
    SetKey,
    SetMeter,
    SetSwing,
    SetTempo,
    SetTitle,
    Transpose,
    Vary,
    Volume,
)  # fmt: skip
from core.music.catalogue import Catalogue

# Words whose edit needs nothing else from the sentence.
_PLAIN: dict[str, Edit] = {
    "faster": ScaleTempo(1.12), "much faster": ScaleTempo(1.3), "slower": ScaleTempo(0.88),
    "much slower": ScaleTempo(0.72), "double": ScaleTempo(2.0), "halve": ScaleTempo(0.5), "vary": Vary(),
    "fewer": Density(more=False), "more notes": Density(more=True), "simpler": Reharmonise("simpler"),
    "richer": Reharmonise("richer"), "tenser": Reharmonise("tenser"), "answer": Answer(), "louder": Dynamics(4.0),
    "softer": Dynamics(-4.0), "crescendo": Dynamics(9.0, growing=True), "human": Humanise(0.3),
    "machine": Humanise(-0.4), "swing it": SetSwing(0.64), "straighten": SetSwing(0.5),
    "effects off": SetEffects(on=False),
    "effects on": SetEffects(on=True),
}  # fmt: skip
_FEELS: dict[str, Edit] = {
    "swing": SetSwing(0.64), "shuffle": SetSwing(0.66), "straight": SetSwing(0.5), "half time": HalfTime(),
}  # fmt: skip
_RANGE = re.compile(
    r"(?:\bbars?|\bmeasures?) (\d{1,6})(?: ?(?:-|to|through|until|and|till) ?(?:bar )?(\d{1,6}))?|"
    r"第?(\d{1,6})(?:到|至|-)第?(\d{1,6})小节|第(\d{1,6})小节",
    re.I,
)
_FROM = re.compile(r"\b(?:from|at) (?:bar|measure) (\d{1,6})|从第?(\d{1,6})小节", re.I)
_DROP_BARS = re.compile(
    r"(?:drop|cut|remove|leave out|lose) the (?:last|final) (\d{1,6}) (?:bars|measures)|"
    r"(?:去掉|删掉|删去)最后(\d{1,6})小节",
    re.I,
)
_BY = re.compile(
    r"(\d{1,6}(?:\.\d{1,3})?) ?(bpm|%|percent|semitones?|half[- ]steps?|octaves?|bars?|个?小节|个半音)", re.I
)
_INTERVALS = {
    "minor second": 1, "half step": 1, "semitone": 1, "major second": 2, "whole step": 2, "tone": 2, "minor third": 3,
    "third": 4, "major third": 4, "fourth": 5, "tritone": 6, "fifth": 7, "minor sixth": 8, "major sixth": 9, "sixth": 9,
    "octave": 12,
    "小三度": 3, "大三度": 4, "四度": 5, "五度": 7,
}  # fmt: skip
_INTERVAL = re.compile(r"\b(?:an?|1) (" + "|".join(_INTERVALS) + r")\b|(小三度|大三度|四度|五度)", re.I)
_REPLACE = re.compile(r"(?:replace|change|swap|switch|instead of)\s|把|用.{1,6}代替", re.I)


@dataclass(frozen=True, slots=True)
class Changes:
    """`edits` are instant. `ask` is not None where the song must be composed anew first; `again`: with another seed."""

    edits: tuple[Edit, ...]
    ask: Ask | None
    again: bool
    remarks: tuple[Remark, ...] = ()  # what the words asked for and cannot be had

    @property
    def empty(self) -> bool:
        return not self.edits and self.ask is None and not self.again


def changes(text: str, brief: Brief, lexicon: Lexicon, catalogue: Catalogue) -> Changes:
    """What the words change in a song with that brief."""
    plain = normalised(text)
    edits, plain = _measured(plain, [s.value for s in lexicon.spans(plain) if s.kind == "change"])
    spans = spans_of(plain, lexicon)
    words = [span.value for span in spans if span.kind == "change"]
    ask = read(plain, lexicon)
    edits += [_PLAIN[word] for word in words if word in _PLAIN and not _measures(edits, _PLAIN[word])]
    edits += _from_ask(ask, edits)
    parts, left = _players(plain, spans, words, ask, brief, catalogue)
    if not any(isinstance(edit, Register) for edit in parts):
        edits += _moves(words, spans, edits, brief)
    if any(isinstance(edit, Volume) for edit in parts):
        edits = [edit for edit in edits if not isinstance(edit, Dynamics)]
    edits += parts
    edits += [AddSection(s.value) for s in spans if s.kind == "section" and "add" in words]
    edits += [DropSection(s.value) for s in spans if s.kind == "not section"]
    edits += _sized(words, edits)
    again = "another" in words or ("again" in words and not edits)
    rest = Ask(genres=ask.genres, moods=ask.moods, form=ask.form, ensemble=ask.ensemble, remarks=ask.remarks)
    if len(ask.sections) > 1 and "add" not in words and not left:
        rest = replace(rest, sections=ask.sections)
    edits = list(dict.fromkeys(edits))
    remarks = ask.remarks
    if len(text) > MOST_WORDS:
        remarks = (remark("remark-words-cut", count=MOST_WORDS), *remarks)
    if rest == Ask(remarks=rest.remarks):
        return Changes(tuple(edits), None, again, remarks)
    return Changes(tuple(edits), rest.over(brief.ask), again, remarks)


def names_a_song(text: str, lexicon: Lexicon) -> bool:
    """Whether the words describe a song of their own ("jazz in F, 32 bars") and say nothing of the one there is."""
    spans = spans_of(normalised(text), lexicon)
    return any(s.kind == "genre" for s in spans) and not any(s.kind == "change" for s in spans)


def _measured(text: str, words: list[str]) -> tuple[list[Edit], str]:
    """Edits with a size or a place ("10 bpm faster", "bars 5 to 8"), and the text without the words they used."""
    edits: list[Edit] = []
    started = _FROM.search(text)
    if started and "build" in words:
        edits.append(BuildFrom(int(started[1] or started[2])))
        text = text[: started.start()] + " " + text[started.end() :]
    ranged = _RANGE.search(text)
    if ranged:
        numbers = [int(n) for n in ranged.groups() if n]
        text = text[: ranged.start()] + " " + text[ranged.end() :]
        if {"redo", "again", "vary", "another"} & set(words):
            edits.append(Redo(numbers[0], numbers[-1]))
    dropped = _DROP_BARS.search(text)
    if dropped:
        edits.append(ChangeBars(-int(dropped[1] or dropped[2])))
        text = text[: dropped.start()] + " " + text[dropped.end() :]
    sign = 1 if {"faster", "up", "longer", "much faster", "octave up"} & set(words) else -1
    for size in _BY.finditer(text):
        absolute = re.search(r"(?:\bto|\bat|到|至)\s{0,3}$", text[max(0, size.start() - 20) : size.start()], re.I)
        edit = None if absolute else _by(float(size[1]), size[2].lower(), sign, words)
        if edit:
            edits.append(edit)
            text = text[: size.start()] + " " + text[size.end() :]
            break
    interval = _INTERVAL.search(text)
    if interval and {"up", "down"} & set(words) and not any(isinstance(e, Transpose) for e in edits):
        steps = _INTERVALS[(interval[1] or interval[2]).lower()]
        edits.append(Transpose(steps if "up" in words else -steps))
        text = text[: interval.start()] + " " + text[interval.end() :]
    return edits, text


def _by(size: float, unit: str, sign: int, words: list[str]) -> Edit | None:
    tempo = {"faster", "slower", "much faster", "much slower"} & set(words)
    if unit in ("%", "percent") and tempo:
        return ScaleTempo(1 + sign * size / 100)
    if unit == "bpm" and tempo:
        return ChangeTempo(sign * size)
    if unit.startswith(("semitone", "half", "个半音")) and {"up", "down"} & set(words):
        return Transpose(sign * int(size))
    if unit.startswith("octave") and {"up", "down", "octave up", "octave down"} & set(words):
        return Transpose(sign * 12 * int(size))
    if unit.startswith(("bar", "个", "小节")) and {"longer", "shorter"} & set(words):
        return ChangeBars(sign * int(size))
    return None


def _measures(edits: list[Edit], plain: Edit) -> bool:
    """Whether a measured edit already says what the plain word says."""
    return isinstance(plain, ScaleTempo) and any(isinstance(e, ScaleTempo | SetTempo | ChangeTempo) for e in edits)


def _from_ask(ask: Ask, edits: list[Edit]) -> list[Edit]:
    """Absolute wishes: a key, a tempo, a meter, a length, an ending, a feel, a title."""
    found: list[Edit] = []
    if ask.tonic is not None or ask.mode:
        found.append(SetKey(ask.tonic, ask.mode))
    if ask.tempo and not any(isinstance(edit, ScaleTempo | SetTempo | ChangeTempo) for edit in edits):
        found.append(SetTempo(ask.tempo))
    if ask.meter:
        found.append(SetMeter(ask.meter.numerator, ask.meter.denominator, ask.meter.grouping))
    if ask.bars:
        found.append(SetBars(ask.bars))
    if ask.ending:
        found.append(SetEnding(ask.ending))
    if ask.feel in _FEELS and _FEELS[ask.feel] not in edits:
        found.append(_FEELS[ask.feel])
    if ask.density and not any(isinstance(edit, Density) for edit in edits):
        found.append(Density(more=ask.density == "dense"))
    if ask.title:
        found.append(SetTitle(ask.title))
    return found


def _moves(words: list[str], spans: list[Span], edits: list[Edit], brief: Brief) -> list[Edit]:
    """Up and down: a part by octaves where one is named, else the whole song."""
    if any(isinstance(edit, Transpose | SetKey) for edit in edits):
        return []
    role = next((s.value for s in spans if s.kind == "role" and brief.has(s.value)), None)
    found: list[Edit] = []
    for word in words:
        sign = 1 if word in ("up", "octave up") else -1
        if word in ("octave up", "octave down"):
            found.append(Register(role, sign) if role else Transpose(12 * sign))
        elif word in ("up", "down"):
            found.append(Register(role, sign) if role else Transpose(2 * sign))
        elif word in ("relative", "parallel"):
            found.append(_related(word, brief))
    return found


def _related(word: str, brief: Brief) -> Edit:
    """The relative key shares the signature, the parallel one the tonic."""
    minor = brief.key.minor
    mode = "major" if minor else "minor"
    if word == "parallel":
        return SetKey(brief.key.tonic, mode)
    return SetKey(brief.key.tonic + (-3 if minor else 3), mode)


def _sized(words: list[str], edits: list[Edit]) -> list[Edit]:
    if any(isinstance(edit, SetBars | ChangeBars) for edit in edits):
        return []
    return [ChangeBars(8 if word == "longer" else -8) for word in words if word in ("longer", "shorter")]


def _players(
    text: str, spans: list[Span], words: list[str], ask: Ask, brief: Brief, catalogue: Catalogue
) -> tuple[list[Edit], bool]:
    """Parts taken out, brought back, added and given to others; and whether instruments were named at all."""
    sections = {span.value for span in spans if span.kind == "not section"}
    edits: list[Edit] = [Mute(name) for name in ask.excluded if name not in sections]
    names = [_concrete(part.instrument) for part in ask.parts if part.instrument]
    back = {"back", "bring back"} & set(words)
    named_roles = [s.value for s in spans if s.kind == "role"]
    if back and named_roles:
        return [*edits, *(BringBack(role) for role in named_roles)], True
    level = next((_LEVELS[word] for word in words if word in _LEVELS), None)
    targets = [*named_roles, *(name for name in names if name)]
    if level is not None and targets:
        return [*edits, *(Volume(target, level) for target in targets)], True
    if {"octave up", "octave down"} & set(words) and names and "doubling" not in words and "add" not in words:
        sign = 1 if "octave up" in words else -1
        return [*edits, *(Register(name, sign) for name in names if name)], True
    if ask.exact and targets and "add" not in words:
        return [*edits, *_only(targets, brief)], True
    if {"add", "doubling"} & set(words) and (names or named_roles):
        manner = "answering" if "answering" in words else "doubling" if "doubling" in words else "own"
        above = "above" in words
        added: list[Edit] = [AddPart(name, above, manner) for name in names]  # type: ignore[arg-type]
        rhythm = [role for role in dict.fromkeys(named_roles) if role in ("bass", "drums", "chords")]
        added += [BringBack(role) for role in rhythm if manner == "own"]
        return [*edits, *(added or [AddPart("strings")])], True
    unroled = not any(part.role for part in ask.parts)
    if unroled and _REPLACE.search(text) and len(names) >= 2 and _plays(names[0] or "", brief):
        role = next(p.role for p in brief.parts if p.instrument == names[0])
        return [*edits, SetInstrument(role, names[1] or "")], True
    for part in ask.parts:
        name = _concrete(part.instrument)
        if name is not None:
            family = catalogue.instruments[name].family
            role = part.role or ("bass" if family == "bass" else "melody")
            edits.append(SetInstrument(role, name) if brief.has(role) else AddPart(name))
    return edits, bool(names)


def _only(targets: list[str], brief: Brief) -> list[Edit]:
    """Everybody else is silent; where nobody named plays, the edit says so."""
    kept = [p for p in brief.parts if p.role in targets or p.instrument in targets]
    if not kept:
        return [Mute(targets[0])]
    return [Mute(part.role) for part in brief.parts if part not in kept]


_LEVELS = {"too loud": -4.0, "louder": 4.0, "softer": -4.0}


def _plays(name: str, brief: Brief) -> bool:
    return any(part.instrument == name for part in brief.parts)


def _concrete(name: str | None) -> str | None:
    return {"guitar": "acoustic guitar", "woodwinds": "clarinet"}.get(name or "", name)
