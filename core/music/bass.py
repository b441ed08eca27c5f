"""Bass: roots on the changes, approach notes into them, in the style's figures, locked to the kick."""

from __future__ import annotations

import random

from core.music import pitch
from core.music.catalogue import Catalogue, Instrument
from core.music.chance import chance, generator
from core.music.chords import Chord
from core.music.figures import level_of, row_for, strokes
from core.music.grooves import kick_row
from core.music.melody import spelled
from core.music.meter import SIXTEENTH
from core.music.plan import Plan
from core.music.score import ChordSpan, Note, Section, chord_at, section_at, without_overlap

LOW, HIGH = 28, 50


def bass_line(
    plan: Plan, chords: tuple[ChordSpan, ...], catalogue: Catalogue, melody: tuple[Note, ...] = ()
) -> tuple[Note, ...]:
    """The bass part. It holds its last note; where the melody rests it may walk into the next bar."""
    instrument = catalogue.instruments[plan.brief.instrument("bass")]
    rng = generator(plan.seed, "bass")
    player = _Player(plan, chords, _range(instrument), rng)
    by_label: dict[str, str] = {}
    figures = plan.style.bass.figures
    bar = plan.brief.meter.bar
    for number in range(plan.brief.bars):
        section = section_at(plan.sections, number)
        if section.label not in by_label:
            by_label[section.label] = figures[0] if not by_label or len(figures) == 1 else rng.choice(figures)
        if number == plan.brief.bars - 1 and not plan.feel.fade:
            row = "r" + "-" * (bar // SIXTEENTH - 1)
        else:
            row = _row(by_label[section.label], section, plan, catalogue)
        player.play(row, number * bar)
    return without_overlap(tuple(player.notes))


def _range(instrument: Instrument) -> tuple[int, int]:
    """Two octaves from the bottom of the bass register, as far as the instrument goes."""
    low = max(LOW, instrument.usual_low)
    return low, max(min(HIGH, instrument.usual_high), low + 14)


def _row(figure: str, section: Section, plan: Plan, catalogue: Catalogue) -> str:
    level = level_of(section.energy)
    if plan.brief.density:
        level = 0 if plan.brief.density == "sparse" else 2
    table = catalogue.accompaniment
    row = row_for(figure, level, table.bass, table.bass_in, plan.brief.meter)
    if "k" not in row:
        return row
    kick = kick_row(plan, catalogue, level)
    locked = "".join(("r" if hit else "-") if sign == "k" else sign for sign, hit in zip(row, kick, strict=True))
    return locked if locked[0] != "-" else "r" + locked[1:]


class _Player:
    """Keeps where the hand is while the bars go by."""

    def __init__(self, plan: Plan, chords: tuple[ChordSpan, ...], span: tuple[int, int], rng: random.Random) -> None:
        self.plan, self.chords, self.rng = plan, chords, rng
        self.low, self.high = span
        self.notes: list[Note] = []
        self.at = self.low + 8

    def play(self, row: str, start: int) -> None:
        for step, held, sign in self._with_changes(row, start):
            onset = start + step * SIXTEENTH
            span = chord_at(self.chords, onset)
            following = chord_at(self.chords, min(span.end, self.plan.end - 1)).chord
            midi = self._pitch(sign, span, following, onset, held * SIXTEENTH)
            chord = span.chord
            tpc = spelled(midi, (*chord.tones, chord.bass_tone), self.plan)
            self.notes.append(Note(onset, held * SIXTEENTH, midi, tpc, -1 if sign in "aw" else 0))
            self.at = midi

    def _with_changes(self, row: str, start: int) -> list[tuple[int, int, str]]:
        """Strokes, with a root wherever the chord changes inside the bar."""
        changes = {
            (span.onset - start) // SIXTEENTH for span in self.chords if 0 < span.onset - start < len(row) * SIXTEENTH
        }
        signs = list(row)
        for step in changes:
            if signs[step] in "-5oa37w" or (signs[step] == "." and "." not in row[:step]):
                signs[step] = "r"
        return strokes("".join(signs))

    def _pitch(self, sign: str, span: ChordSpan, following: Chord, onset: int, held: int) -> int:
        chord = span.chord
        root = self._near(pitch.pitch_class(chord.bass_tone))
        ends_chord = onset + held >= span.end
        if sign == "a" and ends_chord:
            return self._approach(following)
        if sign in "5a":
            tones = chord.pitch_classes
            fifth = tones[1] if chord.quality == "5" else tones[min(2, len(tones) - 1)]
            return self._near(fifth)
        if sign == "o":
            return root + 12 if root + 12 <= self.high else root - 12 if root - 12 >= self.low else root
        if sign == "3":
            return self._near(chord.pitch_classes[1] if len(chord.pitch_classes) > 2 else chord.pitch_classes[0])
        if sign == "7":
            seventh = chord.pitch_classes[3] if len(chord.pitch_classes) > 3 else (chord.pitch_classes[0] + 9) % 12
            return self._near(
                seventh
                if len(chord.pitch_classes) > 3 or seventh in self.plan.brief.key.pitch_classes
                else chord.pitch_classes[0]
            )
        if sign == "w":
            return self._step_towards(following)
        return root

    def _near(self, pitch_class: int) -> int:
        """The pitch of that class nearest to the hand, inside the range, the lower half preferred."""
        options = [p for p in range(self.low, self.high + 1) if p % 12 == pitch_class]
        centre = (self.low + self.high) // 2 - 2
        return min(options, key=lambda p: (abs(p - self.at) + abs(p - centre) // 2, p))

    def _approach(self, following: Chord) -> int:
        """A step above or below the next root: from the scale, or by a semitone where the style likes it."""
        goal = self._near(pitch.pitch_class(following.bass_tone))
        chromatic = chance(self.rng, 0.45 if self.plan.style.harmony.sevenths > 0.4 else 0.12)
        below = self.at < goal or (self.at == goal and chance(self.rng, 0.5))
        scale = {pitch.pitch_class(tpc) for tpc in self.plan.brief.key.harmony}
        for distance in (1,) if chromatic else (1, 2):
            midi = goal - distance if below else goal + distance
            if self.low <= midi <= self.high and (chromatic or midi % 12 in scale):
                return midi
        return self._near(pitch.pitch_class(following.root + 1))  # the next chord's fifth

    def _step_towards(self, following: Chord) -> int:
        goal = self._near(pitch.pitch_class(following.bass_tone))
        scale = {pitch.pitch_class(tpc) for tpc in self.plan.brief.key.harmony}
        way = 1 if goal >= self.at else -1
        for distance in (1, 2, 3):
            midi = self.at + way * distance
            if midi % 12 in scale and self.low <= midi <= self.high:
                return midi
        return self.at
