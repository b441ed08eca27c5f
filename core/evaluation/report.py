"""The report of an evaluation: each figure beside its bar or its reference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import mean

from core.evaluation.controls import CONTROLS, shuffled
from core.evaluation.known import hashes
from core.evaluation.musicianship import figures, fills, leading
from core.evaluation.suite import Outcome
from core.music.scorecard import BANDS, Tune, measure, similarity

# What real songs show, where it is known: pop (POP909), folk (Nottingham), standards (OpenEWLD).
_REFERENCES = {
    "V-I ending": "pop .24, folk .73", "chords a bar": "pop 1.6", "sevenths": "pop .09, standards .49",
    "rests": "pop .30", "sequences": ".03-.11", "last fuller": "1", "register leap": "<= 7", "answers": "-",
    "eights": "not all",
}  # fmt: skip
_FORM, _RETURN = 1.3, 0.22


def has_form(tune: Tune) -> bool:
    """Bars return after 4, 8, 16, 24 or 32 bars at least 1.3 times as often as after one, and not by chance.

    Real songs reach .22 to .33 at their best lag; bars in any order about .1.
    """
    far = max((similarity(tune, lag) for lag in (4, 8, 16, 24, 32) if lag < tune.bars), default=0.0)
    return far >= _FORM * similarity(tune, 1) and far >= _RETURN


def lines(outcomes: Sequence[Outcome], known: frozenset[int], reference: Mapping[str, Sequence[float]]) -> list[str]:
    table = [o for o in outcomes if o.card and o.tune]
    return [
        *_adherence(outcomes),
        *_table(table),
        *_controls(table),
        *_variety(table),
        *_hands(outcomes),
        *_widths(table, reference),
        *_strangers(outcomes, known),
        *_beyond(table),
    ]


def _adherence(outcomes: Sequence[Outcome]) -> list[str]:
    kinds: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        kinds.setdefault(outcome.kind, []).append(outcome)
    found = [f"Adherence, {len(outcomes)} songs (one candidate each), read from exported files:"]
    for kind, rows in kinds.items():
        kept = sum(not row.violations for row in rows)
        found.append(f"  {kind:14} {kept} of {len(rows)}")
        found += [f"    {row.text} (seed {row.seed}): {'; '.join(row.violations)}" for row in rows if row.violations]
    return found


def _share(rows: Iterable[bool]) -> float:
    kept = list(rows)
    return sum(kept) / max(1, len(kept))


def _table(table: Sequence[Outcome]) -> list[str]:
    cards = [o.card for o in table if o.card]
    outside = Counter(name for card in cards for name in card.outside).most_common(6)
    return [
        f"Full-band pieces of 16 bars and more: {len(cards)}",
        f"  mean in band      {mean(c.in_band for c in cards):.3f}  (bar .95)",
        f"  band and gates    {_share(c.passed for c in cards):.3f}  (bar .93; real music .69-.81)",
        f"  form              {_share(has_form(o.tune) for o in table if o.tune):.3f}  (bar .90)",
        f"  most often out    {', '.join(f'{name} {count}' for name, count in outside)}",
    ]


def _controls(table: Sequence[Outcome]) -> list[str]:
    found = ["Controls that pass band and gates (bar .05; shuffled bars: band, gates and form):"]
    for name, control in CONTROLS.items():
        passed = [measure(control(o.tune, random.Random(o.seed))).passed for o in table if o.tune]
        found.append(f"  {name:14} {_share(passed):.3f}")
    mixed = [shuffled(o.tune, random.Random(o.seed)) for o in table if o.tune]
    both = [measure(tune).passed and has_form(tune) for tune in mixed]
    found.append(f"  shuffled bars  {_share(measure(t).passed for t in mixed):.3f}, with form {_share(both):.3f}")
    return found


def _variety(table: Sequence[Outcome]) -> list[str]:
    first = [o for o in table if o.seed == table[0].seed][:50]
    loops = {tuple((s.chord.root - o.score.key.tonic, s.chord.triad) for s in o.score.chords[:4]) for o in first}
    motifs = {tuple((round(n[0], 2), n[2] - o.tune.notes[0][2]) for n in o.tune.notes[:6]) for o in first if o.tune}
    return [f"In the first {len(first)}: {len(loops)} four-chord loops (bar 30), {len(motifs)} opening motifs (bar 40)"]


def _hands(outcomes: Sequence[Outcome]) -> list[str]:
    led = [leading(o.score) for o in outcomes if o.score.part("chords")]
    filled = [fills(o.score) for o in outcomes if o.score.part("drums")]
    moved = mean(row[0] for row in led)
    parallel = sum(row[1] for row in led) / sum(row[2] for row in led)
    before = sum(row[0] for row in filled) / max(1, sum(row[1] for row in filled))
    return [
        f"Upper voices move {moved:.2f} semitones a change (bar 2.2); parallels {parallel:.3f} (bar .02)",
        f"Sections that a fill leads into: {before:.3f}",
    ]


def _widths(table: Sequence[Outcome], reference: Mapping[str, Sequence[float]]) -> list[str]:
    narrow = []
    for name in BANDS:
        values = sorted(o.card.values[name] for o in table if o.card)
        width = values[int(0.9 * (len(values) - 1))] - values[int(0.1 * (len(values) - 1))]
        real = reference[name][2] - reference[name][0]
        if real > 0 and width < 0.5 * real:
            narrow.append(f"{name} {width / real:.2f}")
    return [f"Metrics narrower (p10-p90) than half of the lead sheets' width: {', '.join(narrow) or 'none'}"]


def _strangers(outcomes: Sequence[Outcome], known: frozenset[int]) -> list[str]:
    same = 0
    for outcome in outcomes:
        part = outcome.score.part("melody")
        notes = [(n.pitch, Fraction(n.duration, 5040)) for n in part.notes] if part else []
        same += any(h in known for h in hashes(notes))
    return [f"Songs with 16 (interval, duration) pairs of a known tune: {same} of {len(outcomes)}"]


def _beyond(table: Sequence[Outcome]) -> list[str]:
    genres: dict[str, list[dict[str, float]]] = {}
    for outcome in table:
        if outcome.tune:
            genres.setdefault(outcome.score.genre, []).append(figures(outcome.score, outcome.tune))
    names = list(_REFERENCES)
    found = ["Beyond the table, by genre (means):", f"  {'':18}" + "".join(f"{name[:12]:>13}" for name in names)]
    for genre, rows in sorted(genres.items()):
        found.append(f"  {genre:18}" + "".join(f"{mean(row[name] for row in rows):13.2f}" for name in names))
    every = [row for rows in genres.values() for row in rows]
    found.append(f"  {'all':18}" + "".join(f"{mean(row[name] for row in every):13.2f}" for name in names))
    found.append("  reference: " + "; ".join(f"{name} {value}" for name, value in _REFERENCES.items()))
    return found
