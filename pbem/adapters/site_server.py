"""SiteServer: a folder of pages served on loopback, with the same headers as in deploy/."""

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
"""Path of the pages that others may embed in theirs."""


@contextmanager
def site_server(folder: Path, port: int, policy: str) -> Iterator[ThreadingHTTPServer]:
    """Serve a folder for a block. Port 0 is any free one. Raises OSError.

    `policy` says what pages may load.
    """
    handler = partial(_Handler, policy=policy, directory=str(folder))
    with ThreadingHTTPServer((LOOPBACK, port), handler) as server:
        yield server


class _Handler(SimpleHTTPRequestHandler):
    """Serves files only, without folder listings or hidden files."""

    extensions_map = TYPES
    server_version = "pbem"
    sys_version = ""

    path = ""
    """Empty before a request is read, or if it is invalid."""

    def __init__(self, *request: Any, policy: str, directory: str) -> None:
        self._policy = policy  # needed by super(), which already answers the request
        super().__init__(*request, directory=directory)

    def translate_path(self, path: str) -> str:
        """Return the file of an address. Empty if nothing may be shown."""
        return super().translate_path(path) if self._is_for_us() and _is_shown(path) else ""

    def _is_for_us(self) -> bool:
        """Return whether the Host is ours. Otherwise a page elsewhere could read along.

        Its owner can point their own name here after it is open (DNS rebinding).
        """
        return self.headers.get("Host", LOOPBACK).partition(":")[0].lower() in OUR_NAMES

    def list_directory(self, path: object) -> None:
        """Answer 404 for a folder without a page."""
        self.send_error(404)

    def end_headers(self) -> None:
        """Add the headers that isolate a page."""
        others = "*" if self.path.startswith(EMBEDDED) else "'self'"
        self.send_header("Content-Security-Policy", f"{self._policy}; frame-ancestors {others}")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing, since this server is for a short look."""


def _is_shown(path: str) -> bool:
    """Return whether an address can be that of a file that is not hidden."""
    try:
        parts = unquote(urlsplit(path).path).split("/")
    except ValueError:
        return False
    return not any(part.startswith(".") or "\0" in part for part in parts)
