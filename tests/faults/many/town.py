"""A town: a club of many processes with its servers, its players, and a few matches.

Every process reaches PostgreSQL and its mail server through its own relay.
"""

from __future__ import annotations

import smtplib
from collections.abc import Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Engine, text

from pbem.adapters.db.engine import open_engine
from pbem.adapters.imap_mailbox import ImapMailbox
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.games import game_of
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.matches.match import MatchOptions
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import load_config
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.deliver import deliver
from pbem.service.play.start import start_match
from pbem.service.work import writing
from pbem.settings.mails import ALL, SETTING as MAILS
from tests.faults.many.crew import Crew
from tests.faults.many.mailboxes import Mailboxes
from tests.faults.people import NAMES, Ledger, Mail, Sent
from tests.support.dovecot import Dovecot
from tests.support.postgres import Postgres
from tests.support.relay import Relay
from tests.support.smtp import SmtpServer

WORKERS = ("worker-1", "worker-2", "worker-3")
FETCHERS = ("fetcher-1", "fetcher-2")
MATCHES = 3
PATIENCE_S = 90.0
"""Time for all emails of a day to arrive, whatever has gone wrong."""
NOWHERE = 9
"""A port without a listener."""
PASSWORD = "open sesame"


class Town:
    """The club with its players. `tests.faults.verdict` judges it."""

    def __init__(
        self, dovecot: Dovecot, postgres: Postgres, database: str, domain: str, home: Path
    ) -> None:
        self.address, self.director = f"club@{domain}", f"director@{domain}"
        self.dovecot, self.postgres, self.home = dovecot, postgres, home
        self._database = database
        dovecot.add(self.address, PASSWORD)
        self.boxes = Mailboxes()
        self.ledger = Ledger()
        self.refused: set[str] = set()
        self._days = count(1)
        self._answered: set[str] = set()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        port = self._open.enter_context(SmtpServer(self.boxes.put)).port
        names = (*WORKERS, *FETCHERS)
        self.databases = {name: self._relay(self.postgres.socket) for name in names}
        self.imap = {name: self._relay(self.dovecot.imap_port) for name in FETCHERS}
        self.smtp = {name: self._relay(port) for name in WORKERS}
        own = self._config("judge", self.postgres.url(self._database), self.dovecot.imap_port, port)
        self._settings = load_config(own)
        self.club = build_club(self._settings)
        self._open.enter_context(closing(self.club.storage))
        self.watcher: Engine = open_engine(self.postgres.url(self._database))
        self._open.callback(self.watcher.dispose)
        self._found()
        posts = {name: (_role(name), self._own_config(name)) for name in names}
        self.crew = self._open.enter_context(Crew(posts))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _relay(self, target: int | Path) -> Relay:
        return self._open.enter_context(Relay(target))

    def _url(self, name: str) -> str:
        port = self.databases[name].port
        return f"postgresql://postgres@127.0.0.1:{port}/{self._database}?sslmode=disable"

    def _own_config(self, name: str) -> Path:
        """Return the configuration of a process, which reaches every server through relays."""
        imap, smtp = self.imap.get(name), self.smtp.get(name)
        ports = (imap.port if imap else NOWHERE, smtp.port if smtp else NOWHERE)
        return self._config(name, self._url(name), *ports)

    def _config(self, name: str, url: str, imap: int, smtp: int) -> Path:
        path = self.home / f"{name}.toml"
        path.write_text(
            CONFIG.format(
                address=self.address,
                director=self.director,
                password=PASSWORD,
                imap=imap,
                smtp=smtp,
                url=url,
            )
        )
        path.chmod(0o600)
        return path

    def _found(self) -> None:
        """Found the club: its players, and a match at each table."""
        with writing(self.club) as work:
            self.players = [
                work.players.add(name, [f"{name.lower()}@mail.example"]) for name in NAMES
            ]
            for player in self.players:
                work.players.choose(player.id, MAILS.key, ALL)
                work.players.choose(player.id, "board", "letters")
        for first in range(MATCHES):
            with writing(self.club) as work:
                seated = [*self.players[first:], *self.players[:first]]
                start_match(work, game_of("lanko-103"), seated, MatchOptions(5, draw_offers=False))

    # Actions

    def a_day(self) -> bool:
        """Send an email of each kind in every match. Return whether all expected ones have come."""
        assert self._all_has_come(), "the turns before"
        for number, turn in enumerate(self._turns()):
            self._answered.add(turn.id)
            mails = self.ledger.a_day(turn, self.address, next(self._days))
            if number:  # the club answers a limited number of strangers a day
                self.ledger.to_be_answered.remove(mails[1])
                del mails[1]
            self._receives(mails)
        return self._all_has_come()

    def _turns(self) -> list[Mail]:
        """Return the emails to answer. An email that came twice is answered once."""
        asked = {mail.id: mail for mail in self.got() if mail.kind == "your turn"}
        return [mail for id_, mail in asked.items() if id_ not in self._answered]

    def _receives(self, mails: Sequence[Sent]) -> None:
        with smtplib.LMTP("127.0.0.1", self.dovecot.lmtp_port, local_hostname="localhost") as lmtp:
            for mail in mails:
                lmtp.sendmail(mail.sender, [mail.recipient], mail.raw)

    def _all_has_come(self) -> bool:
        return self.boxes.wait_for(lambda: self._come() >= self._due(), PATIENCE_S)

    def _come(self) -> int:
        return len({mail.id for mail in self.got() if mail.recipient != self.director})

    def _due(self) -> int:
        """Count emails due: starts and moves go to everyone, other answers to one person."""
        moves = sum(map(len, self.ledger.moves.values()))
        told = len(self.players) * (MATCHES + moves)
        return told + len(self.ledger.to_be_answered) - moves

    # The judges' view

    def got(self) -> list[Mail]:
        """Return every email received by anyone, oldest first."""
        return self.boxes.got()

    @property
    def taken(self) -> list[tuple[str, bytes]]:
        """Return the same emails as they came."""
        return self.boxes.taken

    def rows(self, query: str) -> Sequence[Any]:
        """Return the rows of the database for the judges."""
        with self.watcher.connect() as connection:
            return connection.execute(text(query)).all()

    def left(self) -> Sequence[Any]:
        """Return what still waits, for debugging."""
        answered = {mail.answers for mail in self.got()}
        return [
            *(mail.id for mail in self.ledger.to_be_answered if mail.id not in answered),
            (self._come(), self._due()),
            *self.rows("SELECT state, count(*) FROM inbound GROUP BY state"),
            *self.rows("SELECT id, state, reason FROM inbound WHERE state IN ('new', 'shunted')"),
            *self.rows("SELECT id, kind, claimed_until FROM outbox WHERE closed_at IS NULL"),
            *self.rows("SELECT id, task_name, status, lock, worker_id FROM procrastinate_jobs"),
        ]

    def settles(self) -> None:
        """End the crew, and finish the work that could wait until now."""
        self.crew.ends()
        servers = servers_of(self._settings)
        mailbox, transport = ImapMailbox(servers.imap), SmtpTransport(servers.smtp)
        with closing(mailbox), closing(transport):
            poll(self.club, mailbox)
            process_pending(self.club)
            release_claims_of_the_dead(self.club)
            deliver(self.club, transport)


def _role(name: str) -> str:
    return "work" if name in WORKERS else "fetch"


CONFIG = """\
[club]
name = "pbem"
address = "{address}"
director = "{director}"
data_dir = "data"
secret = "a secret for the tests 0123456789"
[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "{address}"
password = "{password}"
done_folder = "Done"
[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
[database]
url = "{url}"
[jobs]
engine = "procrastinate"
[policy]
mails_an_hour = 0
match_mails_an_hour = 0
[site]
enabled = false
"""
