"""Melody: themes grown from a motif, and sections that bring them back changed."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.music import pitch
from core.music.catalogue import Catalogue, Instrument, Statistics
from core.music.chance import chance, generator
from core.music.habits import Habits, habits, mended
from core.music.meter import QUARTER, Meter, beats, strong, weight
from core.music.phrase import BarIdea, ideas
from core.music.plan import Plan
from core.music.rhythm import Pattern, Taste, draw, vocabulary
from core.music.sampling import FORBIDDEN, UNIT, Line, Scores, sample
from core.music.score import ChordSpan, Note, Section, chord_at

# Degrees (semitones above the tonic) where phrases rest, with what they gain: counted from lead sheets.
_HALF_REST = {7: 40, 2: 38, 4: 30, 3: 30, 11: 8, 9: 0}
_CLOSE_REST = {0: 110, 4: 34, 3: 34, 7: 22}
_REST_ELSEWHERE = -70


@dataclass(frozen=True, slots=True)
class Slot:
    """A note that has a place and no pitch yet. `bar`: in the section; `place`: in its bar."""

    onset: int
    duration: int
    bar: int
    place: int


@dataclass
class Singer:
    """One melody instrument with the candidates it can sing, and the fixed scores of moving about them."""

    plan: Plan
    habits: Habits
    statistics: Statistics
    low: int
    high: int

    @cached_property
    def pitches(self) -> list[int]:
        return list(range(self.low, self.high + 1))

    @cached_property
    def scale(self) -> frozenset[int]:
        return self.plan.brief.key.pitch_classes

    @cached_property
    def pair(self) -> Scores:
        counts = self.statistics.intervals[self.plan.style.melody.reference]
        total = sum(counts.values())
        h = self.habits

        def score(interval: int) -> int:
            share = (counts.get(interval, 0) + counts.get(-interval, 0) + 8) / (2 * total)
            size = abs(interval)
            bonus = h.unison if size == 0 else h.step if size <= 2 else h.third if size <= 4 else h.leap
            if size == 6:
                bonus -= 96
            if size > 12:
                bonus -= 700
            elif size >= 8:
                bonus += h.far
            return round(math.log(share) * UNIT) + bonus + 2 * UNIT

        return np.array([[score(b - a) for b in self.pitches] for a in self.pitches], dtype=np.int64)

    @cached_property
    def triple(self) -> Scores:
        def score(first: int, second: int) -> int:
            """A leap turns back by step; two leaps the same way, and swinging to and fro, are rare."""
            if abs(first) >= 5:
                if first * second < 0:
                    return 52 if abs(second) <= 4 else 6
                return -90 if abs(second) >= 3 else -30
            if abs(first) >= 3 and first * second > 0 and abs(second) >= 3:
                return -36  # a chord outlined by thirds
            if first == -second and first != 0:
                return -34
            if first == 0 and second == 0:
                return -46
            return 0

        steps = [[b - a for b in self.pitches] for a in self.pitches]
        size = range(len(self.pitches))
        return np.array([[[score(steps[p][q], steps[q][r]) for r in size] for q in size] for p in size], dtype=np.int64)

    def index(self, midi: int) -> int:
        return min(max(midi, self.low), self.high) - self.low


def register(instrument: Instrument, plan: Plan, chords_top: int = 64) -> tuple[int, int]:
    """Lowest and highest note of a melody: about an octave and a half where the instrument sounds best."""
    mood = 0
    centre = min(max(73 + mood, instrument.usual_low + 8), instrument.usual_high - 8)
    low = max(instrument.usual_low, centre - 10)
    high = min(instrument.usual_high, low + 21)
    return max(instrument.low, min(low, high - 12)), high


def compose(
    plan: Plan,
    chords: tuple[ChordSpan, ...],
    catalogue: Catalogue,
    attempt: int = 0,
    remarks: tuple[tuple[str, str], ...] = (),
) -> tuple[Note, ...]:
    """The melody of the whole song.

    `attempt` counts the times it was sent back, `remarks` says with what: (metric, `below` or `above`).
    """
    instrument = catalogue.instruments[plan.brief.instrument("melody")]
    low, high = register(instrument, plan)
    drawn = mended(habits(replace(plan, seed=plan.seed + 7919 * attempt)), remarks)
    singer = Singer(plan, drawn, catalogue.statistics, low, high)
    themes: dict[str, Theme] = {}
    notes: list[Note] = []
    returns: dict[str, int] = {}
    for place, section in enumerate(plan.sections):
        rng = generator(plan.seed, "melody", attempt, place)
        last = place == len(plan.sections) - 1
        if section.label not in themes:
            themes[section.label] = _theme(section, singer, rng, themes)
        count = returns[section.label] = returns.get(section.label, -1) + 1
        notes += _sung(themes[section.label], section, count, last, singer, chords, notes, rng)
    return _finished(notes, plan, chords, singer)


@dataclass
class Theme:
    """A label's material: its plan of bars, a rhythm for each letter, and the notes once they are sung."""

    ideas: tuple[BarIdea, ...]
    rhythms: dict[str, Pattern]
    bars: dict[int, list[tuple[int, int, int]]]  # bar -> (onset in the bar, duration, pitch) as first sung
    lift: int


def _theme(section: Section, singer: Singer, rng: random.Random, earlier: dict[str, Theme]) -> Theme:
    plan = ideas(section.bars, rng)
    kin = next(iter(earlier.values()), None) if section.name in ("intro", "outro", "bridge", "build") else None
    lift = singer.habits.lift if section.name in ("chorus", "drop") else -1 if section.name in ("intro", "outro") else 0
    return Theme(plan, _rhythms(plan, section, singer, rng, kin), {}, lift)


def _rhythms(
    plan: tuple[BarIdea, ...], section: Section, singer: Singer, rng: random.Random, kin: Theme | None
) -> dict[str, Pattern]:
    """A pattern for each letter: the motif's from the middle of the taste, cadences short, fragments livelier."""
    m = singer.plan.brief.meter
    style = singer.plan.style.melody
    table = vocabulary(m, style.reference, singer.statistics)
    beat_count = m.bar / QUARTER * (0.9 if m.denominator == 8 else 1)
    density = style.density * singer.habits.density * (0.8 + 0.4 * section.energy)
    tempo = singer.plan.brief.tempo
    slowed = min(1.25, max(0.95 if singer.plan.brief.density == "dense" else 0.6, (110 / tempo) ** 0.5))
    notes = beat_count * density * 2 * slowed
    grid = (
        QUARTER // 2
        if (tempo > 104 and style.reference != "folk")
        or (singer.plan.feel.swing > 0.57 and singer.plan.feel.swing_unit > QUARTER // 4)
        else QUARTER // 4
    )
    found: dict[str, Pattern] = {}
    used: set[Pattern] = set()
    for idea in plan:
        if idea.rhythm in found:
            continue
        wanted = notes * (0.55 if idea.relation in ("close", "half") else rng.choice((0.85, 1.0, 1.0, 1.2)))
        syncopation = style.syncopation * singer.habits.syncopation
        taste = Taste(max(1.0, wanted), min(1.0, syncopation) * (0.3 if idea.relation == "close" else 0.8), grid)
        if idea.rhythm == "a" and kin and chance(rng, 0.5):
            found["a"] = kin.rhythms.get("b", kin.rhythms["a"])  # a part of the theme, not a new one
            continue
        if singer.habits.plain and m.denominator <= 4 and idea.rhythm in "abhk":
            taste = replace(taste, grid=QUARTER, notes=min(taste.notes, beat_count))
        again = used and idea.relation == "new" and not chance(rng, singer.habits.variety)
        pattern = rng.choice(sorted(used)) if again else draw(table, m, taste, rng, frozenset(used))
        if idea.relation in ("close", "half"):
            pattern = _resting(pattern, m, 4 if style.rests >= 0.2 else 5)
        found[idea.rhythm] = pattern
        used.add(pattern)
    return found


def _resting(pattern: Pattern, m: Meter, eighths: int) -> Pattern:
    """A phrase's end: notes begin in the first `eighths` of the bar alone, the rest is free to breathe in."""
    limit = beats(m)[max(1, len(beats(m)) * eighths // 8) - 1][0] if len(beats(m)) > 1 else m.bar // 2
    kept = tuple(onset for onset in pattern if onset <= limit)
    return kept or (0,)


def _sung(
    theme: Theme,
    section: Section,
    returns: int,
    last: bool,
    singer: Singer,
    chords: tuple[ChordSpan, ...],
    before: list[Note],
    rng: random.Random,
) -> list[Note]:
    """One section, sung bar pair by bar pair, so that an answer knows what it answers."""
    plan = theme.ideas if len(theme.ideas) == section.bars else ideas(section.bars, rng)
    kept = _kept_bars(plan, returns, rng) if theme.bars else frozenset()
    if singer.plan.varied and theme.bars:
        kept = frozenset(bar for bar in kept if chance(rng, 0.5))
    start = section.bar * singer.plan.brief.meter.bar
    slots = _slots(plan, theme, section, last, kept, singer, rng)
    sung: dict[int, list[Note]] = {}
    context = [singer.index(note.pitch) for note in before[-2:]]
    for first in range(0, section.bars, 2):
        pair = [slot for slot in slots if first <= slot.bar < first + 2]
        known = {bar: [n.pitch for n in notes] for bar, notes in sung.items()}
        line = _line(pair, plan, theme, known, kept, section, last, start, singer, chords, returns)
        two = (context[-2] if len(context) > 1 else None, context[-1] if context else None)
        indices = sample(line, two, rng)
        context = (context + indices)[-2:]
        for slot, index in zip(pair, indices, strict=True):
            sung.setdefault(slot.bar, []).append(Note(start + slot.onset, slot.duration, singer.pitches[index]))
    if not theme.bars:
        bar = singer.plan.brief.meter.bar
        theme.bars.update(
            {b: [(n.onset - start - b * bar, n.duration, n.pitch) for n in notes] for b, notes in sung.items()}
        )
    return [note for bar_notes in sung.values() for note in bar_notes]


def _kept_bars(plan: tuple[BarIdea, ...], returns: int, rng: random.Random) -> frozenset[int]:
    """Bars that a return sings as they were: most of them, never all, and fewer each time."""
    share = max(0.35, 0.68 - 0.08 * returns)
    kept = [bar for bar in range(len(plan)) if chance(rng, share)]
    most = max(1, len(plan) * 6 // 8)
    while len(kept) > most:
        kept.pop(rng.randrange(len(kept)))
    return frozenset(kept)


def _slots(
    plan: tuple[BarIdea, ...],
    theme: Theme,
    section: Section,
    last: bool,
    kept: frozenset[int],
    singer: Singer,
    rng: random.Random,
) -> list[Slot]:
    """Where notes stand and how long they last; a breath at each phrase's end."""
    m = singer.plan.brief.meter
    onsets: list[tuple[int, int, int]] = []
    rests: set[int] = set()
    for bar, idea in enumerate(plan):
        if bar in kept and bar in theme.bars:
            onsets += [(bar * m.bar + onset, bar, i) for i, (onset, _, _) in enumerate(theme.bars[bar])]
            continue
        pattern = theme.rhythms.get(idea.rhythm) or next(iter(theme.rhythms.values()))
        if last and bar == section.bars - 1:
            pattern = (0,)
        elif theme.bars and singer.plan.varied:
            pattern = _ornamented(_ornamented(pattern, m, rng), m, rng)
        elif theme.bars and idea.relation == "new" and chance(rng, singer.habits.ornaments):
            pattern = _ornamented(pattern, m, rng)
        onsets += [(bar * m.bar + onset, bar, i) for i, onset in enumerate(pattern)]
        if idea.relation in ("half", "close") or (bar % 2 and chance(rng, min(0.9, _rests(singer) * 2.2))):
            rests.add(bar)
    ends = [onset for onset, _, _ in onsets[1:]] + [section.bars * m.bar]
    slots = []
    for (onset, bar, place), end in zip(onsets, ends, strict=True):
        duration = end - onset
        final = last and end == section.bars * m.bar
        if not final:
            duration = _breathing(onset, duration, m, bar in rests, singer, rng)
        slots.append(Slot(onset, duration, bar, place))
    return slots


def _rests(singer: Singer) -> float:
    return singer.plan.style.melody.rests * singer.habits.rests


def _breathing(onset: int, duration: int, m: Meter, resting: bool, singer: Singer, rng: random.Random) -> int:
    """A long note gives its last part to a rest where the phrase breathes, or where it would drag."""
    beat = beats(m)[0][1]
    if resting and duration > beat:
        share = 3 if singer.plan.style.melody.rests >= 0.2 else 5
        return max(beat, (duration * share // 8) // (beat // 2) * (beat // 2))
    if duration > m.bar:
        return max(m.bar // 2, duration - beat)
    if duration >= 2 * beat and chance(rng, min(0.9, 1.5 * _rests(singer))):
        return duration - beat
    return duration


def _ornamented(pattern: Pattern, m: Meter, rng: random.Random) -> Pattern:
    """A returning bar with one note more or one fewer."""
    halves = [(a + b) // 2 for a, b in zip(pattern, (*pattern[1:], m.bar), strict=True) if (b - a) % QUARTER == 0]
    if halves and chance(rng, 0.6):
        return tuple(sorted({*pattern, rng.choice(halves)}))
    inner = [o for o in pattern[1:] if weight(m, o) < 2]
    return tuple(o for o in pattern if o != rng.choice(inner)) if inner else pattern


def _line(
    slots: list[Slot],
    plan: tuple[BarIdea, ...],
    theme: Theme,
    known: dict[int, list[int]],
    kept: frozenset[int],
    section: Section,
    last: bool,
    start: int,
    singer: Singer,
    chords: tuple[ChordSpan, ...],
    returns: int,
) -> Line:
    rows: list[Scores] = []
    steps: dict[int, Scores] = {}
    for k, slot in enumerate(slots):
        idea = plan[slot.bar]
        span = chord_at(chords, start + slot.onset)
        row = harmonic(slot, span, singer) + _contour(slot, theme, section, singer, returns)
        said_twice = idea.like == slot.bar - 1  # at once, over whatever chord comes
        exact = idea.relation == "same" and (said_twice or _same_chords(slot.bar, idea.like, start, singer, chords))
        row = row + _motif(slot, idea, theme, known, kept, singer) * (6 if exact else 1)
        following = slots[k + 1] if k + 1 < len(slots) else None
        ends = following is None or following.bar != slot.bar
        if ends and idea.relation in ("half", "close"):
            row = row + _cadential(idea, span, last and slot.bar == section.bars - 1, singer)
        rows.append(row)
    size = len(singer.pitches)
    single = np.array(rows, dtype=np.int64).reshape(len(slots), size)
    return Line(single, singer.pair, singer.triple, steps)


def _same_chords(bar: int, other: int, start: int, singer: Singer, chords: tuple[ChordSpan, ...]) -> bool:
    """Whether two bars of a section stand over the same harmony: then "the same" can be the very same."""
    length = singer.plan.brief.meter.bar
    places = (0, length // 2)
    return all(
        chord_at(chords, start + bar * length + p).chord == chord_at(chords, start + other * length + p).chord
        for p in places
    )


def harmonic(slot: Slot, span: ChordSpan, singer: Singer) -> Scores:
    """What each pitch gains against the chord; what is neither scale nor chord is out."""
    m, h = singer.plan.brief.meter, singer.habits
    tones = frozenset(span.chord.pitch_classes)
    foreign = tones - singer.scale
    held = slot.duration / QUARTER
    on_strong = strong(m, slot.onset) or (weight(m, slot.onset) == 2 and slot.duration >= QUARTER)
    gain = (h.chord_strong if on_strong else h.chord_weak) + round(h.chord_long * min(3.0, held))
    few = len(singer.scale) < 7  # a five-note scale is the tune's own colour: chords may rub against it
    own = singer.plan.brief.key.info.characteristic
    own_class = None if own is None else pitch.pitch_class(singer.plan.brief.key.scale[own])
    rootless = pitch.pitch_class(span.chord.root) if len(span.chord.tones) > 4 else None  # the hand leaves it out
    row = []
    for midi in singer.pitches:
        pc = midi % 12
        if pc == rootless:
            score = gain // 2
        elif pc in tones:
            score = gain + (gain if few else 0) - ((190 if few else 30) if pc in foreign else 0)
        elif pc not in singer.scale or (not few and any((pc - f) % 12 in (1, 11) for f in foreign)):
            score = FORBIDDEN
        else:
            clash = any((pc - t) % 12 == 1 for t in tones)
            score = -96 if clash and (on_strong or held >= 1) else 0
        if pc == own_class and score > FORBIDDEN // 2:
            score += 22
        row.append(score)
    return np.array(row, dtype=np.int64)


def _contour(slot: Slot, theme: Theme, section: Section, singer: Singer, returns: int) -> Scores:
    """An arch over the section with one climax about two thirds in; a chorus and a last return lie higher."""
    h = singer.habits
    span = singer.high - singer.low
    base = singer.low + span * 0.36 + theme.lift + min(2, returns)
    place = (slot.bar + 0.5) / section.bars
    peak = 0.66
    arch = math.sin(math.pi / 2 * min(1.0, place / peak)) if place < peak else 1 - (place - peak) / (1 - peak) * 0.8
    target = min(base + h.rise * (arch - 0.35), singer.high - 3)
    spread = h.spread
    return np.array([round(-UNIT * ((midi - target) / spread) ** 2 / 2) for midi in singer.pitches], dtype=np.int64)


def _motif(
    slot: Slot, idea: BarIdea, theme: Theme, known: dict[int, list[int]], kept: frozenset[int], singer: Singer
) -> Scores:
    """Pulls a bar towards the one it answers: as it was, moved along the scale, or upside down."""
    size = len(singer.pitches)
    h = singer.habits
    if slot.bar in kept and slot.place < len(theme.bars.get(slot.bar, ())):
        goal = theme.bars[slot.bar][slot.place][2]
        return np.array([0 if midi == goal else -600 for midi in singer.pitches], dtype=np.int64)
    if singer.plan.varied and slot.bar in theme.bars:
        goal = _under(theme.bars[slot.bar], slot.onset % singer.plan.brief.meter.bar)
        return np.array([-h.motif * min(5, abs(midi - goal)) for midi in singer.pitches], dtype=np.int64)
    model = known.get(idea.like) or [p for _, _, p in theme.bars.get(slot.bar, ())]
    if not model or slot.place >= len(model):
        return np.zeros(size, dtype=np.int64)
    goal = model[slot.place]
    strength = h.motif
    if idea.like in known:
        if idea.relation == "sequence":
            goal = along_scale(goal, singer.habits.sequence, singer)
        elif idea.relation == "inverse":
            goal = along_scale(model[0], -_scale_distance(model[0], goal, singer), singer)
    else:
        strength = strength // 3
    return np.array([-strength * min(5, abs(midi - goal)) for midi in singer.pitches], dtype=np.int64)


def _under(bar: list[tuple[int, int, int]], onset: int) -> int:
    """The theme's note at or before a place in its bar: what a variation plays about."""
    return next((midi for start, _, midi in reversed(bar) if start <= onset), bar[0][2])


def _ladder(singer: Singer) -> list[int]:
    return [midi for midi in range(singer.low - 14, singer.high + 15) if midi % 12 in singer.scale]


def along_scale(midi: int, steps: int, singer: Singer) -> int:
    ladder = _ladder(singer)
    return ladder[min(max(_rung(midi, ladder) + steps, 0), len(ladder) - 1)]


def _scale_distance(a: int, b: int, singer: Singer) -> int:
    ladder = _ladder(singer)
    return _rung(b, ladder) - _rung(a, ladder)


def _rung(midi: int, ladder: list[int]) -> int:
    """The place on the ladder nearest to a pitch."""
    return min(range(len(ladder)), key=lambda i: abs(ladder[i] - midi))


def _cadential(idea: BarIdea, span: ChordSpan, final: bool, singer: Singer) -> Scores:
    tonic = pitch.pitch_class(singer.plan.brief.key.tonic)
    if final:
        root = pitch.pitch_class(span.chord.root)
        tones = span.chord.pitch_classes[:3]
        third_or_fifth = dict.fromkeys(tones, 0)
        gains = {**third_or_fifth, root: 120}
        return np.array([gains.get(m % 12, FORBIDDEN) for m in singer.pitches], dtype=np.int64)
    table = _HALF_REST if idea.relation == "half" else _CLOSE_REST
    return np.array([table.get((m - tonic) % 12, _REST_ELSEWHERE) for m in singer.pitches], dtype=np.int64)


def _finished(notes: list[Note], plan: Plan, chords: tuple[ChordSpan, ...], singer: Singer) -> tuple[Note, ...]:
    """Spelled, in order, none longer than to the next."""
    ordered = _coloured(sorted(notes), plan, singer)
    result = []
    for note, following in zip(ordered, [*ordered[1:], None], strict=True):
        duration = note.duration if following is None else min(note.duration, following.onset - note.onset)
        chord = chord_at(chords, note.onset).chord
        result.append(replace(note, duration=duration, tpc=spelled(note.pitch, chord.tones, plan)))
    return tuple(note for note in result if note.duration > 0)


def _coloured(notes: list[Note], plan: Plan, singer: Singer) -> list[Note]:
    """Now and then a weak note becomes a semitone's approach to the next: what a scale alone never sings."""
    rng = generator(plan.seed, "chromatic")
    result = []
    for note, following in zip(notes, [*notes[1:], None], strict=True):
        weak = weight(plan.brief.meter, note.onset) < 2 and note.duration <= QUARTER
        if following and weak and following.onset == note.end and chance(rng, singer.habits.chromatic):
            side = 1 if note.pitch > following.pitch else -1
            if singer.low <= following.pitch + side <= singer.high:
                note = replace(note, pitch=following.pitch + side)
        result.append(note)
    return result


def spelled(midi: int, tones: tuple[int, ...], plan: Plan) -> int:
    """A pitch's spelling: the chord's own where it is a chord tone, else the key's."""
    for tpc in tones:
        if pitch.pitch_class(tpc) == midi % 12:
            return tpc
    return plan.brief.key.spell(midi % 12)
