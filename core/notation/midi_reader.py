"""A score from a MIDI file: notated time from played time, parts from channels, names for pitches."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from core.music import pitch
from core.music.chord_symbols import UnreadableChord, read_chord
from core.music.chords import Chord
from core.music.feel import unswung
from core.music.grid import grid
from core.music.key_finding import found_key
from core.music.keys import MODES, Key
from core.music.meter import COMMON_TIME, QUARTER, Meter, meter
from core.music.score import Change, ChordSpan, Feel, Note, Part, Score, Section, without_overlap
from core.notation.abc.fields import read_key
from core.notation.assembling import MOST_BARS, MOST_PARTS, USUAL_TEMPO, Read, meter_of
from core.notation.midi_events import PlayedTrack, Recording, Strike, read_events
from core.notation.problems import Problem, refused
from core.notation.quantising import Grid
from core.notation.spelling import usual_spelling

LONGEST = 3600  # seconds
MOST_LINES = 4  # of one channel
MOST_TEMPOS = 300
_NEAR = QUARTER // 8  # ticks by which a meter may miss its bar line
SECTIONS = frozenset({"intro", "verse", "chorus", "bridge", "build", "drop", "theme", "variation", "outro"})

Line = list[tuple[Strike, int, int]]  # strikes with their straightened onset and end


def read_midi(data: bytes) -> Read:
    """Raises UnreadableNotation."""
    recording = read_events(data)
    sounding = [track for track in recording.tracks if track.strikes]
    if not sounding:
        raise refused("notation-empty")
    last = max(strike.onset + strike.duration for track in sounding for strike in track.strikes)
    if recording.seconds_at(last) > LONGEST:
        raise refused("midi-long", expected=LONGEST // 60)
    return _Notating(recording, sounding, last).read()


class _Notating:
    """One file while it becomes a score."""

    def __init__(self, recording: Recording, sounding: list[PlayedTrack], last: int) -> None:
        self.recording, self.sounding, self.last = recording, sounding, last
        self.warnings = list(recording.warnings)
        self.feel = _feel(recording.texts)
        self.shift = 0  # what a pickup's silent beginning of a bar adds to every tick
        raw = _meters([(self.plain(tick), each) for tick, each in recording.meters], recording.texts)
        ours = any(text.startswith("K:") for _, text in recording.texts)  # then a pickup is named
        self.meters, self.pickup = (raw, 0) if ours else _anacrusis(raw)
        if self.pickup:
            self.shift = self.meters[0][1].bar - self.pickup
        strikes = [strike for track in sounding for strike in track.strikes]
        self.grid = Grid(
            (self.tick(strike.onset) for strike in strikes),
            (self.tick(strike.onset + strike.duration) for track in sounding if not track.drums
             for strike in track.strikes),
        )  # fmt: skip
        if not self.grid.exact:
            self.warnings.append(Problem("midi-straightened"))

    def tick(self, played: float) -> float:
        """A tick of the file in ours, with the swing that the file names taken out."""
        return unswung(played * QUARTER / self.recording.division, self.feel) + self.shift

    def plain(self, played: int) -> int:
        """The same without swing, for what is no note."""
        return round(played * QUARTER / self.recording.division) + self.shift

    def read(self) -> Read:
        recording, meters = self.recording, self.meters
        if _barred(meters, self.plain(self.last))[0] > MOST_BARS:
            raise refused("notation-too-long", expected=MOST_BARS)
        lines = [(track, self.lines(track)) for track in self._merged()]
        end = max(finish for _, each in lines for line in each for _, _, finish in line)
        written_end = self.plain(recording.end)
        if end <= written_end <= end + 2 * meters[-1][1].bar:
            end = written_end
        bars, meters = _barred(meters, end)
        changes = [Change(tick, meter=each) for tick, each in meters[1:]]
        tempo, tempos = self._tempos()
        key, keys = self._keys(lines)
        score = Score(
            title=recording.title[:120], key=key, meter=meters[0][1], tempo=tempo, bars=bars,
            sections=(Section("strain", "A", 0, bars, 0.55),), chords=(), parts=(), feel=self.feel, seed=0,
            changes=_joined([*changes, *keys, *tempos]), pickup=self.pickup or self._pickup(meters[0][1]),
        )  # fmt: skip
        score = replace(score, chords=self._chords(score.length))
        score = replace(score, sections=self._sections(score))
        parts = self._parts(lines, score)
        if len(parts) > MOST_PARTS:
            self.warnings.append(Problem("notation-many-parts", expected=str(MOST_PARTS), found=str(len(parts))))
        return Read(replace(score, parts=tuple(parts[:MOST_PARTS])), tuple(dict.fromkeys(self.warnings)))

    def _merged(self) -> list[PlayedTrack]:
        """All drums together, as one part."""
        drums = [track for track in self.sounding if track.drums]
        if len(drums) < 2:
            return self.sounding
        strikes = sorted((s for track in drums for s in track.strikes), key=lambda s: (s.onset, s.pitch))
        both = replace(drums[0], strikes=strikes)
        return [both if track is drums[0] else track for track in self.sounding if not track.drums or track is drums[0]]

    def lines(self, track: PlayedTrack) -> list[Line]:
        """The track as voices that one staff line each can write; drums are one."""
        struck: dict[int, list[Strike]] = {}
        for strike in track.strikes:
            struck.setdefault(self.grid.onset(self.tick(strike.onset)), []).append(strike)
        onsets = sorted(struck)
        placed: Line = []
        for onset in onsets:
            for strike in struck[onset]:
                finish = self.tick(strike.onset + strike.duration)
                # The next onset of the track, unless the note is held far beyond it.
                after = bisect_left(onsets, max(onset + 1, finish - QUARTER / 4))
                following = onsets[after] if after < len(onsets) else None
                placed.append((strike, onset, self.grid.end(finish, onset, following)))
        return [placed] if track.drums else list(_lines(placed))

    def _tempos(self) -> tuple[float, list[Change]]:
        steps = [(self.plain(tick), round(tempo, 2)) for tick, tempo in self.recording.tempos]
        first = next((tempo for tick, tempo in reversed(steps) if tick <= self.shift), USUAL_TEMPO)
        least = 0.005 if len(steps) <= MOST_TEMPOS else 0.05
        found: list[Change] = []
        now = first
        for tick, tempo in steps:
            if tick > self.shift and abs(tempo - now) > now * least and len(found) < MOST_TEMPOS:
                found.append(Change(tick, tempo=tempo))
                now = tempo
        return min(max(first, 5.0), 1200.0), found

    def _keys(self, lines: list[tuple[PlayedTrack, list[Line]]]) -> tuple[Key, list[Change]]:
        """From the signatures, which our own texts make exact; without any, found from what is played."""
        named: dict[int, Key] = {}
        for tick, (fifths, minor) in self.recording.keys:
            named[self.plain(tick)] = Key(fifths + 3, "minor") if minor else Key(fifths, "major")
        for tick, text in self.recording.texts:
            at = self.plain(tick)
            if text.startswith("K:") and (signature := read_key(text[2:])):
                named[at] = signature.key
            elif text.partition(" ")[2] in MODES and at in named:
                named[at] = replace(named[at], mode=text.partition(" ")[2])
        if not named:
            notes = [Note(onset, finish - onset, strike.pitch) for track, each in lines if not track.drums
                     for line in each for strike, onset, finish in line]  # fmt: skip
            return found_key(notes), []
        first = min(named)
        steps = [(tick, named[tick]) for tick in sorted(named)]
        return named[first], [Change(b, key=k) for (_, a), (b, k) in pairwise(steps) if k != a]

    def _chords(self, length: int) -> tuple[ChordSpan, ...]:
        """From text events, where most of them are chord symbols."""
        found: dict[int, Chord | None] = {}
        others = 0
        for tick, text in self.recording.texts:
            try:
                found[self.plain(tick)] = read_chord(text)
            except UnreadableChord:
                others += not re.match(r"(K:|spell |pickup |swing |\d{1,3}/\d{1,3} as )|^\w#?b? [a-z ]+$", text)
        if len(found) < max(2, others):
            return ()
        onsets = sorted(found)
        spans = zip(onsets, [*onsets[1:], length], strict=True)
        return tuple(
            ChordSpan(onset, end - onset, chord) for onset, end in spans if (chord := found[onset]) and end > onset
        )  # fmt: skip

    def _sections(self, score: Score) -> tuple[Section, ...]:
        bars = {bar.onset: i for i, bar in enumerate(grid(score))}
        marks = [(bars[self.plain(t)], name) for t, name in self.recording.markers if self.plain(t) in bars]
        marks = list({bar: (bar, name) for bar, name in marks}.values())
        if not marks or len(marks) > 60:
            return score.sections
        if marks[0][0]:
            marks = [(0, "A"), *marks]
        ends = [bar for bar, _ in marks[1:]] + [score.bars]
        return tuple(
            Section(name if name in SECTIONS else "strain", name[:20] or "A", bar, end - bar, 0.55)
            for (bar, name), end in zip(marks, ends, strict=True)
        )

    def _pickup(self, first: Meter) -> int:
        for _, text in self.recording.texts:
            if (match := re.fullmatch(rf"pickup (\d{{1,6}})/{QUARTER}", text)) and int(match[1]) < first.bar:
                return int(match[1])
        return 0

    def _parts(self, lines: list[tuple[PlayedTrack, list[Line]]], score: Score) -> list[Part]:
        parts: list[Part] = []
        names = [track.name for track, _ in lines]
        for number, (track, each) in enumerate(lines, 1):
            alone = names.count(track.name) == 1
            name = (track.name if alone else "") or ("Drums" if track.drums else f"Part {number}")
            spelt = {(tick, int(m[1])): pitch.parse_name(m[2]) for tick, text in track.texts
                     if (m := re.fullmatch(r"spell (\d{1,3}) ([A-G](?:##?|bb?)?)", text))}  # fmt: skip
            lyrics = self._lyrics(track, each[0])
            for index, line in enumerate(each):
                role = "drums" if track.drums else "melody" if not parts else "harmony"
                label = name if not index else f"{name} {index + 1}"
                notes = _notes(line, track.drums, spelt, score)
                instrument = "drums" if track.drums else ""
                parts.append(Part(label, role, track.program, notes, instrument, lyrics=() if index else lyrics))
            if len(each) > 1:
                self.warnings.append(Problem("notation-two-voices", name, found=str(len(each))))
        return parts

    def _lyrics(self, track: PlayedTrack, line: Line) -> tuple[tuple[int, str], ...]:
        onsets = {strike.onset: onset for strike, onset, _ in line}
        return tuple((onsets[tick], text) for tick, text in track.lyrics if tick in onsets and text)


def _feel(texts: list[tuple[int, str]]) -> Feel:
    for _, text in texts:
        match = re.fullmatch(rf"swing (0?\.\d{{1,4}}) of (\d{{3,5}})/{QUARTER}", text)
        if match and 0.5 < float(match[1]) <= 0.75 and int(match[2]) > 0:
            return Feel(swing=float(match[1]), swing_unit=int(match[2]))
    return Feel()


def _lines(placed: Line) -> Iterator[Line]:
    """Notes that begin and end together are a chord; what overlaps otherwise goes to another line."""
    lines: list[Line] = []
    for item in sorted(placed, key=lambda each: (each[1], -each[2], -each[0].pitch)):
        _, onset, finish = item
        for line in lines:
            _, before, end = line[-1]
            if end <= onset or (before == onset and end == finish):
                line.append(item)
                break
        else:
            if len(lines) < MOST_LINES:
                lines.append([item])
            else:
                _crowded(lines, item)
    yield from lines


def _crowded(lines: list[Line], item: tuple[Strike, int, int]) -> None:
    """No line is free: the note joins a chord that begins with it, or cuts short the line that ends first."""
    strike, onset, _ = item
    for line in lines:
        if line[-1][1] == onset:
            line.append((strike, onset, line[-1][2]))
            return
    line = min(lines, key=lambda each: each[-1][2])
    last = line[-1][1]
    for i in range(len(line) - 1, -1, -1):
        if line[i][1] != last:
            break
        line[i] = (*line[i][:2], min(line[i][2], onset))
    line.append(item)


def _notes(line: Line, drums: bool, spelt: dict[tuple[int, int], int], score: Score) -> tuple[Note, ...]:
    """Velocities become accents against the line's mean."""
    mean = sum(strike.velocity for strike, _, _ in line) / len(line)
    notes = []
    for strike, onset, finish in line:
        named = spelt.get((strike.onset, strike.pitch))
        if drums:
            tpc = 0
        elif named is not None and pitch.pitch_class(named) == strike.pitch % 12:
            tpc = named
        else:
            tpc = usual_spelling(strike.pitch, onset, score)
        accent = max(-2, min(2, round((strike.velocity - mean) / 18)))
        notes.append(Note(onset, max(1, finish - onset), strike.pitch, tpc, accent))
    return without_overlap(tuple(notes))


Meters = list[tuple[int, Meter]]  # from that tick on


def _meters(steps: list[tuple[int, tuple[int, int]]], texts: list[tuple[int, str]]) -> Meters:
    """The meters in force, from 0 on, with the groupings that our own texts name; near a bar line is at it."""
    grouped = {m[1]: tuple(map(int, m[2].split("+"))) for _, text in texts
               if (m := re.fullmatch(r"(\d{1,3}/\d{1,3}) as (\d{1,3}(?:\+\d{1,3}){1,15})", text))}  # fmt: skip
    named: dict[int, Meter] = {}
    for tick, (numerator, denominator) in steps:
        groups = grouped.get(f"{numerator}/{denominator}", ())
        named[tick] = meter(numerator, denominator, groups if sum(groups) == numerator else ())
    found: Meters = [(0, named.pop(0, COMMON_TIME))]
    for tick in sorted(named):
        start, before = found[-1]
        inside = (tick - start) % before.bar
        missing = before.bar - inside
        place = tick - inside if inside <= _NEAR else tick + missing if missing <= _NEAR else tick
        if place <= start:
            found[-1] = (start, named[tick])
        elif named[tick] != before:
            found.append((place, named[tick]))
    return found


def _anacrusis(meters: Meters) -> tuple[Meters, int]:
    """Without a first bar that only holds a pickup (1/4, then 3/4), and the ticks of it; 0 where there is none."""
    if len(meters) < 2 or meters[1][0] != meters[0][1].bar or meters[1][1].bar <= meters[0][1].bar:
        return meters, 0
    pickup = meters[0][1].bar
    shift = meters[1][1].bar - pickup
    return [(0, meters[1][1]), *((tick + shift, each) for tick, each in meters[2:])], pickup


def _barred(meters: Meters, end: int) -> tuple[int, Meters]:
    """The number of bars up to `end`, and the meters; one that comes inside of a bar cuts that bar short."""
    bars, found = 0, dict(meters)
    stops = [*meters[1:], (max(end, meters[-1][0] + 1), COMMON_TIME)]
    for (start, measure), (stop, _) in zip(meters, stops, strict=True):
        whole, rest = divmod(stop - start, measure.bar)
        bars += whole + bool(rest)
        short, filled = meter_of(rest, measure) if rest else (measure, 0)
        if rest and stop is not stops[-1][0] and not filled:
            found[start + whole * measure.bar] = short
    ordered = sorted(found.items())
    return bars, [ordered[0], *(b for a, b in pairwise(ordered) if a[1] != b[1])]


def _joined(changes: list[Change]) -> tuple[Change, ...]:
    """One change a tick."""
    found: dict[int, Change] = {}
    for change in changes:
        same = found.get(change.onset, Change(change.onset))
        found[change.onset] = Change(
            change.onset, change.meter or same.meter, change.key or same.key, change.tempo or same.tempo
        )  # fmt: skip
    return tuple(found[tick] for tick in sorted(found))
