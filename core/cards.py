"""What a song and a bubble look like, before any platform's own form."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.brief.brief import Brief
from core.composer.state import STAGES
from core.events import Button, Done, Failed, Stage
from core.localisation import Words
from core.looks import Look, Rows, rows_of
from core.menus import first
from core.music import pitch
from core.music.score import Score
from core.ports import Face, Problem

_BAR = 10  # signs of a bar that shows how much is done
_MARKS = {"started": "…", "finished": "✓", "failed": "✗"}


def facts(score: Score, words: Words, locale: str) -> str:
    """`A minor · 75 bpm · 4/4 · 32 bars · 1:43`."""
    seconds = round(score.seconds)
    grouping = "+".join(map(str, score.meter.grouping))
    meter = score.meter.name + (f" ({grouping})" if len(set(score.meter.grouping)) > 1 else "")
    return " · ".join(
        (
            words.key(locale, score.key),
            words.say(locale, "card-tempo", tempo=f"{score.tempo:g}"),
            meter,
            words.say(locale, "card-bars", bars=score.bars),
            f"{seconds // 60}:{seconds % 60:02d}",
        )
    )


def style_line(brief: Brief, words: Words, locale: str) -> str:
    """`lo-fi, ballad · sad`."""
    if brief.source:
        return words.say(locale, f"source-{brief.source}")
    genres = words.names(locale, "genre", (brief.genre, *brief.colour))
    moods = words.names(locale, "mood", brief.moods)
    return f"{genres} · {moods}" if moods else genres


def players(score: Score, words: Words, locale: str) -> str:
    names = []
    for part in score.sounding:
        name = words.say(locale, "part-drums") if part.drums else words.name(locale, "instrument", part.instrument)
        names.append(name)
    return words.say(locale, "list-joint").join(dict.fromkeys(names))


def section_names(score: Score, words: Words, locale: str) -> tuple[str, ...]:
    return tuple(words.say(locale, f"section-{section.name}", label=section.label) for section in score.sections)


def face(score: Score, brief: Brief, words: Words, locale: str) -> Face:
    return Face(
        title=score.title,
        line=facts(score, words, locale),
        tail=f"{style_line(brief, words, locale)} · {words.say(locale, 'card-seed', seed=str(score.seed))}",
        sections=section_names(score, words, locale),
        comment=f"{brief.text[:200]} ({score.seed})",
    )


def song_text(
    score: Score,
    brief: Brief,
    rating: float,
    remarks: tuple[str, ...],
    words: Words,
    locale: str,
) -> str:
    """The card in words: what it is, who plays, what could not be done, and how to make it again."""
    lines = [
        f"♪ {score.title}",
        facts(score, words, locale),
        style_line(brief, words, locale),
        players(score, words, locale),
        " – ".join(section_names(score, words, locale)),
        *remarks,
    ]
    if not brief.source:  # nobody asked for marks on a tune of their own
        lines.append(words.say(locale, "card-tail", rating=f"{rating:.1f}", seed=str(score.seed)))
    return "\n".join(lines)


def problem_text(problem: Problem, words: Words, locale: str) -> str:
    what = words.say(locale, f"format-{problem.format}")
    return words.say(locale, "card-missing", what=what, why=words.say(locale, problem.code, **dict(problem.values)))


def brief_json(brief: Brief, seed: int) -> dict[str, object]:
    """The brief as programs read it: plain values, and which of them were asked for."""
    return {
        "genre": brief.genre,
        "colour": list(brief.colour),
        "moods": list(brief.moods),
        "key": f"{pitch.name(brief.key.tonic)} {brief.key.mode}",
        "tonic": pitch.name(brief.key.tonic),
        "mode": brief.key.mode,
        "tempo": brief.tempo,
        "meter": brief.meter.name,
        "grouping": list(brief.meter.grouping),
        "bars": brief.bars,
        "form": brief.form,
        "parts": [{"role": part.role, "instrument": part.instrument} for part in brief.parts],
        "excluded": list(brief.ask.excluded),
        "ending": brief.ending,
        "feel": brief.feel or None,
        "density": brief.density or None,
        "title": brief.title,
        "source": brief.source or None,
        "seed": seed,
        "asked": sorted(brief.asked),
    }


@dataclass
class Bubble:
    """One message that shows the band at work: a line a stage, in score order."""

    words: Words
    locale: str
    stages: dict[str, Stage] = field(default_factory=dict)

    def take(self, event: Stage) -> None:
        self.stages[event.stage] = event

    def lines(self) -> list[str]:
        """Every stage of a composition; of a change only what it needs."""
        shown = []
        for name in STAGES if len(self.stages) > 1 or "rendering" not in self.stages else ("rendering",):
            stage = self.stages.get(name)
            label = self.words.say(self.locale, f"stage-{name}")
            if stage is None:
                shown.append(f"  {label}")
            else:
                done = f"{stage.share:.0%}" if stage.share is not None else ""
                shown.append(f"{_MARKS[stage.state]} {label}  {stage.note or done}".rstrip())
        return shown

    def bar(self, seconds: float) -> str:
        """`▰▰▰▱▱▱▱▱ 0:07`: how much is done, and how long it has taken."""
        names = STAGES if len(self.stages) > 1 or "rendering" not in self.stages else ("rendering",)
        done = 0.0
        for name in names:
            stage = self.stages.get(name)
            done += 0.0 if stage is None else 1.0 if stage.state != "started" else stage.share or 0.0
        full = round(_BAR * done / len(names))
        return f"{'▰' * full}{'▱' * (_BAR - full)} {int(seconds) // 60}:{int(seconds) % 60:02d}"


def cancel_row(message: int, words: Words, locale: str) -> Rows:
    return ((Button(f"cancel:{message}", words.say(locale, "button-cancel")),),)


def result(last: Done | Failed, words: Words, locale: str, markdown: bool = False) -> Look:
    """What a job's message shows in the end: a song with its first three buttons, or words and their buttons."""
    if isinstance(last, Failed):
        return Look(last.text, final=True)
    if last.piece is None or last.version is None or last.form != "message":
        return Look(last.text, rows_of(last.buttons), markdown=markdown, asks=last.form == "prompt", final=True)
    rows = (first(last.piece, last.version, words, locale),)
    return Look(last.text, rows, last.title or "", dict(last.files), last.length, markdown, final=True)
