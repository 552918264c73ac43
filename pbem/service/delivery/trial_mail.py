"""Trial mail: the club sends itself an email and checks that it arrives.

It comes from the club's own address, so other readers of the mailbox do not answer it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from pbem.mail.bounce.bounce import read_bounce
from pbem.mail.message.message import identity
from pbem.mail.outgoing.letter import Letter, to_bytes
from pbem.ports.inbound import Mailbox
from pbem.ports.outbox import Delivery, Transport
from pbem.service.club import Club
from pbem.service.work import reading

SKEW = timedelta(minutes=5)
"""Maximum by which the clock of another machine with the same database may be behind."""

TEXT = """\
This is a test email from pbem doctor, which checks whether it arrives. You can
delete it.
"""


@dataclass(frozen=True)
class Trial:
    """An email of the club to itself."""

    recipient: str
    message_id: str

    @classmethod
    def of(cls, club: Club, address: str, *, plus: bool) -> Trial:
        """Return a trial to an address of the club, or to a plus-address of it (RFC 5233)."""
        local, _, host = address.rpartition("@")
        word = f"test-{club.unique()}"
        return cls(f"{local}+{word}@{host}" if plus else address, f"<{word}@{host}>")


@dataclass(frozen=True)
class Sighting:
    """An email that arrived: the trial, or its bounce."""

    raw: bytes
    bounce: str = ""
    """Text of the bounce. Empty if the trial itself arrived."""


def send_trial(club: Club, transport: Transport, trial: Trial) -> str:
    """Send a trial. Return the server's reply if it was not accepted. Raises TransportError."""
    letter = Letter(
        message_id=trial.message_id,
        from_name=club.name,
        from_address=club.address,
        to_name="",
        to_address=trial.recipient,
        subject=f"[{club.name}] A test of {club.address}",
        text=TEXT,
        written_at=club.clock.now(),
    )
    with transport.connect() as session:
        delivery, reply = session.send(club.address, trial.recipient, to_bytes(letter))
    return "" if delivery is Delivery.SENT else reply


class Lookout:
    """Watches for a trial in the mailbox and among the emails that the service has read.

    Must be created before the trial is sent. Without a mailbox it checks only the latter.
    """

    def __init__(self, club: Club, mailbox: Mailbox | None, trial: Trial) -> None:
        self._club = club
        self._mailbox = mailbox
        self._trial = trial
        self._since = club.clock.now() - SKEW
        self._looked_at = set(self._uids())

    def look(self) -> Sighting | None:
        """Return what arrived and mark it as handled, None if nothing did. Raises MailboxError."""
        if self._mailbox is not None and (found := self._in_mailbox(self._mailbox)):
            return found
        # A running service may have read and moved it already.
        with reading(self._club) as work:
            recorded = work.inbound.recorded_since(self._since)
            return self._among(work.inbound.get(mail.id).raw for mail in recorded)

    def _in_mailbox(self, mailbox: Mailbox) -> Sighting | None:
        for uid in self._uids():
            if uid not in self._looked_at:
                self._looked_at.add(uid)
                if found := self._among(mail.raw for mail in mailbox.fetch([uid])):
                    mailbox.mark_done([uid])
                    return found
        return None

    def _uids(self) -> Iterator[int]:
        if self._mailbox is None:
            return
        state = self._mailbox.open()
        with reading(self._club) as work:
            highest = work.inbound.highest(state, self._since)
        yield from self._mailbox.unhandled(highest)

    def _among(self, mails: Iterable[bytes]) -> Sighting | None:
        for raw in mails:
            if identity(raw)[0] == self._trial.message_id:
                return Sighting(raw)
            if self._trial.message_id.encode() in raw:
                return Sighting(raw, read_bounce(raw).words or "it came back without a word")
        return None
