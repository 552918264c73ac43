"""The metrics server: it answers its own machine, and nobody can block it."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from queue import Queue
from threading import Event, Thread, active_count

import pytest

from pbem.adapters.metrics import Cached, HttpPage, MetricsServer
from pbem.adapters.metrics.server import PLACES

pytestmark = pytest.mark.servers

HERE = "127.0.0.1"
PATIENCE_S = 30.0
PAGES = {"/healthz": lambda: HttpPage(b"ok\n"), "/broken": lambda: HttpPage(str(1 // 0).encode())}


@contextmanager
def shown(address: str, silent_seconds: float = PATIENCE_S) -> Iterator[MetricsServer]:
    """Run a server during a block."""
    server = MetricsServer(address, 0, PAGES, silent_seconds=silent_seconds)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server() -> Iterator[MetricsServer]:
    with shown(HERE) as server:
        yield server


def ask(server: MetricsServer, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(HERE, server.port, timeout=30)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_only_known_pages_are_served(server: MetricsServer) -> None:
    assert ask(server, "/healthz") == (HTTPStatus.OK, b"ok\n")
    assert ask(server, "/healthz?verbose") == (HTTPStatus.OK, b"ok\n")
    assert ask(server, "/healthz", "HEAD") == (HTTPStatus.OK, b"")
    assert ask(server, "/healthz", "POST")[0] == HTTPStatus.NOT_IMPLEMENTED
    assert ask(server, "/etc/passwd") == (
        HTTPStatus.NOT_FOUND,
        b"the pages are: /broken /healthz\n",
    )
    assert ask(server, "//[")[0] == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("host", ("localhost", "127.0.0.1", "LOCALHOST:9", "[::1]", "[::1]:9101"))
def test_requests_by_its_own_names_are_answered(server: MetricsServer, host: str) -> None:
    assert ask(server, "/healthz", Host=host)[0] == HTTPStatus.OK


@pytest.mark.parametrize(
    "host", ("evil.example", "evil.example:9101", "127.0.0.1.evil.example", "")
)
def test_foreign_host_name_is_refused(server: MetricsServer, host: str) -> None:
    status, said = ask(server, "/healthz", Host=host)
    assert (status, said) == (HTTPStatus.MISDIRECTED_REQUEST, b"ask for localhost\n")


def test_server_open_to_others_answers_any_host_name() -> None:
    with shown("0.0.0.0") as server:
        assert ask(server, "/healthz", Host="pbem:9101")[0] == HTTPStatus.OK


def test_slow_clients_block_nobody(server: MetricsServer) -> None:
    with ExitStack() as until_the_end:
        slow = [
            until_the_end.enter_context(socket.create_connection((HERE, server.port)))
            for _ in range(3 * PLACES)
        ]
        for each in slow:
            each.sendall(b"GET /hea")
        for _ in range(PLACES):
            assert ask(server, "/healthz")[0] == HTTPStatus.OK
        for each in slow[: 2 * PLACES]:
            each.settimeout(PATIENCE_S)
            assert each.recv(1) == b"", "they are cut off"


def test_waiting_clients_get_no_more_threads_than_there_are_places() -> None:
    goes_on = Event()
    server = MetricsServer(HERE, 0, {"/metrics": lambda: HttpPage(str(goes_on.wait(30)).encode())})
    server.start()
    before = active_count()
    try:
        for _ in range(2 * PLACES + 4):
            with socket.create_connection((HERE, server.port)) as visitor:
                visitor.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        with socket.create_connection((HERE, server.port), PATIENCE_S) as last:
            assert last.recv(1) == b""  # and all earlier ones have been handled
        assert active_count() - before <= 2 * PLACES
    finally:
        goes_on.set()
        server.stop()


def test_silent_client_is_dropped() -> None:
    with (
        shown(HERE, silent_seconds=0.1) as server,
        socket.create_connection((HERE, server.port), PATIENCE_S) as silent,
    ):
        silent.sendall(b"GET /hea")
        assert silent.recv(1) == b""


def test_client_that_trickles_bytes_keeps_no_place() -> None:
    """The whole request must arrive in time, not only its next byte."""
    with (
        shown(HERE, silent_seconds=0.3) as server,
        socket.create_connection((HERE, server.port), 0.02) as slow,
    ):
        cut_off = False
        for byte in b"GET /" + b"x" * 1000:
            try:
                slow.sendall(bytes([byte]))
                cut_off = slow.recv(1) == b""
            except TimeoutError:
                continue
            except OSError:
                cut_off = True
            break
        assert cut_off
        assert ask(server, "/healthz")[0] == HTTPStatus.OK


def test_number_of_places_is_a_setting() -> None:
    server = MetricsServer(HERE, 0, PAGES, places=1)
    server.start()
    with (
        socket.create_connection((HERE, server.port), PATIENCE_S) as first,
        socket.create_connection((HERE, server.port), PATIENCE_S),
    ):
        assert first.recv(1) == b"", "it is closed"
    server.stop()


def test_frequent_requests_share_a_lookup_and_wait_for_nobody() -> None:
    asked: Queue[int] = Queue()
    answers: Queue[str] = Queue()

    def look_up() -> str:
        asked.put(1)
        return answers.get(timeout=PATIENCE_S)

    answers.put("first")
    seldom, always = Cached(look_up, 3600.0), Cached(look_up, 0.0)
    assert [seldom.look().value for _ in range(3)] == ["first"] * 3
    answers.put("second")
    assert always.look().value == "second"
    assert [asked.get_nowait(), asked.get_nowait()] == [1, 1]
    slow = Thread(target=always.look)
    slow.start()
    assert asked.get(timeout=PATIENCE_S)
    assert always.look().value == "second", "another request is waiting for the third"
    answers.put("third")
    slow.join(PATIENCE_S)
    assert asked.empty()


def test_failing_page_leaves_others_working(server: MetricsServer) -> None:
    with pytest.raises(http.client.RemoteDisconnected):
        ask(server, "/broken")
    assert ask(server, "/healthz")[0] == HTTPStatus.OK


def test_taken_port_is_retried_without_blocking() -> None:
    with shown(HERE) as server:
        port = server.port
        second = MetricsServer(HERE, port, PAGES, again_seconds=0.01)
        second.start()
        assert second.port == 0
    second.opened(30)
    assert second.port == port
    second.stop()
