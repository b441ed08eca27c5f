"""The plan of a song: what every musician knows before the first note is written."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.brief.brief import Brief
from core.brief.completing import coloured, swing_of
from core.music.catalogue import Catalogue, Style
from core.music.chance import generator, seed_of
from core.music.form import sections, with_lift
from core.music.meter import EIGHTH, SIXTEENTH
from core.music.score import Feel, Section


@dataclass(frozen=True, slots=True)
class Plan:
    """Sections, style and the song's own habits. `groove`: the drum family, or None without drums."""

    brief: Brief
    style: Style
    sections: tuple[Section, ...]
    feel: Feel
    groove: str | None
    seed: int  # the song's chance: its number mixed with its words, so that two requests with one number differ
    number: int  # the seed as the listener knows it

    @property
    def canon_delay(self) -> int:
        """Bars by which each voice of a canon follows the one before; 0 where it is no canon."""
        if self.brief.ask.ensemble != "canon":
            return 0
        return 2 if self.brief.bars < 16 else 4

    @property
    def varied(self) -> bool:
        """Whether returns are variations."""
        return self.brief.form == "theme and variations"

    @property
    def end(self) -> int:
        """Ticks."""
        return self.brief.bars * self.brief.meter.bar


def plan(brief: Brief, catalogue: Catalogue, seed: int) -> Plan:
    style = coloured(catalogue.styles[brief.genre], [catalogue.styles[name] for name in brief.colour])
    if brief.density:
        base = style.melody.density
        melody = replace(style.melody, density=min(0.95, base + 0.2) if brief.density == "dense" else base * 0.55)
        style = replace(style, melody=melody)
    form = brief.ask.sections or catalogue.forms[brief.form]
    lift = sum(catalogue.moods[name].energy for name in brief.moods) / max(1, len(brief.moods))
    unit = EIGHTH if style.feel.unit == 8 or brief.meter.denominator == 8 else SIXTEENTH
    if brief.meter.denominator == 8:
        unit = SIXTEENTH  # eighths carry the groups of a compound or additive meter: they stay even
    swing = swing_of(brief, style, seed)
    if brief.meter.denominator == 8 and brief.feel not in ("swing", "shuffle"):
        swing = 0.5
    return Plan(
        brief=brief,
        style=style,
        sections=with_lift(sections(form, brief.bars), lift),
        feel=Feel(
            swing=swing,
            swing_unit=unit,
            laid_back=style.feel.laid_back,
            humanise=style.feel.humanise,
            fade=brief.ending == "fade",
        ),
        groove=_groove(brief, style, catalogue, seed),
        seed=seed_of(seed, brief.text),
        number=seed,
    )


def _groove(brief: Brief, style: Style, catalogue: Catalogue, seed: int) -> str | None:
    """The drum family: the style's own, or its cousin in the song's meter."""
    if not brief.has("drums"):
        return None
    name = style.drums if style.drums != "none" else "orchestral"
    cousins = {("swing", "3/4"): "jazz waltz", ("shuffle", "12/8"): "slow blues", ("jig", "4/4"): "folk",
               ("waltz", "4/4"): "ballad", ("folk", "6/8"): "jig"}  # fmt: skip
    name = cousins.get((name, brief.meter.name), name)
    if brief.genre == "celtic" and generator(seed, "groove").randrange(2):
        name = "jig" if brief.meter.compound else "folk"
    return name if name in catalogue.grooves else None
