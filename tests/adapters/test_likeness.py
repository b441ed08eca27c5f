"""Words of distress that no table holds are known by their likeness: tried on words nobody looked at while building."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters.likeness import Distress
from bot.care import LIKELY
from config.data import read_distress, read_evaluation, read_files
from core.routing.sensitive import Sensitive

DATA = Path(__file__).parent.parent / "data" / "distress"


@pytest.fixture(scope="module")
def held() -> list[dict[str, str]]:
    """Written by others, and kept apart by the hash of each text (DATA's training.jsonl has the other half)."""
    return [json.loads(line) for line in (DATA / "held.jsonl").read_text().splitlines()]


async def heard(text: str, table: Sensitive, likeness: Distress) -> bool:
    return table.matter(text) in ("self-harm", "danger") or (await likeness.likely(text))[0] >= LIKELY


async def test_of_words_kept_apart_most_are_heard_and_few_songs_lost(held: list[dict[str, str]]) -> None:
    table, likeness = Sensitive(read_files()["sensitive"]), Distress(read_distress())
    found = [(row["kind"], await heard(row["text"], table, likeness)) for row in held]
    true = [said for kind, said in found if kind != "other"]
    false = [said for kind, said in found if kind == "other"]
    assert len(true) > 90
    assert sum(true) / len(true) >= 0.88
    assert sum(false) / len(false) <= 0.06


async def test_no_request_of_the_suite_is_taken_for_distress() -> None:
    likeness = Distress(read_distress())
    assert not [row["text"] for row in read_evaluation()[0] if (await likeness.likely(row["text"]))[0] >= LIKELY]


async def test_without_the_embedding_the_table_is_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(text: str) -> None:
        raise ImportError

    monkeypatch.setattr("adapters.likeness.embedded", missing)
    assert await Distress(read_distress()).likely("I want to go") == (0.0, 0.0)
