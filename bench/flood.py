"""Measure how long a good move waits behind a flood of strangers' emails on a real Dovecot.

`pbem serve` runs on SQLite, with the flood in the mailbox when it starts. Once it has read one
email, a member answers with a move. The time from then until an SMTP server has the receipt is
measured. `python -m bench.flood` prints a table. Name a flood to run only that one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from email.parser import BytesHeaderParser
from pathlib import Path

from imapclient import IMAPClient

from bench.aims import at_most
from bench.configured import ADDRESS, configured, file_of
from bench.crew import PBEM, crew
from bench.house import answers
from bench.latency import IMAP, PASSWORD, Receipts, by_lmtp, receipts
from pbem.cli.logs import log_from
from pbem.games import game_of
from pbem.matches.match import Match, MatchOptions
from pbem.ports.inbound import MailFilter
from pbem.run.bootstrap.club import build_club
from pbem.service.club import Club
from pbem.service.play.start import start_match
from pbem.service.work import writing
from tests.support import certificates, dovecot

LOOK_SECONDS = 0.02
MIB = 1024 * 1024


def cells() -> Iterator[bytes]:
    """100 emails of 89 kB, each with 9,900 unclosed table cells."""
    for number in range(100):
        yield _of_stranger(number, "text/html", b"<td>a b c" * 9900)


def large() -> Iterator[bytes]:
    """2,000 emails, every twentieth with 5 MB of text."""
    for number in range(2000):
        lines = 1 if number % 20 else 5 * MIB // 19
        yield _of_stranger(number, "text/plain", b"> hello there, you\n" * lines)


def made_up() -> Iterator[bytes]:
    """2,000 emails to addresses with made-up tokens, in the playing member's name."""
    for number in range(2000):
        to = ADDRESS.replace("@", f"+1-{number}-white-{'abcd' * 4}@")
        yield _email("player0@mail.example", to, number, "text/html", b"<td>a b c" * 900)


FLOODS: dict[str, tuple[Callable[[], Iterator[bytes]], float]] = {
    "cells": (cells, 2.0),
    "large": (large, 5.0),
    "made-up": (made_up, 5.0),
}
"""Each with the longest that a move may wait, in seconds."""


def _of_stranger(number: int, kind: str, body: bytes) -> bytes:
    return _email(f"stranger{number}@elsewhere.example", ADDRESS, number, kind, body)


def _email(sender: str, to: str, number: int, kind: str, body: bytes) -> bytes:
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: hello {number}\r\n"
    head += f"Message-ID: <{number}@elsewhere.example>\r\nContent-Type: {kind}\r\n\r\n"
    return head.encode() + body.replace(b"\n", b"\r\n")


def _begun(club: Club) -> Match:
    """Start a match of two players, with its first emails queued."""
    with writing(club) as work:
        players = [
            work.players.add(f"Player {n}", [f"player{n}@mail.example"], "Europe/Warsaw")
            for n in range(2)
        ]
        return start_match(work, game_of("lanko-68"), players, MatchOptions())


def _recorded(club: Club) -> int:
    """Return how many emails have been recorded."""
    with club.storage.reading() as uow:
        return len(uow.inbound.newest(MailFilter(), 10_000))


def waited(flood: Callable[[], Iterator[bytes]], at: Receipts) -> tuple[float, int]:
    """Return how many seconds a good move waited, and how many emails were recorded by then."""
    with ExitStack() as running:
        home = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="pbem-bench-")))
        server = running.enter_context(dovecot.running(certificates.made_in(home)))
        server.add(ADDRESS, PASSWORD)
        imap = IMAP.format(port=server.imap_port, user=ADDRESS, password=PASSWORD)
        config = configured(home, at.server_address[1], imap=imap)
        club = build_club(config)
        running.enter_context(closing(club.storage))
        [move] = answers(club, [_begun(club)])
        wanted = str(BytesHeaderParser().parsebytes(move)["Message-ID"]).strip()
        with IMAPClient(server.host, server.imap_port, ssl=False) as client:
            client.login(ADDRESS, PASSWORD)
            for email in flood():
                client.append("INBOX", email)
        told = [(*PBEM, "serve", "--config", str(file_of(config)))]
        with crew(told, home / "log") as processes:
            while not _recorded(club):
                processes.require_alive()
                time.sleep(LOOK_SECONDS)
            sent = time.perf_counter()
            by_lmtp(server.host, server.lmtp_port)(move)
            at.await_all([wanted])
            seconds = at.taken[wanted] - sent
            return seconds, _recorded(club)


def main() -> None:
    """Print the table."""
    if lacking := dovecot.missing():
        sys.exit(f"This cannot be measured. {lacking}")
    log_from("error")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    print(f"{'flood':<12}{'recorded':>10}{'move waits, s':>16}")
    with receipts() as at:
        for name, (flood, most) in FLOODS.items():
            if not sys.argv[1:] or name in sys.argv[1:]:
                seconds, recorded = waited(flood, at)
                print(f"{name:<12}{recorded:>10}{seconds:>16.2f}")
                at_most(f"seconds a move waits behind the flood {name}", seconds, most)


if __name__ == "__main__":
    main()
