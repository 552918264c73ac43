"""MetricsServer: a few pages of one process for machines, by HTTP.

It is not for the network: it shows nobody's name, and asks for none. Whoever talks to it slowly
holds up nobody: it has a few places, and who comes when all are taken gets that of the oldest.
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
"""Visitors at once."""
WAITING_ROOM: Final = 128
"""Who comes while many do is not turned away: their machine would try again only after seconds."""
SILENT_SECONDS: Final = 5.0
"""A visitor who has not asked after so long is cut off, even one who sends a byte now and then."""
LEAVING_SECONDS: Final = 0.5
"""How long a new visitor waits for one who was cut off to go."""
AGAIN_SECONDS: Final = 5.0
"""A port that is taken is tried again after so long: a process may be about to end."""
OUR_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")


class HttpPage(NamedTuple):
    """What is answered."""

    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK


Pages = Mapping[str, Callable[[], HttpPage]]
"""By path."""


class MetricsServer:
    """Shows pages at an address, from when its port is free."""

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
        """Shows them from now on; where the port is taken, as soon as it is not.

        The club's work does not depend on its numbers.
        """
        self._open()
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens; 0 while it does not."""
        return int(self._server.server_address[1]) if self._server is not None else 0

    def opened(self, seconds: float) -> bool:
        """Whether it listens, after at most so many seconds."""
        return self._opened.wait(seconds)

    def stop(self) -> None:
        """Shows nothing more; who is being served is not waited for."""
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
    """A server with a few places."""

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
        """By which it may be called; None: by any, as it is open to others by intent."""
        self._visitors: deque[socket.socket] = deque()
        self._served = set[socket.socket]()
        """Those with a thread, also where they gave way."""
        self._asking = dict[socket.socket, float]()
        """Visitors who have not asked yet, and when their time ends."""
        self._changing = threading.Condition()
        super().__init__((address, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Gives a visitor a place, and its thread."""
        with self._changing:
            # A visitor who gave way needs a moment to go, or still waits for a silent database.
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
        """Wait for this visitor no more: its question has come."""
        with self._changing:
            self._asking.pop(request, None)

    def shutdown_request(self, request: Any) -> None:
        """The visitor has gone."""
        with self._changing, suppress(ValueError):
            self._asking.pop(request, None)
            self._served.discard(request)
            self._changing.notify()
            self._visitors.remove(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who hangs up, or is cut off, is no trouble of ours."""
        error = sys.exception()
        if not isinstance(error, OSError):
            log.warning("metrics are not shown", exc_info=error)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD of the pages, and nothing else."""

    server_version = "pbem"
    sys_version = ""
    server: _Server

    def setup(self) -> None:
        """Before anything is read, it is settled for how long that is waited for."""
        super().setup()
        self.connection.settimeout(self.server.silent_seconds)

    def do_GET(self) -> None:
        """A page."""
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
            return HttpPage(f"there are: {known}\n".encode(), status=HTTPStatus.NOT_FOUND)
        return page()

    def _is_for_us(self) -> bool:
        """Whether the asker knows where they are asking.

        The owner of a web page can make a name of theirs lead here once it is open in a browser
        (DNS rebinding), and read along.
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
        """Says nothing: it is asked every few seconds."""
