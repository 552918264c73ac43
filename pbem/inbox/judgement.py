"""Judgement: what a mail is, whose, what it asks for, and what is to become of it.

Nothing is changed here. `process_incoming` carries a judgement out, `explain_mail` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.api import CommandResult
from pbem.inbox.confirmation import Confirmed
from pbem.inbox.proof.limits import Limit
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.requests import Requests
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds.refusals import Refusal
from pbem.mail.outgoing.look import AnswersLeft
from pbem.mail.reply.reply_text import Fresh
from pbem.mail.screening.screening import Screening
from pbem.mail.stranger import Stranger as Unknown
from pbem.matches.match import MatchSummary
from pbem.ports.inbound import CHANGED, HELD, InboundMail, InboundState, Provenance
from pbem.ports.outbox import PostedMail
from pbem.service.questions import Change


@dataclass(frozen=True)
class MailReading:
    """What has been found out about a mail, as far as its reading went."""

    mail: InboundMail
    message: Message
    screening: Screening
    provenance: Provenance
    sender: AnySender | None = None
    """None where it does not matter who sent it."""
    answered: PostedMail | None = None
    """The mail of ours to its sender that it answers, as far as it tells."""
    fresh: Fresh | None = None
    confirmed: Confirmed | None = None
    """The change that waited for this `confirm`; what it asks for is judged."""
    requests: Requests | None = None
    done: CommandResult | None = None
    """What comes of carrying everything out."""
    answers_left: AnswersLeft | None = None
    """How many more answers there are today, if the answer says so."""


@dataclass(frozen=True)
class Ignored:
    """From a machine, a list or ourselves: nobody is answered."""

    state: ClassVar = InboundState.IGNORED
    reading: MailReading

    @property
    def reason(self) -> str:
        """What its screening found."""
        return self.reading.screening.reason


@dataclass(frozen=True)
class FromStranger:
    """From an address that no player has, and with nothing in it that is for strangers."""

    state: ClassVar = InboundState.STRANGER
    reason: ClassVar = ""
    reading: MailReading
    who: Unknown


@dataclass(frozen=True)
class Duplicate:
    """It came before, and was read."""

    state: ClassVar = InboundState.DUPLICATE
    reason: ClassVar = ""
    reading: MailReading


@dataclass(frozen=True)
class Kept:
    """Over a limit; it is read again as soon as the limit allows."""

    state: ClassVar = InboundState.KEPT
    reading: MailReading
    limit: Limit | None = None
    """That of emails an hour; None if another one."""
    waits_for: str = ""
    """Otherwise, in what there must be room."""

    @property
    def reason(self) -> str:
        """Over which limit."""
        return str(self.limit or "over the limit of answers")

    @property
    def stored(self) -> str:
        """The reason by which the email is found again."""
        return f"{HELD}{self.waits_for}" if self.waits_for else self.reason


@dataclass(frozen=True)
class Limited:
    """Never answered, though it is over no limit of mails an hour."""

    state: ClassVar = InboundState.LIMITED
    reading: MailReading
    reason: str


@dataclass(frozen=True)
class RefusedMail:
    """Nothing of it is done, and its sender is told why."""

    state: ClassVar = InboundState.REFUSED
    reading: MailReading
    sender: AnySender
    refusal: Refusal

    @property
    def reason(self) -> str:
        """What its sender is told."""
        return str(self.refusal)


@dataclass(frozen=True)
class Parked:
    """It would change something, and waits for `confirm`."""

    state: ClassVar = InboundState.PARKED
    reading: MailReading
    sender: AnySender
    match: MatchSummary | None
    """What it would change; None where that is no match."""
    change: Change
    requests: Requests

    @property
    def reason(self) -> str:
        """What it waits for."""
        return self.change.kind


@dataclass(frozen=True)
class Accepted:
    """Everything in it is done."""

    state: ClassVar = InboundState.DONE
    reading: MailReading
    sender: AnySender
    requests: Requests
    done: CommandResult

    @property
    def reason(self) -> str:
        """Whether it changed something."""
        return CHANGED if self.requests.changes else ""


Judgement = Ignored | FromStranger | Duplicate | Kept | Limited | RefusedMail | Parked | Accepted
