"""Checks of this machine: space on its disks, its clock, the port of its metrics."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path
from threading import Timer
from typing import NamedTuple

from pbem.adapters.connection import in_a_line
from pbem.adapters.db.engine import file_of
from pbem.cli.doctor.finding import Examined, Finding
from pbem.cli.listing import size
from pbem.matches.zones import minute
from pbem.ports.process import StorageUnavailable
from pbem.run.config import Config

MEGABYTE = 1_000_000
NEEDED = 100 * MEGABYTE
"""Below this, a day of email can fill the disk."""
ENOUGH = 1000 * MEGABYTE
FILES_NEEDED = 1000
"""A club soon creates this many files, which need inodes: every match has some."""


class Space(NamedTuple):
    """Space that an unprivileged account can use in a folder."""

    device: int
    free: int
    """Free bytes."""
    files: int | None
    """Number of further files that can be created. None if unlimited."""


def disk(config: Config) -> Iterator[Finding]:
    """Check the free space on each disk, named by the first of our folders on it."""
    told = set[int]()
    for folder in _folders(config):
        space = space_in(folder)
        if space.device not in told:
            told.add(space.device)
            yield disk_finding(folder, space, _database_bytes(config, space.device))


def disk_finding(folder: Path, space: Space, database: int) -> Finding:
    """Return the finding for a disk that holds a database of this many bytes."""
    free = f"{size(space.free)} are free for {folder}"
    if space.free < NEEDED:
        return Finding("disk", f"only {free}. A full disk stops the club. Free some space.")
    if space.files is not None and space.files < FILES_NEEDED:
        few = (
            f"only {space.files} more files can be created in {folder}. The disk is out of inodes."
        )
        return Finding("disk", f"{few} Delete small files that nobody needs.")
    if space.free < database:
        why = f"an upgrade may need {size(database)} to copy the database"
        return Finding("disk", advice=f"{free}; {why}.")
    if space.free < ENOUGH:
        return Finding("disk", advice=f"only {free}. Free some space before the disk is full.")
    return Finding("disk", note=free)


def space_in(folder: Path) -> Space:
    """Return the free space where a folder is, or will be created."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    status = os.statvfs(there)
    files = status.f_favail if status.f_files else None
    return Space(there.stat().st_dev, status.f_bavail * status.f_frsize, files)


def _folders(config: Config) -> Iterator[Path]:
    yield config.club.data_dir
    database = _database(config)
    if database is not None:
        yield database.parent
    yield config.archive_dir
    if config.site.enabled:
        yield config.site_dir


def _database_bytes(config: Config, device: int) -> int:
    """Return the size of a database file on this disk, or 0."""
    file = _database(config)
    if file is None or not file.is_file() or file.stat().st_dev != device:
        return 0
    return file.stat().st_size


def _database(config: Config) -> Path | None:
    """Return the file of the database, if it has one."""
    try:
        return file_of(config.database_url)
    except StorageUnavailable:  # already reported
        return None


def time_service(config: Config) -> Iterator[Finding]:
    """Check that NTP sets this machine's clock, unless the club is for trying out.

    Nothing is said if the kernel does not know."""
    kept = None if config.club.embedded else is_synchronised()
    if kept is None:
        return
    if kept:
        yield Finding("time", note="NTP keeps this machine's clock right")
        return
    yield Finding(
        "time",
        advice="NTP does not keep this machine's clock right, at least not yet. The club's clocks"
        " depend on it. On Debian, run: apt-get install systemd-timesyncd. In a container, set up"
        " NTP on its host.",
    )


SKEW = timedelta(seconds=5)
"""A difference between the clocks of two machines that means that nothing sets them."""


def clock(examined: Examined) -> Iterator[Finding]:
    """Check this machine's clock against the last heartbeat and the database server."""
    status = examined.status
    if status.last_beat is not None and status.last_beat > status.now:
        alive = f"but the service already ran at {minute(status.last_beat)}"
        told = f"it is {minute(status.now)} here, {alive}"
        yield Finding("clock", f"{told}. Set the clock of this machine, preferably with NTP.")
        return
    ahead = status.ahead or timedelta()
    if abs(ahead) > SKEW:
        side, seconds = "ahead of" if ahead > timedelta() else "behind", abs(ahead).total_seconds()
        wrong = f"this machine's clock is {seconds:.0f} seconds {side} the database server's"
        yield Finding("clock", f"{wrong}. Set both with NTP.")
        return
    yield Finding("clock", note=f"it is {minute(status.now)}")


PATIENCE_S = 2.0
MOST_READ = 2000


def metrics(examined: Examined) -> Iterator[Finding]:
    """Check the port for metrics, if there is one."""
    section = examined.config.metrics
    if section.port:
        yield metrics_finding(section.address, section.port, is_served=examined.is_served)


def metrics_finding(
    address: str, port: int, *, is_served: bool, patience_s: float = PATIENCE_S
) -> Finding:
    """Return the finding for the port at which a process should answer."""
    place = f"{_reached(address)} port {port}"
    try:
        status, told = _health(_reached(address), port, patience_s)
    except (OSError, HTTPException):
        return _nobody(place, is_served=is_served)
    if status == HTTPStatus.OK:
        return Finding("metrics", note=f"shown at {place}, and that process is healthy")
    return Finding("metrics", f"the process at {place} is not healthy: {in_a_line(told)}")


def _nobody(place: str, *, is_served: bool) -> Finding:
    """Return the finding if nothing answers. Each process on a machine may have its own port."""
    if not is_served:
        return Finding("metrics", note=f"they will be at {place} while the club is running")
    why = f"nothing answers at {place}"
    remedy = "check port in [metrics], and PBEM_METRICS__PORT of each process"
    return Finding(
        "metrics",
        advice=f"{why}. If the club is running, {remedy}. Restart it after a change.",
    )


def _reached(address: str) -> str:
    """Return where a server listening at this address can be reached. For any address: loopback."""
    given = ip_address(address)
    if not given.is_unspecified:
        return address
    return "127.0.0.1" if given.version == 4 else "::1"


def _health(host: str, port: int, patience_s: float) -> tuple[int, str]:
    """Return what a process says of its health. Raises OSError or HTTPException."""
    with (
        closing(HTTPConnection(host, port, timeout=patience_s)) as line,
        _cut_off(line, patience_s),
    ):
        line.request("GET", "/healthz")
        answer = line.getresponse()
        return answer.status, answer.read(MOST_READ).decode(errors="replace")


@contextmanager
def _cut_off(line: HTTPConnection, patience_s: float) -> Iterator[None]:
    """A block whose connection ends in time, even if another program answers a byte at a time."""
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


TIMEX_BYTES = 256
"""Larger than any struct timex. Zeroed, it only asks."""
TIME_ERROR = 5
"""The clock is not synchronised."""


def is_synchronised() -> bool | None:
    """Return whether NTP or the like keeps the clock. None if the kernel cannot be asked."""
    try:
        adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex
    except AttributeError:  # not Linux
        return None
    state: int = adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    return None if state < 0 else state != TIME_ERROR
