"""Test what `pbem doctor` reports about the port where a process shows its health."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from threading import Event, Thread

import pytest

from pbem.adapters.metrics import HttpPage, MetricsServer
from pbem.cli.doctor.machine import metrics_finding

pytestmark = pytest.mark.servers

ADDRESS = "127.0.0.1"
UNWELL = HttpPage(
    b"the mailbox has not been read\nfor an hour\n", status=HTTPStatus.SERVICE_UNAVAILABLE
)


@contextmanager
def shown(page: HttpPage) -> Iterator[int]:
    """Serve this page as a process's health, and return the port."""
    server = MetricsServer(ADDRESS, 0, {"/healthz": lambda: page})
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("page", "state", "said"),
    (
        (HttpPage(b"ok\n"), "ok", "that process is healthy"),
        (UNWELL, "bad", "is not healthy: the mailbox has not been read for an hour"),
    ),
)
@pytest.mark.parametrize("address", (ADDRESS, "0.0.0.0"))
def test_health_of_a_process_is_reported(
    page: HttpPage, state: str, said: str, address: str
) -> None:
    with shown(page) as port:
        found = metrics_finding(address, port, is_served=True)
    assert (found.state, said in found.text) == (state, True), found


@pytest.mark.parametrize(
    ("is_served", "state", "said"),
    (
        (True, "advice", "nothing answers at 127.0.0.1 port"),
        (False, "ok", "they will be at 127.0.0.1 port"),
    ),
)
def test_unanswered_port_is_reported(is_served: bool, state: str, said: str) -> None:
    with socket.socket() as bound:  # but it does not listen
        bound.bind((ADDRESS, 0))
        found = metrics_finding(ADDRESS, bound.getsockname()[1], is_served=is_served)
    assert (found.state, said in found.text) == (state, True), found


def test_endless_answer_is_given_up() -> None:
    done = Event()

    def drips(listener: socket.socket) -> None:
        line, _ = listener.accept()
        with line, suppress(OSError):
            line.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not done.wait(0.05):
                line.sendall(b"x")

    with socket.create_server((ADDRESS, 0)) as listener:
        stranger = Thread(target=drips, args=(listener,), daemon=True)
        stranger.start()
        port = listener.getsockname()[1]
        found = metrics_finding(ADDRESS, port, is_served=True, patience_s=0.5)
        done.set()
        stranger.join(30)
    assert found.subject == "metrics"
