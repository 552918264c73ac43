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


def put_into_line(work: Work, inbound_id: int, raw: bytes | None = None) -> None:
    """Let a recorded email be processed. Its bytes are read if they are needed and not given.

    Only a queue needs them: one process takes what waits in order anyway.
    """
    lock = ""
    if work.jobs.queued:
        lock = order_of(work, work.inbound.get(inbound_id).raw if raw is None else raw)
    work.jobs.enqueue("process", inbound_id, lock)


def order_of(work: Work, raw: bytes) -> str:
    """What all mails have in common that are processed one after the other.

    Those of strangers wait for each other alone: whoever they are, they hold up no match.
    """
    message = read_envelope(raw)
    if work.players.at(message.from_address) is None:
        return sender_key(message)
    return order_key(message, work.club.addresses)
