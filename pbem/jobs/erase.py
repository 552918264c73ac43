"""Erase: remove erased emails from the mailbox and from the files of the database.

The remaining work is stored in the database, so that it continues after a crash.
"""

from __future__ import annotations

from collections.abc import Collection

from pbem.ports.inbound import Mailbox
from pbem.service.club import Club
from pbem.service.work import reading, writing

BATCH = 100


def clear_mailbox(club: Club, mailbox: Mailbox, elsewhere: Collection[str] = ()) -> int:
    """Remove the erased emails from a mailbox. Return how many. Raises MailboxError.

    Emails in the folders `elsewhere` are left to the readers of other mailboxes.
    """
    cleared = 0
    with reading(club) as work:
        left = work.erasures.left_in_mailbox(BATCH, elsewhere)
    while left:
        state = mailbox.open()
        mailbox.remove(
            [mail.uid for mail in left if (mail.folder, mail.uidvalidity) == state],
            [mail.message_id for mail in left],
        )
        with writing(club) as work:
            work.erasures.gone_from_mailbox(left)
            work.erasures.note(work.now)
            work.jobs.enqueue("erase")
        cleared += len(left)
        with reading(club) as work:
            left = work.erasures.left_in_mailbox(BATCH, elsewhere)
    return cleared


def wipe_files(club: Club) -> bool:
    """Remove erased data from the database's files. Return whether none is left."""
    with reading(club) as work:
        erased_at = work.erasures.left_in_database()
    if erased_at is None:
        return True
    if not club.storage.wipe():
        return False
    with writing(club) as work:
        work.erasures.gone_from_database(erased_at)
    return True
