"""Connections that another thread can cut, timeouts and backoff."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from pbem.adapters.connection import Backoff, ServerLine, trouble_of


def test_backoff_doubles_up_to_a_limit_and_resets_on_success() -> None:
    backoff = Backoff(first=1, limit=10)
    pauses = []
    for _ in range(6):
        backoff.failed(now=100.0)
        pauses.append(backoff.remaining(now=100.0))
    assert pauses == [1, 2, 4, 8, 10, 10]
    backoff.succeeded()
    assert backoff.remaining(now=100.0) == 0
    backoff.failed(now=100.0)
    assert backoff.remaining(now=100.25) == 0.75


def test_backoff_does_not_overflow_after_a_year_of_failures() -> None:
    backoff = Backoff()
    for _ in range(5000):
        backoff.failed(now=0.0)
    assert backoff.remaining(now=0.0) == backoff.limit


def test_backoff_is_zero_before_any_failure() -> None:
    assert Backoff().remaining(now=1e9) == 0
    assert Backoff().remaining(now=-1e9) == 0


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.mark.servers
def test_cutting_a_connection_wakes_its_reader(silent: socket.socket) -> None:
    line = ServerLine(timeout_s=30)
    with line.dial(*silent.getsockname()) as wire:
        threading.Timer(0.05, line.cut).start()
        assert wire.recv(1) == b""
    assert line.is_cut


@pytest.mark.servers
def test_cut_connection_refuses_to_dial(silent: socket.socket) -> None:
    line = ServerLine(timeout_s=30)
    line.cut()
    line.cut()
    with pytest.raises(ConnectionAbortedError):
        line.dial(*silent.getsockname())


@pytest.mark.servers
def test_connection_times_out(silent: socket.socket) -> None:
    line = ServerLine(timeout_s=0.05)
    with line.dial(*silent.getsockname()) as wire, pytest.raises(TimeoutError):
        wire.recv(1)
    line.cut()


@pytest.mark.parametrize("host", ("nowhere.invalid", "a..b", "x" * 70 + ".example"))
def test_invalid_host_name_is_not_found(host: str) -> None:
    with pytest.raises(socket.gaierror) as caught:
        ServerLine(timeout_s=1).dial(host, 993)
    assert trouble_of(caught.value, host, 993).setting == "host"


@pytest.mark.parametrize(
    ("error", "setting"),
    (
        (socket.gaierror(-2, "Name or service not known"), "host"),
        (ConnectionRefusedError(111, "Connection refused"), "port"),
        (TimeoutError("timed out"), "host"),
        (ConnectionResetError(104, "Connection reset by peer"), ""),
        (EOFError(), ""),
        (OSError(113, "No route to host"), "host"),
        (ValueError("nonsense"), ""),
    ),
)
def test_connection_error_is_a_sentence_with_the_host(error: Exception, setting: str) -> None:
    trouble = trouble_of(error, "mail.example", 993)
    assert trouble.setting == setting
    assert "mail.example" in trouble.sentence
    assert trouble.sentence.endswith(".")
    assert "Errno" not in trouble.sentence
