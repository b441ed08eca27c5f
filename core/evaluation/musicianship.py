"""Beyond the table: what a musician hears and the bands do not, measured on scores and tunes."""

from __future__ import annotations

from itertools import pairwise

from core.music.chords import QUALITIES
from core.music.grooves import KEYS
from core.music.meter import QUARTER
from core.music.score import Note, Score, Section
from core.music.scorecard import Tune
from core.music.voicing import parallels, voiced

Figures = dict[str, float]


def figures(score: Score, tune: Tune) -> Figures:
    """Each between 0 and 1 unless named otherwise."""
    spans = score.chords
    penult = spans[-2].chord.root if len(spans) > 1 else spans[-1].chord.root
    return {
        "V-I ending": float(penult == score.key.tonic + 1 and spans[-1].chord.root == score.key.tonic),
        "chords a bar": len(spans) / score.bars,
        "sevenths": sum(len(QUALITIES[s.chord.quality][0]) > 3 for s in spans) / len(spans),
        "rests": rests(tune),
        "sequences": sequences(tune),
        "last fuller": float(last_is_fuller(score)),
        "register leap": register_leap(score),
        "answers": answers(score),
        "eights": eights(tune),
    }


def rests(tune: Tune) -> float:
    """Share of the time in which the melody is silent."""
    sung = sum(length for _, length, _ in tune.notes)
    return max(0.0, 1 - sung / (tune.bar * tune.bars))


def eights(tune: Tune) -> float:
    """Share of phrases, parted by rests of a beat and more, that last eight bars."""
    ends = [a[0] + a[1] for a, b in pairwise(tune.notes) if b[0] - a[0] - a[1] >= 1]
    lengths = [round((b - a) / tune.bar) for a, b in pairwise([0.0, *ends, tune.bar * tune.bars])]
    return sum(length == 8 for length in lengths) / max(1, len(lengths))


def sequences(tune: Tune) -> float:
    """Share of bars with an earlier bar's rhythm and contour at other pitches."""
    seen: dict[tuple[object, ...], set[tuple[int, ...]]] = {}
    count = found = 0
    for i in range(tune.bars):
        notes = tune.in_bar(i)
        if len(notes) < 3:
            continue
        count += 1
        pitches = tuple(n[2] for n in notes)
        shape = (tuple(n[0] for n in notes), tuple((b > a) - (b < a) for a, b in pairwise(pitches)))
        earlier = seen.setdefault(shape, set())
        found += bool(earlier) and pitches not in earlier
        earlier.add(pitches)
    return found / max(1, count)


def _melody(score: Score, section: Section) -> list[Note]:
    part, bar = score.part("melody"), score.meter.bar
    low, high = section.bar * bar, (section.bar + section.bars) * bar
    return [note for note in part.notes if low <= note.onset < high] if part else []


def last_is_fuller(score: Score) -> bool:
    """The last return of a section is higher, busier or of more energy than its first."""
    for label in {section.label for section in score.sections}:
        same = [section for section in score.sections if section.label == label]
        if len(same) > 1:
            first, last = _melody(score, same[0]), _melody(score, same[-1])
            higher = max((n.pitch for n in last), default=0) > max((n.pitch for n in first), default=0)
            if not (higher or len(last) > len(first) or same[-1].energy > same[0].energy):
                return False
    return True


def register_leap(score: Score) -> float:
    """The largest distance between neighbouring sections' mean pitch, in semitones."""
    means = [sum(n.pitch for n in notes) / len(notes) for s in score.sections if (notes := _melody(score, s))]
    return max((abs(b - a) for a, b in pairwise(means)), default=0.0)


def answers(score: Score) -> float:
    """Share of the melody's rests of a beat and more in which bass or chords strike something."""
    melody = score.part("melody")
    if melody is None:
        return 1.0
    gaps = [(a.end, b.onset) for a, b in pairwise(melody.notes) if b.onset - a.end >= QUARTER]
    others = [n.onset for p in score.sounding if p.role in ("bass", "chords") for n in p.notes]
    heard = sum(any(low <= onset < high for onset in others) for low, high in gaps)
    return heard / len(gaps) if gaps else 1.0


def fills(score: Score) -> tuple[int, int]:
    """(sections that a fill leads into, sections that follow another)."""
    drums, bar = score.part("drums"), score.meter.bar
    if drums is None:
        return 0, 0
    quiet = {KEYS["hat"], KEYS["openhat"], KEYS["pedal"], KEYS["ride"]}

    def strokes(number: int) -> set[tuple[int, int]]:
        low = number * bar
        return {(n.onset - low, n.pitch) for n in drums.notes if low <= n.onset < low + bar and n.pitch not in quiet}

    joints = [section.bar for section in score.sections[1:] if section.bar >= 2]
    return sum(strokes(at - 1) != strokes(at - 2) for at in joints), len(joints)


def leading(score: Score) -> tuple[float, int, int]:
    """(semitones that upper voices move at a change on average, parallels, changes) of the chords' hand."""
    hand = voiced(score.chords, bass=True)
    moves = [abs(a - b) for before, after in pairwise(hand) for a, b in zip(before, after, strict=False)]
    count = sum(parallels(before, after) for before, after in pairwise(hand))
    return sum(moves) / max(1, len(moves)), count, max(1, len(hand) - 1)
