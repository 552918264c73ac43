"""Measure the time from an email's arrival until its answer is sent, by LMTP and IMAP IDLE.

Moves come one by one at a fixed rate, whatever happens to earlier ones. The processes are those of
`pbem serve`, `pbem lmtp` and `pbem worker`, on databases that commit to disk. The time ends when an
SMTP server has the player's receipt. `make bench` runs it.
"""

from __future__ import annotations

import os
import smtplib
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from email.parser import BytesHeaderParser
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from bench.configured import ADDRESS, configured, file_of
from bench.crew import PBEM, crew
from bench.earnest import postgresql
from bench.hall import Hall
from bench.house import answers
from bench.ledger import Ledger
from bench.workers import LOOK_SECONDS, MOST_SECONDS
from pbem.cli.logs import log_from
from pbem.run.bootstrap.club import build_club
from pbem.run.config import Config
from pbem.service.club import Club
from tests.support import certificates, dovecot

HOST = "127.0.0.1"
PASSWORD = "open sesame"
COMING = {1: 30, 10: 100, 50: 200}
"""Number of emails, by how many come per second."""
WORKERS = 2
PATIENCE_S = 60.0

IMAP = """\
[imap]
host = "127.0.0.1"
port = {port}
user = "{user}"
password = "{password}"
security = "none"
"""

Send = Callable[[bytes], None]


class Receipts(socketserver.ThreadingTCPServer):
    """An SMTP server that notes when it took each answer, and keeps none."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Visit)
        self.taken: dict[str, float] = {}
        """When the first answer to each Message-ID was taken."""
        self.news = threading.Condition()

    def notes(self, mail: bytes) -> None:
        """Note an email that was taken."""
        answered = BytesHeaderParser().parsebytes(mail).get("In-Reply-To", "").strip()
        with self.news:
            self.taken.setdefault(answered, time.perf_counter())
            self.news.notify_all()

    def await_all(self, wanted: Sequence[str]) -> None:
        """Wait until all of them are answered."""
        with self.news:
            done = self.news.wait_for(lambda: self.taken.keys() >= set(wanted), PATIENCE_S)
        assert done, (
            f"{len(set(wanted) - self.taken.keys())} of {len(wanted)} emails have no answer"
        )


class _Visit(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    server: Receipts

    def handle(self) -> None:
        self.wfile.write(b"220 receipts\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self._take()
            else:
                self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
            if verb == b"QUIT":
                return

    def _take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        self.server.notes(b"".join(lines))
        self.wfile.write(b"250 taken\r\n")


@contextmanager
def receipts() -> Iterator[Receipts]:
    """Run a server for the length of the block."""
    with Receipts() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Delay(NamedTuple):
    """Delays of emails, in seconds."""

    rate: int
    seconds: Sequence[float]

    def ms(self, percent: int) -> float:
        """Return the milliseconds within which this percentage was answered."""
        return 1000 * quantiles(self.seconds, n=100, method="inclusive")[percent - 1]


def measured(club: Club, config: Config, commands: Sequence[str], at: Receipts, send: Send) -> None:
    """Print how long moves take, by how many come per second."""
    hall, folder = Hall(club), config.club.data_dir
    hall.begins(max(COMING.values()))
    told = [(*PBEM, *each.split(), "--config", str(file_of(config))) for each in commands]
    with crew(told, folder / "log") as processes, closing(Ledger(config.database_url)) as ledger:
        for rate, number in COMING.items():
            end = time.monotonic() + MOST_SECONDS
            while ledger.waits:
                assert time.monotonic() < end, "the emails are not sent"
                processes.require_alive()
                time.sleep(LOOK_SECONDS)
            mails = list(answers(club, hall.matches[:number]))
            delay = Delay(rate, _delays(mails, rate, at, send))
            print(f"{'':4}{rate:>6}{number:>10}{delay.ms(50):>12.0f}{delay.ms(99):>12.0f}")


def _delays(mails: Sequence[bytes], rate: int, at: Receipts, send: Send) -> list[float]:
    """Return the seconds from when each email was due until its answer was sent."""
    parser, began = BytesHeaderParser(), time.perf_counter() + 0.1
    ids = [str(parser.parsebytes(raw)["Message-ID"]).strip() for raw in mails]
    due = [began + number / rate for number in range(len(mails))]
    for raw, moment in zip(mails, due, strict=True):
        time.sleep(max(0.0, moment - time.perf_counter()))
        send(raw)
    at.await_all(ids)
    return [at.taken[each] - moment for each, moment in zip(ids, due, strict=True)]


def by_lmtp(host: str, port: int = 0) -> Send:
    """Return a function that delivers emails on one cached connection, as a mail server does."""
    kept: list[smtplib.LMTP] = []

    def send(raw: bytes) -> None:
        if not kept:
            kept.append(smtplib.LMTP(host, port, local_hostname="mx.games.example"))
        kept[0].sendmail("player@mail.example", [ADDRESS], raw)

    return send


@contextmanager
def _club(port: int, url: str = "", imap: str = "") -> Iterator[tuple[Club, Config]]:
    """Open a club in its own folder."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as home:
        config = configured(Path(home), port, url, imap=imap)
        with closing((club := build_club(config)).storage):
            yield club, config


def sqlite_by_lmtp(at: Receipts) -> None:
    """Measure `pbem serve` on SQLite, with email by LMTP."""
    print("LMTP, pbem serve on SQLite")
    with _club(at.server_address[1]) as (club, config):
        send = by_lmtp(f"{config.club.data_dir}/lmtp")
        measured(club, config, ["serve"], at, send)


def workers_by_lmtp(at: Receipts) -> None:
    """Measure `pbem lmtp` and workers on PostgreSQL."""
    print(f"LMTP, pbem lmtp and {WORKERS} workers on PostgreSQL")
    with (
        postgresql() as server,
        server.database() as name,
        _club(at.server_address[1], server.url(name)) as (club, config),
    ):
        send = by_lmtp(f"{config.club.data_dir}/lmtp")
        measured(club, config, ["lmtp", *["worker"] * WORKERS], at, send)


def sqlite_by_imap(at: Receipts) -> None:
    """Measure `pbem serve` on SQLite with a Dovecot, which announces email by IDLE."""
    if lacking := dovecot.missing():
        print(f"IMAP cannot be measured. {lacking}")
        return
    print("IMAP with IDLE, pbem serve on SQLite")
    with ExitStack() as running:
        home = running.enter_context(tempfile.TemporaryDirectory())
        server = running.enter_context(dovecot.running(certificates.made_in(Path(home))))
        server.add(ADDRESS, PASSWORD)
        imap = IMAP.format(port=server.imap_port, user=ADDRESS, password=PASSWORD)
        club, config = running.enter_context(_club(at.server_address[1], imap=imap))
        send = by_lmtp(server.host, server.lmtp_port)
        measured(club, config, ["serve"], at, send)


def main() -> None:
    """Print the table."""
    log_from("error")
    print("\nFrom an email's arrival until its receipt is sent, ms")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    print(f"{'':4}{'emails/s':>8}{'emails':>8}{'p50':>12}{'p99':>12}")
    with receipts() as at:
        for way in (sqlite_by_lmtp, workers_by_lmtp, sqlite_by_imap):
            if not sys.argv[1:] or way.__name__ in sys.argv[1:]:
                way(at)


if __name__ == "__main__":
    main()
