"""A chat platform on loopback that keeps what a person would see. It outlives the processes that talk to it."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Seen:
    """A message of the bot's, with every text it had."""

    chat: str
    texts: list[str]

    @property
    def text(self) -> str:
        return self.texts[-1]


@dataclass
class Loopback:
    """`nonces`: whether the same post again is the same message; without, a crash may leave an orphan."""

    nonces: bool = True
    updates: list[dict[str, Any]] = field(default_factory=list)
    messages: dict[str, Seen] = field(default_factory=dict)
    files: list[dict[str, str]] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    refused: int = 0  # how many calls are answered with 500 from now on

    def __post_init__(self) -> None:
        self._known: dict[str, str] = {}
        self._changed = threading.Condition()
        handler = type("Handler", (_Handler,), {"platform": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def write(self, text: str, chat: str = "room", user: str = "ann", id_: str | None = None, **more: Any) -> str:
        """Somebody writes; the update's id."""
        with self._changed:
            id_ = id_ or f"u{len(self.updates) + 1}"
            self.updates.append({"id": id_, "chat": chat, "user": user, "text": text, **more})
            self._changed.notify_all()
        return id_

    def until(self, done: Any, seconds: float) -> bool:
        """Whether it became so in time; looked at whenever something was received."""
        with self._changed:
            return bool(self._changed.wait_for(done, seconds))

    def received(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        with self._changed:
            answer = self._received(path, body)
            self._changed.notify_all()
            return answer

    def delete(self, id_: str) -> None:
        """Somebody deletes a message of the bot's."""
        with self._changed:
            del self.messages[id_]

    def _received(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        if self.refused and path != "/updates":
            self.refused -= 1
            return {"status": 500}
        match path:
            case "/updates":
                return {"updates": [u for u in self.updates if u["id"] not in self.acknowledged]}
            case "/acknowledge":
                self.acknowledged.add(body["id"])
            case "/post":
                if self.nonces and body["nonce"] in self._known:
                    return {"id": self._known[body["nonce"]]}
                id_ = f"m{len(self.messages) + 1}"
                self._known[body["nonce"]] = id_
                self.messages[id_] = Seen(body["chat"], [body["text"]])
                return {"id": id_}
            case "/edit":
                if body["id"] not in self.messages:
                    return {"status": 404}
                self.messages[body["id"]].texts.append(body["text"])
            case "/send":
                if self.nonces and body["nonce"] in self._known:
                    return {"id": self._known[body["nonce"]]}
                self._known[body["nonce"]] = f"f{len(self.files) + 1}"
                self.files.append(body)
                return {"id": f"f{len(self.files)}"}
            case _:
                raise ValueError(path)
        return {}

    def wait_for_updates(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: any(u["id"] not in self.acknowledged for u in self.updates), seconds)


class _Handler(BaseHTTPRequestHandler):
    platform: Loopback

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/updates":
            self.platform.wait_for_updates(0.3)
        found = self.platform.received(self.path, body)
        answer = json.dumps(found).encode()
        with suppress(ConnectionError):  # whoever asked may have been killed
            self.send_response(found.get("status", 200))
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""
