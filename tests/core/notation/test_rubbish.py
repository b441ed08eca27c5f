"""Random text, and good music that was damaged: read, or refused with the typed error, within a second."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.music.score import Score
from core.notation.abc.reader import check_abc, read_abc
from core.notation.abc.writer import abc_text
from core.notation.midi import midi_bytes
from core.notation.musicxml import musicxml_bytes
from core.notation.problems import Problem, UnreadableNotation
from core.notation.reading import read_notation
from tests.core.notation.corpus import sample

T = TypeVar("T")
DAILY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
MUSIC = st.text(alphabet="CDEFGABcdefgabz|:[]()<>{}\"!-'^_=,/0123456789 \n&VKMLQPXTZw%+~", max_size=300)


def bounded(read: Callable[[T], object], content: T) -> bool:
    """Whether it was read; nothing but the typed error, and no more than a second of work, whoever works beside."""
    begun = time.process_time()
    problems: tuple[Problem, ...] | None = None
    try:
        read(content)
    except UnreadableNotation as refused:
        problems = refused.problems
    assert time.process_time() - begun < 1
    assert problems != ()
    return problems is None


@DAILY
@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    bounded(read_abc, text)
    check_abc(text)
    bounded(read_notation, text.encode())


@DAILY
@given(MUSIC, st.booleans())
def test_anything_after_a_header(body: str, strict: bool) -> None:
    text = f"X:1\nT:x\nM:4/4\nL:1/8\nK:C\n{body}\n"
    if strict:
        read, problems = check_abc(text)
        assert (read is None) == bool(problems)
    elif bounded(read_abc, text):
        score = read_abc(text).score
        assert bounded(read_abc, abc_text(score))


def mutated(data: bytes, rng: random.Random, alphabet: bytes = b"") -> bytes:
    """A few bytes changed, cut out, doubled or moved."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randrange(len(made)), rng.randint(1, 12)
        match rng.randrange(5):
            case 0:
                made[at] = rng.choice(alphabet) if alphabet else rng.randrange(256)
            case 1:
                del made[at : at + size]
            case 2:
                made[at:at] = made[at : at + size]
            case 3:
                made[at:at] = bytes(rng.choice(alphabet) if alphabet else rng.randrange(256) for _ in range(size))
            case _:
                made = made[: max(1, at)]
        if not made:
            return b"\x00"
    return bytes(made)


@pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=[pytest.mark.long, pytest.mark.timeout(900)])])
def test_mutated_tunes(count: int) -> None:
    rng = random.Random(1)
    tunes = [text.encode() for _, text in sample(80)]
    read = sum(bounded(read_notation, mutated(rng.choice(tunes), rng)) for _ in range(count))
    assert 0 < read < count


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(900)])])
@pytest.mark.parametrize("kind", ["midi", "musicxml"])
def test_mutated_files(kind: str, count: int, song: Callable[[str, int], Score]) -> None:
    rng = random.Random(2)
    score = song("a rock song, 8 bars, full band", 3)
    data = midi_bytes(score) if kind == "midi" else musicxml_bytes(song("a waltz for flute, 8 bars", 3))
    alphabet = b"" if kind == "midi" else b"0123456789<>/abc-. \"'"
    for _ in range(count):
        bounded(read_notation, mutated(data, rng, alphabet))


HEAD = "X:1\nT:x\nM:4/4\nL:1/8\nK:C\n"
EXTREME = (
    "C" * 9, "(9:999999:999999C", "C99999999999999", "C/99999999999", "Z99999999", "[V:" + "9" * 500 + "]C",
    "|:C8:|" * 3000, "[1" * 5000, "(" * 50_000, '"' * 50_001, "&" * 20_000, "C&" * 20_000, "[K:G]" * 20_000,
    "C-" * 50_000,     "{" * 50_000, "|::|" * 20_000, "C8|" * 100_000, "(3" * 50_000,
)  # fmt: skip


@pytest.mark.parametrize("body", EXTREME, ids=[body[:8] for body in EXTREME])
def test_what_no_music_has(body: str) -> None:
    bounded(read_abc, HEAD + body + "|]\n")
    bounded(check_abc, HEAD + body + "|]\n")


def test_a_first_bar_of_nothing_is_silent_and_no_pickup() -> None:
    score = read_abc("X:1\nT:x\nM:4/4\nL:1/8\nK:C\n&|A\n").score
    assert (score.pickup, score.parts[0].notes[0].onset) == (0, score.meter.bar)
    read_abc(abc_text(score))
