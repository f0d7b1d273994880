"""A plain static file server on a free port, as a host without any configuration would be."""

import threading
import time
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.hosting.rules import Rules

# What a host has to send so that the browser keeps a page apart and lets it share memory.
ISOLATION = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}

# What is said of a file of Python's that is damaged in one way or another.
SAID = {
    "missing": "is missing (404)",
    "cut short": "is cut short",
    "altered": "is not the file that this site was built with",
}


def damaged(path: Path, damage: str) -> bytes | None:
    """What a host serves in place of a file that is damaged so; None: nothing."""
    content = path.read_bytes()
    middle = len(content) // 2
    return {
        "missing": None,
        "cut short": content[:middle],
        "altered": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
    }[damage]


class Line:
    """A connection of limited speed that all answers share."""

    def __init__(self, bits_per_second: float, latency: float) -> None:
        self.bits_per_second = bits_per_second
        self.latency = latency  # seconds before an answer begins
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Let the latency pass."""
        time.sleep(self.latency)

    def carry(self, size: int) -> None:
        """Let the time pass that so many bytes take, one answer's after another's."""
        with self._lock:
            time.sleep(8 * size / self.bits_per_second)


# From a file and the encodings that a browser takes to an encoding, and the file packed so.
Packing = Callable[[Path, str], tuple[str, Path] | None]


class StaticServer:
    """Serves a folder below a path such as "/" or "/some/where/"."""

    def __init__(self, root: Path | None = None, below: str = "/", port: int = 0) -> None:
        self.root = root
        self.below = below
        self.replaced: dict[str, bytes | None] = {}  # end of an address → other content, None: 404
        self.types: dict[str, str] = {}  # ending of a file → another content type
        self.rules = Rules()  # of a `_headers` file, on a host that obeys one
        self.headers: dict[str, str] = {}  # sent with every answer
        self.requests: list[str] = []
        self.sent = 0  # bytes of all answers' bodies
        self.line: Line | None = None  # none: as fast as the machine can
        self.up = True  # else no request gets an answer, as without network
        self.packing: Packing | None = None  # none: a host that compresses nothing
        self.server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def address(self) -> str:
        """Where the folder is served, with a slash at the end."""
        return f"http://127.0.0.1:{self.server.server_port}{self.below}"

    def hosted(self, pattern: str) -> Path:
        """A file of Python's as it is hosted."""
        assert self.root
        (path,) = self.root.glob(f"assets/live/python-*/{pattern}")
        return path

    def __enter__(self) -> "StaticServer":
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.server.shutdown()
        self.server.server_close()

    def _handler(self) -> type[SimpleHTTPRequestHandler]:
        server = self

        class Handler(SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            encoding: str | None = None  # of the answer

            def do_GET(self) -> None:
                if not server.up:
                    self.close_connection = True
                    return
                server.requests.append(self.path)
                self.encoding = None
                if server.line:
                    server.line.wait()
                for ending, content in server.replaced.items():
                    if self.path.endswith(ending):
                        self._answer(content)
                        return
                super().do_GET()

            def copyfile(self, source: Any, outputfile: Any) -> None:
                try:
                    while piece := source.read(16_384):
                        server.sent += len(piece)
                        if server.line:
                            server.line.carry(len(piece))
                        outputfile.write(piece)
                except ConnectionError:  # the browser was closed meanwhile
                    self.close_connection = True

            def _answer(self, content: bytes | None) -> None:
                self.send_response(404 if content is None else 200)
                self.send_header("Content-Type", self.guess_type(self.path))
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def end_headers(self) -> None:
                headers = server.rules.headers(self.path) | server.headers
                for name, value in headers.items():
                    self.send_header(name, value)
                if self.encoding:
                    self.send_header("Content-Encoding", self.encoding)
                super().end_headers()

            def translate_path(self, path: str) -> str:
                if not path.startswith(server.below):
                    return str(server.root) + "/there/is/nothing/here"
                self.directory = str(server.root)
                found = super().translate_path("/" + path.removeprefix(server.below))
                return self._packed(Path(found)) or found

            def _packed(self, path: Path) -> str | None:
                file = path / "index.html" if path.is_dir() else path
                if not server.packing or not file.is_file():
                    return None
                packed = server.packing(file, self.headers.get("Accept-Encoding", ""))
                self.encoding, sent = packed or (None, file)
                return str(sent)

            def guess_type(self, path: Any) -> str:
                if self.encoding:
                    path = Path(path).with_suffix("")  # what it is, not how it is packed
                for ending, kind in server.types.items():
                    if str(path).endswith(ending):
                        return kind
                return super().guess_type(path)

            def send_error(
                self, code: int, message: str | None = None, explain: Any = None
            ) -> None:
                page = Path(str(server.root)) / "404.html"
                if code != 404 or not page.exists():
                    super().send_error(code, message, explain)
                    return
                self.send_response(404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(page.stat().st_size))
                self.end_headers()
                self.wfile.write(page.read_bytes())

            def log_message(self, *_: Any) -> None:
                """Keep quiet."""

        return Handler
