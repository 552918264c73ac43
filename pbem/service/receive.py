"""Receive: a mail that has come is recorded, and is to be processed after those before it."""

from __future__ import annotations

from pbem.mail.message.message import identity, read_envelope
from pbem.mail.order import order_key, sender_key
from pbem.service.ports import InboundKey, ReceivedMail
from pbem.service.work import Work


def receive(work: Work, mail: ReceivedMail) -> int | None:
    """Records a mail and returns its id; None if it was recorded before."""
    row = work.inbound.add(mail, InboundKey(*identity(mail.raw)), work.now)
    if row is not None:
        put_into_line(work, row, mail.raw)
    return row


def put_into_line(work: Work, inbound_id: int, raw: bytes) -> None:
    """A recorded mail is to be processed; one process takes what waits in order as it is."""
    lock = order_of(work, raw) if work.jobs.queued else ""
    work.jobs.enqueue("process", inbound_id, lock)


def order_of(work: Work, raw: bytes) -> str:
    """What all mails have in common that are processed one after the other.

    Those of strangers wait for each other alone: whoever they are, they hold up no match.
    """
    message = read_envelope(raw)
    if work.players.at(message.from_address) is None:
        return sender_key(message)
    return order_key(message, work.club.addresses)
