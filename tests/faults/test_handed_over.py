"""The process that takes email by LMTP is killed after every statement. The email is resent."""

from __future__ import annotations

import multiprocessing
import smtplib
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path

import psycopg
import pytest

from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.run.lmtp import LmtpIntake
from pbem.run.serve import stop_on_signals
from tests.faults.many.blow import Blow
from tests.support import writers

pytestmark = pytest.mark.servers

CLUB = "club@games.example"
CONFIGURATION = """\
[club]
address = "{club}"
data_dir = "club"
secret = "a secret for the tests alone"
[smtp]
host = "127.0.0.1"
[site]
enabled = false
[lmtp]
listen = "unix:{place}"
[database]
url = "{url}"
[jobs]
engine = "procrastinate"
"""
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([writers.__name__, __name__, "pbem.adapters.db.migrate"])


def _take(listener: socket.socket, config: Path, steps: int) -> None:
    """Run `pbem lmtp` with its socket, killed after this many statements."""
    club, blow = build_club(load_config(config)), Blow()
    blow.watch_psycopg()
    blow.comes_after(steps)
    LmtpIntake(club, [listener]).start()
    stop_on_signals().wait()


@contextmanager
def taking(listener: socket.socket, config: Path, steps: int) -> Iterator[BaseProcess]:
    """A process that is stopped at the end."""
    process = PROCESSES.Process(target=_take, args=(listener, config, steps), daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
        process.close()


def is_taken(place: Path, raw: bytes) -> bool:
    """Return whether a handed-over email is acknowledged."""
    try:
        with smtplib.LMTP(str(place), local_hostname="mx.example.org") as server:
            server.sendmail("anna@mail.example", [CLUB], raw)
    except (smtplib.SMTPException, OSError):
        return False
    return True


class MailServer:
    """Brings each email to one process after another until one acknowledges it."""

    def __init__(self, place: Path, config: Path, url: str) -> None:
        self.place, self.config, self.url = place, config, url
        self.handed_over: list[str] = []
        self._steps = count(1)
        self.unanswered = 0
        """Number of emails recorded by processes that died before acknowledging them."""

    def brings_a_mail(self, listener: socket.socket) -> int:
        """Bring an email. Return the number of processes that died over it."""
        name = f"<{len(self.handed_over)}@mail.example>"
        self.handed_over.append(name)
        raw = f"From: anna@mail.example\r\nMessage-ID: {name}\r\n\r\nhello\r\n".encode()
        for deaths in count():
            with taking(listener, self.config, next(self._steps)):
                if is_taken(self.place, raw):
                    return deaths
            self.unanswered += name in (message for message, _ in self.recorded())
        raise AssertionError

    def recorded(self) -> list[tuple[str, int]]:
        """Return Message-ID and row of every recorded email."""
        with psycopg.connect(self.url) as connection:
            return connection.execute("SELECT message_id, id FROM inbound ORDER BY id").fetchall()

    def in_line(self) -> list[int]:
        """Return the rows that have a job."""
        with psycopg.connect(self.url) as connection:
            jobs = connection.execute("SELECT args -> 'row' FROM procrastinate_jobs ORDER BY id")
            return [row for (row,) in jobs]


@pytest.mark.timeout(180)
def test_every_email_is_recorded_once_with_its_job(postgresql_url: str, tmp_path: Path) -> None:
    place, config = tmp_path / "lmtp", tmp_path / "pbem.toml"
    config.write_text(CONFIGURATION.format(club=CLUB, place=place, url=postgresql_url))
    config.chmod(0o600)
    server = MailServer(place, config, postgresql_url)
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(place))
        listener.listen()
        while server.brings_a_mail(listener):
            pass
    assert [message for message, _ in server.recorded()] == server.handed_over
    assert server.in_line() == [row for _, row in server.recorded()]
    assert server.unanswered
