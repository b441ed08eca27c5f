"""Files in an S3-compatible store, by one setting: a small one on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.files.store import FileStore
from core.library import Gone
from tests.standins.bucket import bucket as a_bucket


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    with a_bucket() as (address, objects):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "someone")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_REGION", "here")
        yield objects


async def test_what_one_machine_rendered_another_one_can_send(bucket: dict[str, bytes], tmp_path: Path) -> None:
    here = FileStore(tmp_path / "unused", "s3://songs/kept")
    song = tmp_path / "a song.mid"
    song.write_bytes(b"MThd and more")
    kept = await here.keep(song)
    assert list(bucket.values()) == [b"MThd and more"]
    assert "/songs/kept/" in next(iter(bucket))
    assert await here.keep(song) == kept
    assert len(bucket) == 1
    song.unlink()  # the other machine never had it
    there = FileStore(tmp_path / "unused", "s3://songs/kept")
    assert (await there.fetch(kept)).read_bytes() == b"MThd and more"
    await there.forget(Gone((kept.hash,), ()))
    assert bucket == {}
    assert not (tmp_path / "unused").exists()
