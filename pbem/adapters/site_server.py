"""SiteServer: a folder of pages shown on loopback, with the headers that deploy/ has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

LOOPBACK = "127.0.0.1"
OUR_NAMES: Final = (LOOPBACK, "localhost")

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
TYPES: Final = {
    ".atom": "application/atom+xml",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
}
EMBEDDED: Final = "/embed/"
"""Where the pages lie that others may show in theirs."""


@contextmanager
def site_server(folder: Path, port: int, policy: str) -> Iterator[ThreadingHTTPServer]:
    """A server that is ready to serve a folder; port 0 is any that is free. Raises OSError.

    `policy` says what pages may load.
    """
    handler = partial(_Handler, policy=policy, directory=str(folder))
    with ThreadingHTTPServer((LOOPBACK, port), handler) as server:
        yield server


class _Handler(SimpleHTTPRequestHandler):
    """Gives files, and nothing else: no lists of folders, nothing hidden."""

    extensions_map = TYPES
    server_version = "pbem"
    sys_version = ""

    path = ""
    """Before a request is read, and of one that is none."""

    def __init__(self, *request: Any, policy: str, directory: str) -> None:
        self._policy = policy  # before the request is answered, which is in the next line
        super().__init__(*request, directory=directory)

    def translate_path(self, path: str) -> str:
        """The file of an address; an empty path, which is none, where nothing is to be shown."""
        return super().translate_path(path) if self._is_for_us() and _is_shown(path) else ""

    def _is_for_us(self) -> bool:
        """Whether the browser knows where it is asking; else a page elsewhere may read along.

        Its owner can make a name of theirs lead here once it is open (DNS rebinding).
        """
        return self.headers.get("Host", LOOPBACK).partition(":")[0].lower() in OUR_NAMES

    def list_directory(self, path: object) -> None:
        """A folder without a page is not found."""
        self.send_error(404)

    def end_headers(self) -> None:
        """Adds what keeps a page to itself."""
        others = "*" if self.path.startswith(EMBEDDED) else "'self'"
        self.send_header("Content-Security-Policy", f"{self._policy}; frame-ancestors {others}")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing: it is for a look."""


def _is_shown(path: str) -> bool:
    """Whether an address can be that of a file, and none of its parts is hidden."""
    try:
        parts = unquote(urlsplit(path).path).split("/")
    except ValueError:
        return False
    return not any(part.startswith(".") or "\0" in part for part in parts)
