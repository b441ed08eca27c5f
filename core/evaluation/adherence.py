"""Adherence: whether a song is what was asked for. Reads exported files only, and names each thing that is not.

Expectations, each optional: key ("F# minor", "G": any mode), meter, grouping, tempo [low, high], bars, seconds,
sections, form, voices (pitched tracks), tracks, instruments (must play), lead (first track), roles, drums,
without (roles or instruments that must not play), ending, feel, density, sparse (an instrument that plays little),
octaves, own, canon, told; and against the version before: kept, faster, louder, fewer, changed_bars,
sections_include, sections_exclude.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from core.evaluation.exported import Exported, Track
from core.music import pitch
from core.music.catalogue import Catalogue
from core.music.keys import MODES, Key
from core.music.scorecard import similarity
from core.notation.tune import Sounding, heard_chords, tune_of

_BASS_PROGRAMS = range(32, 40)


def violations(
    expect: Mapping[str, Any], song: Exported, catalogue: Catalogue, before: Exported | None = None
) -> list[str]:
    """What is not as asked; empty where all is."""
    found = _sound(song)
    for name, wanted in expect.items():
        check = _CHECKS.get(name)
        if check is None:
            raise KeyError(f"no check for {name!r}")
        told = check(wanted, song, catalogue, before)
        if told:
            found.append(f"{name}: {told}")
    return found


def _sound(song: Exported) -> list[str]:
    """What must hold of every song: the three files agree, and nothing lies outside of the last bar."""
    found = []
    if song.abc_meter != song.meter:
        found.append(f"abc: meter {song.abc_meter}")
    if song.xml.findtext(".//beats") != song.meter.split("/")[0]:
        found.append("musicxml: meter")
    if len(song.xml.findall("part")) != len(song.tracks):
        found.append("musicxml: parts")
    if song.abc_voices != len(song.tracks):
        found.append("abc: voices")
    if abs(song.bars - round(song.bars)) > 1e-6:
        found.append(f"bars: {song.bars}")
    for track in song.tracks:
        if not track.notes:
            found.append(f"{track.name}: silent")
        elif max(onset + duration for onset, duration, _ in track.notes) > song.length + 1e-6:
            found.append(f"{track.name}: sounds beyond the end")
    return found


def _key(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    name, _, mode = wanted.partition(" ")
    tonic = pitch.parse_name(name)
    if song.tonic != pitch.pitch_class(tonic):
        return f"tonic {song.tonic}"
    if not mode:
        return ""
    key = Key(tonic, mode)
    if mode in ("major", "minor") and song.signature != pitch.name(tonic) + ("m" if mode == "minor" else ""):
        return f"MIDI declares {song.signature}"
    fifths, said = int(song.xml.findtext(".//fifths") or 99), song.xml.findtext(".//mode")
    if (fifths - key.fifths) % 12 or said != key.info.musicxml:
        return f"MusicXML declares {fifths} {said}"
    if song.abc_key.lower() != (pitch.name(tonic) + MODES[mode].abc).lower():
        return f"ABC declares {song.abc_key}"
    return _scale(key, song)


def _scale(key: Key, song: Exported) -> str:
    """The melody keeps to the scale but for chord tones, and the mode's own degree is heard."""
    melody = song.pitched[0].notes
    inside = sum(note[2] % 12 in key.pitch_classes for note in melody) / max(1, len(melody))
    if inside < 0.85:
        return f"only {inside:.0%} of the melody in the scale"
    own = key.info.characteristic
    if own is not None and song.bars >= 8:
        degree = pitch.pitch_class(key.scale[own])
        if not any(note[2] % 12 == degree for track in song.pitched for note in track.notes):
            return "the mode's own degree is not heard"
    return ""


def _meter(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if song.meter == wanted else song.meter


def _grouping(wanted: list[int], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    """Drums (or the bass) mark the groups more than the other eighths, in strokes weighted by loudness."""
    track = next((t for t in song.tracks if t.drums), None) or song.pitched[-1]
    unit = song.bar / sum(wanted)
    heads = {round(sum(wanted[:i]) * unit, 3) for i in range(len(wanted))}
    weight: dict[float, float] = {}
    for (onset, _, key), velocity in zip(track.notes, track.velocities, strict=True):
        if not track.drums or key in (35, 36, 37, 38, 39, 40, 43, 47, 50):
            place = round(round(onset % song.bar / unit) * unit % song.bar, 3)
            weight[place] = weight.get(place, 0) + velocity
    places = [round(i * unit, 3) for i in range(sum(wanted))]
    others = [weight.get(p, 0) for p in places if p not in heads]
    marked = [weight.get(p, 0) for p in heads]
    if f"as {'+'.join(map(str, wanted))}" not in song.abc and len(set(wanted)) > 1:
        return "ABC does not say it"
    return "" if sum(marked) / len(marked) > 1.4 * max(1.0, sum(others) / max(1, len(others))) else "not felt"


def _tempo(wanted: list[float], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if wanted[0] - 0.01 <= song.tempo <= wanted[1] + 0.01 else f"{song.tempo:.1f}"


def _bars(wanted: int, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if abs(song.bars - wanted) < 1e-6 else f"{song.bars:g}"


def _seconds(wanted: float, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if abs(song.seconds - wanted) <= max(1.0, 0.03 * wanted) else f"{song.seconds:.1f}"


def _sections(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    named = [name for _, name in song.sections]
    return "" if named == wanted else " ".join(named)


def _form(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    tune = tune_of(song.midi, 1, [])
    if wanted == "12-bar blues":
        chords = _roots(song, 12)
        blues = all(chords[i] in (song.tonic,) for i in (0, 6)) and chords[4] == (song.tonic + 5) % 12
        return "" if blues and song.bars % 12 == 0 else f"{chords}"
    if wanted == "variations":
        lag = _theme_length(song)
        return "" if 0.12 <= similarity(tune, lag) <= 0.9 else f"similarity {similarity(tune, lag):.2f}"
    return _letters(wanted, song)


def _theme_length(song: Exported) -> int:
    return round(song.sections[1][0]) if len(song.sections) > 1 else 8


def _letters(wanted: str, song: Exported) -> str:
    """Sections with the same letter share more of their melody than sections with different letters."""
    starts = [round(bar) for bar, _ in song.sections]
    if len(starts) != len(wanted):
        return f"{len(starts)} sections"
    spans = list(pairwise([*starts, round(song.bars)]))
    melody = song.straight(song.pitched[0])

    def material(first: int, last: int) -> set[tuple[float, int]]:
        low, high = first * song.bar, last * song.bar
        return {(round(o - low, 2), p) for o, _, p in melody if low <= o < high}

    parts = [material(*span) for span in spans]
    same, other = [1.0], [0.0]
    for i in range(len(parts)):
        for j in range(i):
            share = len(parts[i] & parts[j]) / max(1, len(parts[i] | parts[j]))
            (same if wanted[i] == wanted[j] else other).append(share)
    if len(set(wanted)) < len(wanted) and min(same) < max(other) + 0.1:
        return f"same {min(same):.2f}, other {max(other):.2f}"
    return ""


def _roots(song: Exported, bars: int) -> list[int]:
    """The lowest note that sounds as each of the first bars begins: in these forms, the root."""
    found = []
    for i in range(bars):
        at = i * song.bar + 0.1
        heard = [midi for track in song.pitched for onset, length, midi in track.notes if onset <= at < onset + length]
        found.append(min(heard) % 12 if heard else -1)
    return found


def _chord_of(song: Exported, start: float, end: float) -> tuple[int, ...]:
    """The chord of a stretch, from all pitched tracks but the melody, the first of all for its root."""
    tracks = song.pitched[1:] or song.pitched
    notes: Sounding = []
    for track in tracks:
        for onset, duration, midi in track.notes:
            low, high = max(onset, start), min(onset + duration, end)
            if high - low > 0.05:
                notes.append((low - start, high - low, midi))
    heard = heard_chords(sorted(notes), end - start, 1)
    return heard[0][1] if heard else ()


def _voices(wanted: int, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if len(song.pitched) == wanted else f"{len(song.pitched)}"


def _tracks(wanted: int, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if len(song.tracks) == wanted else f"{len(song.tracks)}"


def _plays(name: str, song: Exported, catalogue: Catalogue) -> list[Track]:
    program = catalogue.instruments[name].program
    return [track for track in song.pitched if track.program == program]


def _instruments(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    missing = [name for name in wanted if not _plays(name, song, catalogue)]
    outside = [
        name
        for name in wanted
        for track in _plays(name, song, catalogue)
        for note in track.notes
        if not catalogue.instruments[name].low <= note[2] <= catalogue.instruments[name].high
    ]
    return f"missing {missing}" if missing else f"out of range {set(outside)}" if outside else ""


def _lead(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if song.pitched[0].program == catalogue.instruments[wanted].program else song.pitched[0].name


def _roles(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    """Bass and drums by what they are; melody and chords by being one voice, and more than one."""
    missing = []
    if "drums" in wanted and not any(track.drums for track in song.tracks):
        missing.append("drums")
    if "bass" in wanted and not any(_low(track) for track in song.pitched[1:]):
        missing.append("bass")
    if "melody" in wanted and _thickness(song.pitched[0]) > 1.05:
        missing.append("melody")
    if "chords" in wanted and not any(_chordal(track) for track in song.pitched[1:]):
        missing.append("chords")
    return f"missing {missing}" if missing else ""


def _low(track: Track) -> bool:
    return bool(track.notes) and sum(n[2] for n in track.notes) / len(track.notes) < 52


def _thickness(track: Track) -> float:
    onsets = {round(n[0], 2) for n in track.notes}
    return len(track.notes) / max(1, len(onsets))


def _chordal(track: Track) -> bool:
    """More notes than one at a time, or broken chords: few steps."""
    steps = [abs(b[2] - a[2]) for a, b in pairwise(track.notes)]
    return _thickness(track) > 1.3 or (bool(steps) and sum(s > 2 for s in steps) / len(steps) > 0.6)


def _drums(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if any(track.drums for track in song.tracks) == wanted else "drums" if not wanted else "no drums"


def _without(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    there = []
    for name in wanted:
        if name == "drums":
            there += ["drums" for track in song.tracks if track.drums]
        elif name == "bass":
            there += [t.name for t in song.pitched if t.program in _BASS_PROGRAMS or (_low(t) and _thickness(t) < 1.2)]
        else:
            there += [track.name for track in _plays(name, song, catalogue)]
    return ", ".join(there)


def _ending(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    if wanted == "fade":
        loud = [_loudness(song, bar) for bar in (song.bars - 5, song.bars - 1)]
        return "" if loud[1] < 0.6 * loud[0] else f"velocity {loud[0]:.0f} to {loud[1]:.0f}"
    if wanted == "cold":
        last = max(o + d for t in song.pitched for o, d, _ in t.notes if not t.drums)
        held = max(d for t in song.pitched for o, d, _ in t.notes if o + d > last - 0.01)
        return "" if last <= song.length - song.bar / 2 and held <= 1.01 else f"held {held:.1f} to {last:.1f}"
    final = _chord_of(song, song.length - song.bar, song.length)
    first = _chord_of(song, song.length - 2 * song.bar, song.length - 1.5 * song.bar)
    prepared = _chord_of(song, song.length - 1.5 * song.bar, song.length - song.bar)
    goal = {"authentic": 0, "plagal": 0, "half": 7, "deceptive": None}[wanted]
    before_it = {"authentic": 7, "plagal": 5, "half": None, "deceptive": 7}[wanted]
    root = (final[0] - song.tonic) % 12 if final else -1
    if goal is not None and root != goal:
        return f"ends on {root}"
    if wanted == "deceptive" and root not in (8, 9):
        return f"ends on {root}"
    roots = [(chord[0] - song.tonic) % 12 for chord in (prepared, first) if chord]
    return "" if before_it is None or before_it in roots else f"prepared by {roots}"


def _loudness(song: Exported, bar: float) -> float:
    low = round(bar) * song.bar
    found = [
        velocity
        for track in song.tracks
        for (onset, _, _), velocity in zip(track.notes, track.velocities, strict=True)
        if low <= onset < low + song.bar
    ]
    return sum(found) / max(1, len(found))


def _feel(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    if wanted == "half time":
        drums = next(track for track in song.tracks if track.drums)
        backs = [round(n[0] % song.bar * 2) / 2 for n in drums.notes if n[2] in (37, 38, 39, 40)]
        return "" if backs and backs.count(2.0) > 0.5 * len(backs) else "no back-beat on three"
    places = [round(n[0] % 1, 3) for track in song.tracks for n in track.notes]
    off = [p for p in places if 0.45 <= p <= 0.72]
    late = [p for p in off if p > 0.53]
    sixteenths = [p for p in places if 0.24 < p % 0.5 < 0.36]
    swung = len(late) > 0.6 * max(1, len(off)) or sum(p % 0.5 > 0.26 for p in sixteenths) > 0.6 * max(
        1, len(sixteenths)
    )
    return "" if swung == (wanted == "swing") else "straight" if not swung else "swung"


def _density(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    rate = len(song.pitched[0].notes) / song.length
    return "" if (rate <= 0.8 if wanted == "sparse" else rate >= 0.85) else f"{rate:.2f} notes a beat"


def _sparse(wanted: str, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    tracks = _plays(wanted, song, catalogue)
    bars = {int(note[0] // song.bar) for track in tracks for note in track.notes}
    return "" if 1 <= len(bars) <= 0.6 * song.bars else f"plays in {len(bars)} bars"


def _octaves(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    low = min(song.pitched, key=lambda t: sum(n[2] for n in t.notes) / len(t.notes))
    struck: dict[float, list[int]] = {}
    for onset, _, midi in low.notes:
        struck.setdefault(round(onset, 2), []).append(midi)
    pairs = [max(p) - min(p) for p in struck.values()]
    return "" if sum(p == 12 for p in pairs) > 0.9 * len(pairs) else "not in octaves"


def _own(wanted: int, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    """The voice (from 0) has a rhythm of its own: few of its onsets are the melody's."""
    mine, lead = ({round(n[0], 2) for n in song.pitched[i].notes} for i in (wanted, 0))
    share = len(mine & lead) / max(1, len(mine | lead))
    return "" if share < 0.75 else f"{share:.0%} of onsets shared"


def _canon(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    """Every further voice sings what the first one sang, later, at a fixed interval."""
    lead = [(round(o, 2), p) for o, _, p in song.straight(song.pitched[0])]
    for track in song.pitched[1:]:
        theirs = [(round(o, 2), p) for o, _, p in song.straight(track)]
        delay = theirs[0][0] - lead[0][0]
        shift = theirs[0][1] - lead[0][1]
        moved = {(round(o + delay, 2), p + shift) for o, p in lead}
        share = sum(note in moved for note in theirs) / len(theirs)
        if delay <= 0 or share < 0.8:
            return f"{track.name} follows in {share:.0%}"
    return ""


def _told(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return "" if song.told else "nothing said"


def _kept(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    """notes: every track's notes as written; rhythm: the melody's onsets; melody, bass: that track."""
    assert before is not None
    for what in wanted:
        if what == "notes":
            pairs = list(zip(before.tracks, song.tracks, strict=False))
            same = len(before.tracks) == len(song.tracks) and all(
                _as_written(before, a) == _as_written(song, b) for a, b in pairs
            )
        elif what == "rhythm":
            old, new = (_as_written(s, s.pitched[0]) for s in (before, song))
            same = [n[:2] for n in old] == [n[:2] for n in new]
        else:
            place = 0 if what == "melody" else next(i for i, t in enumerate(before.pitched) if i and _low(t))
            name = before.pitched[place].name
            track = next((t for t in song.pitched if t.name == name), None)
            same = track is not None and _as_written(before, before.pitched[place]) == _as_written(song, track)
        if not same:
            return f"{what} changed"
    return ""


def _as_written(song: Exported, track: Track) -> list[tuple[float, float, int]]:
    return [(round(o, 2), round(d, 2), p) for o, d, p in song.straight(track)]


def _faster(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    assert before is not None
    return "" if (song.tempo > before.tempo) == wanted else f"{before.tempo:.0f} to {song.tempo:.0f}"


def _louder(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    assert before is not None
    old, new = (
        sum(v for t in s.tracks for v in t.velocities) / max(1, sum(len(t.velocities) for t in s.tracks))
        for s in (before, song)
    )
    return "" if (new > old + 2) == wanted else f"{old:.0f} to {new:.0f}"


def _fewer(wanted: bool, song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    assert before is not None
    old, new = (len(s.pitched[0].notes) for s in (before, song))
    return "" if (new < 0.9 * old) == wanted else f"{old} to {new} notes"


def _changed_bars(wanted: list[int], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    """The melody differs within these bars (from 1, both included) and nowhere else."""
    assert before is not None
    old, new = (set(_as_written(s, s.pitched[0])) for s in (before, song))
    bars = {int(onset // song.bar) + 1 for onset, _, _ in old ^ new}
    outside = {bar for bar in bars if not wanted[0] <= bar <= wanted[1]}
    return f"bars {sorted(outside)} changed" if outside else "" if bars else "nothing changed"


def _sections_include(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return ", ".join(name for name in wanted if name not in [s for _, s in song.sections])


def _sections_exclude(wanted: list[str], song: Exported, catalogue: Catalogue, before: Exported | None) -> str:
    return ", ".join(name for name in wanted if name in [s for _, s in song.sections])


Check = Callable[[Any, Exported, Catalogue, Exported | None], str]
_CHECKS: dict[str, Check] = {
    "key": _key, "meter": _meter, "grouping": _grouping, "tempo": _tempo, "bars": _bars, "seconds": _seconds,
    "sections": _sections, "form": _form, "voices": _voices, "tracks": _tracks, "instruments": _instruments,
    "lead": _lead, "roles": _roles, "drums": _drums, "without": _without, "ending": _ending, "feel": _feel,
    "density": _density, "sparse": _sparse, "octaves": _octaves, "own": _own, "canon": _canon, "told": _told,
    "kept": _kept, "faster": _faster, "louder": _louder, "fewer": _fewer, "changed_bars": _changed_bars,
    "sections_include": _sections_include, "sections_exclude": _sections_exclude,
}  # fmt: skip
