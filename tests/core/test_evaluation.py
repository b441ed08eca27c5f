"""The judges are judged: right songs pass, songs wrong in one thing do not, and neither does junk."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.evaluating import evaluate_music
from bot.wiring import Knowledge, evaluation_files
from core.brief.completing import complete
from core.brief.reading import read
from core.composer.once import compose_once
from core.evaluation.adherence import violations
from core.evaluation.controls import CONTROLS, shuffled
from core.evaluation.exported import Exported
from core.evaluation.known import hashes, unpacked
from core.evaluation.report import has_form
from core.evaluation.suite import exported, judged
from core.music.keys import Key
from core.music.meter import meter
from core.music.score import Note, Part, Score
from core.music.scorecard import measure
from core.notation.abc.writer import abc_text
from core.notation.midi import midi_bytes
from core.notation.musicxml import musicxml_bytes
from core.notation.tune import tune_of
from tests.conftest import Compose

SAMPLE = 20


def test_a_sample_of_the_suite_is_exactly_as_asked(known: Knowledge) -> None:
    suite, _, _ = evaluation_files()
    every = len(suite) // SAMPLE
    for request in suite[::every][:SAMPLE]:
        outcome = judged(request, 1, known.catalogue, known.lexicon)
        assert outcome.violations == (), outcome.text


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_whole_suite_is_exactly_as_asked() -> None:
    assert evaluate_music() == 0


def test_the_suite_was_written_for_every_kind_in_both_languages() -> None:
    suite, _, _ = evaluation_files()
    assert len(suite) >= 200
    for kind in {request["kind"] for request in suite} - {"band", "contradiction"}:
        texts = [r["text"] for r in suite if r["kind"] == kind]
        assert any("\u4e00" <= c <= "\u9fff" for text in texts for c in text), kind
        assert any(c.isascii() and c.isalpha() for text in texts for c in text), kind


def part(score: Score, role: str) -> Part:
    found = score.part(role)
    assert found is not None
    return found


def notes(score: Score, role: str, change: Callable[[Note], Note | None]) -> Score:
    old = part(score, role)
    return score.with_part(replace(old, notes=tuple(n for n in map(change, old.notes) if n is not None)))


def tempo(by: float) -> Callable[[Score], Score]:
    return lambda score: replace(score, tempo=score.tempo + by)


def key(tonic: int, mode: str) -> Callable[[Score], Score]:
    return lambda score: replace(score, key=Key(tonic, mode))


def bars(by: int) -> Callable[[Score], Score]:
    return lambda score: replace(score, bars=score.bars + by)


def in_meter(numerator: int, denominator: int, grouping: tuple[int, ...] = ()) -> Callable[[Score], Score]:
    return lambda score: replace(score, meter=meter(numerator, denominator, grouping))


def without(role: str) -> Callable[[Score], Score]:
    return lambda score: replace(score, parts=tuple(p for p in score.parts if p.role != role))


def program(role: str, number: int) -> Callable[[Score], Score]:
    return lambda score: score.with_part(replace(part(score, role), program=number))


def with_drums(score: Score) -> Score:
    beat = tuple(Note(i * 5040, 1260, 36) for i in range(score.length // 5040))
    return replace(score, parts=(*score.parts, Part("Drums", "drums", 0, beat, "drums")))


def octave(role: str, by: int) -> Callable[[Score], Score]:
    return lambda score: notes(score, role, lambda n: replace(n, pitch=n.pitch + 12 * by))


def semitone(role: str) -> Callable[[Score], Score]:
    return lambda score: notes(score, role, lambda n: replace(n, pitch=n.pitch + 1, tpc=n.tpc + 7))


def doubled(score: Score) -> Score:
    first = score.parts[0]
    return replace(score, parts=(*score.parts, replace(first, name="Another", role="harmony")))


def last_bass(pitch_class: int) -> Callable[[Score], Score]:
    def change(score: Score) -> Score:
        last = score.length - score.meter.bar
        moved = dict.fromkeys(("bass", "chords"), pitch_class)
        for role, target in moved.items():
            low = 36 if role == "bass" else 60
            kept = tuple(n for n in part(score, role).notes if n.onset < last)
            chord = (0,) if role == "bass" else (0, 4, 7)
            ends = tuple(
                Note(last, score.meter.bar, low + (target + step) % 12, (target + step) * 7 % 12) for step in chord
            )
            score = score.with_part(replace(part(score, role), notes=(*kept, *ends)))
        return score

    return change


def straight(score: Score) -> Score:
    return replace(score, feel=replace(score.feel, swing=0.5))


def swung(score: Score) -> Score:
    return replace(score, feel=replace(score.feel, swing=0.64, swing_unit=2520))


def without_fade(score: Score) -> Score:
    return replace(score, feel=replace(score.feel, fade=False))


def sections(names: tuple[str, ...]) -> Callable[[Score], Score]:
    return lambda score: replace(
        score, sections=tuple(replace(s, name=n) for s, n in zip(score.sections, names, strict=False))
    )


def shifted(role: str) -> Callable[[Score], Score]:
    """Every note an eighth late: a canon's follower that follows nobody, a groove that marks no group."""
    return lambda score: notes(score, role, lambda n: replace(n, onset=(n.onset + 2520) % (score.length - 5040)))


def held(score: Score) -> Score:
    last = score.length - score.meter.bar
    return notes(score, "melody", lambda n: replace(n, duration=score.length - n.onset) if n.onset >= last else n)


def busy_celesta(score: Score) -> Score:
    celesta = next(p for p in score.parts if p.program == 8)
    return score.with_part(replace(celesta, notes=part(score, "melody").notes))


def busy_melody(score: Score) -> Score:
    eighths = tuple(Note(i * 2520, 2520, 60 + 2 * (i % 3), 2 * (i % 3)) for i in range(score.length // 2520))
    return score.with_part(replace(part(score, "melody"), notes=eighths))


def crooked_hand(score: Score) -> Score:
    return notes(
        score, "chords", lambda n: replace(n, pitch=n.pitch + (3 if n.onset % 10080 else 0)) if n.pitch > 45 else n
    )


def last_first(score: Score) -> Score:
    return replace(score, parts=(*score.parts[1:], score.parts[0]))


def straying_follower(score: Score) -> Score:
    return notes(score, "counter", lambda n: replace(n, pitch=n.pitch + n.onset // 10080 % 3))


# A request, what is expected of it, and a way to be wrong in one thing.
WRONG: list[tuple[str, Any, Callable[[Score], Score]]] = [
    *[("a pop song in C major at 100 bpm, 16 bars", {"tempo": [100, 100]}, tempo(by)) for by in (-5, -1, 1, 40)],
    *[
        ("a pop song in C major at 100 bpm, 16 bars", {"key": "C major"}, key(*wrong))
        for wrong in ((1, "major"), (0, "minor"), (0, "lydian"), (0, "mixolydian"), (-1, "major"), (7, "major"))
    ],
    *[("a tune in A minor, 16 bars", {"key": "A minor"}, key(*wrong)) for wrong in ((3, "major"), (0, "major"))],
    ("a tune in D dorian, 16 bars", {"key": "D dorian"}, key(2, "minor")),
    ("a tune in F lydian, 16 bars", {"key": "F lydian"}, key(-1, "major")),
    ("a tune in C major, 16 bars", {"key": "C major"}, semitone("melody")),
    *[("a folk song, 16 bars", {"bars": 16}, bars(by)) for by in (2, 1, 16)],
    *[("a folk song in 4/4, 16 bars", {"meter": "4/4"}, in_meter(*wrong)) for wrong in ((3, 4), (2, 4), (5, 4))],
    ("rock in 7/8 as 2+2+3, 16 bars", {"grouping": [2, 2, 3]}, in_meter(7, 8, (3, 2, 2))),
    ("rock in 7/8 as 2+2+3, 16 bars", {"grouping": [2, 2, 3]}, shifted("drums")),
    ("thirty seconds of rock", {"seconds": 30}, tempo(20)),
    ("thirty seconds of rock", {"seconds": 30}, bars(4)),
    *[("pop with flute, 8 bars", {"instruments": ["flute"]}, program("melody", wrong)) for wrong in (0, 72, 74)],
    ("pop with flute, 8 bars", {"instruments": ["flute"]}, without("melody")),
    ("pop with flute, 8 bars", {"instruments": ["flute"]}, octave("melody", -3)),
    ("the viola leads, with piano, folk, 16 bars", {"lead": "viola"}, program("melody", 40)),
    ("the viola leads, with piano, folk, 16 bars", {"lead": "viola"}, last_first),
    ("a duet for flute and cello, 8 bars", {"voices": 2}, doubled),
    ("a duet for flute and cello, 8 bars", {"voices": 2}, without("counter")),
    ("a duet for flute and cello, 8 bars", {"drums": False}, with_drums),
    ("rock, 8 bars, full band", {"drums": True}, without("drums")),
    ("rock, 8 bars, full band", {"roles": ["melody", "chords", "bass", "drums"]}, without("bass")),
    ("rock, 8 bars, full band", {"roles": ["melody", "chords", "bass", "drums"]}, without("chords")),
    ("rock, 8 bars, full band", {"roles": ["melody", "chords", "bass", "drums"]}, octave("bass", 3)),
    ("pop without drums, 8 bars", {"without": ["drums"]}, with_drums),
    ("jazz, no piano, 8 bars", {"without": ["piano"]}, program("chords", 0)),
    ("rock without bass, 8 bars", {"without": ["bass"]}, octave("melody", -3)),
    *[("a folk song in C with an authentic cadence, 16 bars", {"ending": "authentic"}, last_bass(p)) for p in (7, 9)],
    ("pop in C ending on a half cadence, 16 bars", {"ending": "half"}, last_bass(0)),
    ("a ballad in C with a deceptive cadence, 16 bars", {"ending": "deceptive"}, last_bass(0)),
    ("rock in C that fades out, 16 bars", {"ending": "fade"}, without_fade),
    ("funk in C with a cold ending, 16 bars", {"ending": "cold"}, held),
    ("a swung pop song, 16 bars", {"feel": "swing"}, straight),
    ("straight jazz in 4/4, 16 bars", {"feel": "straight"}, swung),
    ("half-time rock in 4/4, 16 bars", {"feel": "half time"}, shifted("drums")),
    ("pop: intro, two verses, outro", {"sections": ["intro", "verse", "verse", "outro"]}, sections(("chorus",))),
    ("a canon for two violins in G, 16 bars", {"canon": True}, shifted("counter")),
    ("a canon for two violins in G, 16 bars", {"canon": True}, straying_follower),
    ("the viola leads, the celesta only now and then, 16 bars", {"sparse": "celesta"}, busy_celesta),
    ("solo piano, the left hand keeps to octaves, 16 bars", {"octaves": True}, crooked_hand),
    ("a sparse piano piece, 16 bars", {"density": "sparse"}, busy_melody),
]  # fmt: skip


def test_there_are_fifty_ways_to_be_wrong() -> None:
    assert len(WRONG) >= 50


@pytest.mark.parametrize(("text", "expect", "change"), WRONG, ids=[f"{i}" for i in range(len(WRONG))])
def test_the_checker_accepts_the_song_and_rejects_it_when_one_thing_is_wrong(
    known: Knowledge, text: str, expect: dict[str, object], change: Callable[[Score], Score]
) -> None:
    brief = complete(text, read(text, known.lexicon), known.catalogue, 1)
    score = compose_once(brief, known.catalogue, 1)
    assert violations(expect, exported(score, told=False), known.catalogue) == []
    wrong = change(score)
    files = (
        Exported(midi_bytes(wrong), abc_text(score), musicxml_bytes(score))
        if _unwritable(wrong)
        else exported(wrong, told=False)
    )
    assert violations(expect, files, known.catalogue) != []


def _unwritable(score: Score) -> bool:
    """Whether bars no longer agree with what is in them, so that only the MIDI file can hold it."""
    return any(note.end > score.length for p in score.parts for note in p.notes) or score.chords[-1].end != score.length


def test_the_abc_and_the_musicxml_are_read_too(known: Knowledge, song: Compose) -> None:
    score = song("a tune in D dorian, 16 bars", 1)
    other = replace(score, key=Key(2, "minor"))
    for files in (
        Exported(midi_bytes(score), abc_text(other), musicxml_bytes(score)),
        Exported(midi_bytes(score), abc_text(score), musicxml_bytes(other)),
    ):
        assert violations({"key": "D dorian"}, files, known.catalogue) != []


def test_controls_do_not_pass_and_shuffled_bars_have_no_form(song: Compose) -> None:
    kept = dict.fromkeys((*CONTROLS, "shuffled"), 0)
    for seed in range(12):
        tune = tune_of(midi_bytes(song("a pop song, 32 bars, full band", seed)), 1, [2])
        rng = random.Random(seed)
        for name, control in CONTROLS.items():
            kept[name] += measure(control(tune, rng)).passed
        mixed = shuffled(tune, rng)
        kept["shuffled"] += measure(mixed).passed and has_form(mixed)
    assert max(kept.values()) <= 1, kept


def test_a_known_tune_is_recognised_in_any_key() -> None:
    _, _, index = evaluation_files()
    known = unpacked(index)
    assert len(known) > 600_000
    # "The Kesh" would do as well: any reel of the corpus, written here by its own notes
    from pathlib import Path  # noqa: PLC0415

    import music21  # noqa: PLC0415

    from scripts.index_tunes import abc_tunes  # noqa: PLC0415

    path = next((Path(music21.__file__).parent / "corpus" / "oneills1850").glob("*.abc"))
    tune = next(notes for notes in abc_tunes(path.read_text(errors="replace")) if len(notes) > 40)
    moved = [(pitch + 5, length) for pitch, length in tune]
    assert any(h in known for h in hashes(moved))
    varied = [(pitch + i % 2, length) for i, (pitch, length) in enumerate(tune)]
    assert not any(h in known for h in hashes(varied))
