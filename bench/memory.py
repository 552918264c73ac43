"""Measure how much memory `pbem serve` needs for many or large emails, and what it keeps of it.

`python -m bench.memory [LOAD]...` measures each load on a club of its own, with a Dovecot.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from base64 import encodebytes
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from bench.aims import at_most
from bench.configured import ADDRESS, configured
from bench.house import Servers, servers
from pbem.adapters.db.migrate import upgrade_at
from pbem.run.bootstrap.club import build_club
from pbem.service.work import writing
from tests.mail.mutations import corpus, mutated
from tests.mail.test_limits import nested, of_size, with_lines, with_parts, with_tags, with_text
from tests.support.dovecot import missing

MB = 1_000_000
MEMBER = "anna@mail.example"
PASSWORD = "open sesame"
PATIENCE_SECONDS = 900
REST_SECONDS = 8
"""A club is at rest after this many seconds without work."""
MOST_AT_REST = 100
MOST_PEAK = 250
MOST_AFTERWARDS = 1.5
"""Times the memory at rest."""
_IMAP = """\
[imap]
host = "{host}"
port = {port}
security = "none"
user = "{user}"
password = "{password}"
"""


def _email(number: int, sender: str, size: int) -> bytes:
    """Return an email with a file of noise, different for each number."""
    noise = encodebytes(random.Random(number).randbytes(size * 3 // 4)).replace(b"\n", b"\r\n")
    return (
        f"From: {sender}\r\nTo: {ADDRESS}\r\nSubject: a picture\r\n"
        f"Date: Mon, 23 Nov 2026 12:00:00 +0000\r\nMessage-ID: <{number}@mail.example>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain\r\n\r\nshow {number}\r\n"
        "--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    ).encode() + (noise + b"\r\n--b--\r\n" if size else b"--b--\r\n")


def copies() -> Iterator[bytes]:
    """The same email from a member, a hundred times."""
    yield from [_email(1, MEMBER, 5 * MB)] * 100


def different() -> Iterator[bytes]:
    """A hundred different emails from a member."""
    return (_email(number, MEMBER, 5 * MB) for number in range(100))


def strangers() -> Iterator[bytes]:
    """2,000 emails, each from a different stranger, every twentieth of them large."""
    for number in range(2000):
        yield _email(number, f"s{number}@else.example", 0 if number % 20 else 5 * MB)


def nasty() -> Iterator[bytes]:
    """The emails collected by the tests, mutations of them, and emails at and over every limit."""
    mails = corpus()
    yield from mails[:440]
    yield from (mutated(random.Random(f"memory {each}"), mails) for each in range(120))
    makers: Iterable[tuple[Callable[[int], bytes], int]] = (
        *((with_tags, 19_000), (with_lines, 9_000), (with_text, 1_000_000), (with_parts, 99)),
        *((nested, 9), (with_tags, 2_000_000), (with_text, 20 * MB), (of_size, 24 * MB)),
    )
    yield from (make(size) for make, size in makers for _ in range(5))
    yield from (_email(number, "big@else.example", 49 * MB) for number in range(3))
    yield from (_email(number, MEMBER, 49 * MB) for number in range(3, 6))


LOADS: Mapping[str, Callable[[], Iterator[bytes]]] = {
    each.__name__: each for each in (copies, different, strangers, nasty)
}


@contextmanager
def _serving(folder: Path) -> Iterator[int]:
    """Run `pbem serve` in a folder. Yield its process id once it is at rest."""
    words = [sys.executable, "-m", "pbem", "serve", "--config", str(folder / "pbem.toml")]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(words, stdout=log, stderr=log) as service,
    ):
        try:
            time.sleep(REST_SECONDS)
            assert service.poll() is None, (folder / "log").read_text()
            yield service.pid
        finally:
            service.terminate()


def _memory(pid: int, key: str) -> int:
    """Return the MB that a process has (VmRSS), or had at most (VmHWM)."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"^{key}:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024 // MB


def _await(database: Path, mails: int) -> None:
    """Wait until this many emails have come and none of them is waiting."""
    asks = "SELECT count(*), coalesce(sum(state = 'new'), 0) FROM inbound"
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            came, waiting = connection.execute(asks).fetchone()
        if came >= mails and not waiting:
            return
        time.sleep(1)
    raise TimeoutError(f"{came} of {mails} emails have come, and {waiting} are waiting")


def measure(found: Servers, name: str, number: int) -> None:
    """Print a line of the table, and compare it with the aims."""
    user = f"club{number}@games.example"
    found.dovecot.add(user, PASSWORD)
    imap = _IMAP.format(
        host=found.dovecot.host, port=found.dovecot.imap_port, user=user, password=PASSWORD
    )
    with tempfile.TemporaryDirectory(prefix="pbem-memory-") as scratch:
        folder = Path(scratch)
        config = configured(folder, found.smtp_port, imap=imap)
        upgrade_at(config.database_url)
        with closing((club := build_club(config)).storage), writing(club) as work:
            work.players.add("Anna", [MEMBER])
        with _serving(folder) as pid:
            idle, sent = _memory(pid, "VmRSS"), 0
            os.kill(pid, signal.SIGSTOP)  # everything waits in the mailbox, as after downtime
            for raw in LOADS[name]():
                found.dovecot.deliver("x@mail.example", user, raw)
                sent += 1
            os.kill(pid, signal.SIGCONT)
            began = time.monotonic()
            _await(folder / "pbem.sqlite", sent)
            took = time.monotonic() - began
            time.sleep(REST_SECONDS)
            peak, afterwards = _memory(pid, "VmHWM"), _memory(pid, "VmRSS")
        database = folder / "pbem.sqlite"
        with closing(sqlite3.connect(database)) as connection:
            (kept,) = connection.execute("SELECT sum(length(raw)) FROM inbound").fetchone()
        size = database.stat().st_size
    row = (sent, idle, peak, afterwards, kept // MB, size // MB, round(took))
    print(f"{name:<12}" + "".join(f"{each:>12}" for each in row), flush=True)
    at_most(f"{name}: at rest MB", idle, MOST_AT_REST)
    at_most(f"{name}: peak MB", peak, MOST_PEAK)
    at_most(f"{name}: memory afterwards, relative to at rest", afterwards / idle, MOST_AFTERWARDS)


def main() -> None:
    """Print the table, in MB."""
    if lacking := missing():
        sys.exit(f"Memory cannot be measured. {lacking}")
    heads = ("emails", "at rest", "peak", "afterwards", "kept", "file", "seconds")
    print(" " * 12 + "".join(f"{each:>12}" for each in heads))
    with servers() as found:
        for number, name in enumerate(sys.argv[1:] or LOADS):
            measure(found, name, number)


if __name__ == "__main__":
    main()
