"""What differs between two versions of a song, for the card: what changed, where, and what was kept."""

from __future__ import annotations

from core.brief.brief import Remark, remark
from core.music.score import Note, Part, Score


def difference(old: Score, new: Score) -> tuple[Remark, ...]:
    """Sentences about what is heard: facts, players, then bars. Empty where nothing differs."""
    told = [*_facts(old, new), *_players(old, new)]
    moved = old.key != new.key or old.meter != new.meter or old.bars != new.bars
    if not moved:
        told += [*_chords(old, new), *_bars(old, new)]
    return tuple(told)


def _facts(old: Score, new: Score) -> list[Remark]:
    told = []
    if old.tempo != new.tempo:
        told.append(remark("diff-tempo", before=f"{old.tempo:g}", after=f"{new.tempo:g}"))
    if old.key != new.key:
        told.append(remark("diff-key", before=old.key.name, after=new.key.name))
    if old.meter != new.meter:
        told.append(remark("diff-meter", before=old.meter.name, after=new.meter.name))
    if old.bars != new.bars:
        told.append(remark("diff-bars", before=old.bars, after=new.bars))
    if old.feel != new.feel or old.effects != new.effects:
        told.append(remark("diff-feel"))
    if old.title != new.title:
        told.append(remark("diff-title", after=new.title))
    return told


def _chords(old: Score, new: Score) -> list[Remark]:
    """How the chart begins now, where it is another one."""
    if [(s.onset, s.chord) for s in old.chords] == [(s.onset, s.chord) for s in new.chords]:
        return []
    before, after = (" – ".join(span.chord.pretty for span in score.chords[:4]) or "–" for score in (old, new))
    return [remark("diff-chords", before=before, after=after)]


def _by_name(score: Score) -> dict[str, Part]:
    return {part.name: part for part in score.sounding}


def _players(old: Score, new: Score) -> list[Remark]:
    before, after = _by_name(old), _by_name(new)
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    told = []
    if gone and len(gone) == len(come) and [before[n].role for n in gone] == [after[n].role for n in come]:
        told.append(remark("diff-instrument", before=", ".join(gone), after=", ".join(come)))
    else:
        told += [remark("diff-removed", parts=", ".join(gone))] if gone else []
        told += [remark("diff-added", parts=", ".join(come))] if come else []
    for name in after:
        if name in before and after[name].gain != before[name].gain:
            told.append(remark("diff-louder" if after[name].gain > before[name].gain else "diff-softer", part=name))
    return told


def _bars(old: Score, new: Score) -> list[Remark]:
    """Which bars of which parts changed, and which parts did not."""
    before, after = _by_name(old), _by_name(new)
    both = [name for name in after if name in before]
    changed = {
        name: bars for name in both if (bars := changed_bars(before[name].notes, after[name].notes, new.meter.bar))
    }
    if not changed:
        return []
    told = [remark("diff-changed", part=name, bars=ranges(bars)) for name, bars in changed.items()]
    kept = [name for name in both if name not in changed]
    return [*told, remark("diff-kept", parts=", ".join(kept))] if kept else told


def changed_bars(old: tuple[Note, ...], new: tuple[Note, ...], bar: int) -> list[int]:
    """Bars (from 1) in which a note begins that the other version lacks."""
    return sorted({note.onset // bar + 1 for note in {*old} ^ {*new}})


def ranges(bars: list[int]) -> str:
    """`5–8, 12`."""
    runs: list[list[int]] = []
    for bar in bars:
        if runs and bar == runs[-1][-1] + 1:
            runs[-1].append(bar)
        else:
            runs.append([bar])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
