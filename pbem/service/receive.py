"""Receive: a mail that has come is recorded, and is to be processed after those before it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.mail.message.message import identity, read_envelope
from pbem.mail.order import order_key, sender_key
from pbem.service.ports import InboundKey, KeyedMail, ReceivedMail
from pbem.service.work import Work


def receive(work: Work, mails: Sequence[ReceivedMail]) -> int:
    """Records mails; returns how many were not recorded before."""
    keyed = [KeyedMail(mail, InboundKey(*identity(mail.raw))) for mail in mails]
    added = zip(work.inbound.add_all(keyed, work.now), mails, strict=True)
    new = [(row, mail.raw) for row, mail in added if row is not None]
    for row, raw in new:
        put_into_line(work, row, raw)
    return len(new)


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
