"""Properties that every composed score keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.wiring import Knowledge
from core.brief.revising import changes
from core.composer.review import review
from core.editing.apply import apply
from core.editing.edits import (
    AddPart,
    AddSection,
    Answer,
    BringBack,
    BuildFrom,
    ChangeBars,
    Density,
    DropSection,
    Dynamics,
    Edit,
    HalfTime,
    Humanise,
    Inapplicable,
    Mute,
    Redo,
    Register,
    Reharmonise,
    ScaleTempo,
    SetBars,
    SetEnding,
    SetInstrument,
    SetKey,
    SetMeter,
    SetSwing,
    Transpose,
    Vary,
    Volume,
)  # fmt: skip
from core.music import theory
from core.music.form import sections
from core.music.grooves import KEYS
from core.music.harmony import Progression
from core.music.meter import QUARTER
from core.music.plan import plan
from core.music.score import Score
from core.music.scorecard import Tune, measure, similarity
from core.music.voicing import parallels, voiced
from core.notation.measures import measures
from core.notation.midi import midi_bytes
from core.notation.tune import tune_of
from tests.conftest import Compose
from tests.core.test_brief import BriefOf

REQUESTS = (
    "a sad lo-fi ballad in A minor", "happy pop", "jazz", "a jig", "7/8 rock as 2+2+3", "5/4 funk", "12/8 gospel",
    "a string quartet in D", "a duet for flute and cello", "solo violin", "solo piano", "trap", "metal in E phrygian",
    "chinese music in F pentatonic", "twelve-bar blues in E", "13 bars of folk", "11/8 electronic", "3/2 chorale",
    "house with piano and trumpet, no bass", "四三拍的圆舞曲", "a canon", "ambient", "march with tuba and piccolo",
)  # fmt: skip


EDITS = st.one_of(
    st.builds(ScaleTempo, st.sampled_from((0.8, 1.2))),
    st.builds(SetKey, st.integers(-5, 6), st.sampled_from(("major", "minor", "dorian", "lydian"))),
    st.builds(Transpose, st.integers(-14, 14)),
    st.builds(SetMeter, st.sampled_from((3, 4, 5)), st.just(4)),
    st.builds(SetBars, st.integers(4, 48)),
    st.builds(ChangeBars, st.sampled_from((-8, -4, 4, 8))),
    st.builds(AddSection, st.sampled_from(("intro", "verse", "chorus", "bridge", "outro"))),
    st.builds(DropSection, st.sampled_from(("verse", "chorus", "bridge"))),
    st.builds(SetInstrument, st.just("melody"), st.sampled_from(("flute", "cello", "trumpet", "harp"))),
    st.builds(Mute, st.sampled_from(("drums", "bass", "chords"))),
    st.builds(BringBack, st.sampled_from(("drums", "bass", "chords"))),
    st.builds(
        AddPart, st.sampled_from(("flute", "cello")), st.booleans(), st.sampled_from(("own", "answering", "doubling"))
    ),
    st.builds(Density, st.booleans(), st.sampled_from(("melody", "chords"))),
    st.builds(Register, st.sampled_from(("melody", "bass")), st.sampled_from((-1, 1))),
    st.builds(Reharmonise, st.sampled_from(("simpler", "richer", "tenser"))),
    st.builds(SetEnding, st.sampled_from(("authentic", "plagal", "half", "deceptive", "fade", "cold"))),
    st.builds(Answer),
    st.builds(BuildFrom, st.integers(2, 12)),
    st.builds(Redo, st.integers(1, 4), st.integers(4, 8)),
    st.builds(Vary),
    st.builds(SetSwing, st.sampled_from((0.5, 0.62))),
    st.builds(HalfTime),
    st.builds(Humanise, st.sampled_from((-0.5, 0.5))),
    st.builds(Dynamics, st.sampled_from((-4.0, 4.0)), st.booleans()),
    st.builds(Volume, st.sampled_from(("drums", "bass")), st.just(-4.0)),
)


def sound_score(score: Score, known: Knowledge, loose_end: bool = False) -> None:
    """What holds of every score: full bars, parts in range, no pitch struck twice at once, one end for all."""
    for part in score.parts:
        assert part.notes, part.name
        assert max(note.end for note in part.notes) <= score.length
        assert min(note.onset for note in part.notes) >= 0
        for bar in measures(part, score):
            assert sum(symbol.duration for symbol in bar) == score.meter.bar
        struck = Counter((note.onset, note.pitch) for note in part.notes)
        assert max(struck.values()) == 1
        if not part.drums:
            instrument = known.catalogue.instruments[part.instrument]
            assert all(instrument.low <= note.pitch <= instrument.high for note in part.notes)
            assert all(note.pitch % 12 == note.tpc * 7 % 12 for note in part.notes)
    ends = {max(note.end for note in part.notes) for part in score.parts if part.role in ("melody", "chords", "bass")}
    assert score.feel.fade or loose_end or ends == {score.length}
    assert sum(span.duration for span in score.chords) == score.length


@settings(max_examples=40, deadline=None)
@given(text=st.sampled_from(REQUESTS), seed=st.integers(0, 10_000))
def test_every_song_is_sound(known: Knowledge, song: Compose, text: str, seed: int) -> None:
    sound_score(song(text, seed), known)


@settings(max_examples=25, deadline=None)
@given(
    text=st.sampled_from(REQUESTS),
    seed=st.integers(0, 10_000),
    edits=st.lists(EDITS, min_size=1, max_size=3),
)
def test_an_edited_song_is_sound(
    known: Knowledge, song: Compose, brief_of: BriefOf, text: str, seed: int, edits: list[Edit]
) -> None:
    score, brief = song(text, seed), brief_of(text, seed)
    try:
        edited, described = apply(edits, score, brief, known.catalogue, seed)
    except Inapplicable:
        return
    loose = any(isinstance(edit, SetMeter) for edit in edits)  # every note is kept: the last bar may go on in silence
    sound_score(edited, known, loose or brief.ending == "cold" or described.ending == "cold")
    assert apply(edits, score, brief, known.catalogue, seed) == (edited, described)


def test_a_default_song_has_four_parts_a_returning_motif_fills_and_an_ending(song: Compose) -> None:
    score = song("a pop song, 32 bars", 3)
    assert [part.role for part in score.parts] == ["melody", "chords", "bass", "drums"]
    melody, drums = score.part("melody"), score.part("drums")
    assert melody
    assert drums
    tune = tune_of(midi_bytes(score), 1, [2])
    assert max(similarity(tune, 8), similarity(tune, 16)) > 1.3 * similarity(tune, 1)
    assert melody.notes[-1].duration >= score.meter.bar // 2
    assert max(note.onset for note in drums.notes) == score.length - score.meter.bar
    for section in score.sections[:-1]:
        last = section.bar + section.bars - 1
        assert hits(score, last) != hits(score, last - 1)


def hits(score: Score, bar: int) -> set[int]:
    """Where the drums strike in a bar, the hi-hat aside."""
    drums = score.part("drums")
    assert drums
    start = bar * score.meter.bar
    played = (note for note in drums.notes if start <= note.onset < start + score.meter.bar)
    return {note.onset - start for note in played if note.pitch != KEYS["hat"]}


def test_the_same_seed_gives_the_same_score_and_another_seed_another(song: Compose) -> None:
    assert song("jazz in F", 4) == song("jazz in F", 4)
    assert song("jazz in F", 4).parts[0].notes != song("jazz in F", 5).parts[0].notes


def test_theory_repairs_what_harmony_got_wrong(known: Knowledge, brief_of: BriefOf) -> None:
    planned = plan(brief_of("a classical piece in C major, 8 bars, 4/4", 1), known.catalogue, 1)
    label = planned.sections[0].label
    wrong = (Progression(label, 1, ("I", "V", "IV", "Q7", "I")),)
    chords, corrections = theory.settle(wrong, planned)
    kinds = [correction.kind for correction in corrections]
    assert {"padded", "unreadable", "retrogression"} <= set(kinds)
    assert sum(span.duration for span in chords) == planned.end
    assert chords[-1].chord.root == 0


@pytest.mark.parametrize(
    ("ending", "roots"),
    [
        ("authentic cadence", (1, 0)),
        ("plagal cadence", (-1, 0)),
        ("half cadence", (-1, 1)),
        ("deceptive cadence", (1, 3)),
    ],
)
def test_the_ending_asked_for_is_the_ending(song: Compose, ending: str, roots: tuple[int, int]) -> None:
    score = song(f"a folk song in C major with a {ending}", 2)
    assert tuple(span.chord.root for span in score.chords[-2:]) == roots


@pytest.mark.parametrize("bars", [4, 5, 7, 8, 11, 12, 13, 16, 20, 24, 31, 32, 48, 64, 100, 256])
def test_sections_fill_exactly_the_bars(known: Knowledge, bars: int) -> None:
    for form in known.catalogue.forms.values():
        placed = sections(form, bars)
        assert sum(section.bars for section in placed) == bars
        assert [s.bar for s in placed] == [sum(p.bars for p in placed[:i]) for i in range(len(placed))]
    assert sum(s.bars for s in sections(("intro", "verse", "chorus", "outro"), bars)) == bars


def test_chords_are_led_without_parallels(song: Compose) -> None:
    count = moves = 0
    for seed in range(12):
        hand = voiced(song("a pop ballad, 32 bars", seed).chords, bass=True)
        for before, after in pairwise(hand):
            count += parallels(before, after)
            moves += 1
    assert count / moves <= 0.02


def test_the_bass_approaches_the_next_root(song: Compose) -> None:
    score = song("jazz in F, 32 bars", 1)
    bass = score.part("bass")
    assert bass
    near = changes_ = 0
    for span in score.chords[1:]:
        root = span.chord.bass_tone * 7 % 12
        before = [note for note in bass.notes if note.onset < span.onset][-1]
        changes_ += 1
        near += (before.pitch - root) % 12 in (1, 2, 10, 11)
    assert near / changes_ > 0.5


def test_a_new_key_keeps_the_melodys_shape(known: Knowledge, song: Compose, brief_of: BriefOf) -> None:
    text = "a pop song in C major with flute"
    score, brief = song(text, 1), brief_of(text, 1)
    edits = changes("now in E flat", brief, known.lexicon, known.catalogue).edits
    moved, after = apply(edits, score, brief, known.catalogue, 1)
    old, new = score.part("melody"), moved.part("melody")
    assert old
    assert new
    steps = [b.pitch - a.pitch for a, b in pairwise(old.notes)]
    assert [b.pitch - a.pitch for a, b in pairwise(new.notes)] == steps
    assert after.key.name == "E♭ major"
    assert replace(moved, key=score.key, chords=score.chords, parts=score.parts) == score


def control(notes: list[tuple[float, float, int]], bars: int = 32) -> Tune:
    chords = tuple((4.0 * i, ((0, 4, 7), (9, 0, 4), (5, 9, 0), (7, 11, 2))[i % 4]) for i in range(bars))
    return Tune(tuple(notes), chords, 4.0, bars, 0, minor=False)


def test_the_scorecard_rejects_arpeggios_and_loops() -> None:
    triads = [(60, 64, 67), (57, 60, 64), (53, 57, 60), (55, 59, 62)]
    arpeggio = [(i * 0.5, 0.5, triads[i // 8 % 4][i % 3] + 12) for i in range(32 * 8)]
    loop = [(4.0 * bar + i, 1.0, (72, 74, 76, 74)[i]) for bar in range(32) for i in range(4)]
    assert not measure(control(arpeggio)).passed
    assert not measure(control(loop)).passed


def test_review_sends_a_bad_melody_back_with_what_is_wrong(song: Compose) -> None:
    score = song("a pop song, 32 bars", 1)
    melody = score.parts[0]
    dull = tuple(replace(n, pitch=melody.notes[0].pitch, tpc=melody.notes[0].tpc) for n in melody.notes)
    judged = review(score.with_part(replace(melody, notes=dull)))
    assert not judged.acceptable
    assert ("above", "unison") in [(f.kind, f.metric) for f in judged.findings]
    assert review(score).rating > judged.rating


def test_swing_moves_off_beats_in_the_file_but_not_in_the_score(song: Compose) -> None:
    score = song("a swung lo-fi tune at 80 bpm", 2)
    assert all(n.onset % (QUARTER // 4) == 0 for part in score.parts for n in part.notes)
    assert score.feel.swing > 0.5
