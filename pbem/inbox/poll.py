"""Poll: record new emails from the IMAP folder, and only then mark them as done on the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from pbem.log import get_logger
from pbem.mail.message.message import read_envelope, shortened_to
from pbem.mail.message.size_limits import BEGINNING, MAX_MAIL
from pbem.ports.inbound import Mailbox, MailboxError, ReceivedMail
from pbem.ports.storage import FIRST_INTAKE
from pbem.service.club import Club
from pbem.service.receive import have_good_tokens, receive
from pbem.service.work import reading, writing

log = get_logger(__name__)

BATCH = 50
"""Maximum number of emails fetched and committed at once, unless they are large."""
ROOM = 8 * 1024 * 1024
"""Bytes of email held in memory at once, unless a single email is larger."""
ALONE = ROOM + 1
"""Assumed size in bytes of an email that is fetched alone."""
HEADS = 100
"""Maximum number of emails whose header fields are held in memory at once."""
UNTOLD = 1024 * 1024
"""Assumed size in bytes of an email whose size the server does not report."""


def poll(
    club: Club,
    mailbox: Mailbox,
    stopping: Callable[[], bool] = lambda: False,
    broken: Counter[int] | None = None,
    intake: str = FIRST_INTAKE,
) -> int:
    """Record all new emails. Return how many. Raises MailboxError.

    `broken` counts across polls how often the connection broke while fetching an email. Such emails
    are fetched last and alone, so that an email that crashes the server does not block others.

    If not all emails fit into one fetch, answers to our emails go first, even those that arrive
    meanwhile.
    """
    broken = Counter() if broken is None else broken
    began = _now(club)
    known, new = _unhandled(club, mailbox, intake)
    line = _Line(club, mailbox, broken)
    owed, done, taken = set(new), set[int](), 0
    while owed:
        if stopping():
            return taken
        batch = line.first(new)
        if broken[batch[0]]:
            _tell(mailbox, sorted(known))
            known.clear()
        mails = _fetched(mailbox, batch, broken, line.sizes.get(batch[0], 0))
        taken += _record(club, mails)
        known |= {mail.uid for mail in mails}
        del mails  # do not hold large emails in memory during the next fetch
        done.update(batch)
        owed -= done
        if owed:  # keep these in the queue, though the server may now call them seen
            come = {uid for uid in _unhandled(club, mailbox, intake)[1] if uid not in done}
            new = sorted(owed | come)
    with writing(club) as work:
        work.service.polled(min(began, _now(club)), intake)  # the clock may have gone back
    # Mark them last: a server that refuses to mark or move emails may still let them be read.
    _tell(mailbox, sorted(known))
    return taken


class _Line:
    """The order in which new emails are fetched."""

    def __init__(self, club: Club, mailbox: Mailbox, broken: Counter[int]) -> None:
        self._club = club
        self._mailbox = mailbox
        self._broken = broken
        self.sizes = dict[int, int]()
        self._ahead = dict[int, bool]()
        """Whether an email goes ahead, for the emails already checked."""

    def first(self, new: Sequence[int]) -> Sequence[int]:
        """Return the UIDs of the next batch."""
        self._ask_sizes(new)
        batch = next(_batches(self._in_order(new), self._rooms(new)))
        if len(batch) == len(new):
            return batch
        self._ask_ahead(new)
        return next(_batches(self._in_order(new), self._rooms(new)))

    def _in_order(self, new: Sequence[int]) -> list[int]:
        return sorted(new, key=lambda uid: (self._broken[uid], not self._ahead.get(uid), uid))

    def _rooms(self, new: Sequence[int]) -> dict[int, int]:
        return {uid: ALONE if self._broken[uid] else self.sizes.get(uid, UNTOLD) for uid in new}

    def _ask_sizes(self, new: Sequence[int]) -> None:
        unknown = [uid for uid in new if uid not in self.sizes]
        if unknown:
            self.sizes |= dict.fromkeys(unknown, UNTOLD) | self._mailbox.sizes(unknown)

    def _ask_ahead(self, new: Sequence[int]) -> None:
        unknown = [uid for uid in new if uid not in self._ahead and not self._broken[uid]]
        for at in range(0, len(unknown), HEADS):
            some = unknown[at : at + HEADS]
            with _blamed(some, self._broken):
                heads = self._mailbox.heads(some)
            with reading(self._club) as work:
                envelopes = [read_envelope(heads.get(uid, b"")) for uid in some]
                self._ahead |= zip(some, have_good_tokens(work, envelopes), strict=True)


def _now(club: Club) -> datetime:
    """Return the earlier of two clocks, so that nobody runs out of time if one is ahead."""
    clocks = filter(None, (club.clock, club.witness))
    return min(clock.now() for clock in clocks)


def _unhandled(club: Club, mailbox: Mailbox, intake: str) -> tuple[set[int], list[int]]:
    """Return the UIDs that may lack a mark on the server: recorded ones, and new ones.

    Since the last complete poll, emails may have been skipped, or opened by other programs.
    """
    state = mailbox.open()
    with reading(club) as work:
        highest = work.inbound.highest(state, work.service.last_poll((intake,)))
    uids = mailbox.unhandled(highest)
    with reading(club) as work:
        known = work.inbound.known(state, uids)
    return known, [uid for uid in uids if uid not in known]


def _batches(uids: Sequence[int], sizes: Mapping[int, int]) -> Iterator[Sequence[int]]:
    batch: list[int] = []
    room = ROOM
    for uid in uids:
        room -= sizes[uid]
        if batch and (room < 0 or len(batch) == BATCH):
            yield batch
            batch, room = [], ROOM - sizes[uid]
        batch.append(uid)
    if batch:
        yield batch


def _fetched(
    mailbox: Mailbox, uids: Sequence[int], broken: Counter[int], size: int
) -> list[ReceivedMail]:
    """Fetch a batch. `size` is that of its first email. An email that is too large is alone.

    Only the beginning of such an email is fetched, which is enough to answer its sender. The server
    may report wrong sizes.
    """
    with _blamed(uids, broken):
        mails = mailbox.fetch(uids, BEGINNING) if size > MAX_MAIL else mailbox.fetch(uids)
    for uid in uids:
        del broken[uid]
    return [_readable(mail, size) for mail in mails]


def _readable(mail: ReceivedMail, size: int) -> ReceivedMail:
    """Return an email, or its beginning if it is too large to read."""
    fetched = len(mail.raw)
    too_large = fetched > MAX_MAIL or (size > MAX_MAIL and fetched >= BEGINNING)
    return replace(mail, raw=shortened_to(BEGINNING, mail.raw, size)) if too_large else mail


@contextmanager
def _blamed(uids: Sequence[int], broken: Counter[int]) -> Iterator[None]:
    """Count a broken connection against the emails being fetched."""
    try:
        yield
    except MailboxError:
        broken.update(uids)
        if len(uids) == 1:
            log.error("the connection breaks over a mail", uid=uids[0], times=broken[uids[0]])
        raise


def _record(club: Club, mails: Sequence[ReceivedMail]) -> int:
    with writing(club) as work:
        return receive(work, mails)


def _tell(mailbox: Mailbox, uids: Sequence[int]) -> None:
    """Mark recorded emails as done on the server. If this fails, the database still knows them."""
    if not uids:
        return
    try:
        mailbox.mark_done(uids)
    except MailboxError as error:
        log.warning("mailbox not told", error=str(error), mails=len(uids))
