"""MetricsServer: a few pages of one process for machines, by HTTP.

It has no login and shows nobody's name, but is not meant for the network. Slow clients block
nobody: there are a few places, and when all are taken, a new client takes the oldest one's.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from pbem.log import get_logger

log = get_logger(__name__)

PLACES: Final = 8
"""Clients served at once."""
WAITING_ROOM: Final = 128
"""Backlog. A refused client would try again only after seconds."""
SILENT_SECONDS: Final = 5.0
"""Seconds until a client without a complete request is cut off, even if it sends single bytes."""
LEAVING_SECONDS: Final = 0.5
"""Seconds that a new client waits for one that was cut off."""
AGAIN_SECONDS: Final = 5.0
"""Seconds between attempts to open a port in use. Its process may be about to end."""
OUR_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")


class HttpPage(NamedTuple):
    """An answer."""

    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK


Pages = Mapping[str, Callable[[], HttpPage]]
"""The functions that make the pages, by path."""


class MetricsServer:
    """Serves pages at an address as soon as its port is free."""

    def __init__(
        self,
        address: str,
        port: int,
        pages: Pages,
        *,
        places: int = PLACES,
        silent_seconds: float = SILENT_SECONDS,
        again_seconds: float = AGAIN_SECONDS,
    ) -> None:
        self._address = address
        self._port = port
        self._pages = pages
        self._places = places
        self._silent_seconds = silent_seconds
        self._again_seconds = again_seconds
        self._stop = threading.Event()
        self._opened = threading.Event()
        self._server: _Server | None = None
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Start serving pages. If the port is in use, start once it is free.

        The club's work does not depend on its metrics.
        """
        self._open()
        self._thread.start()

    @property
    def port(self) -> int:
        """Return the port, 0 while it is not listening."""
        return int(self._server.server_address[1]) if self._server is not None else 0

    def opened(self, seconds: float) -> bool:
        """Wait at most `seconds` for it to listen. Return whether it does."""
        return self._opened.wait(seconds)

    def stop(self) -> None:
        """Stop serving, without waiting for current clients."""
        self._stop.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _run(self) -> None:
        while self._server is None:
            if self._stop.wait(self._again_seconds):
                return
            self._open(again=True)
        self._server.serve_forever(poll_interval=min(0.5, self._silent_seconds))

    def _open(self, *, again: bool = False) -> None:
        try:
            self._server = _Server(
                self._address, self._port, self._pages, self._places, self._silent_seconds
            )
        except OSError as error:
            tell = log.debug if again else log.error
            where = f"{self._address} port {self._port}"
            tell("metrics are not shown", at=where, error=error.strerror, setting="[metrics] port")
        else:
            self._opened.set()
            log.info("metrics", at=f"http://{self._address}:{self.port}/metrics")


class _Server(ThreadingMixIn, TCPServer):
    """An HTTP server with a few places."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = WAITING_ROOM

    def __init__(
        self, address: str, port: int, pages: Pages, places: int, silent_seconds: float
    ) -> None:
        at = ipaddress.ip_address(address)
        self.address_family = socket.AF_INET6 if at.version == 6 else socket.AF_INET
        self.pages = pages
        self.silent_seconds = silent_seconds
        self._places = places
        self.names = OUR_NAMES if at.is_loopback else None
        """Host names that clients may use. None allows any, since it is deliberately open to
        others.
        """
        self._visitors: deque[socket.socket] = deque()
        self._served = set[socket.socket]()
        """Sockets of visitors with a thread, including visitors that were cut off."""
        self._asking = dict[socket.socket, float]()
        """Visitors who have not asked yet, with their time limits."""
        self._changing = threading.Condition()
        super().__init__((address, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a visitor a place and a thread."""
        with self._changing:
            # A visitor that was cut off needs a moment to go, or still waits for a slow database.
            if not self._changing.wait_for(self._has_room, LEAVING_SECONDS):
                super().shutdown_request(request)
                return
            self._served.add(request)
            self._visitors.append(request)
            self._asking[request] = time.monotonic() + self.silent_seconds
            oldest = self._visitors.popleft() if len(self._visitors) > self._places else None
        if oldest is not None:
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def _has_room(self) -> bool:
        return len(self._served) < 2 * self._places

    def service_actions(self) -> None:
        """Cut off every visitor who has not asked in time."""
        with self._changing:
            late = [each for each, until in self._asking.items() if until <= time.monotonic()]
            for each in late:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def asked(self, request: socket.socket) -> None:
        """Stop the time limit of a visitor who has asked."""
        with self._changing:
            self._asking.pop(request, None)

    def shutdown_request(self, request: Any) -> None:
        """Remove a visitor."""
        with self._changing, suppress(ValueError):
            self._asking.pop(request, None)
            self._served.discard(request)
            self._changing.notify()
            self._visitors.remove(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore visitors who hang up or are cut off."""
        error = sys.exception()
        if not isinstance(error, OSError):
            log.warning("metrics are not shown", exc_info=error)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the pages, and nothing else."""

    server_version = "pbem"
    sys_version = ""
    server: _Server

    def setup(self) -> None:
        """Set the timeout before anything is read."""
        super().setup()
        self.connection.settimeout(self.server.silent_seconds)

    def do_GET(self) -> None:
        """Answer with a page."""
        self.server.asked(self.connection)
        self._answer(self._page())

    do_HEAD = do_GET  # noqa: N815

    def _page(self) -> HttpPage:
        if not self._is_for_us():
            return HttpPage(b"ask for localhost\n", status=HTTPStatus.MISDIRECTED_REQUEST)
        try:
            page = self.server.pages.get(urlsplit(self.path).path)
        except ValueError:
            page = None
        if page is None:
            known = " ".join(sorted(self.server.pages))
            return HttpPage(f"the pages are: {known}\n".encode(), status=HTTPStatus.NOT_FOUND)
        return page()

    def _is_for_us(self) -> bool:
        """Return whether the Host names this server.

        Otherwise the owner of a web page that is open in a browser could point their own name here
        and read along (DNS rebinding).
        """
        host = self.headers.get("Host")
        if self.server.names is None or host is None:
            return True
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        return name.lower() in self.server.names

    def _answer(self, page: HttpPage) -> None:
        self.send_response(page.status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing, since it is asked every few seconds."""
