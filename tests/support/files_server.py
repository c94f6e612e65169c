"""A file server on the loopback with ranges, which can cut connections and refuse."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FilesServer:
    """Serves the bytes in `files` by path.

    Args:
        files: Path (with its leading slash) to content.
        cut_after: Bytes after which each connection is cut, or `None`.
        ranges: Whether a `Range` header is obeyed.
    """

    def __init__(
        self, files: dict[str, bytes], *, cut_after: int | None = None, ranges: bool = True
    ) -> None:
        self.files, self.cut_after, self.ranges = files, cut_after, ranges
        self.asked: list[tuple[str, str | None]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> FilesServer:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def _handler(served: FilesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Stay silent."""

        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            served.asked.append((self.path, wanted))
            content = served.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            if start and served.ranges:
                if start >= len(content):
                    self.send_error(416)
                    return
                self.send_response(206)
                content = content[start:]
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: served.cut_after])

    return Handler
