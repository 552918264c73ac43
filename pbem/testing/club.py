"""A club in one process for demonstrations: a clock that waits, and mailboxes in memory."""

from __future__ import annotations

import email
import email.policy
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from html import unescape
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.games.api import AnyGame, Options, Seat
from pbem.inbox.hand_over import take
from pbem.inbox.pending import process_pending
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.match import Match, MatchOptions
from pbem.ports.inbound import HandedMail
from pbem.ports.outbox import Delivery, DeliveryReport
from pbem.service.club import Club, Policy
from pbem.service.delivery.deliver import deliver
from pbem.service.play.start import start_match
from pbem.service.records.publish import publish_all
from pbem.service.records.verify import verify_all
from pbem.service.work import reading, writing

ADDRESS = "club@games.example"
NAMES = ("Anna", "Bert", "Clara", "Dan", "Eve", "Finn", "Gina", "Hugo")
START = datetime(2026, 11, 21, 10, tzinfo=UTC)
SIGNED = "\n\nSent from my phone\n"
MATCH = 1
DATABASE = "pbem.sqlite"


class Clock:
    """A clock that moves a second whenever it is read. Satisfies `ports.WallClock`."""

    def __init__(self) -> None:
        self._now = START

    def now(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


class Letter(NamedTuple):
    """An email as its reader sees it."""

    message: EmailMessage
    text: str
    html: str

    @property
    def sender(self) -> str:
        """Return the name it comes from, which says what it is about."""
        return str(self.message["From"].addresses[0].display_name)

    @property
    def taps(self) -> dict[str, tuple[str, str]]:
        """Return the new emails that its links start: address and subject by text."""
        found = {}
        for href in re.findall(r'href="mailto:([^"]+)"', self.html):
            address, _, query = unescape(href).partition("?")
            fields = dict(parse_qsl(query.replace("+", "%2B")))
            found[fields.get("body", "").strip()] = unquote(address), fields.get("subject", "")
        return found


class Mailboxes:
    """The emails of every address. Satisfies `ports.Transport` and `ports.Session`."""

    def __init__(self) -> None:
        self.letters: dict[str, list[Letter]] = defaultdict(list)

    @contextmanager
    def connect(self) -> Iterator[Mailboxes]:
        yield self

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        self.letters[recipient].append(read_letter(raw))
        return DeliveryReport(Delivery.SENT, "250 OK")


def read_letter(raw: bytes) -> Letter:
    """Return an email as its reader sees it."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    parts = (message.get_body((kind,)) for kind in ("plain", "html"))
    text, html = (str(part.get_content()) if part else "" for part in parts)
    return Letter(message, text.replace("\r\n", "\n"), html)


class DemoClub:
    """A club with a single match, and the email of its players."""

    def __init__(self, storage: SqlStorage, folder: Path) -> None:
        numbers = count(1)
        self._messages = count(1)
        self._mailboxes = Mailboxes()
        self._read: Counter[str] = Counter()
        self._club = Club(
            name="pbem",
            address=ADDRESS,
            director="director@games.example",
            storage=storage,
            clock=Clock(),
            archive=FileArchive(folder / "archive"),
            signer=TokenSigner({1: b"a secret for the demonstration"}, 1),
            templates=of_the_club,
            rater=OpenSkillRater(),
            unique=lambda: f"u{next(numbers):06}",
            chance=lambda most: next(numbers) % most,
            policy=Policy(mails_an_hour=0, match_mails_an_hour=0),
        )

    def starts(self, game: AnyGame, players: int, options: Options) -> None:
        """Add the players and start a match between them. Only the first one gets pictures."""
        with writing(self._club) as work:
            people = [work.players.add(name, [address_of(name)]) for name in NAMES[:players]]
            for person in people[1:]:  # drawing takes most of the time of an email
                work.players.choose(person.id, "board", "letters")
            start_match(work, game, people, MatchOptions(game=game.info.with_defaults(options)))
        self._works()

    def match(self) -> Match:
        """Return the match as it is stored."""
        with reading(self._club) as work:
            return work.match(MATCH)

    def _address(self, seat: Seat) -> str:
        with reading(self._club) as work:
            return address_of(work.players.get(work.matches.get(MATCH).seats[seat]).name)

    def letters(self, seat: Seat) -> Sequence[Letter]:
        """Return all emails that the player of a seat has received, oldest first."""
        return self._mailboxes.letters[self._address(seat)]

    def unread(self, seat: Seat) -> Sequence[Letter]:
        """Return the emails that the player of a seat has received since the last time."""
        letters = self.letters(seat)
        read, self._read[self._address(seat)] = self._read[self._address(seat)], len(letters)
        return letters[read:]

    def answers(self, seat: Seat, lines: Sequence[str]) -> None:
        """Let the player of a seat reply to their newest email."""
        newest = self.letters(seat)[-1].message
        reply = self._email(seat, str(newest["Reply-To"]), f"Re: {newest['Subject']}")
        reply["In-Reply-To"] = reply["References"] = str(newest["Message-ID"])
        self._sends(reply, "\n".join(lines))

    def taps(self, seat: Seat, text: str) -> None:
        """Let the player of a seat follow a link of their newest email and send what it starts."""
        address, subject = self.letters(seat)[-1].taps[text]
        self._sends(self._email(seat, address, subject), text)

    def _email(self, seat: Seat, to: str, subject: str) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._address(seat)
        message["To"], message["Subject"] = to, subject
        message["Message-ID"] = f"<{next(self._messages)}@players.example>"
        message["Date"] = START
        return message

    def _sends(self, message: EmailMessage, text: str) -> None:
        message.set_content(text + SIGNED)
        raw = message.as_bytes(policy=email.policy.SMTP)
        take(self._club, HandedMail(str(message["From"]), (str(message["To"]),), raw, ""))
        self._works()

    def _works(self) -> None:
        process_pending(self._club)
        publish_all(self._club.storage, self._club.archive, self._club.clock)
        deliver(self._club, self._mailboxes)

    def problems(self) -> list[str]:
        """Return what is wrong with the published record, one sentence each."""
        return [str(each) for each in verify_all(self._club.storage, self._club.archive)]


def address_of(name: str) -> str:
    """Return the address of a player."""
    return f"{name.lower()}@players.example"


@contextmanager
def demo_club(folder: Path, template: Path) -> Iterator[DemoClub]:
    """Open a club in an empty folder. `template` is a new database to copy, made if missing."""
    if not template.exists():
        open_storage(f"sqlite:///{template}").close()
    database = folder / DATABASE
    shutil.copy(template, database)
    with closing(open_storage(f"sqlite:///{database}")) as storage:
        yield DemoClub(storage, folder)
