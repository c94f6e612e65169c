"""A small OpenAI-compatible server on the loopback, for tests of what really goes over the wire."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple

Body = dict[str, Any]


class Refusal(NamedTuple):
    """An HTTP error instead of an answer."""

    status: int
    message: str = "refused"
    code: str | None = None
    headers: dict[str, str] = {}


class Raw(NamedTuple):
    """A body that is sent as it is, with status 200."""

    body: str
    kind: str = "application/json"


class Received(NamedTuple):
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: Body


class FakeOpenAI:
    """Answers chat completions with what `reply(body)` returns; keeps every request.

    Use it in a `with` block; `url` is its address, ending in /v1.
    """

    def __init__(self, reply: Callable[[Body], str | Refusal | Raw]) -> None:
        self.reply = reply
        self.requests: list[Received] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self) -> FakeOpenAI:
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def _handler(fake: FakeOpenAI) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Stay silent."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fake.requests.append(Received(self.path, dict(self.headers), body))
            answer = fake.reply(body)
            if isinstance(answer, Refusal):
                error = {"message": answer.message, "code": answer.code, "type": answer.code}
                self._send(answer.status, {"error": error}, answer.headers)
            elif isinstance(answer, Raw):
                self._write(200, answer.body, {"Content-Type": answer.kind})
            else:
                self._send(200, _completion(body, answer), {})

        def _send(self, status: int, content: Body, headers: dict[str, str]) -> None:
            headers = {"Content-Type": "application/json", **headers}
            self._write(status, json.dumps(content), headers)

        def _write(self, status: int, content: str, headers: dict[str, str]) -> None:
            data = content.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _completion(body: Body, text: str) -> Body:
    words = sum(len(str(message["content"]).split()) for message in body["messages"])
    written = len(text.split())
    is_cut = written > (body.get("max_tokens") or written)
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": "length" if is_cut else "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {
            "prompt_tokens": words,
            "completion_tokens": written,
            "total_tokens": words + written,
        },
    }
