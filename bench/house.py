"""A club in its own folder, wired as in production, with its matches and players."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from imapclient import IMAPClient
from pydantic import SecretStr

from bench.answers import answer
from bench.pace import Pace, timed
from bench.sink import sink
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.games.api import AnyGame
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.mail.outgoing.letter import Letter, to_bytes
from pbem.mail.topic import match_key
from pbem.matches.match import Match, MatchOptions, Player
from pbem.ports.inbound import CHANGED, InboundState, MailFilter
from pbem.run.bootstrap.club import build_club
from pbem.run.config import ClubSection, Config, DatabaseSection
from pbem.service.club import Club
from pbem.service.delivery.deliver import deliver
from pbem.service.play.start import start_match
from pbem.service.work import writing
from tests.support import certificates, dovecot

PASSWORD = "open sesame"
HOST = "games.example"
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Servers:
    """Servers that email comes from and goes to."""

    dovecot: dovecot.Dovecot
    smtp_port: int


@contextmanager
def servers() -> Iterator[Servers]:
    """Run a Dovecot and a sink, both as real processes."""
    with (
        tempfile.TemporaryDirectory() as folder,
        dovecot.running(certificates.made_in(Path(folder))) as imap,
        sink() as port,
    ):
        yield Servers(imap, port)


class House:
    """A club with its own mailbox and database."""

    def __init__(self, servers: Servers, players: int = 100, database_url: str = "") -> None:
        self._servers = servers
        self._database_url = database_url
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-bench-"))
        self.address = f"club{next(_NUMBERS)}@{HOST}"
        servers.dovecot.add(self.address, PASSWORD)
        self.imap = ImapSettings(
            servers.dovecot.host, servers.dovecot.imap_port, self.address, PASSWORD, "none"
        )
        self.smtp = SmtpSettings("127.0.0.1", servers.smtp_port, "", "", "none")
        self.mailbox = ImapMailbox(self.imap)
        self.transport = SmtpTransport(self.smtp)
        self.club = self.open_club()
        self.sent = 0
        """Emails sent when it last worked."""
        with writing(self.club) as work:
            self.players = [
                work.players.add(f"Player {n}", [f"player{n}@mail.example"], "Europe/Warsaw")
                for n in range(players)
            ]
            for player in self.players:
                work.players.choose(player.id, "board", "letters")

    def open_club(self) -> Club:
        """Open the club as a newly started process does."""
        section = ClubSection(
            address=self.address, data_dir=self.folder, secret=SecretStr("not a secret, only long")
        )
        url = DatabaseSection(url=self._database_url)
        return build_club(Config(club=section, database=url))

    @property
    def database(self) -> Path:
        """File of the database, on SQLite."""
        return self.folder / "pbem.sqlite"

    def start(self, game: AnyGame, players: Sequence[Player], options: MatchOptions) -> Match:
        """Start a match and queue its first emails."""
        with writing(self.club) as work:
            return start_match(work, game, players, options)

    def moves(self, matches: Sequence[Match]) -> Pace:
        """Play one move in each match and return the pace."""
        self.mail_answers(matches)
        pace = timed(len(matches), self.works)
        self.require_played(len(matches))
        return pace

    def works(self) -> None:
        """Do what a running club does when email has come, in the same order."""
        poll(self.club, self.mailbox)
        process_pending(self.club)
        self.sent = deliver(self.club, self.transport)

    def mail_answers(self, matches: Sequence[Match]) -> None:
        """Mail the players' answers to their latest turn emails."""
        mails = list(answers(self.club, matches))
        with IMAPClient(self.imap.host, self.imap.port, ssl=False) as client:
            client.login(self.address, PASSWORD)
            for mail in mails:
                client.append("INBOX", mail)

    def letter(self, message_id: str) -> Letter:
        """Return an email that the club has queued."""
        with self.club.storage.reading() as uow:
            posted = uow.outbox.by_message_id(message_id)
        assert posted is not None
        return posted.mail.letter

    def require_played(self, moves: int) -> None:
        """Raise AssertionError unless the newest emails were all moves that count."""
        with self.club.storage.reading() as uow:
            newest = uow.inbound.newest(MailFilter(), moves)
        states = {(mail.state, mail.reason) for mail in newest}
        assert states == {(InboundState.DONE, CHANGED)}, states

    def close(self) -> None:
        """Close the connections and delete everything."""
        self.mailbox.close()
        self.club.storage.close()
        shutil.rmtree(self.folder)


def answers(club: Club, matches: Sequence[Match]) -> Iterator[bytes]:
    """Yield the answers of the players to move to their latest turn emails."""
    with club.storage.reading() as uow:
        for match in matches:
            player = uow.matches.get(match.id).player_to_act
            assert player is not None, "the match has not ended"
            posted = uow.outbox.latest(match_key(match.id), player)
            assert posted is not None, "the player to move has had an email"
            raw, who = to_bytes(posted.mail.letter), uow.players.get(player)
            yield answer(raw, who.name, who.address, f"u{next(_NUMBERS)}")
