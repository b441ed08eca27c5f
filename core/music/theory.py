"""Theory: lays a proposed progression over the form, checks every chord, and repairs what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.music import pitch
from core.music.chords import Chord, UnreadableNumeral, degree_of, function, roman
from core.music.harmony import Progression
from core.music.keys import Key
from core.music.plan import Plan
from core.music.score import ChordSpan, Section

# What goes before the last chord, and the last chord, by ending; upper case for the major-third family.
_CADENCES: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    # ending: (major side, minor side)
    "authentic": (("V", "I"), ("V", "i")),
    "plagal": (("IV", "I"), ("iv", "i")),
    "half": (("IV", "V"), ("iv", "V")),
    "deceptive": (("V", "vi"), ("V", "VI")),
    "open": (("ii", "I"), ("VII", "i")),
}
# Church modes close with the chord that holds their own degree, unless another cadence was asked for.
_MODAL_CADENCES = {
    "dorian": ("IV", "i"), "phrygian": ("II", "i"), "lydian": ("II", "I"), "mixolydian": ("VII", "I"),
    "locrian": ("V", "io"), "harmonic minor": ("V", "i"), "melodic minor": ("V", "i"),
}  # fmt: skip
# Families in which a dominant does not step back to the subdominant.
_STRICT = frozenset({"classical"})


@dataclass(frozen=True, slots=True)
class Correction:
    """What theory changed. kind: padded, cut, unreadable, respelled, retrogression or cadence."""

    kind: str
    bar: int  # counted from 1
    before: str
    after: str


def settle(progressions: tuple[Progression, ...], plan: Plan) -> tuple[tuple[ChordSpan, ...], tuple[Correction, ...]]:
    """Chords that fill every bar of the form, and the corrections that this took."""
    corrections: list[Correction] = []
    spans: list[ChordSpan] = []
    by_label = {progression.label: progression for progression in progressions}
    checked: set[str] = set()
    for section in plan.sections:
        progression = by_label.get(section.label) or progressions[0]
        numerals = _fitted(progression, section, [] if section.label in checked else corrections)
        checked.add(section.label)
        chords = [_read(numeral, plan.brief.key, section, corrections) for numeral in numerals]
        if plan.style.harmony.progressions in _STRICT:
            chords = _forward(chords, plan.brief.key, section, corrections)
        spans += _laid(chords, section, progression.changes, plan.brief.meter.bar)
    ended = _ended(spans, plan, corrections)
    return _merged(ended), tuple(dict.fromkeys(corrections))


def _fitted(progression: Progression, section: Section, corrections: list[Correction]) -> list[str]:
    """As many numerals as the section has room for: repeated where short, cut where long."""
    room = max(1, -(-round(section.bars * progression.changes * 2) // 2))
    have = list(progression.numerals) or ["I"]
    if len(have) < room:
        corrections.append(Correction("padded", section.bar + 1, str(len(have)), str(room)))
    if len(have) > room:
        corrections.append(Correction("cut", section.bar + 1, str(len(have)), str(room)))
    return [have[i % len(have)] for i in range(room)]


def _read(numeral: str, key: Key, section: Section, corrections: list[Correction]) -> Chord:
    try:
        chord = roman(numeral, key)
    except UnreadableNumeral:
        tonic = roman("i" if key.minor else "I", key)
        corrections.append(Correction("unreadable", section.bar + 1, numeral, tonic.pretty))
        return tonic
    if any(abs(pitch.alteration(tone)) > 2 for tone in chord.tones):
        simpler = chord.transposed(-12 if pitch.alteration(chord.root) > 0 else 12)
        corrections.append(Correction("respelled", section.bar + 1, chord.pretty, simpler.pretty))
        return simpler
    return chord


def _forward(chords: list[Chord], key: Key, section: Section, corrections: list[Correction]) -> list[Chord]:
    """In strict styles a dominant goes on to the tonic's side: V–IV becomes V–vi."""
    result = chords[:1]
    for chord in chords[1:]:
        if (
            function(result[-1], key) == "dominant"
            and function(chord, key) == "subdominant"
            and result[-1].bass is None
        ):
            resolved = roman("VI" if key.minor else "vi", key)
            corrections.append(Correction("retrogression", section.bar + 1, chord.pretty, resolved.pretty))
            chord = resolved
        result.append(chord)
    return result


def _laid(chords: list[Chord], section: Section, changes: float, bar: int) -> list[ChordSpan]:
    start, end = section.bar * bar, (section.bar + section.bars) * bar
    step = round(bar / changes)
    return [
        ChordSpan(start + i * step, min(step, end - start - i * step), chord)
        for i, chord in enumerate(chords)
        if start + i * step < end
    ]


def _cadence(plan: Plan) -> tuple[str, str]:
    key, ending = plan.brief.key, plan.brief.ending
    if key.mode in _MODAL_CADENCES and "ending" not in plan.brief.asked:
        return _MODAL_CADENCES[key.mode]
    if key.mode == "blues":
        return {"plagal": ("IV7", "I7"), "half": ("IV7", "V7"), "deceptive": ("V7", "vi")}.get(ending, ("V7", "I7"))
    minor_third = key.minor
    penult, last = _CADENCES.get(ending, _CADENCES["authentic"])[minor_third]
    if key.mode == "locrian":
        last = {"i": "io"}.get(last, last)
    if plan.style.harmony.sevenths > 0.6 and penult in ("V", "ii"):
        penult += "7"
    return penult, last


def closing(plan: Plan) -> tuple[Chord, Chord]:
    """The chord that prepares the end, and the last one."""
    key = plan.brief.key
    penult, last = (roman(numeral, key) for numeral in _cadence(plan))
    jazzy = plan.style.harmony.sevenths > 0.6 and key.mode in ("major", "minor")
    if jazzy and degree_of(last, key) == 0 and last.quality in ("maj", "min"):
        last = replace(last, quality="6" if last.quality == "maj" else "min6")
    return penult, last


def _ended(spans: list[ChordSpan], plan: Plan, corrections: list[Correction]) -> list[ChordSpan]:
    """The last bar holds the last chord of the ending asked for, the bar before prepares it."""
    if plan.brief.ending == "fade":
        return spans
    bar, key = plan.brief.meter.bar, plan.brief.key
    penult, last = closing(plan)
    start = plan.end - bar
    kept = [span for span in spans if span.onset < start]
    if plan.canon_delay:  # the followers still sing over the ground: only the last bar is a close
        tonic = roman("i" if key.minor else "I", key)
        if kept:
            kept[-1] = replace(kept[-1], duration=start - kept[-1].onset)
        return [*kept, ChordSpan(start, bar, tonic)]
    before = "–".join(span.chord.pretty for span in [*kept[-1:], spans[-1]])
    if kept:
        prepared = kept[-1]
        if prepared.onset < start - bar:  # a long chord: only its last bar prepares
            kept[-1] = replace(prepared, duration=start - bar - prepared.onset)
            kept.append(ChordSpan(start - bar, bar, penult))
        else:
            kept[-1] = ChordSpan(prepared.onset, start - prepared.onset, penult)
    after = f"{penult.pretty}–{last.pretty}" if kept else last.pretty
    if before != after:
        corrections.append(Correction("cadence", plan.brief.bars, before, after))
    return [*kept, ChordSpan(start, bar, last)]


def _merged(spans: list[ChordSpan]) -> tuple[ChordSpan, ...]:
    """One span where the same chord goes on, except across the bar lines of sections."""
    merged: list[ChordSpan] = []
    for span in spans:
        if merged and merged[-1].chord == span.chord and merged[-1].end == span.onset:
            merged[-1] = replace(merged[-1], duration=merged[-1].duration + span.duration)
        else:
            merged.append(span)
    return tuple(merged)
