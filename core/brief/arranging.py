"""Who plays: turns the instruments and ensembles asked for into parts with roles."""

from __future__ import annotations

import random
from dataclasses import replace

from core.brief.brief import Ask, PartAsk, PartPlan, Remark, remark
from core.music.catalogue import Catalogue, Style
from core.music.chance import weighted

MOST_PLAYERS = 15  # MIDI has sixteen channels, and the drums have one of them
POLYPHONIC = frozenset({"keys", "plucked", "pad"})
_CHORDAL_NAMES = frozenset(
    {
        "strings",
        "slow strings",
        "synth strings",
        "synth strings 2",
        "tremolo strings",
        "choir",
        "brass section",
        "vibraphone",
        "marimba",
    }
)
_VOICES = {"solo": 1, "duet": 2, "trio": 3, "quartet": 4, "canon": 2}
_DEFAULT_ENSEMBLE = {
    "solo": ("flute", "violin", "piano", "clarinet", "cello"),
    "duet": (("flute", "cello"), ("violin", "cello"), ("clarinet", "bassoon"), ("oboe", "bassoon")),
    "trio": (("violin", "viola", "cello"), ("flute", "clarinet", "bassoon"), ("oboe", "clarinet", "bassoon")),
    "quartet": (("violin", "violin", "viola", "cello"), ("flute", "oboe", "clarinet", "bassoon")),
    "canon": (("violin", "violin"), ("flute", "flute"), ("recorder", "recorder"), ("violin", "viola")),
}
_VOICE_ROLES = {
    1: ("melody",),
    2: ("melody", "counter"),
    3: ("melody", "counter", "bass"),
    4: ("melody", "counter", "harmony", "bass"),
}


def arranged(
    ask: Ask, style: Style, catalogue: Catalogue, rng: random.Random
) -> tuple[tuple[PartPlan, ...], list[Remark]]:
    """The parts of a song, in score order, and what could not be given."""
    chamber = ask.ensemble not in (None, "band")
    asks = [replace(part, instrument=_concrete(part.instrument, style, chamber)) for part in ask.parts]
    rhythm_section = any(part.role in ("bass", "drums") for part in asks)
    instruments = [part.instrument for part in asks if part.instrument]
    if (rhythm_section and ask.ensemble in ("solo", "duet", "trio", "quartet")) or (
        ask.exact and any(p.role for p in asks)
    ):
        parts = _combo(asks, style, catalogue, rng)
    elif ask.exact and not chamber and instruments:
        ensemble = {1: "solo", 2: "duet", 3: "trio"}.get(len(instruments), "quartet")
        parts = _chamber(ensemble, asks, catalogue, rng)
    elif not chamber:
        parts = _band(ask, asks, style, catalogue, rng)
    else:
        parts = _chamber(ask.ensemble or "", asks, catalogue, rng)
    parts = [_mannered(part, asks) for part in parts]
    kept = [part for part in parts if part.role not in ask.excluded and not _excluded(part.instrument, ask)]
    if not kept:
        return (parts[0],), [remark("remark-nobody-left")]
    seated = _seated(kept)
    left_out = len(kept) - len(seated)
    return tuple(seated), [remark("remark-players-left-out", count=left_out, most=MOST_PLAYERS)] if left_out else []


def _seated(parts: list[PartPlan]) -> list[PartPlan]:
    """At most as many players as there are channels: those go first that others of their role can stand in for."""
    seated = list(parts)
    while sum(part.role != "drums" for part in seated) > MOST_PLAYERS:
        extra = [part for part in seated if part.role in ("harmony", "counter")] or seated[1:]
        seated.reverse()
        seated.remove(extra[-1])
        seated.reverse()
    return seated


def _excluded(name: str, ask: Ask) -> bool:
    """An instrument left out by its name, or by its kind ("no guitars")."""
    return any(name == word or name.endswith(f" {word}") for word in ask.excluded)


def _mannered(part: PartPlan, asks: list[PartAsk]) -> PartPlan:
    """The part with the manner asked of its instrument or role."""
    for ask in asks:
        by_role = ask.instrument is None and ask.role == part.role
        if ask.manner and (ask.instrument == part.instrument or by_role):
            return replace(part, manner=ask.manner)
    return part


def _combo(asks: list[PartAsk], style: Style, catalogue: Catalogue, rng: random.Random) -> list[PartPlan]:
    """A small band of exactly those named: "a trio of piano, bass and drums"."""
    named = [ask.instrument for ask in asks if ask.instrument]
    roles = [ask.role for ask in asks if not ask.instrument]
    parts = [PartPlan(role, name) for role, name in _roles_of([PartAsk(name) for name in named], catalogue)]
    if parts and not any(part.role == "melody" for part in parts):
        parts.insert(0, PartPlan("melody", parts[0].instrument))
    if (
        len(named) == 1 and "chords" not in roles
    ):  # one instrument is one part: the piano of a trio plays tune and chords in one
        own = [part for part in parts if part.role == "bass"]
        parts = own or [PartPlan("melody", named[0])]
    for role, source in (("melody", style.melody), ("chords", style.chords)):
        if role in roles and not any(part.role == role for part in parts):
            parts.append(PartPlan(role, weighted(rng, list(source.instruments), list(source.instruments.values()))))
    if "bass" in roles and not any(part.role == "bass" for part in parts):
        parts.append(
            PartPlan("bass", weighted(rng, list(style.bass.instruments), list(style.bass.instruments.values())))
        )
    if "drums" in roles:
        parts.append(PartPlan("drums", "drums"))
    return parts


def _concrete(name: str | None, style: Style, chamber: bool) -> str | None:
    """ "guitar" alone is the guitar of the genre."""
    if name == "woodwinds" and not chamber:
        return "clarinet"
    if name != "guitar":
        return name
    guitars = [n for s in (style.melody, style.chords) for n in s.instruments if n.endswith("guitar")]
    return guitars[0] if guitars else "acoustic guitar"


def chordal(name: str, catalogue: Catalogue) -> bool:
    instrument = catalogue.instruments[name]
    return instrument.family in POLYPHONIC or name in _CHORDAL_NAMES


def _roles_of(asks: list[PartAsk], catalogue: Catalogue) -> list[tuple[str, str]]:
    """(role, instrument) for each instrument asked for in a band."""
    given = [(ask.role, ask.instrument) for ask in asks if ask.role and ask.instrument]
    free = [ask.instrument for ask in asks if ask.instrument and not ask.role]
    taken = {role for role, _ in given}
    roles: list[tuple[str, str]] = [(role, name) for role, name in given if role]

    def take(role: str, name: str) -> None:
        roles.append((role, name))
        taken.add(role)
        free.remove(name)

    for name in list(free):
        if catalogue.instruments[name].family == "bass" and "bass" not in taken:
            take("bass", name)
    melodic = [name for name in free if not chordal(name, catalogue) and catalogue.instruments[name].family != "bass"]
    harmonic = [name for name in free if chordal(name, catalogue)]
    if "melody" not in taken and melodic:
        take("melody", melodic[0])
    if "chords" not in taken and harmonic:
        take("chords", harmonic[0])
    if "melody" not in taken and len(harmonic) > 1:
        take("melody", harmonic[1])
    for role in ("counter", "pad", "harmony"):
        if free and role not in taken:
            take(role, free[0])
    for extra in list(free):
        take("harmony", extra)
    if "melody" not in taken and harmonic:
        roles.append(("melody", harmonic[0]))  # the piano of a "piano ballad" carries the tune as well
    return roles


# Who plays a role when all that the style knows for it is left out.
_STAND_INS = {
    "melody": ("flute", "alto sax", "violin"),
    "chords": ("piano", "drawbar organ", "strings"),
    "bass": ("electric bass", "cello"),
}


def _band(ask: Ask, asks: list[PartAsk], style: Style, catalogue: Catalogue, rng: random.Random) -> list[PartPlan]:
    parts = [PartPlan(role, name) for role, name in _roles_of(asks, catalogue) if role != "drums"]
    present = {part.role for part in parts}
    for role, source in (("melody", style.melody), ("chords", style.chords), ("bass", style.bass)):
        if role not in present:
            playing = {part.instrument for part in parts}
            choices = {n: w for n, w in source.instruments.items() if not _excluded(n, ask)}
            choices = (
                {n: w for n, w in choices.items() if n not in playing}
                or choices
                or dict.fromkeys(_STAND_INS[role], 1.0)
            )
            parts.append(PartPlan(role, weighted(rng, list(choices), list(choices.values()))))
    wants_drums = any(part.role == "drums" for part in ask.parts) or ask.ensemble == "band"
    if style.drums != "none" or wants_drums:
        parts.append(PartPlan("drums", "drums"))
    return sorted(parts, key=lambda part: _SCORE_ORDER.index(part.role))


_SCORE_ORDER = ("melody", "counter", "harmony", "chords", "pad", "bass", "drums")


def _chamber(ensemble: str, asks: list[PartAsk], catalogue: Catalogue, rng: random.Random) -> list[PartPlan]:
    if ensemble == "string quartet":
        names = ["violin", "violin", "viola", "cello"]
        return [PartPlan(role, name) for role, name in zip(_VOICE_ROLES[4], names, strict=True)]
    named = [ask.instrument for ask in asks if ask.instrument]
    if (
        named and len(set(named)) == 1 and ensemble in ("trio", "quartet")
    ):  # "a brass trio": that family, each voice its own
        named = _family(named[0], _VOICES[ensemble], catalogue)
    named = ["clarinet" if name == "woodwinds" else name for name in named]  # among others: one of them
    wanted = max(_VOICES[ensemble], len(named) if ensemble != "solo" else 1)
    if not named:
        chosen = rng.choice(_DEFAULT_ENSEMBLE[ensemble])
        named = [chosen] if isinstance(chosen, str) else list(chosen)
    while len(named) < wanted:
        named.append(named[-1])
    if ensemble == "solo" and catalogue.instruments[named[0]].family in ("keys", "plucked"):
        return [PartPlan("melody", named[0]), PartPlan("chords", named[0])]
    if ensemble == "canon":
        return [PartPlan("melody", named[0]), *(PartPlan("counter", name) for name in named[1:wanted])]
    return _voiced(named[:wanted], asks, catalogue)


_FAMILIES = {
    "brass section": ("trumpet", "french horn", "trombone", "tuba"),
    "woodwinds": ("flute", "oboe", "clarinet", "bassoon"),
    "strings": ("violin", "violin", "viola", "cello"),
    "alto sax": ("soprano sax", "alto sax", "tenor sax", "baritone sax"),
    "choir": ("choir", "choir", "choir", "choir"),
}


def _family(name: str, count: int, catalogue: Catalogue) -> list[str]:
    if name == "strings" and count == 3:
        return ["violin", "viola", "cello"]
    row = list(_FAMILIES.get(name, (name,) * count))
    return row if len(row) == count else [*row[: count - 1], row[-1]]


def _voiced(names: list[str], asks: list[PartAsk], catalogue: Catalogue) -> list[PartPlan]:
    """Voices from high to low; whoever was asked to lead, leads. A keyboard beside others accompanies."""
    led = next((ask.instrument for ask in asks if ask.role == "melody" and ask.instrument in names), None)
    centre = {
        name: sum((catalogue.instruments[name].usual_low, catalogue.instruments[name].usual_high)) for name in names
    }
    keyboard = next((n for n in names if catalogue.instruments[n].family == "keys"), None) if len(names) > 1 else None
    order = sorted((n for n in names if n != keyboard), key=lambda n: (n != led, -centre[n]))
    if not order:
        order, keyboard = names, None
    roles = _VOICE_ROLES.get(len(order)) or ("melody", "counter", *["harmony"] * (len(order) - 3), "bass")
    parts = [PartPlan(role, name) for role, name in zip(roles, order, strict=True)]
    return [*parts, PartPlan("chords", keyboard)] if keyboard else parts
