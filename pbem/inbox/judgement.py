"""Judgement: the possible results of judging an email, and how it was read.

Nothing changes here. `act` carries out a judgement, and `explain` shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.commands.api import CommandResult
from pbem.inbox.confirmation import Confirmed
from pbem.inbox.proof.rate_limits import Limit
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.requests import Requests
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.outgoing.look import AnswersLeft
from pbem.mail.reply.reply_text import Fresh
from pbem.mail.screening.screening import Screening
from pbem.mail.stranger import Stranger as Unknown
from pbem.matches.match import MatchSummary
from pbem.ports.inbound import (
    CHANGED,
    HELD,
    PREVIEWED,
    InboundMail,
    InboundState,
    Provenance,
)
from pbem.ports.outbox import PostedMail
from pbem.service.questions import Change


@dataclass(frozen=True)
class MailReading:
    """Everything found out about an email, up to the step at which its judgement was clear."""

    mail: InboundMail
    message: Message
    screening: Screening
    provenance: Provenance
    sender: AnySender | None = None
    """The email's sender. None if it does not matter."""
    answered: PostedMail | None = None
    """Our email to the sender that this one answers, if it says so."""
    fresh: Fresh | None = None
    confirmed: Confirmed | None = None
    """The parked change that this email confirms. Its requests are judged."""
    requests: Requests | None = None
    done: CommandResult | None = None
    """Result of carrying out all requests."""
    answers_left: AnswersLeft | None = None
    """Number of answers left today, if the answer mentions it."""


@dataclass(frozen=True)
class Ignored:
    """An email from a machine, a list or the club itself. It gets no answer."""

    state: ClassVar = InboundState.IGNORED
    reading: MailReading

    @property
    def reason(self) -> str:
        """The reason found by the screening."""
        return self.reading.screening.reason


@dataclass(frozen=True)
class FromStranger:
    """An email from an unknown address, without a command for strangers."""

    state: ClassVar = InboundState.STRANGER
    reason: ClassVar = ""
    reading: MailReading
    who: Unknown


@dataclass(frozen=True)
class Duplicate:
    """An email that was already read."""

    state: ClassVar = InboundState.DUPLICATE
    reason: ClassVar = ""
    reading: MailReading


@dataclass(frozen=True)
class Kept:
    """An email over a limit. It is read again as soon as the limit allows."""

    state: ClassVar = InboundState.KEPT
    reading: MailReading
    limit: Limit | None = None
    """The hourly limit of emails, None if another limit applies."""
    waits_for: str = ""
    """The allowance that must have room, if the hourly limit does not apply."""

    @property
    def reason(self) -> str:
        """The limit that was passed."""
        return str(self.limit or "over the limit of answers")

    @property
    def stored(self) -> str:
        """The stored reason, by which the email is found again."""
        return f"{HELD}{self.waits_for}" if self.waits_for else self.reason


@dataclass(frozen=True)
class Limited:
    """An email that is never answered, although no hourly limit applies."""

    state: ClassVar = InboundState.LIMITED
    reading: MailReading
    reason: str


@dataclass(frozen=True)
class RefusedMail:
    """An email that is not carried out. Its sender gets the reason."""

    state: ClassVar = InboundState.REFUSED
    reading: MailReading
    sender: AnySender
    refusal: Refusal

    @property
    def reason(self) -> str:
        """The refusal as text for the log."""
        return str(self.refusal)


@dataclass(frozen=True)
class Parked:
    """An email that would change something and waits for `confirm`."""

    state: ClassVar = InboundState.PARKED
    reading: MailReading
    sender: AnySender
    match: MatchSummary | None
    """The match it would change, None if it is not about a match."""
    change: Change
    requests: Requests

    @property
    def reason(self) -> str:
        """The kind of change that waits."""
        return self.change.kind


@dataclass(frozen=True)
class Accepted:
    """An email that is carried out completely."""

    state: ClassVar = InboundState.DONE
    reading: MailReading
    sender: AnySender
    requests: Requests
    done: CommandResult

    @property
    def reason(self) -> str:
        """CHANGED if the email changes something, PREVIEWED if it is proven and free."""
        if self.requests.changes:
            return CHANGED
        return PREVIEWED if self.requests.free and self.sender.proven else ""


@dataclass(frozen=True)
class JudgedBlocks:
    """An answer to a digest about several matches. Each block is carried out or refused alone."""

    reading: MailReading
    sender: AnySender
    blocks: Sequence[Accepted | RefusedMail]
    """One for each match, and one for text about no match, in the order of the text."""
    unread: Sequence[str] = ()
    """Lines outside all blocks that are no requests."""

    @property
    def accepted(self) -> Sequence[Accepted]:
        """The blocks that are carried out."""
        return [each for each in self.blocks if isinstance(each, Accepted)]

    @property
    def state(self) -> InboundState:
        """DONE if any block is carried out."""
        return InboundState.DONE if self.accepted else InboundState.REFUSED

    @property
    def reason(self) -> str:
        """CHANGED if any block changes something, otherwise the refusals as text for the log."""
        reasons = {each.reason for each in self.accepted}
        if CHANGED in reasons or not self.accepted:
            return CHANGED if self.accepted else "; ".join(each.reason for each in self.blocks)
        return PREVIEWED if reasons == {PREVIEWED} else ""

    def without(self, number: int, refusal: Refusal) -> JudgedBlocks:
        """Return the judgement with one more block refused."""
        block = self.blocks[number]
        refused = RefusedMail(block.reading, block.sender, refusal)
        return replace(self, blocks=[*self.blocks[:number], refused, *self.blocks[number + 1 :]])


class UnfitBlockError(RefusedError):
    """An accepted block that turns out to be impossible while it is carried out."""

    def __init__(self, number: int, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.number = number
        """Its place among the blocks, from 0."""


Judgement = (
    Ignored
    | FromStranger
    | Duplicate
    | Kept
    | Limited
    | RefusedMail
    | Parked
    | Accepted
    | JudgedBlocks
)
