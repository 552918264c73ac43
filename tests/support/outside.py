"""Tests that need more than their own process: a server or another program.

These are found by the fixtures that they use, and get the mark `servers`. `make check` leaves them
out. A test without the mark that starts a process or opens a connection fails, so that none is
forgotten. It needs a fixture that is named here, or the mark in its module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import current_thread, main_thread

import pytest
from _pytest.mark import ParameterSet

SERVERS = frozenset(
    {
        "authority",
        "chromium",
        "dovecot",
        "postgres",
        "scripted",
        "scripted_imap",
        "token_dovecot",
        "token_server",
    }
)
"""Fixtures that start a server."""
OUTSIDE = frozenset(
    {"os.fork", "os.posix_spawn", "subprocess.Popen", "socket.bind", "socket.connect"}
)
"""Audit events (PEP 578) of leaving a process."""


def on_servers(*values: str) -> list[ParameterSet]:
    """Return values of a parameter that need a server."""
    return [pytest.param(value, marks=pytest.mark.servers) for value in values]


class Watch:
    """Whether the running test may leave its process."""

    allowed = True

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in OUTSIDE and not self.allowed and current_thread() is main_thread():
            pytest.fail(f"{event} {arguments[-1]}: this test needs the mark servers")


WATCH = Watch()


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark and start watching."""
    config.addinivalue_line("markers", "servers: needs a server, or starts another process")
    config.addinivalue_line("markers", "thorough: takes long for what it finds")
    sys.addaudithook(WATCH)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests before they are selected by their marks."""
    for item in items:
        if isinstance(item, pytest.Function) and not SERVERS.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.servers)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Watch from the setup of a test to its end."""
    WATCH.allowed = item.get_closest_marker("servers") is not None
    try:
        return (yield)
    finally:
        WATCH.allowed = True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Allow everything: a server used by earlier tests may end here."""
    WATCH.allowed = True
