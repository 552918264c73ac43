"""The players of the fault tests: what they have received and sent."""

from __future__ import annotations

import email
import re
from collections import defaultdict
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from email.policy import SMTP
from email.utils import make_msgid, parseaddr
from functools import cached_property

NAMES = ("Anna", "Bert", "Clara")
OF_MATCH = re.compile(r"\[pbem (\d+)\].*")
EXAMPLE = re.compile(r"for example:\n\n +(\S.*)")


@dataclass(frozen=True)
class Mail:
    """An email that someone has received."""

    recipient: str
    raw: bytes
    message: Message

    @cached_property
    def id(self) -> str:
        """Return the Message-ID."""
        return str(self.message["Message-ID"])

    @cached_property
    def kind(self) -> str:
        """Return the sender name's prefix, such as `your turn`, or an empty string."""
        wants = parseaddr(str(self.message["From"]))[0].rpartition(", ")[0]
        return wants[:1].lower() + wants[1:]

    @cached_property
    def subject(self) -> str:
        """Return the subject."""
        return str(self.message["Subject"])

    @cached_property
    def answers(self) -> str:
        """Return the Message-ID of the email that it answers."""
        replied = self.message["Auto-Submitted"] == "auto-replied"
        return str(self.message["In-Reply-To"]) if replied else ""

    @property
    def turn(self) -> int:
        """Return which turn of a match it is about."""
        found = re.search(r"\+\d+-(\d+)-", str(self.message["Reply-To"]))
        assert found is not None
        return int(found[1])

    @property
    def text(self) -> str:
        """Return the plain text."""
        part = next(part for part in self.message.walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode().replace("\r\n", "\n")


def read(recipient: str, raw: bytes) -> Mail:
    """Return an email as it came."""
    return Mail(recipient, raw, email.message_from_bytes(raw))


@dataclass(frozen=True)
class Sent:
    """An email to the club."""

    sender: str
    recipient: str
    raw: bytes
    id: str


def written(sender: str, recipient: str, subject: str, text: str, **headers: str) -> Sent:
    """Return an email as an email program writes it."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, recipient, subject
    message["Message-ID"] = make_msgid(domain="mail.example")
    message["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(f"{text}\n")
    return Sent(
        parseaddr(sender)[1], recipient, message.as_bytes(policy=SMTP), message["Message-ID"]
    )


@dataclass
class Ledger:
    """Emails sent to the club, and the results that they must have."""

    moves: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Moves in the order they were sent, by the subject of the match."""
    to_be_answered: list[Sent] = field(default_factory=list)
    silent: list[Sent] = field(default_factory=list)
    """Emails that nobody may answer."""

    def a_day(self, turn: Mail, club: str, number: int) -> list[Sent]:
        """Return a day's emails: an illegal move, a stranger, a robot, then a move sent twice.

        Everything is recorded here.
        """
        player, to = turn.recipient, str(turn.message["Reply-To"])
        subject = turn.subject
        found = EXAMPLE.search(turn.text)
        assert found is not None, turn.text
        thread = {"In_Reply_To": turn.id, "References": turn.id}
        wrong = written(player, to, f"Re: {subject}", "[9-9]", **thread)
        stranger = written(f"somebody{number}@far.example", club, "hello", "May I play, too?")
        away = {"Auto_Submitted": "auto-replied", **thread}
        robot = written(player, to, f"Re: {subject}", found[1], **away)
        move = written(player, to, f"Re: {subject}", found[1], **thread)
        self.moves[subject].append(found[1])
        self.to_be_answered += [wrong, stranger, move]
        self.silent.append(robot)
        return [wrong, stranger, robot, move, move]
