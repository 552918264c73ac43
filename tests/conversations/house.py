"""A club and its people for conversation tests: everybody has a mailbox.

alice.says("[8-B]")
house.works()
bob.receives("turn")
"""

from __future__ import annotations

import email
import email.policy
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import make_msgid
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from pbem.adapters.archive_files import FileArchive
from pbem.games import game_of
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.jobs.absent import look_for_absent
from pbem.jobs.play_bots import play_bots
from pbem.jobs.sweep import sweep
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import MatchOptions, MatchSummary, Player, PlayerId
from pbem.matches.match_options import read_chosen
from pbem.ports.inbound import InboundState, RecordedMail
from pbem.ports.storage import Storage
from pbem.service.club import Club, Policy
from pbem.service.delivery.deliver import deliver
from pbem.service.play.bots import bots_for_match
from pbem.service.play.start import start_competition, start_match
from pbem.service.records.publish import publish_all
from pbem.service.work import reading, writing
from tests.conversations.post_office import PostOffice
from tests.fakes.clock import FakeClock
from tests.support.outside import on_servers

HOST = "games.example"
ON_BOTH = pytest.mark.parametrize("house", ("fakes", *on_servers("servers")), indirect=True)
"""For a module whose tests run on the fakes, and on a mail server and SQLite too."""
TICK = 9
TICKS_BETWEEN_SWEEPS = 27
"""Minutes between two sweeps where time goes by; more than ten would be an outage."""


@dataclass(frozen=True)
class Received:
    """One mail as its reader sees it."""

    message: EmailMessage
    text: str

    @property
    def kind(self) -> str:
        """What the sender's name says before the club's: `your turn`, or nothing."""
        name = str(self.message["From"].addresses[0].display_name)
        old = name.partition(", ")[2] if name.startswith("pbem, ") else ""
        wants = old or name.removesuffix("pbem").rstrip(", ")
        return wants[:1].lower() + wants[1:]

    @property
    def reply_to(self) -> str:
        """Where an answer goes."""
        return str(self.message["Reply-To"])

    @property
    def message_id(self) -> str:
        """Message-ID."""
        return str(self.message["Message-ID"])

    @property
    def html(self) -> str:
        """The HTML part."""
        part = self.message.get_body(("html",))
        assert part is not None
        return str(part.get_content())


@dataclass
class Person:
    """Somebody with a mailbox and a mail client."""

    name: str
    address: str
    post: PostOffice
    player: Player | None = None
    read: list[Received] = field(default_factory=list)
    """Everything received so far, oldest first."""

    def receives(self) -> list[Received]:
        """Mails that have come since the last look, oldest first."""
        new = [as_read(raw) for raw in self.post.inbox(self.address, len(self.read))]
        self.read += new
        return new

    @property
    def latest(self) -> Received:
        """The newest mail he has read."""
        return self.read[-1]

    def says(
        self,
        text: str,
        to: Received | None = None,
        *,
        quoting: bool = True,
        headers: Sequence[tuple[str, str]] = (),
        recipient: str = "",
        sender: str = "",
        references: bool = True,
        subject: str = "",
    ) -> EmailMessage:
        """Answers a mail (the newest one unless told otherwise), quoting it as clients do."""
        answered = to or (self.latest if self.read else None)
        message = EmailMessage()
        message["From"] = sender or f"{self.name} <{self.address}>"
        message["To"] = recipient or (answered.reply_to if answered else f"club@{HOST}")
        title = str(answered.message["Subject"]) if answered else "hello"
        message["Subject"] = subject or f"Re: {title}"
        message["Message-ID"] = make_msgid(domain="mail.example")
        message["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
        if answered and references:
            message["In-Reply-To"] = answered.message_id
            message["References"] = answered.message_id
        for name, value in headers:
            message[name] = value
        message.set_content(text + (_quoted(answered) if answered and quoting else "") + "\n")
        self.sends(message.as_bytes(policy=email.policy.SMTP), str(message["To"]))
        return message

    def sends(self, raw: bytes, recipient: str = f"club@{HOST}") -> None:
        """Hands a mail over as it is."""
        self.post.takes(self.address, recipient, raw)


@lru_cache(2048)
def as_read(raw: bytes) -> Received:
    """A mail as its reader sees it; those of an old club are the same in every test."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain",))
    assert part is not None
    return Received(message, str(part.get_content()).replace("\r\n", "\n"))


def _quoted(answered: Received) -> str:
    lines = "\n".join(f"> {line}".rstrip() for line in answered.text.splitlines())
    return f"\n\nOn Sat, 21 Nov 2026 at 10:00, pbem <{answered.reply_to}> wrote:\n{lines}\n"


class House:
    """The club, worked by hand, its clock standing still."""

    def __init__(
        self,
        post: PostOffice,
        storage: Storage,
        clock: FakeClock,
        home: Path,
        *,
        policy: Policy | None = None,
        done_folder: str = "",
    ) -> None:
        self.post = post
        self.home = home
        self.has_faulty_templates = False
        """Whether the test wants them; else each email must be written as it should be."""
        self.clock = clock
        self.address = f"club@{HOST}"
        self.people: list[Person] = []
        self.director = self._person("Director", f"director@{HOST}")
        post.add(self.address)
        numbers = itertools.count(1)
        self.club = Club(
            name="pbem",
            address=self.address,
            director=self.director.address,
            storage=storage,
            clock=self.clock,
            archive=FileArchive(home / "archive"),
            signer=TokenSigner({1: b"a secret for the tests"}, 1),
            templates=of_the_club,
            unique=lambda: f"u{next(numbers):06}",
            chance=random.Random(7).randrange,
            policy=policy or Policy(mails_an_hour=0, match_mails_an_hour=0),
        )
        self.mailbox = post.mailbox(self.address, done_folder)
        self.transport = post.transport()

    def close(self) -> None:
        """Leaves the mailbox; the storage belongs to whoever opened it."""
        self.mailbox.close()

    def _person(self, name: str, address: str) -> Person:
        self.post.add(address)
        self.people.append(Person(name, address, self.post))
        return self.people[-1]

    def player(self, name: str, *more: str, time_zone: str = "UTC", mails: str = "usual") -> Person:
        """A player of the club with a mailbox."""
        person = self._person(name, f"{name.lower().replace(' ', '.')}@mail.example")
        for address in more:
            self.post.add(address)
        with writing(self.club) as work:
            player = work.players.add(name, [person.address, *more], time_zone)
            if mails != "usual":
                work.players.choose(player.id, "mails", mails)
            person.player = work.players.get(player.id)
        return person

    def stranger(self, address: str) -> Person:
        """Somebody the club does not know."""
        return self._person("", address)

    def match(
        self,
        game: str,
        *people: Person,
        days: int = 5,
        draws: bool = True,
        time: str = "",
        chosen: str = "",
        **options: int,
    ) -> MatchSummary:
        """A match between people, its first mails on their way."""
        with writing(self.club) as work:
            match = start_match(
                work,
                game_of(game),
                [_player(person) for person in people],
                MatchOptions(0 if time else days, draws, options, time, chosen=read_chosen(chosen)),
            )
        self.works()
        return match

    def bots(self, *kinds: str) -> list[Person]:
        """Computer opponents; they have no mailbox."""
        with writing(self.club) as work:
            bots = bots_for_match(work, kinds)
        return [Person(bot.name, bot.address, self.post, bot) for bot in bots]

    def set(
        self, board: str, *people: Person, concurrent: bool = False, chosen: str = ""
    ) -> MatchSet:
        """A three-person set, its first mails on their way."""
        with writing(self.club) as work:
            options = MatchOptions(5, False, chosen=read_chosen(chosen))
            match_set = MatchSet(board, _ids(*people), options, work.now, concurrent=concurrent)
            match_set = start_competition(work, match_set)
        self.works()
        return match_set

    def series(self, game: str, a: Person, b: Person, games: int) -> None:
        """A series, the first mails of its first game on their way."""
        with writing(self.club) as work:
            ids, options = _ids(a, b), MatchOptions()
            start_competition(work, Series(game, ids, options, work.now, games=games))
        self.works()

    def tournament(
        self, game: str, *people: Person, double: bool = False, concurrent: bool = False
    ) -> None:
        """A round robin, its first mails on their way."""
        with writing(self.club) as work:
            ids, terms = _ids(*people), {"double": double, "concurrent": concurrent}
            start_competition(work, RoundRobin(game, ids, MatchOptions(), work.now, **terms))
        self.works()

    def works(self) -> None:
        """Polls, processes, plays for the bots and delivers until nothing is left to do."""
        while poll(self.club, self.mailbox) + process_pending(self.club) + play_bots(self.club):
            pass
        publish_all(self.club.storage, self.club.archive, self.club.clock)
        deliver(self.club, self.transport)

    def sweeps(self) -> None:
        """Works, then sees to what is due."""
        self.works()
        sweep(self.club)
        look_for_absent(self.club)
        deliver(self.club, self.transport)

    def until_noon(self) -> None:
        """Time goes by until it is noon in UTC: at other hours reminders wait for the morning."""
        since_noon = self.clock.now().replace(hour=12, minute=0) - self.clock.now()
        self.clock.advance(seconds=(since_noon % timedelta(days=1)).total_seconds())

    def passes(self, *, days: float, mailbox_away: bool = False) -> None:
        """Let time pass while the service runs. It sweeps when something is due."""
        for tick in range(round(days * 24 * 60 / TICK)):
            self.clock.advance(minutes=TICK)
            if tick % TICKS_BETWEEN_SWEEPS == 0 or not self._beats():
                sweep(self.club)
            if not mailbox_away and tick % 10 == 0:
                poll(self.club, self.mailbox)
        if not mailbox_away:
            self.sweeps()

    def _beats(self) -> bool:
        """Whether nothing is due: then only the heartbeat is recorded."""
        now = self.clock.now()
        with reading(self.club) as work:
            due = work.deadlines.due(now) or work.deadlines.reminded(now)
            if due or work.offers.expired(now) or work.service.held_since() is not None:
                return False
        with writing(self.club) as work:
            work.service.beat(now)
        return True

    def skips(self, *, days: float) -> None:
        """Time goes by at once, the service up all the while; only at its end it sweeps.

        Cheap where it works on servers.
        """
        self.clock.advance(days=days)
        with writing(self.club) as work:
            work.service.beat(self.clock.now())
        self.sweeps()

    def flag_at(self, match_id: int = 1) -> datetime | None:
        """When the flag of a match falls."""
        with reading(self.club) as work:
            return work.matches.get(match_id).clock.flag_at

    def state(self, match_id: int = 1) -> MatchSummary:
        """A match as stored."""
        with reading(self.club) as work:
            return work.matches.get(match_id)

    def position(self, match_id: int = 1) -> Any:
        """Position of a match."""
        with reading(self.club) as work:
            return work.match(match_id).position

    def moves(self, match_id: int = 1) -> list[str]:
        """Actions of a match as stored."""
        with reading(self.club) as work:
            return [action.text for action in work.matches.recorded(match_id)]

    def matches(self) -> list[MatchSummary]:
        """Every match."""
        with reading(self.club) as work:
            return work.matches.all()

    def names(self, match_id: int = 1) -> dict[str, str]:
        """Names by seat."""
        with reading(self.club) as work:
            seats = work.matches.get(match_id).seats
            return {seat: work.players.get(player).name for seat, player in seats.items()}

    def records(self) -> list[Path]:
        """Records of single matches in the archive."""
        return sorted(self.home.glob("archive/match-*"))

    def inbound(self, state: InboundState) -> list[RecordedMail]:
        """Recorded mails in a state."""
        with reading(self.club) as work:
            return work.inbound.in_state(state)

    def raw_of(self, mail: RecordedMail) -> bytes:
        """What is kept of an email."""
        with reading(self.club) as work:
            return work.inbound.get(mail.id).raw


def _ids(*people: Person) -> tuple[PlayerId, ...]:
    return tuple(_player(person).id for person in people)


def _player(person: Person) -> Player:
    assert person.player is not None
    return person.player
