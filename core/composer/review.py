"""Review: typed findings and a rating, from the exported MIDI bytes alone."""

from __future__ import annotations

from core.composer.state import Finding, Review
from core.music.score import Score
from core.music.scorecard import BANDS, GATES, Card, Tune, measure, similarity
from core.notation.midi import midi_bytes
from core.notation.tune import tune_of

BAR = 7.0  # a rating below it sends the melody back
# Metrics that say nothing without a chord part, or of pieces too short to repeat anything.
_HARMONIC = frozenset({"chord tones", "chord tones strong", "PCS", "MCTD"})
_LONG = frozenset({"rhythm repeats", "bar repeats", "rhythm entropy", "two-bar repeats", "H4", "groove"})
_FULL_BARS = 16


def review(score: Score) -> Review:
    """Judges a score by its MIDI file. What was not written (no melody, few bars) is not held against it."""
    roles = [part.role for part in score.sounding]
    if "melody" not in roles:
        return Review(8.0, (), acceptable=True)
    chord_tracks = [i + 1 for i, role in enumerate(roles) if role == "chords"]
    tune = tune_of(midi_bytes(score), 1 + roles.index("melody"), chord_tracks)
    if len(tune.notes) < 2:
        return Review(2.0, (Finding("fault", "few notes", len(tune.notes), gate=True),), acceptable=False)
    card = measure(tune)
    ignored = _ignored(score, bool(chord_tracks))
    findings = (*_outside(card, ignored), *_faults(score, tune))
    counted = len(BANDS) - len(ignored)
    outside = sum(1 for finding in findings if finding.metric in BANDS)
    gates = sum(1 for finding in findings if finding.gate)
    rating = max(0.0, 10.0 * (1 - outside / max(1, counted)) - 1.5 * gates)
    return Review(round(rating, 1), findings, rating >= BAR and not gates)


def _ignored(score: Score, has_chords: bool) -> frozenset[str]:
    ignored: frozenset[str] = frozenset()
    if not has_chords:
        ignored |= _HARMONIC
    if score.bars < _FULL_BARS:
        ignored |= _LONG
    if score.sections[-1].name and score.chords[-1].chord.root != score.key.tonic:
        ignored |= {"final in tonic"}  # a half or deceptive ending was asked for, or it fades
    return ignored


def _outside(card: Card, ignored: frozenset[str]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            "below" if card.values[name] < BANDS[name][0] else "above",
            name,
            card.values[name],
            name in card.failed,
        )
        for name in (*card.outside, *(f for f in card.failed if f not in card.outside))
        if name not in ignored and (name in card.outside or name in GATES)
    )


def _faults(score: Score, tune: Tune) -> tuple[Finding, ...]:
    """What the table does not notice and a listener does."""
    found = []
    own = score.key.info.characteristic
    if own is not None and score.bars >= 8:
        degree = score.key.scale[own] * 7 % 12
        heard = any(note.pitch % 12 == degree for part in score.sounding if not part.drums for note in part.notes)
        if not heard:
            found.append(Finding("fault", "mode degree", 0.0, gate=True))
    if tune.bars >= _FULL_BARS:
        far = max(similarity(tune, lag) for lag in (4, 8, 16) if lag < tune.bars)
        if far < 1.3 * similarity(tune, 1):
            found.append(Finding("fault", "form", far))
    return tuple(found)
