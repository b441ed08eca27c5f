"""Applies edits: all of them in order, or none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from core.brief.brief import Ask, Brief, PartAsk
from core.composer.once import compose_once
from core.editing import chords, keys, length, lines, players
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
    Inapplicable,
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
from core.editing.song import Song, within
from core.music.catalogue import Catalogue
from core.music.harmonising import harmonised
from core.music.keys import Key
from core.music.meter import meter
from core.music.score import Score

TEMPO_LIMITS = (30.0, 300.0)
_SO_ALREADY = ("edit-same-", "edit-tempo-as-is")


def apply(
    edits: Iterable[Edit], score: Score, brief: Brief, catalogue: Catalogue, seed: int, lenient: bool = False
) -> tuple[Score, Brief]:
    """The edited score with the brief that now describes it. Raises Inapplicable, and then nothing has changed.

    Among several edits, or where the song has just been composed anew (`lenient`), what is so already is no fault.
    """
    edits = tuple(edits)
    song = Song(score, replace(brief, remarks=()), catalogue, seed)
    for edit in edits:
        try:
            song = _applied(edit, _ready(edit, song))
        except Inapplicable as error:
            if not error.code.startswith(_SO_ALREADY) or not (lenient or len(edits) > 1):
                raise
    if song.score == score and edits and not lenient:
        raise Inapplicable("edit-nothing-new")
    return song.score, replace(song.brief, ask=_asked(brief, song.brief))


def _asked(before: Brief, after: Brief) -> Ask:
    """The ask as if the edits had been asked for from the first: composing anew must not lose them."""
    ask = after.ask
    if after.key != before.key:
        ask = replace(ask, tonic=after.key.tonic, mode=after.key.mode)
    if after.bars != before.bars:
        ask = replace(ask, bars=after.bars, seconds=None)
    if after.parts != before.parts:
        parts = tuple(PartAsk(p.instrument, p.role, p.manner) for p in after.parts if p.role != "drums")
        missing = tuple(role for role in ("melody", "chords", "bass", "drums") if not after.has(role))
        drums = (PartAsk(None, "drums"),) if after.has("drums") else ()
        ensemble = None if ask.ensemble in ("band", "trio", "quartet") else ask.ensemble
        ask = replace(ask, parts=(*parts, *drums), excluded=missing, exact=False, ensemble=ensemble)
    same = {
        "tempo": after.tempo if after.tempo != before.tempo else ask.tempo,
        "meter": after.meter if after.meter != before.meter else ask.meter,
        "ending": after.ending if after.ending != before.ending else ask.ending,
        "feel": after.feel if after.feel != before.feel else ask.feel,
        "title": after.title if after.title != before.title else ask.title,
    }  # fmt: skip
    return replace(ask, **same)  # type: ignore[arg-type]


# What cuts and joins whole bars, and what rewrites bars as the band would.
_BARWISE = (SetMeter, SetBars, ChangeBars, AddSection, DropSection)
_REWRITING = (AddPart, Answer, BringBack, BuildFrom, Density, HalfTime, Redo, Reharmonise, SetEnding, Vary)


def _ready(edit: Edit, song: Song) -> Song:
    """A song that somebody brought may change its meter or have no chords. Raises Inapplicable."""
    score = song.score
    if (isinstance(edit, _BARWISE) and score.changes) or (isinstance(edit, _REWRITING) and not score.even):
        raise Inapplicable("edit-uneven")
    if isinstance(edit, (*_BARWISE, *_REWRITING)) and not score.chords:
        return song.changed(harmonised(score))
    return song


def _applied(edit: Edit, song: Song) -> Song:
    score = song.score
    match edit:
        case SetTempo(tempo):
            return _tempo(song, tempo)
        case ScaleTempo(factor):
            return _tempo(song, round(score.tempo * factor))
        case ChangeTempo(by):
            return _tempo(song, score.tempo + by)
        case SetKey(tonic, mode):
            return keys.in_key(song, Key(score.key.tonic if tonic is None else tonic, mode or score.key.mode))
        case Transpose(semitones):
            return keys.transposed(song, semitones)
        case SetMeter(numerator, denominator, grouping):
            return length.in_meter(song, meter(numerator, denominator, grouping))
        case SetBars(bars):
            return length.with_bars(song, bars)
        case ChangeBars(by):
            return length.with_bars(song, score.bars + by)
        case AddSection(kind):
            return length.with_section(song, kind, lambda brief, seed: compose_once(brief, song.catalogue, seed))
        case DropSection(kind):
            return length.without_section(song, kind)
        case SetInstrument(role, instrument):
            return players.with_instrument(song, role, instrument)
        case Mute(role):
            return players.muted(song, role)
        case BringBack(role):
            return players.brought_back(song, role)
        case AddPart():
            return players.with_added(song, edit)
        case Register(role, octaves):
            return players.moved(song, role, octaves)
        case Volume(role, decibels):
            return players.with_volume(song, role, decibels)
        case Density(more, role):
            return lines.with_density(song, role, more)
        case Redo(first, last):
            return lines.redone(song, first, last)
        case Vary():
            return lines.varied(song)
        case Answer():
            return lines.answered(song)
        case Reharmonise(way):
            return chords.reharmonised(song, way)
        case SetEnding(ending):
            return chords.with_ending(song, ending)
        case BuildFrom(bar):
            return _building(song, bar)
        case SetSwing() | HalfTime() | Humanise() | Dynamics() | SetEffects():
            return _played(edit, song)
        case SetTitle(title):
            return song.changed(replace(score, title=title))
        case _:
            assert_never(edit)


def _tempo(song: Song, tempo: float) -> Song:
    kept = float(min(max(tempo, TEMPO_LIMITS[0]), TEMPO_LIMITS[1]))
    if kept == song.score.tempo:
        raise Inapplicable("edit-same-tempo" if kept in TEMPO_LIMITS else "edit-tempo-as-is", tempo=f"{kept:g}")
    ratio = kept / song.score.tempo
    changes = tuple(
        replace(c, tempo=round(min(1000.0, max(5.0, c.tempo * ratio)), 2)) if c.tempo else c for c in song.score.changes
    )  # fmt: skip
    return song.changed(replace(song.score, tempo=kept, changes=changes), asked=song.brief.asked | {"tempo"})


def _played(edit: SetSwing | HalfTime | Humanise | Dynamics | SetEffects, song: Song) -> Song:
    """How the same notes are played."""
    feel, score = song.score.feel, song.score
    match edit:
        case SetSwing(swing):
            if abs(swing - feel.swing) < 0.01:
                raise Inapplicable("edit-same-feel")
            name = "swing" if swing > 0.53 else "straight"
            return song.changed(
                replace(score, feel=replace(feel, swing=swing)), feel=name, asked=song.brief.asked | {"feel"}
            )
        case HalfTime():
            if not song.brief.has("drums"):
                raise Inapplicable("edit-no-part")
            halved = song.changed(score, feel="half time")
            return halved.with_part("drums", halved.rewritten("drums"))
        case Humanise(by):
            return song.changed(replace(score, feel=replace(feel, humanise=min(1.0, max(0.0, feel.humanise + by)))))
        case Dynamics(decibels, growing):
            count = len(score.sections)
            old = feel.dynamics or (0.0,) * count
            steps = [decibels * i / max(1, count - 1) if growing else decibels for i in range(count)]
            new = tuple(max(-18.0, min(18.0, a + b)) for a, b in zip(old, steps, strict=False))
            return song.changed(replace(score, feel=replace(feel, dynamics=new)))
        case SetEffects(on):
            if score.effects == on:
                raise Inapplicable("edit-same-effects")
            return song.changed(replace(score, effects=on))
        case _:
            assert_never(edit)


def _building(song: Song, bar: int) -> Song:
    """From the bar on: each section louder than the one before, and the drums busier."""
    score = song.score
    first = bar - 1
    if not 0 < first < score.bars:
        raise Inapplicable("edit-no-bars", bars=score.bars)
    sections, dynamics = [], []
    old = score.feel.dynamics or (0.0,) * len(score.sections)
    for section, level in zip(score.sections, old, strict=False):
        end = section.bar + section.bars
        if section.bar < first < end:
            sections.append(replace(section, bars=first - section.bar))
            dynamics.append(level)
            section = replace(section, bar=first, bars=end - first)
        late = section.bar >= first
        sections.append(replace(section, energy=min(1.0, section.energy + 0.3)) if late else section)
        dynamics.append(level + (3.0 + 3.0 * (section.bar - first) / max(1, score.bars - first) if late else 0.0))
    feel = replace(score.feel, dynamics=tuple(dynamics))
    built = song.changed(replace(score, sections=tuple(sections), feel=feel))
    drums = built.score.part("drums")
    if drums is None or not song.brief.has("drums"):
        return built
    start = first * score.meter.bar
    fresh = tuple(note for note in built.rewritten("drums") if note.onset >= start)
    return built.with_part("drums", within(drums.notes, fresh, start, score.length))
