"""Poll inbox: from the IMAP folder into the database, and only then told to the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import structlog

from pbem.mail.incoming.message import identity
from pbem.service.club import Club
from pbem.service.ports import InboundKey, Mailbox, MailboxError, ReceivedMail

log = structlog.get_logger(__name__)

BATCH = 50
"""Mails fetched and committed at once."""


def poll(club: Club, mailbox: Mailbox, stopping: Callable[[], bool] = lambda: False) -> int:
    """Records every mail that is new; returns how many. Raises MailboxError."""
    began = club.clock.now()
    state = mailbox.open()
    with club.storage.reading() as uow:
        highest = uow.inbound.highest(state)
    uids = mailbox.unhandled(highest)
    with club.storage.reading() as uow:
        known = uow.inbound.known(state, uids)
    _tell(mailbox, sorted(known))
    taken = 0
    for batch in _batches([uid for uid in uids if uid not in known]):
        if stopping():
            return taken
        mails = mailbox.fetch(batch)
        taken += _record(club, mails)
        _tell(mailbox, [mail.uid for mail in mails])
    with club.storage.writing() as uow:
        uow.service.polled(began)
    return taken


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(uids), BATCH):
        yield uids[start : start + BATCH]


def _record(club: Club, mails: Sequence[ReceivedMail]) -> int:
    with club.storage.writing() as uow:
        now = club.clock.now()
        added = [uow.inbound.add(mail, InboundKey(*identity(mail.raw)), now) for mail in mails]
    return sum(row is not None for row in added)


def _tell(mailbox: Mailbox, uids: Sequence[int]) -> None:
    """Tells the server what is recorded; if it does not listen, the database knows all the same."""
    if not uids:
        return
    try:
        mailbox.mark_done(uids)
    except MailboxError as error:
        log.warning("mailbox not told", error=str(error), mails=len(uids))
