"""Check of the port at which a process shows its numbers and its health."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from threading import Timer

from pbem.adapters.connection import in_a_line
from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding

PATIENCE_S = 2.0
MOST_READ = 2000


def look(examined: Examined) -> Iterator[Finding]:
    """Nothing where numbers are not shown."""
    section = examined.config.metrics
    if section.port:
        yield finding(section.address, section.port, is_served=examined.is_served)


def finding(address: str, port: int, *, is_served: bool, patience_s: float = PATIENCE_S) -> Finding:
    """What is said of who should listen there."""
    place = f"{_reached(address)} port {port}"
    try:
        status, told = _health(_reached(address), port, patience_s)
    except (OSError, HTTPException):
        return _nobody(place, is_served=is_served)
    if status == HTTPStatus.OK:
        return Finding("metrics", note=f"they are shown at {place}, and that process is well")
    return Finding("metrics", f"the process at {place} is not well: {in_a_line(told)}")


def _nobody(place: str, *, is_served: bool) -> Finding:
    """Of several processes on a machine each may have been told a port of its own."""
    if not is_served:
        return Finding("metrics", note=f"they will be shown at {place} while the club is served")
    why = f"nothing answers at {place}"
    remedy = "look at port in [metrics], and at PBEM_METRICS__PORT of each process"
    return Finding(
        "metrics",
        advice=f"{why}. If the club is served just now, {remedy}; it has to begin anew after "
        "a change.",
    )


def _reached(address: str) -> str:
    """Where who listens at an address is reached; at any address it is at loopback, too."""
    given = ip_address(address)
    if not given.is_unspecified:
        return address
    return "127.0.0.1" if given.version == 4 else "::1"


def _health(host: str, port: int, patience_s: float) -> tuple[int, str]:
    """What a process says of its health; raises OSError or HTTPException."""
    with (
        closing(HTTPConnection(host, port, timeout=patience_s)) as line,
        _cut_off(line, patience_s),
    ):
        line.request("GET", "/healthz")
        answer = line.getresponse()
        return answer.status, answer.read(MOST_READ).decode(errors="replace")


@contextmanager
def _cut_off(line: HTTPConnection, patience_s: float) -> Iterator[None]:
    """A block for a line that ends in time, also where somebody else answers, a byte at a time."""
    line.connect()
    timer = Timer(patience_s, _end, [line.sock])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _end(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
