"""A set through a real Dovecot, with the service killed between every two steps on the way.

The players are the judges: only the content of their mailboxes counts. An email may arrive twice,
but then both copies have the same Message-ID.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from pbem.cli.new_config import Answers, Changes, change_config, write_config
from pbem.games import game_of
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import MatchOptions
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.club import Club
from pbem.service.play.start import start_competition, start_match
from pbem.service.records.verify import verify_all
from pbem.service.work import reading, writing
from pbem.settings.board import SETTING as BOARD
from pbem.settings.mails import ALL, SETTING as MAILS
from tests.conversations.house import Person, Received
from tests.conversations.post_office import PASSWORD, Servers
from tests.support import fragile_club
from tests.support.fragile_club import Strike
from tests.support.mail_servers import DovecotMail

LONGEST_S = 20.0
"""Seconds that an email may take. Only a broken service takes as long."""

NEVER = Strike()
WARM = get_context("forkserver")
"""Starts processes that have imported everything."""
WARM.set_forkserver_preload(["pytest", fragile_club.__name__])


@dataclass
class Served:
    """A club served by its own process."""

    config: Path
    club: Club
    process: ForkServerProcess | None = None
    reports: Connection | None = None
    struck: list[str] = field(default_factory=list)

    def start(self, strike: Strike = NEVER) -> None:
        """Serve until killed."""
        self.reports, sender = WARM.Pipe(duplex=False)
        log = self.config.parent / "log"
        self.process = WARM.Process(
            target=fragile_club.serve, args=(self.config, log, strike, sender)
        )
        self.process.start()
        sender.close()
        assert self.reports.recv() == "serving"

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        assert self.process is not None
        return self.process.exitcode is not None

    def ends(self, seconds: float = 10) -> int:
        """Wait for the end of the process. Return its status."""
        assert self.process is not None
        assert self.reports is not None
        self.process.join(seconds)
        assert self.process.exitcode is not None
        with self.reports, suppress(EOFError):
            while True:
                self.struck.append(self.reports.recv())
        return self.process.exitcode

    def terminate(self) -> int:
        """Ask the process to end. Return its status."""
        assert self.process is not None
        self.process.terminate()
        return self.ends()


@pytest.fixture
def served(dovecot_mail: DovecotMail, domain: str, tmp_path: Path) -> Iterator[Served]:
    config = tmp_path / "pbem.toml"
    address = f"club@{domain}"
    write_config(config, Answers(address=address, director=""))
    server: dict[str, str | int] = {"host": dovecot_mail.host, "port": dovecot_mail.imap_port}
    changes: Changes = {
        "imap": {**server, "user": address, "password": PASSWORD, "done_folder": "Done"},
        "smtp": {**server, "port": dovecot_mail.smtp_port},
        "policy": {"mails_an_hour": 0, "match_mails_an_hour": 0},
    }
    change_config(config, changes)
    dovecot_mail.add(address, PASSWORD)
    served = Served(config, build_club(load_config(config)))
    yield served
    if served.process is not None and not served.has_ended():
        served.process.kill()
        served.ends()


@pytest.fixture
def people(served: Served, dovecot_mail: DovecotMail, domain: str) -> list[Person]:
    people = []
    for name in ("Anna", "Bert", "Clara"):
        address = f"{name.lower()}@{domain}"
        dovecot_mail.add(address, PASSWORD)
        with writing(served.club) as work:
            player = work.players.add(name, [address])
            work.players.choose(player.id, MAILS.key, ALL)
            work.players.choose(player.id, BOARD.key, "letters")
        people.append(Person(name, address, Servers(dovecot_mail), player))
    return people


EXAMPLE = re.compile(r"for example:\n\n +(\[.*\])")


@dataclass
class Play:
    """Three people who answer every turn email with the suggested move."""

    served: Served
    people: list[Person]
    sent: dict[str, list[str]] = field(default_factory=dict)
    """Moves in the order they were sent, by the subject of the match."""
    answered: set[str] = field(default_factory=set)

    def once(self) -> int:
        """Let everyone read and answer their emails. Return how many emails were new."""
        mails = [(person, mail) for person in self.people for mail in person.receives()]
        for person, mail in mails:
            if mail.kind == "your turn" and mail.message_id not in self.answered:
                self._answer(person, mail)
        return len(mails)

    def _answer(self, person: Person, mail: Received) -> None:
        found = EXAMPLE.search(mail.text)
        assert found is not None
        self.answered.add(mail.message_id)
        self.sent.setdefault(str(mail.message["Subject"]), []).append(found[1])
        person.says(found[1], to=mail)

    def until(self, over: Callable[[], bool], plan: Iterator[Strike]) -> None:
        """Continue playing, restarting the service whenever it is killed."""
        last_news = time.monotonic()
        while not over():
            if self.served.has_ended():
                assert self.served.ends() == -signal.SIGKILL
                self.served.start(next(plan, NEVER))
                last_news = time.monotonic()
            if self.once():
                last_news = time.monotonic()
            assert time.monotonic() - last_news < LONGEST_S, "an email did not arrive"

    def set_is_over(self) -> bool:
        """Return whether everyone has the final result of the set."""
        return all(
            any(re.search(r"(wins|share) the set", mail.text) for mail in person.read[-3:])
            for person in self.people
        )


def distinct(mails: list[Received]) -> dict[str, Received]:
    """Return emails by Message-ID, so that repeated ones count once."""
    return {mail.message_id: mail for mail in mails}


@pytest.mark.timeout(400)
def test_set_survives_a_kill_between_every_two_steps(served: Served, people: list[Person]) -> None:
    strikes = [Strike(point, count) for count in (2, 7) for point in fragile_club.POINTS]
    strikes += map(Strike, 2 * fragile_club.COMMANDS, (8, 60, 5, 21, 150, 15))
    plan = iter(strikes)
    served.start(next(plan))
    with writing(served.club) as work:
        players = tuple(person.player.id for person in people if person.player)
        # A set of some sixty turns, not many more than needed to kill at every step.
        options = MatchOptions(5, draw_offers=False, game={"quiet_limit": 8})
        start_competition(work, MatchSet("lanko-88", players, options, work.now))
    play = Play(served, people)
    play.until(play.set_is_over, plan)
    assert served.terminate() == 0
    for person in people:
        person.receives()

    assert served.struck == [strike.point for strike in strikes]
    with reading(served.club) as work:
        matches = work.matches.all()
        recorded = {match.id: work.matches.recorded(match.id) for match in matches}
    assert len(matches) == 3
    assert all(match.result is not None for match in matches)
    # No move is lost, played twice or out of order.
    assert [[action.text for action in recorded[m.id]] for m in matches] == list(play.sent.values())
    # Everyone has had one email at the start of each match, and one for each move.
    for person in people:
        mails = distinct(person.read)
        assert len(mails) == sum(1 + len(actions) for actions in recorded.values())
        turns = [mail for mail in mails.values() if mail.kind == "your turn"]
        own = [
            action
            for match in matches
            for action in recorded[match.id]
            if person.player and match.seats[action.seat] == person.player.id
        ]
        assert len(turns) == len(own)
    assert list(verify_all(served.club.storage, served.club.archive)) == []


@pytest.mark.parametrize(
    ("point", "count"), (("fetching", 1), ("committing", 1), ("committing", 4), ("processed", 4))
)
def test_sigterm_ends_cleanly_at_any_moment(
    served: Served, people: list[Person], point: str, count: int
) -> None:
    """The signal comes after processing, during DATA."""
    with writing(served.club) as work:
        players = [person.player for person in people if person.player]
        options = MatchOptions(5, draw_offers=False)
        start_match(work, game_of("lanko-68"), players, options)
    served.start(Strike(point, count, signal.SIGTERM))
    play = Play(served, people)
    play.until(served.has_ended, iter(()))
    assert served.ends() == 0
    assert served.struck == [point]

    served.start()
    play.until(lambda: len(play.answered) >= 4, iter(()))
    assert served.terminate() == 0
    for person in people:
        person.receives()
        assert len(distinct(person.read)) == len(person.read), "nothing was sent twice"
