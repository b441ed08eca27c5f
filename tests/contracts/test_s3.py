"""Files in an S3-compatible store, by one setting: a small one on loopback."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from adapters.files.store import FileStore
from core.library import Gone


class _Bucket(BaseHTTPRequestHandler):
    """Objects by their path: HEAD, GET, PUT, and the bulk DELETE that is a POST."""

    objects: dict[str, bytes]

    def _answer(self, code: int, body: bytes = b"", tag: str = "") -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        if tag:
            self.send_header("ETag", f'"{tag}"')
            self.send_header("Last-Modified", "Mon, 30 Nov 2026 12:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self) -> None:
        found = self.objects.get(self.path)
        if found is None:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        else:
            self._answer(200, found, md5(found).hexdigest())

    do_HEAD = do_GET  # noqa: N815

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.objects[self.path] = body
        self._answer(200, tag=md5(body).hexdigest())

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        bucket = self.path.partition("?")[0].rstrip("/")
        keys = re.findall(r"<Key>(.*?)</Key>", asked)
        for key in keys:
            self.objects.pop(f"{bucket}/{key}", None)
        gone = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._answer(200, f"<DeleteResult>{gone}</DeleteResult>".encode())

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    objects: dict[str, bytes] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bucket", (_Bucket,), {"objects": objects}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "someone")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_REGION", "here")
    yield objects
    server.shutdown()
    server.server_close()


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
