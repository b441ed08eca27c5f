"""Longer, shorter, other sections, another meter: bars cut and joined, every note where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.brief.brief import Brief
from core.editing.edits import Inapplicable
from core.editing.song import Song
from core.music.meter import Meter
from core.music.score import ChordSpan, Note, Part, Score, Section

BAR_LIMITS = (4, 256)
Piece = tuple[Score, int, int]  # bars `first` up to `last` of a score

ComposeOne = Callable[[Brief, int], Score]


def joined(base: Score, pieces: list[Piece]) -> Score:
    """A score of the pieces in order. Parts are matched by role and name; notes end where their piece ends."""
    bar = base.meter.bar
    parts: list[list[Note]] = [[] for _ in base.parts]
    chords: list[ChordSpan] = []
    sections: list[Section] = []
    lyrics: list[list[tuple[int, str]]] = [[] for _ in base.parts]
    at = 0
    for source, first, last in pieces:
        low, high, shift = first * bar, last * bar, (at - first) * bar
        for notes, part in zip(parts, base.parts, strict=True):
            notes += _cut(_same_part(source, part), low, high, shift)
        for words, part in zip(lyrics, base.parts, strict=True):
            words += [(onset + shift, text) for onset, text in part.lyrics if low <= onset < high]
        chords += [
            replace(s, onset=max(s.onset, low) + shift, duration=min(s.end, high) - max(s.onset, low))
            for s in source.chords
            if s.onset < high and s.end > low
        ]
        sections += _sections(source, first, last, at - first)
        at += last - first
    filled = tuple(
        replace(part, notes=tuple(sorted(notes)), lyrics=tuple(words))
        for part, notes, words in zip(base.parts, parts, lyrics, strict=True)
    )
    return replace(base, bars=at, parts=filled, chords=tuple(chords), sections=tuple(_merged(sections)))


def _same_part(source: Score, part: Part) -> tuple[Note, ...]:
    return next((p.notes for p in source.parts if (p.role, p.name) == (part.role, part.name)), ())


def _cut(notes: tuple[Note, ...], low: int, high: int, shift: int) -> list[Note]:
    return [
        replace(n, onset=n.onset + shift, duration=min(n.duration, high - n.onset))
        for n in notes
        if low <= n.onset < high
    ]


def _sections(source: Score, first: int, last: int, shift: int) -> list[Section]:
    found = []
    for section in source.sections:
        low, high = max(section.bar, first), min(section.bar + section.bars, last)
        if high > low:
            found.append(replace(section, bar=low + shift, bars=high - low))
    return found


def _merged(sections: list[Section]) -> list[Section]:
    """A stub of a bar or two belongs to its neighbour."""
    merged: list[Section] = []
    for section in sections:
        if merged and (section.bars < 4 and section.label == merged[-1].label):
            merged[-1] = replace(merged[-1], bars=merged[-1].bars + section.bars)
        else:
            merged.append(section)
    return merged


def with_bars(song: Song, bars: int) -> Song:
    """Exactly so many bars: the last section comes again, or the middle is left out; the ending stays."""
    score = song.score
    bars = min(max(bars, BAR_LIMITS[0]), BAR_LIMITS[1])
    if bars == score.bars:
        raise Inapplicable("edit-same-bars", bars=bars)
    tail = min(2, score.bars - 1)
    body = score.bars - tail
    if bars < score.bars:
        pieces = [(score, 0, bars - tail), (score, body, score.bars)]
    else:
        pieces = [(score, 0, body)]
        missing = bars - score.bars
        while missing > 0:
            step = min(missing, score.bars, 8 if missing > 8 else missing)
            start = max(0, body - step)
            pieces.append((score, start, start + min(step, body - start)))
            missing -= min(step, body - start)
        pieces.append((score, body, score.bars))
    return song.changed(joined(score, pieces), asked=song.brief.asked | {"bars"})


def with_section(song: Song, kind: str, compose: ComposeOne) -> Song:
    """A new section of eight bars (an intro goes first, an outro last), written for this song."""
    score = song.score
    bars = 4 if kind in ("intro", "outro", "build") else 8
    wish = replace(song.brief.ask, sections=(kind,), bars=bars, seconds=None, form=None)
    fresh = compose(replace(song.brief, ask=wish, bars=bars, form="sections", ending="fade"), song.seed)
    named = replace(fresh.sections[0], label=f"{kind[0].upper()}{len(score.sections)}", bars=bars)
    fresh = replace(fresh, sections=(named,), parts=_renamed(fresh, score))
    at = 0 if kind == "intro" else score.bars - 1 if kind == "outro" else score.sections[-1].bar or score.bars // 2
    pieces = [(score, 0, at), (fresh, 0, bars), (score, at, score.bars)]
    return song.changed(joined(score, [p for p in pieces if p[1] < p[2]]), asked=song.brief.asked | {"form"})


def _renamed(fresh: Score, score: Score) -> tuple[Part, ...]:
    """The fresh parts under the names that their roles have in the song."""
    names: dict[str, list[str]] = {}
    for part in score.parts:
        names.setdefault(part.role, []).append(part.name)
    return tuple(replace(p, name=names[p.role].pop(0)) if names.get(p.role) else p for p in fresh.parts)


def without_section(song: Song, kind: str) -> Song:
    score = song.score
    left = [section for section in score.sections if section.name != kind]
    if len(left) == len(score.sections):
        raise Inapplicable("edit-no-section")
    if not left:
        raise Inapplicable("edit-last-section")
    pieces = [(score, section.bar, section.bar + section.bars) for section in left]
    if score.sections[-1] not in left:  # the song's last bar is its ending, whatever section holds it
        last = pieces[-1]
        pieces[-1:] = [(score, last[1], last[2] - 1), (score, score.bars - 1, score.bars)]
    new = joined(score, pieces)
    # The ending that stayed belongs to the section before it now.
    sections = [replace(s, name=new.sections[i - 1].name) if s.name == kind else s for i, s in enumerate(new.sections)]
    return song.changed(replace(new, sections=tuple(sections)), asked=song.brief.asked | {"form"})


def in_meter(song: Song, meter: Meter) -> Song:
    """Every note kept; bar lines, sections and chords fall where the new bars let them."""
    score = song.score
    if meter == score.meter:
        raise Inapplicable("edit-same-meter", meter=meter.name)
    bars = -(-score.length // meter.bar)
    if bars > BAR_LIMITS[1]:
        raise Inapplicable("edit-too-long")
    starts = [min(bars - 1, round(section.bar * score.meter.bar / meter.bar)) for section in score.sections]
    sections = [
        replace(section, bar=start, bars=end - start)
        for section, start, end in zip(score.sections, starts, [*starts[1:], bars], strict=True)
        if end > start
    ]
    last = score.chords[-1]
    chords = (*score.chords[:-1], replace(last, duration=bars * meter.bar - last.onset))
    new = replace(score, meter=meter, bars=bars, sections=tuple(sections), chords=chords, pickup=0)
    return song.changed(new, asked=song.brief.asked | {"meter"})
