"""Makes a score of a sheet: repeats played out, short bars joined, voices become parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from core.music.chord_symbols import UnreadableChord, read_chord
from core.music.chords import Chord
from core.music.keys import Key
from core.music.meter import COMMON_TIME, QUARTER, Meter, meter
from core.music.score import Change, ChordSpan, Feel, Note, Part, Score, Section, numbered, without_overlap
from core.notation.problems import Problem, UnreadableNotation, wholes
from core.notation.sheet import Sheet, SheetBar, Symbol, Voice

MOST_BARS = 1000  # of a score
MOST_PARTS = 16
USUAL_TEMPO = 120.0
_LONGEST_FREE = 8 * QUARTER  # a longer bar without a meter is written in 4/4
_FINEST = QUARTER // 16  # a 64th: the finest unit a meter can count


@dataclass(frozen=True, slots=True)
class Read:
    """A score that was read, and what its reader should be told."""

    score: Score
    warnings: tuple[Problem, ...] = ()
    rhythm: str = ""  # what its writer called it: a jig, a waltz


@dataclass(frozen=True, slots=True)
class _Place:
    """A bar of the sheet where it is played: `index` among the written bars, on the given pass, at a tick."""

    index: int
    pass_: int
    onset: int


def assembled(sheet: Sheet) -> Read:
    """The score as it is played. Raises UnreadableNotation where nothing sounds or it is too long."""
    voices = [voice for voice in sheet.voices if any(s.notes for bar in voice.bars for s in bar.symbols)]
    if not voices:
        raise UnreadableNotation((Problem("notation-empty"),))
    master = _master(sheet.voices)
    order = unfolded(master)
    if len(order) > MOST_BARS:
        raise UnreadableNotation((Problem("notation-too-long", expected=str(MOST_BARS)),))
    laid = _laid(master, order)
    jumps = [Problem("notation-jumps", bar=i) for i, bar in enumerate(master, 1) if bar.jumps][:1]
    warnings = [*laid.warnings, *_unequal(sheet.voices, master), *jumps]
    parts: list[Part] = []
    for voice in voices:
        parts += _parts(voice, laid.places, parts, warnings)
    if len(parts) > MOST_PARTS:
        warnings.append(Problem("notation-many-parts", expected=str(MOST_PARTS), found=str(len(parts))))
    chords = _chords(sheet.voices, laid, warnings)
    changes = _changes(sheet, master, laid)
    score = Score(
        title=sheet.title, key=sheet.key, meter=laid.meters[0][1], tempo=sheet.tempo or USUAL_TEMPO,
        bars=laid.bars, sections=_sections(master, laid), chords=chords, parts=tuple(parts[:MOST_PARTS]),
        feel=Feel(), seed=0, changes=changes, pickup=laid.pickup,
    )  # fmt: skip
    return Read(_first_changes_merged(score), tuple(dict.fromkeys(warnings)), sheet.rhythm)


def _master(voices: list[Voice]) -> list[SheetBar]:
    """The bars that all voices follow: those of the longest, with the signs that any voice has."""
    longest = max(voices, key=lambda voice: len(voice.bars))
    for i, bar in enumerate(longest.bars):
        for other in (voice.bars[i] for voice in voices if voice is not longest and i < len(voice.bars)):
            bar.repeats = max(bar.repeats, other.repeats)
            bar.repeat_start |= other.repeat_start
            bar.strain_end |= other.strain_end
            bar.jumps |= other.jumps
            bar.endings = bar.endings or other.endings
            bar.label = bar.label or other.label
            bar.tempos = sorted({*bar.tempos, *other.tempos})
    return longest.bars


def unfolded(bars: list[SheetBar]) -> list[tuple[int, int]]:
    """The written bars in the order they are played, each with its pass."""
    order: list[tuple[int, int]] = []
    start, pass_, i = 0, 1, 0
    while i < len(bars) and len(order) <= MOST_BARS:
        bar = bars[i]
        if bar.repeat_start and i != start:
            start, pass_ = i, 1
        if bar.endings and pass_ not in bar.endings:
            following = _next_ending(bars, i, pass_)
            if following is not None:
                i = following
                continue
        order.append((i, pass_))
        if bar.repeats and pass_ < _last_pass(bars, i, start):
            i, pass_ = start, pass_ + 1
            continue
        if bar.repeats or (bar.strain_end and not _within_endings(bars, i)):
            start, pass_ = i + 1, 1
        i += 1
    return order


def _last_pass(bars: list[SheetBar], i: int, start: int) -> int:
    """The pass on which the repeat at bar `i` sends back no more: by its strain's endings, else by its own sign."""
    numbers: list[int] = []
    for k in range(start, len(bars)):
        if k > i and (bars[k].repeat_start or (bars[k - 1].strain_end and not bars[k].endings)):
            break
        numbers += bars[k].endings
    return max(numbers) if len(set(numbers)) > 1 else bars[i].repeats + 1


def _next_ending(bars: list[SheetBar], i: int, pass_: int) -> int | None:
    """The ending for that pass after bar `i`; None where there is none and the ending is played after all."""
    for k in range(i + 1, len(bars)):
        if pass_ in bars[k].endings:
            return k
        if bars[k - 1].repeats and not bars[k].endings:
            return k
        if bars[k].repeat_start:
            break
    return None


def _within_endings(bars: list[SheetBar], i: int) -> bool:
    """Whether a repeat may still send back over this strain's end: an ending follows it at once."""
    return i + 1 < len(bars) and bool(bars[i + 1].endings)


@dataclass
class _Laid:
    places: list[_Place]
    meters: list[tuple[int, Meter]]
    bars: int
    pickup: int
    length: int
    warnings: list[Problem]


def _laid(bars: list[SheetBar], order: list[tuple[int, int]]) -> _Laid:
    """Puts the played bars one after another, short ones joined where together they make a whole."""
    places: list[_Place] = []
    lengths: list[tuple[int, Meter, SheetBar]] = []  # the score's bars
    warnings: list[Problem] = []
    at, open_, pickup = 0, 0, 0  # `open_`: ticks of the score's last bar that are filled, 0 where it is full
    for place, (index, pass_) in enumerate(order):
        bar = bars[index]
        length = bar.length or (bar.meter.bar if bar.meter else 1)  # a bar of nothing is one of silence
        whole = bar.meter.bar if bar.meter else length
        if open_ and open_ + length > (last := lengths[-1][0]):
            at += _closed(lengths, open_, last, bars, order[place - 1][0], warnings)
            open_ = 0
        while bar.meter is None and whole > _LONGEST_FREE:  # a chant without bar lines
            lengths.append((COMMON_TIME.bar, COMMON_TIME, bar))
            whole -= COMMON_TIME.bar
        if not open_:
            lengths.append((whole if bar.meter is None else max(length, whole), bar.meter or COMMON_TIME, bar))
            if place == 0 and length < whole and len(order) > 1:
                pickup, at, open_ = length, whole - length, whole - length
        places.append(_Place(index, pass_, at))
        at, open_ = at + length, open_ + (whole if bar.meter is None else length)
        if open_ >= lengths[-1][0]:
            open_ = 0
    if open_:
        at += lengths[-1][0] - open_
    counted = [(size, meter_of(size, like, bar.meter is None)) for size, like, bar in lengths]
    return _settled(places, counted, pickup, warnings)


def _closed(
    lengths: list[tuple[int, Meter, SheetBar]],
    open_: int,
    whole: int,
    bars: list[SheetBar],
    index: int,
    warnings: list[Problem],
) -> int:
    """A bar that stays short, the written bar `index` its last piece. Ticks to add.

    It is filled with a rest where a strain ends; but where the bar written after it completes it, the repeat stands
    inside of a bar, and it is as short as it is.
    """
    bar = bars[index]
    found = Problem("", bar=index + 1, line=bar.line, expected=wholes(whole), found=wholes(open_))
    inside = index + 1 < len(bars) and bar.length + bars[index + 1].length == whole and not bars[index + 1].endings
    if len(lengths) == 1:  # a pickup that nothing completes
        return whole - open_
    if bar.strain_end and not inside:
        warnings.append(replace(found, code="notation-filled"))
        return whole - open_
    warnings.append(replace(found, code="notation-short-bar"))
    lengths[-1] = (open_, lengths[-1][1], bar)
    return 0


def meter_of(size: int, like: Meter, free: bool = False) -> tuple[Meter, int]:
    """A meter whose bar is that long, and the ticks it had to be filled up by: counted in units as fine as it needs."""
    if like.bar == size and not free:
        return like, 0
    denominator = 4 if free else like.denominator
    while 4 * QUARTER // denominator > _FINEST and size % (4 * QUARTER // denominator):
        denominator *= 2
    unit = 4 * QUARTER // denominator
    return meter(-(-size // unit), denominator), -size % unit


def _settled(
    places: list[_Place], counted: list[tuple[int, tuple[Meter, int]]], pickup: int, warnings: list[Problem]
) -> _Laid:
    """Moves what follows a bar that was filled up to a countable length."""
    meters: list[tuple[int, Meter]] = []
    onset, moved, k, shifted = 0, 0, 0, []
    for size, (measure, filled) in counted:
        if not meters or meters[-1][1] != measure:
            meters.append((onset, measure))
        end = onset - moved + size
        while k < len(places) and places[k].onset < end:
            shifted.append(replace(places[k], onset=places[k].onset + moved))
            k += 1
        onset, moved = onset + size + filled, moved + filled
    return _Laid(shifted, meters, len(counted), pickup, onset, warnings)


def _unequal(voices: list[Voice], master: list[SheetBar]) -> list[Problem]:
    whole = len(master)
    return [
        Problem("notation-voice-short", voice.id, bar=count, expected=str(whole), found=str(count))
        for voice in voices
        if 0 < (count := len(voice.bars)) != whole
    ]


def _parts(voice: Voice, places: list[_Place], earlier: list[Part], warnings: list[Problem]) -> list[Part]:
    """One part for the voice, and one for each line that runs beside it on the same staff."""
    lines = 1 + max((len(bar.overlays) for bar in voice.bars), default=0)
    made: list[Part] = []
    for line in range(lines):
        notes, lyrics = _line(voice, line, places)
        if not notes:
            continue
        named = voice.name or ("Drums" if voice.drums else f"Voice {voice.id}")
        name = numbered(named, {part.name for part in (*earlier, *made)})
        role = "drums" if voice.drums else "melody" if not earlier and not made else "harmony"
        made.append(Part(name, role, voice.program or 0, notes, "drums" if voice.drums else "", lyrics=lyrics))
    if len(made) > 1:
        bar = next(i for i, each in enumerate(voice.bars, 1) if each.overlays)
        warnings.append(Problem("notation-two-voices", voice.id, bar, found=str(len(made))))
    return made


def _line(voice: Voice, line: int, places: list[_Place]) -> tuple[tuple[Note, ...], tuple[tuple[int, str], ...]]:
    """The notes of a voice's line as they sound, ties joined, and its syllables."""
    notes: list[Note] = []
    lyrics: list[tuple[int, str]] = []
    held: dict[int, int] = {}  # pitch -> index of the note that goes on
    for place in places:
        if place.index >= len(voice.bars):
            continue
        bar = voice.bars[place.index]
        symbols = bar.symbols if line == 0 else bar.overlays[line - 1] if line <= len(bar.overlays) else []
        for symbol in symbols:
            held = _sounded(symbol, place.onset, notes, held)
            if symbol.syllables and (text := symbol.syllables[min(place.pass_, len(symbol.syllables)) - 1]):
                lyrics.append((place.onset + symbol.onset, text))
    if voice.drums:
        notes = [replace(note, tpc=0) for note in notes]
    return without_overlap(tuple(notes)), tuple(lyrics)


def _sounded(symbol: Symbol, onset: int, notes: list[Note], held: dict[int, int]) -> dict[int, int]:
    """Adds a symbol's notes, or lengthens those that were tied to it. Returns what is tied on."""
    going: dict[int, int] = {}
    start = onset + symbol.onset
    for midi, tpc in symbol.notes:
        index = held.get(midi)
        if index is not None and notes[index].end == start:
            notes[index] = replace(notes[index], duration=notes[index].duration + symbol.duration)
        else:
            notes.append(Note(start, symbol.duration, midi, tpc))
            index = len(notes) - 1
        if midi in symbol.ties:
            going[midi] = index
    return going


def _chords(voices: list[Voice], laid: _Laid, warnings: list[Problem]) -> tuple[ChordSpan, ...]:
    """Chord symbols, each until the next one; what is no chord symbol is a remark of the engraver's."""
    found: list[tuple[int, Chord | None]] = []
    for voice in voices:
        for place in laid.places:
            bar = voice.bars[place.index] if place.index < len(voice.bars) else None
            for onset, text in bar.chords if bar else ():
                try:
                    found.append((place.onset + onset, read_chord(text)))
                except UnreadableChord:
                    if text[:1] in "ABCDEFGH" and len(text) <= 10 and not text.isalpha():
                        warnings.append(Problem("notation-chord", voice.id, place.index + 1, found=text))
    found = list({onset: (onset, chord) for onset, chord in sorted(found, key=lambda each: each[0])}.values())
    ends = [*(onset for onset, _ in found[1:]), laid.length][: len(found)]
    spans = zip(found, ends, strict=True)
    return tuple(ChordSpan(onset, end - onset, chord) for (onset, chord), end in spans if chord and end > onset)


def _changes(sheet: Sheet, master: list[SheetBar], laid: _Laid) -> tuple[Change, ...]:
    """Meters, keys and tempos that are other than before. A repeat brings back what held at its first bar."""
    by_tick: dict[int, Change] = {onset: Change(onset, meter=measure) for onset, measure in laid.meters[1:]}
    keys = _running(master, sheet.key, sheet.tempo or USUAL_TEMPO)
    key, tempo = sheet.key, sheet.tempo or USUAL_TEMPO
    for place in laid.places:
        bar = master[place.index]
        key_here, tempo_here = keys[place.index]
        later = [*((o, k, None) for o, k in bar.keys if o), *((o, None, t) for o, t in bar.tempos if o)]
        events: list[tuple[int, Key | None, float | None]] = [(0, key_here, tempo_here), *later]
        for onset, new_key, new_tempo in sorted(events, key=lambda event: event[0]):
            tick = place.onset + onset
            change = by_tick.get(tick, Change(tick))
            if new_key is not None and new_key != key:
                key = new_key
                by_tick[tick] = change = replace(change, key=key)
            if new_tempo is not None and new_tempo != tempo:
                tempo = new_tempo
                by_tick[tick] = replace(change, tempo=tempo)
    return tuple(by_tick[tick] for tick in sorted(by_tick))


def _running(bars: list[SheetBar], key: Key, tempo: float) -> list[tuple[Key, float]]:
    """Key and tempo that hold as each written bar begins, what stands right at its line included."""
    found = []
    for bar in bars:
        begun = ([k for o, k in bar.keys if not o] or [key])[-1], ([t for o, t in bar.tempos if not o] or [tempo])[-1]
        found.append(begun)
        if bar.keys:
            key = bar.keys[-1][1]
        if bar.tempos:
            tempo = bar.tempos[-1][1]
    return found


def _first_changes_merged(score: Score) -> Score:
    """What changes before the first note is so from the beginning."""
    while score.changes and score.changes[0].onset <= score.pickup_onset and not score.changes[0].meter:
        first, *rest = score.changes
        score = replace(
            score, changes=tuple(rest), key=first.key or score.key, tempo=first.tempo or score.tempo
        )  # fmt: skip
    return score


def _sections(master: list[SheetBar], laid: _Laid) -> tuple[Section, ...]:
    """A section for each strain as it is played; a strain that returns keeps its letter."""
    bar_of = _bar_of(laid)
    found: list[tuple[int, int]] = [(0, 0)]  # the score's bar, the written bar
    for before, place in pairwise(laid.places):
        written = master[place.index]
        jumps = place.index != before.index + 1 and not (place.index > before.index and written.endings)
        ends = master[before.index].strain_end and not written.endings
        bar = bar_of(place.onset)
        if (jumps or ends or written.label) and bar > found[-1][0]:
            found.append((bar, place.index))
    if laid.pickup and len(found) > 1 and found[1][0] == 1:  # a pickup is no strain of its own
        found[:2] = [(0, found[1][1])]
    letters: dict[int, str] = {}
    stops = [bar for bar, _ in found[1:]] + [laid.bars]
    sections = []
    for (bar, index), stop in zip(found, stops, strict=True):
        label = master[index].label or letters.setdefault(index, chr(ord("A") + len(letters) % 26))
        sections.append(Section("strain", label, bar, stop - bar, 0.55))
    return tuple(sections)


def _bar_of(laid: _Laid) -> Callable[[int], int]:
    """Tick -> the score's bar that a strain beginning there belongs to: a pickup belongs to the bar after it."""
    lines: list[int] = []
    steps = [*laid.meters, (laid.length, laid.meters[-1][1])]
    for (onset, measure), (end, _) in pairwise(steps):
        lines += range(onset, end, measure.bar)

    def bar_of(tick: int) -> int:
        return min(bisect_left(lines, tick), len(lines) - 1)

    return bar_of
