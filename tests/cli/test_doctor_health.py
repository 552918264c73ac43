"""What `pbem doctor` says of the port at which a process shows its health."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import pytest

from pbem.adapters.metrics import MetricsServer, Page
from pbem.cli.doctor.health import finding

pytestmark = pytest.mark.servers

ADDRESS = "127.0.0.1"
UNWELL = Page(
    b"the mailbox has not been read\nfor an hour\n", status=HTTPStatus.SERVICE_UNAVAILABLE
)


@contextmanager
def shown(page: Page) -> Iterator[int]:
    """The port of a process that says so of itself."""
    server = MetricsServer(ADDRESS, 0, {"/healthz": lambda: page})
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("page", "state", "said"),
    (
        (Page(b"ok\n"), "ok", "that process is well"),
        (UNWELL, "bad", "is not well: the mailbox has not been read for an hour"),
    ),
)
@pytest.mark.parametrize("address", (ADDRESS, "0.0.0.0"))
def test_a_process_is_asked_for_its_health(page: Page, state: str, said: str, address: str) -> None:
    with shown(page) as port:
        found = finding(address, port, is_served=True)
    assert (found.state, said in found.text) == (state, True), found


@pytest.mark.parametrize(
    ("is_served", "state", "said"),
    (
        (True, "advice", "nothing answers at 127.0.0.1 port"),
        (False, "ok", "they will be shown at 127.0.0.1 port"),
    ),
)
def test_where_nobody_answers(is_served: bool, state: str, said: str) -> None:
    with socket.socket() as bound:  # but it does not listen
        bound.bind((ADDRESS, 0))
        found = finding(ADDRESS, bound.getsockname()[1], is_served=is_served)
    assert (found.state, said in found.text) == (state, True), found
