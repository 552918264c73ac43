"""A club on trial: on a real Dovecot, with a scripted SMTP server."""

from __future__ import annotations

import itertools
import random
import smtplib
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, text

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.games import game_of
from pbem.games.api import AnyGame, GamePosition
from pbem.games.replay import play_one
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.match import MatchOptions
from pbem.service.club import Club, Policy
from pbem.service.play.start import start_match
from pbem.service.work import reading, writing
from pbem.settings.mails import ALL, SETTING as MAILS
from tests.faults.clock import JumpingClock
from tests.faults.death import Death
from tests.faults.life import PASSWORD, Life
from tests.faults.people import NAMES, OF_MATCH, Ledger, Mail, Sent, read, written
from tests.support.dovecot import Dovecot
from tests.support.relay import LOST, PASSES, UNANSWERED, Fate, Relay
from tests.support.smtp import HANG_UP, TAKE_AND_HANG_UP, ScriptedSmtp

TICK = 3
"""Minutes between two runs of the jobs: more than a claim, less than an outage."""
MOST_RUNS = 25
NOBODY_PASSES = 36
"""A turn before which everybody has a move, however they play here."""
TIMEOUT_S = 10.0
"""More seconds than a server on loopback ever takes."""


class Trial:
    """The club with its three players, and everything that can go wrong around it."""

    def __init__(self, dovecot: Dovecot, ca_file: Path, domain: str, url: str, home: Path) -> None:
        self.dovecot, self.ca_file, self.url, self.home = dovecot, ca_file, url, home
        self.clock = JumpingClock()
        self.address, self.director = f"club@{domain}", f"director@{domain}"
        self.done_folder = "Done"
        self.timeout_s = TIMEOUT_S
        self.tls: Path | None = None
        """File of the certificate authority, if IMAP uses TLS."""
        self.ledger = Ledger()
        self._numbers, self._days = itertools.count(1), itertools.count(1)
        dovecot.add(self.address, PASSWORD)
        self.relay = Relay(dovecot.imap_port, fate=self._fate)
        self.smtp = ScriptedSmtp()
        self.smtp.rule = self._rule
        self.imap_rule: Callable[[bytes], Fate] = lambda line: PASSES
        self.smtp_rule: Callable[[str, str], str] = lambda verb, line: ""
        self.life = Life(self, Death())
        self.watcher: Engine = open_engine(url)
        """The engine with which the judges read the database."""
        self.refused: set[str] = set()
        """Recipients that the SMTP server has refused permanently."""
        self._answered: set[str] = set()
        self._read: list[Mail] = []
        self._add_players()

    def _add_players(self) -> None:
        with writing(self.life.club) as work:
            self.players = [
                work.players.add(name, [f"{name.lower()}@mail.example"]) for name in NAMES
            ]
            for player in self.players:
                work.players.choose(player.id, MAILS.key, ALL)
                work.players.choose(player.id, "board", "letters")

    def __enter__(self) -> Trial:
        self.relay.__enter__()
        self.smtp.__enter__()
        self.begins_a_match()
        return self

    def __exit__(self, *_: object) -> None:
        self.life.ends()
        self.watcher.dispose()
        self.smtp.__exit__()
        self.relay.__exit__()

    @property
    def club(self) -> Club:
        """Return the club, as seen by the living process."""
        return self.life.club

    @property
    def taken(self) -> Sequence[tuple[str, bytes]]:
        """Return the emails that the SMTP server has accepted, with their recipients."""
        return self.smtp.taken

    def club_on(self, storage: SqlStorage) -> Club:
        """Return the club, as seen by a process that starts."""
        return Club(
            name="pbem",
            address=self.address,
            director=self.director,
            storage=storage,
            clock=self.clock,
            archive=FileArchive(self.home / "archive"),
            signer=TokenSigner({1: b"a secret for the tests"}, 1),
            templates=lambda: RENDERER,
            unique=lambda: f"u{next(self._numbers)}",
            rater=OpenSkillRater(),
            chance=random.Random(7).randrange,
            policy=Policy(mails_an_hour=0, match_mails_an_hour=0, claim=timedelta(minutes=2)),
        )

    @property
    def database(self) -> str:
        """Return the file of the database."""
        return self.url.removeprefix("sqlite:///")

    @property
    def maildir(self) -> Path:
        """Return where Dovecot keeps the club's email."""
        return self.dovecot.folder / "mail" / self.address / "Maildir"

    @property
    def left_in_the_inbox(self) -> int:
        """Return how many emails the club's folder still holds."""
        return sum(1 for name in ("new", "cur") for _ in (self.maildir / name).iterdir())

    # Behaviour of the servers

    def _fate(self, line: bytes) -> Fate:
        death, verb = self.life.death, imap_verb(line)
        if death.comes_at("before IMAP command", verb):
            return LOST
        if death.comes_at("after IMAP command", verb):
            return UNANSWERED
        return self.imap_rule(line)

    def _rule(self, verb: str, line: str) -> str:
        death = self.life.death
        if death.comes_at("before SMTP command", verb):
            return HANG_UP
        if verb == "DOT" and death.comes_at("after mail", verb):
            return TAKE_AND_HANG_UP
        return self.smtp_rule(verb, line)

    # Actions

    def begins_a_match(self) -> None:
        """Start a match as the director, on the command line."""
        with writing(self.life.club) as work:
            options = MatchOptions(5, draw_offers=False)
            start_match(work, game_of("lanko-103"), self.players, options)
        self.settles()

    def lives_again(self, death: Death | None = None) -> None:
        """End the process, if it is still running, and start another one."""
        self.life.ends()
        self.life = Life(self, death or Death())

    def a_day(self) -> None:
        """Deliver a day's emails. The club has not looked yet."""
        if not (turns := self._turns()):
            self.begins_a_match()
            turns = self._turns()
        turn = turns[-1]
        self._answered.add(turn.id)
        self.receives(self.ledger.a_day(turn, self.address, next(self._days)))

    def a_planned_answer(self) -> None:
        """Let the next player plan a turn. Then deliver the turn before it, unread.

        Uses a new match before players run out of moves, so that nobody passes.
        """
        turn = self._turns()[-1]
        if turn.turn > NOBODY_PASSES:
            self.begins_a_match()
            turn = self._turns()[-1]
        self._answered.add(turn.id)
        with reading(self.life.club) as work:
            found = OF_MATCH.match(turn.subject)
            assert found is not None, turn.subject
            match = work.match(int(found[1]))
        first, after = _a_turn(match.game, match.position)
        second, _ = _a_turn(match.game, after)
        planner = match.seats[match.game.to_act(after) or ""]
        address = next(each.address for each in self.players if each.id == planner)
        theirs = (each for each in reversed(self.got()) if each.recipient == address)
        latest = next(each for each in theirs if each.subject == turn.subject)
        self._answers(latest, f"if {first} then {second}")
        self.settles()
        self._answers(turn, first)
        self.ledger.moves[turn.subject] += [first, second]

    def _answers(self, mail: Mail, text: str) -> None:
        thread = {"In_Reply_To": mail.id, "References": mail.id}
        to = str(mail.message["Reply-To"])
        sent = written(mail.recipient, to, f"Re: {mail.subject}", text, **thread)
        self.ledger.to_be_answered.append(sent)
        self.receives([sent])

    def everybody_resigns(self) -> None:
        """Let everyone resign in answer to their newest email of the match, and confirm it."""
        for word in ("resign", "confirm"):
            newest = {each.recipient: each for each in self.got() if "[pbem 1]" in each.subject}
            for player in self.players:
                mail = newest[player.address]
                to = str(mail.message["Reply-To"])
                self.receives([written(player.address, to, mail.subject, word)])
            self.settles()

    def _turns(self) -> list[Mail]:
        return [
            mail
            for mail in self.got()
            if mail.kind == "your turn" and mail.id not in self._answered
        ]

    def receives(self, mails: Sequence[Sent]) -> None:
        """Deliver emails to the club's mailbox."""
        with smtplib.LMTP("127.0.0.1", self.dovecot.lmtp_port, local_hostname="localhost") as lmtp:
            for mail in mails:
                lmtp.sendmail(mail.sender, [mail.recipient], mail.raw)

    def works(self, times: int = 1) -> list[str]:
        """Run the jobs this many times. Return the problems they met."""
        troubles = []
        for _ in range(times):
            troubles += self.life.works()
            self.clock.advance(minutes=TICK)
        return troubles

    def settles(self) -> None:
        """Run the jobs until no work is left."""
        told: list[str] = []
        for _ in range(MOST_RUNS):
            before = self._progress()
            troubles = self.works()
            told += troubles
            if not troubles and self._progress() == before and not self.waiting():
                return
        raise AssertionError(f"something still waits: {told[-1:]}")

    def _progress(self) -> tuple[int, int]:
        return len(self.smtp.taken), self._number("SELECT count(*) FROM inbound")

    def waiting(self) -> int:
        """Return the number of emails that are unprocessed or unsent."""
        return self._number("SELECT count(*) FROM inbound WHERE state = 'new'") + self._number(
            "SELECT count(*) FROM outbox WHERE closed_at IS NULL"
        )

    def _number(self, query: str) -> int:
        return int(self.rows(query)[0][0])

    def rows(self, query: str) -> Sequence[Any]:
        """Return the rows of the database for the judges."""
        with self.watcher.connect() as connection:
            return connection.execute(text(query)).all()

    def got(self) -> list[Mail]:
        """Return every email that the SMTP server has accepted, oldest first."""
        new = self.smtp.taken[len(self._read) :]
        self._read += [read(recipient, raw) for recipient, raw in new]
        return self._read


def _a_turn(game: AnyGame, position: GamePosition) -> tuple[str, GamePosition]:
    """Return a legal turn of one action, and the position after it."""
    seat = game.to_act(position)
    assert seat is not None, "the match goes on"
    text = game.format(position, next(iter(game.legal_actions(position))))
    played = play_one(game, position, seat, text)
    return played.text, played.position


def imap_verb(line: bytes) -> str:
    """Return the command in an IMAP client's line. GREETING stands for the server's first line."""
    words = line.decode().upper().split()[1:]
    return next((word for word in words if word != "UID"), "GREETING" if not line else "")


RENDERER = of_the_club()
