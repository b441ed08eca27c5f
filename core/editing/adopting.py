"""A score that somebody brought becomes a song of ours: roles for its parts, and the brief that describes it."""

from __future__ import annotations

from dataclasses import replace

from core.brief.brief import Ask, Brief, PartPlan
from core.brief.lexicon import Lexicon
from core.brief.reading import read
from core.music.catalogue import Catalogue, Instrument
from core.music.chance import seed_of
from core.music.score import Part, Score, numbered
from core.notation.assembling import Read
from core.plain import one_line

_BASS_BELOW = 52  # mean pitch under which a single line is the bass
_USUAL_GENRE = "folk"


def adopted(brought: Read, source: str, name: str, catalogue: Catalogue, lexicon: Lexicon) -> tuple[Score, Brief]:
    """`source`: abc, midi or musicxml. `name`: what to call it where it has no title of its own."""
    score = brought.score
    title = one_line(score.title or name, 120) or one_line(name, 120)
    asked = read(brought.rhythm, lexicon) if brought.rhythm else Ask()
    genre = next((g for g in asked.genres if g in catalogue.styles), _USUAL_GENRE)
    usual = catalogue.styles[genre].melody.instruments
    played = tuple(_played(part, catalogue, max(usual, key=lambda name: usual[name])) for part in score.parts)
    parts = _numbered(_with_roles(played))
    score = replace(
        score, title=title, parts=parts, genre=genre, seed=seed_of(title, score.length, len(parts)) % 1_000_000_000
    )
    ask = Ask(genres=(genre,), tonic=score.key.tonic, mode=score.key.mode, tempo=score.tempo, meter=score.meter,
              bars=score.bars, title=title)  # fmt: skip
    brief = Brief(
        text=title, ask=ask, genre=genre, colour=(), moods=(), key=score.key, tempo=score.tempo, meter=score.meter,
        bars=score.bars, form=next(iter(catalogue.forms)), parts=tuple(PartPlan(p.role, p.instrument) for p in parts),
        ending="authentic", feel="", density="", title=title, source=source,
        asked=frozenset({"key", "tempo", "meter", "bars", "parts"}),
    )  # fmt: skip
    return score, brief


def _played(part: Part, catalogue: Catalogue, usual: str) -> Part:
    """With an instrument of the catalogue: the one of its name, else of its program, else of its program's family.

    `usual`: who plays a tune that names nobody.
    """
    if part.drums:
        return replace(part, instrument="drums")
    nameless = part.name.startswith(("Voice ", "Part "))
    if nameless and not part.program and _height(part) > _BASS_BELOW:
        player = catalogue.instruments[usual]
        return replace(part, name=player.en[0].title(), instrument=usual, program=player.program)
    called = part.name.lower().rstrip(" 0123456789.")
    players = () if nameless else catalogue.instruments.values()
    named = next((i for i in players if called in (i.name, *i.en, *i.zh)), None)
    instrument = named if named and (part.program == 0 or named.program == part.program) else None
    instrument = instrument or _of_program(part.program, catalogue)
    return replace(
        part,
        name=instrument.en[0].title() if nameless else part.name,
        instrument=instrument.name,
        program=instrument.program if named else part.program,
    )


def _numbered(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Every part with a name of its own: `Violin`, `Violin 2`."""
    made: list[Part] = []
    for part in parts:
        made.append(replace(part, name=numbered(part.name, {other.name for other in made})))
    return tuple(made)


def _of_program(program: int, catalogue: Catalogue) -> Instrument:
    """General MIDI groups its programs in families of eight."""
    return min(
        catalogue.instruments.values(), key=lambda i: (i.program // 8 != program // 8, abs(i.program - program))
    )  # fmt: skip


def _with_roles(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The highest single line sings, the lowest is the bass, hands full of notes play the chords."""
    pitched = [part for part in parts if not part.drums]
    single = [part for part in pitched if _chordal(part) < 0.3] or pitched
    called = [part for part in pitched if any(w in part.name.lower() for w in ("melody", "vocal", "voice", "lead"))]
    lead = called[0] if called else max(single, key=_height, default=None)
    low = min((part for part in single if part is not lead), key=_height, default=None)
    found, taken = [], {"melody"}
    for part in parts:
        if part.drums:
            role = "drums"
        elif part is lead:
            role = "melody"
        elif part is low and _height(part) < _BASS_BELOW:
            role = "bass"
        elif _chordal(part) >= 0.3:
            role = "chords" if "chords" not in taken else "pad"
        else:
            role = "counter" if "counter" not in taken else "harmony"
        taken.add(role)
        found.append(replace(part, role=role))
    return tuple(found)


def _height(part: Part) -> float:
    return sum(note.pitch for note in part.notes) / max(1, len(part.notes))


def _chordal(part: Part) -> float:
    """Share of its strokes that strike more than one note."""
    struck: dict[int, int] = {}
    for note in part.notes:
        struck[note.onset] = struck.get(note.onset, 0) + 1
    return sum(count > 1 for count in struck.values()) / max(1, len(struck))
