"""Score → ABC, MIDI, MusicXML → Score: nothing notated is lost, on songs of ours and on tunes of the people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bot.wiring import Knowledge, evaluation_files
from core.brief.completing import complete
from core.brief.reading import read
from core.composer.once import compose_once
from core.music.score import Score
from core.notation.abc.reader import check_abc, read_abc
from core.notation.abc.writer import abc_text
from core.notation.midi import midi_bytes
from core.notation.midi_reader import read_midi
from core.notation.musicxml import musicxml_bytes
from core.notation.musicxml_reader import read_musicxml
from core.notation.problems import UnreadableNotation
from tests.core.notation.corpus import sample
from tests.core.notation.same import differences

Trip = Callable[[Score], Score]
TRIPS: dict[str, Trip] = {
    "abc": lambda score: read_abc(abc_text(score)).score,
    "midi": lambda score: read_midi(midi_bytes(score)).score,
    "musicxml": lambda score: read_musicxml(musicxml_bytes(score)).score,
}


def composed(known: Knowledge, count: int, seeds: tuple[int, ...] = (11, 12)) -> Iterator[Score]:
    """Songs for the evaluation's requests: every meter, mode, form, ensemble and genre that it names."""
    suite, _, _ = evaluation_files()
    requests = [(row["text"], seed) for seed in seeds for row in suite]
    for text, seed in requests[:: max(1, len(requests) // count)][:count]:
        brief = complete(text, read(text, known.lexicon), known.catalogue, seed)
        yield compose_once(brief, known.catalogue, seed)


def tunes(count: int) -> Iterator[Score]:
    for _, text in sample(count * 2):
        try:
            score = read_abc(text).score
        except UnreadableNotation:
            continue
        count -= 1
        yield score
        if not count:
            return


@pytest.mark.parametrize(("form", "count"), [("abc", 60), ("midi", 60), ("musicxml", 5)])
def test_a_composed_song_comes_back_whole(form: str, count: int, known: Knowledge) -> None:
    for score in composed(known, count):
        assert differences(score, TRIPS[form](score)) == {}, score.title


@pytest.mark.parametrize(("form", "count"), [("abc", 300), ("midi", 300), ("musicxml", 60)])
def test_a_tune_comes_back_whole(form: str, count: int) -> None:
    for score in tunes(count):
        assert differences(score, TRIPS[form](score)) == {}, score.title


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("form", sorted(TRIPS))
def test_five_hundred_songs_and_three_hundred_tunes_come_back_whole(form: str, known: Knowledge) -> None:
    songs = 0
    for score in composed(known, 500):
        assert differences(score, TRIPS[form](score)) == {}, score.title
        songs += 1
    assert songs >= 500
    for score in tunes(300):
        assert differences(score, TRIPS[form](score)) == {}, score.title


@pytest.mark.parametrize("count", [60, pytest.param(500, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
def test_the_strict_profile_finds_no_fault_with_our_own_songs(count: int, known: Knowledge) -> None:
    for score in composed(known, count):
        read_, problems = check_abc(abc_text(score))
        assert problems == (), score.title
        assert read_ is not None


def test_every_kind_of_loss_would_be_noticed(known: Knowledge) -> None:
    """The comparison itself: a flat written as a sharp, a shifted onset, a lost part."""
    from dataclasses import replace  # noqa: PLC0415

    score = next(composed(known, 1))
    part = score.parts[0]
    first = part.notes[0]
    for wrong in (replace(first, tpc=first.tpc + 12), replace(first, onset=first.onset + 1), replace(first, pitch=1)):
        changed = replace(part, notes=(wrong, *part.notes[1:]))
        assert "parts" in differences(score, score.with_part(changed))
    assert "parts" in differences(score, replace(score, parts=score.parts[1:]))
    assert "key" in differences(score, replace(score, key=replace(score.key, tonic=score.key.tonic + 1)))
