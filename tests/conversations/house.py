"""A club and its people for conversation tests. Everyone has a mailbox.

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
from pbem.adapters.openskill_rater import OpenSkillRater
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
from pbem.service.competitions.running import run_competitions
from pbem.service.delivery.deliver import deliver
from pbem.service.play.bots import bots_for_match
from pbem.service.play.start import start_competition, start_match
from pbem.service.rating import rate_waiting
from pbem.service.records.publish import publish_all
from pbem.service.work import reading, writing
from tests.conversations.post_office import PostOffice
from tests.fakes.clock import FakeClock
from tests.support.outside import on_servers

HOST = "games.example"
ON_BOTH = pytest.mark.parametrize("house", ("fakes", *on_servers("servers")), indirect=True)
"""Parameters for a module whose tests run on the fakes, and on a mail server with SQLite."""
TICK = 9
TICKS_BETWEEN_SWEEPS = 27
"""Minutes between two sweeps while time passes. More than ten would be an outage."""


@dataclass(frozen=True)
class Received:
    """An email as its reader sees it."""

    message: EmailMessage
    text: str

    @property
    def kind(self) -> str:
        """Return the sender name's prefix, such as `your turn`, or an empty string."""
        name = str(self.message["From"].addresses[0].display_name)
        old = name.partition(", ")[2] if name.startswith("pbem, ") else ""
        wants = old or name.removesuffix("pbem").rstrip(", ")
        return wants[:1].lower() + wants[1:]

    @property
    def reply_to(self) -> str:
        """Return the address that replies go to."""
        return str(self.message["Reply-To"])

    @property
    def message_id(self) -> str:
        """Return the Message-ID."""
        return str(self.message["Message-ID"])

    @property
    def html(self) -> str:
        """Return the HTML part."""
        part = self.message.get_body(("html",))
        assert part is not None
        return str(part.get_content())


@dataclass
class Person:
    """A person with a mailbox and an email client."""

    name: str
    address: str
    post: PostOffice
    player: Player | None = None
    read: list[Received] = field(default_factory=list)
    """Everything received so far, oldest first."""

    def receives(self) -> list[Received]:
        """Return new emails, oldest first."""
        new = [as_read(raw) for raw in self.post.inbox(self.address, len(self.read))]
        self.read += new
        return new

    @property
    def latest(self) -> Received:
        """Return the newest email they have read."""
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
        """Answer an email (the newest by default), quoting it as clients do."""
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
        """Send an email unchanged."""
        self.post.takes(self.address, recipient, raw)


@lru_cache(2048)
def as_read(raw: bytes) -> Received:
    """Return an email as its reader sees it. Emails of an old club are the same in every test."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain",))
    assert part is not None
    return Received(message, str(part.get_content()).replace("\r\n", "\n"))


def _quoted(answered: Received) -> str:
    lines = "\n".join(f"> {line}".rstrip() for line in answered.text.splitlines())
    return f"\n\nOn Sat, 21 Nov 2026 at 10:00, pbem <{answered.reply_to}> wrote:\n{lines}\n"


class House:
    """A club whose jobs the test runs. Its clock only moves when the test moves it."""

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
        """Whether the test breaks templates. Otherwise every email must use its template."""
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
            rater=OpenSkillRater(),
            chance=random.Random(7).randrange,
            policy=policy or Policy(mails_an_hour=0, match_mails_an_hour=0),
        )
        self.mailbox = post.mailbox(self.address, done_folder)
        self.transport = post.transport()

    def close(self) -> None:
        """Leave the mailbox. Whoever opened the storage closes it."""
        self.mailbox.close()

    def _person(self, name: str, address: str) -> Person:
        self.post.add(address)
        self.people.append(Person(name, address, self.post))
        return self.people[-1]

    def player(
        self,
        name: str,
        *more: str,
        time_zone: str = "UTC",
        mails: str = "usual",
        board: str = "letters",
    ) -> Person:
        """Add a member with a mailbox. Drawing pictures of boards takes most of an email's time."""
        person = self._person(name, f"{name.lower().replace(' ', '.')}@mail.example")
        for address in more:
            self.post.add(address)
        with writing(self.club) as work:
            player = work.players.add(name, [person.address, *more], time_zone)
            work.players.choose(player.id, "board", board)
            if mails != "usual":
                work.players.choose(player.id, "mails", mails)
            person.player = work.players.get(player.id)
        return person

    def stranger(self, address: str) -> Person:
        """Add a person whom the club does not know."""
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
        """Start a match between people and send its first emails."""
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
        """Add computer opponents, which have no mailbox."""
        with writing(self.club) as work:
            bots = bots_for_match(work, kinds)
        return [Person(bot.name, bot.address, self.post, bot) for bot in bots]

    def set(
        self, board: str, *people: Person, concurrent: bool = False, chosen: str = ""
    ) -> MatchSet:
        """Start a three-person set and send its first emails."""
        with writing(self.club) as work:
            options = MatchOptions(5, False, chosen=read_chosen(chosen))
            match_set = MatchSet(board, _ids(*people), options, work.now, concurrent=concurrent)
            match_set = start_competition(work, match_set)
        self.works()
        return match_set

    def series(self, game: str, a: Person, b: Person, games: int) -> None:
        """Start a series and send the first emails of its first game."""
        with writing(self.club) as work:
            ids, options = _ids(a, b), MatchOptions()
            start_competition(work, Series(game, ids, options, work.now, games=games))
        self.works()

    def tournament(
        self, game: str, *people: Person, double: bool = False, concurrent: bool = False
    ) -> None:
        """Start a round robin and send its first emails."""
        with writing(self.club) as work:
            ids, options = _ids(*people), MatchOptions()
            of = RoundRobin(game, ids, options, work.now, double=double, concurrent=concurrent)
            start_competition(work, of)
        self.works()

    def works(self) -> None:
        """Poll, process, play for the bots and deliver until no work is left."""
        while poll(self.club, self.mailbox) + process_pending(self.club) + play_bots(self.club):
            pass
        run_competitions(self.club)
        publish_all(self.club.storage, self.club.archive, self.club.clock)
        rate_waiting(self.club)
        deliver(self.club, self.transport)

    def sweeps(self) -> None:
        """Run all jobs, then handle whatever is due."""
        self.works()
        sweep(self.club)
        run_competitions(self.club)
        look_for_absent(self.club)
        deliver(self.club, self.transport)

    def resigns(self, *people: Person, match: int = 0) -> None:
        """Let people resign one after another, and confirm it.

        Each answers their newest email of the match, or the newest of all.
        """
        for person in people:
            person.receives()
            about = f"[pbem {match}]" if match else ""
            person.says("resign", [m for m in person.read if about in m.message["Subject"]][-1])
            self.works()
            [question] = person.receives()
            person.says("confirm", question)
            self.works()

    def until_noon(self) -> None:
        """Move the clock to the next noon in UTC, since reminders at night wait until morning."""
        since_noon = self.clock.now().replace(hour=12, minute=0) - self.clock.now()
        self.clock.advance(seconds=(since_noon % timedelta(days=1)).total_seconds())

    def passes(self, *, days: float, mailbox_away: bool = False) -> None:
        """Let time pass while the service runs and sweeps whenever something is due."""
        for tick in range(round(days * 24 * 60 / TICK)):
            before = self.clock.now()
            self.clock.advance(minutes=TICK)
            sweeps = tick % TICKS_BETWEEN_SWEEPS == 0 or self._is_due()
            polls = not mailbox_away and tick % 10 == 0
            if sweeps or polls:
                self._beat(before)
            if sweeps:
                sweep(self.club)
            if polls:
                poll(self.club, self.mailbox)
        self._beat(self.clock.now())
        if not mailbox_away:
            self.sweeps()

    def _is_due(self) -> bool:
        """Return whether a sweep would do anything."""
        now = self.clock.now()
        with reading(self.club) as work:
            due = work.deadlines.due(now) or work.deadlines.reminded(now)
            due = due or work.waiting_news.due(now)
            return bool(due or work.offers.expired(now)) or work.service.held_since() is not None

    def _beat(self, at: datetime) -> None:
        """Record a heartbeat, as the service did until then, unless it held all email."""
        with writing(self.club) as work:
            if work.service.held_since() is None:
                work.service.beat(at)

    def skips(self, *, days: float) -> None:
        """Move the clock at once, as if the service had been up, then sweep.

        This is cheap, also on real servers.
        """
        self.clock.advance(days=days)
        self._beat(self.clock.now())
        self.sweeps()

    def flag_at(self, match_id: int = 1) -> datetime | None:
        """Return when the flag of a match falls."""
        with reading(self.club) as work:
            return work.matches.get(match_id).clock.flag_at

    def state(self, match_id: int = 1) -> MatchSummary:
        """Return a match as stored."""
        with reading(self.club) as work:
            return work.matches.get(match_id)

    def position(self, match_id: int = 1) -> Any:
        """Return the position of a match."""
        with reading(self.club) as work:
            return work.match(match_id).position

    def moves(self, match_id: int = 1) -> list[str]:
        """Return the actions of a match as stored."""
        with reading(self.club) as work:
            return [action.text for action in work.matches.recorded(match_id)]

    def matches(self) -> list[MatchSummary]:
        """Return every match."""
        with reading(self.club) as work:
            return work.matches.all()

    def names(self, match_id: int = 1) -> dict[str, str]:
        """Return the players' names by seat."""
        with reading(self.club) as work:
            seats = work.matches.get(match_id).seats
            return {seat: work.players.get(player).name for seat, player in seats.items()}

    def records(self) -> list[Path]:
        """Return the records of single matches in the archive."""
        return sorted(self.home.glob("archive/match-*"))

    def inbound(self, state: InboundState) -> list[RecordedMail]:
        """Return the recorded emails in a state."""
        with reading(self.club) as work:
            return work.inbound.in_state(state)

    def raw_of(self, mail: RecordedMail) -> bytes:
        """Return the stored raw email."""
        with reading(self.club) as work:
            return work.inbound.get(mail.id).raw


def _ids(*people: Person) -> tuple[PlayerId, ...]:
    return tuple(_player(person).id for person in people)


def _player(person: Person) -> Player:
    assert person.player is not None
    return person.player
