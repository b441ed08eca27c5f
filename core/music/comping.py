"""Comping: the chords' hand, in the style's figures, out of the melody's way and answering it."""

from __future__ import annotations

from dataclasses import replace

from core.music import pitch
from core.music.catalogue import Catalogue, Instrument
from core.music.chance import chance, generator
from core.music.figures import level_of, row_for, strokes
from core.music.meter import SIXTEENTH, beats
from core.music.plan import Plan
from core.music.score import ChordSpan, Note, chord_at, section_at, without_overlap
from core.music.voicing import HIGH, LOW, Voicing, voiced


def span_of(instrument: Instrument) -> tuple[int, int]:
    """Where chords lie on an instrument: the usual hand, moved into its range."""
    low = max(LOW, instrument.low)
    high = min(HIGH, instrument.high)
    if high - low < 14:
        low, high = max(instrument.low, high - 19), max(high, min(instrument.high, low + 19))
    return low, high


def voicings(
    plan: Plan, chords: tuple[ChordSpan, ...], catalogue: Catalogue, role: str = "chords"
) -> tuple[Voicing, ...]:
    name = next((p.instrument for p in plan.brief.parts if p.role == role), "piano")
    low, high = span_of(catalogue.instruments[name])
    return voiced(chords, plan.brief.has("bass"), low, high)


def comp(
    plan: Plan,
    chords: tuple[ChordSpan, ...],
    hand: tuple[Voicing, ...],
    melody: tuple[Note, ...],
    catalogue: Catalogue,
    figures: tuple[str, ...] | None = None,
) -> tuple[Note, ...]:
    """The chords part. Sections keep their figure when they return; energy decides how busy it is."""
    rng = generator(plan.seed, "comping", figures)
    choices = figures or plan.style.chords.figures
    by_label: dict[str, str] = {}
    m = plan.brief.meter
    notes: list[Note] = []
    singing = [(note.onset, note.end) for note in melody]
    for bar in range(plan.brief.bars):
        section = section_at(plan.sections, bar)
        if section.label not in by_label:
            unused = [f for f in choices if f not in by_label.values()]
            by_label[section.label] = rng.choice(unused or list(choices)) if by_label else choices[0]
        level = level_of(section.energy)
        if plan.brief.density:
            level = 0 if plan.brief.density == "sparse" else 2
        figure = by_label[section.label]
        if bar == plan.brief.bars - 1 and not plan.feel.fade:
            row = "x" + "-" * (m.bar // SIXTEENTH - 1)
        else:
            row = row_for(figure, level, catalogue.accompaniment.comping, catalogue.accompaniment.comping_in, m)
            if _rests(singing, bar * m.bar, m.bar) and level < 2 and chance(rng, 0.45):
                row = row_for(figure, level + 1, catalogue.accompaniment.comping, catalogue.accompaniment.comping_in, m)
        notes += _bar(row, bar * m.bar, m.bar, chords, hand, figure)
    return _spelled(without_overlap(tuple(notes)), chords)


def _rests(singing: list[tuple[int, int]], start: int, length: int) -> bool:
    """Whether the melody leaves at least three eighths of a bar to others."""
    sung = sum(max(0, min(end, start + length) - max(onset, start)) for onset, end in singing)
    return sung < length * 5 // 8


def _bar(
    row: str, start: int, bar: int, chords: tuple[ChordSpan, ...], hand: tuple[Voicing, ...], figure: str
) -> list[Note]:
    notes: list[Note] = []
    places = {span.onset: i for i, span in enumerate(chords)}
    for step, held, sign in strokes(row):
        onset = start + step * SIXTEENTH
        end = min(onset + held * SIXTEENTH, start + bar)
        while onset < end:  # a stroke held over a change of chord is struck again
            span = chord_at(chords, onset)
            stop = min(end, span.end)
            voicing = hand[places[span.onset]]
            notes += [Note(onset, stop - onset, midi) for midi in _picked(voicing, sign, figure, span)]
            if stop <= onset:
                break
            onset = stop
            if sign.isdigit():
                break
    if not strokes(row) or strokes(row)[0][0] > 0:
        return notes
    return notes


def _picked(voicing: Voicing, sign: str, figure: str, span: ChordSpan) -> tuple[int, ...]:
    if figure in ("power", "riff") and span.chord.triad in ("maj", "min", "5"):
        root = pitch.nearest(pitch.pitch_class(span.chord.root), 48)
        return (root, root + 7, root + 12)
    if sign == "l":
        return voicing[:1]
    if sign == "h":
        return voicing[1:]
    if sign.isdigit():
        turn, place = divmod(int(sign), len(voicing))
        return (voicing[place] + (12 if turn and voicing[place] + 12 <= HIGH + 6 else 0),)
    return voicing


def _spelled(notes: tuple[Note, ...], chords: tuple[ChordSpan, ...]) -> tuple[Note, ...]:
    result = []
    for note in notes:
        chord = chord_at(chords, note.onset).chord
        tpc = next((t for t in (*chord.tones, chord.root + 1) if pitch.pitch_class(t) == note.pitch % 12), chord.root)
        result.append(replace(note, tpc=tpc))
    return tuple(result)


def thinned(notes: tuple[Note, ...], plan: Plan) -> tuple[Note, ...]:
    """Only the strokes on beats: a calmer hand."""
    heads = {onset for onset, _ in beats(plan.brief.meter)}
    return tuple(note for note in notes if note.onset % plan.brief.meter.bar in heads)
