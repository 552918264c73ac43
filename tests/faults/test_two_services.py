"""Two processes on one database and one mailbox, with real email: nothing is lost or doubled.

On PostgreSQL, two services in separate processes, or a service and a worker. On SQLite, a service,
with someone who polls and delivers by hand.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from pbem.cli.new_config import Answers, Changes, change_config, write_config
from pbem.games import game_of
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.matches.match import MatchOptions
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.processes import running
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import load_config
from pbem.service.club import Club
from pbem.service.delivery.deliver import deliver
from pbem.service.play.start import start_match
from pbem.service.work import reading, writing
from tests.conversations.house import Person
from tests.conversations.post_office import PASSWORD, Servers
from tests.support.mail_servers import DovecotMail

MATCHES = 3
MOVES = 4
"""Moves in each match."""
PATIENCE_S = 60.0
EXAMPLE = re.compile(r"for example:\n\n +(\[.*\])")


@pytest.fixture
def config(dovecot_mail: DovecotMail, domain: str, tmp_path: Path) -> Path:
    """A club on Dovecot."""
    path, address = tmp_path / "pbem.toml", f"club@{domain}"
    write_config(path, Answers(address=address, director=""))
    server: dict[str, str | int] = {"host": dovecot_mail.host, "port": dovecot_mail.imap_port}
    changes: Changes = {
        "imap": {**server, "user": address, "password": PASSWORD},
        "smtp": {**server, "port": dovecot_mail.smtp_port},
        "policy": {"mails_an_hour": 0, "match_mails_an_hour": 0, "poll_seconds": 1},
    }
    change_config(path, changes)
    dovecot_mail.add(address, PASSWORD)
    return path


@contextmanager
def started(config: Path, command: str) -> Iterator[None]:
    """Run `pbem serve` or another long-running command, and end it politely."""
    words = [sys.executable, "-m", "pbem", command, "--config", str(config)]
    with (config.parent / "log").open("a") as log:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert process.stdout is not None
        assert "Stop with Ctrl-C" in process.stdout.readline()
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("database", "commands"),
    (
        ("postgresql", ("serve", "serve")),
        ("queue", ("serve", "worker")),
        ("sqlite", ("serve",)),
    ),
)
def test_two_processes_share_one_database_without_loss(
    database: str,
    commands: tuple[str, ...],
    config: Path,
    dovecot_mail: DovecotMail,
    domain: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if database != "sqlite":
        monkeypatch.setenv("PBEM_DATABASE__URL", request.getfixturevalue("postgresql_url"))
    if database == "queue":
        monkeypatch.setenv("PBEM_JOBS__ENGINE", "procrastinate")
    settings = load_config(config)
    club = build_club(settings)
    at = running(settings, club, servers_of(settings))
    mailbox = at.mailboxes[0].mailbox

    def works() -> None:
        poll(club, mailbox)
        process_pending(club)
        deliver(club, at.transport)

    with closing(club.storage), closing(mailbox), ExitStack() as services:
        people = [_person(club, name, domain, dovecot_mail) for name in ("Anna", "Bert")]
        for command in commands:
            services.enter_context(started(config, command))
        _begin(club, people)
        sent = _play(people, works if database == "sqlite" else lambda: None)
        services.close()
        _judge(club, people, sent)


def _person(club: Club, name: str, domain: str, mail: DovecotMail) -> Person:
    address = f"{name.lower()}@{domain}"
    mail.add(address, PASSWORD)
    with writing(club) as work:
        return Person(name, address, Servers(mail), work.players.add(name, [address]))


def _begin(club: Club, people: list[Person]) -> None:
    players = [person.player for person in people if person.player]
    for _ in range(MATCHES):
        with writing(club) as work:
            start_match(work, game_of("lanko-68"), players, MatchOptions(5, False))


def _play(people: list[Person], beside: Callable[[], None]) -> dict[str, list[str]]:
    """Let everyone answer every turn email until enough is played. Return moves by subject."""
    sent: dict[str, list[str]] = {}
    until = time.monotonic() + PATIENCE_S
    while not _is_told(people, 2 * MATCHES * (1 + MOVES)):
        assert time.monotonic() < until, "an email did not arrive"
        for person in people:
            for mail in person.receives():
                moves = sent.setdefault(str(mail.message["Subject"]), [])
                if mail.kind == "your turn" and len(moves) < MOVES:
                    found = EXAMPLE.search(mail.text)
                    assert found is not None
                    moves.append(found[1])
                    person.says(found[1], to=mail)
        beside()
    return sent


def _is_told(people: list[Person], mails: int) -> bool:
    return sum(len(person.read) for person in people) >= mails


def _judge(club: Club, people: list[Person], sent: dict[str, list[str]]) -> None:
    """Check that every move is played once and in order, and emailed to both players once."""
    with reading(club) as work:
        played = [[a.text for a in work.matches.recorded(m.id)] for m in work.matches.all()]
        assert work.outbox.unsent() == 0
    assert sorted(played) == sorted(sent.values())
    for person in people:
        person.receives()
        ids = [mail.message_id for mail in person.read]
        assert len(ids) == len(set(ids)) == MATCHES * (1 + MOVES)
