"""Erase: what was erased is taken out of the mailbox, and out of the files of the database.

What is still to be done stands in the database, so that it is finished after a sudden end.
"""

from __future__ import annotations

from collections.abc import Collection

from pbem.ports.inbound import Mailbox
from pbem.service.club import Club
from pbem.service.work import reading, writing

BATCH = 100


def clear_mailbox(club: Club, mailbox: Mailbox, elsewhere: Collection[str] = ()) -> int:
    """Takes the erased mails out of a mailbox; returns how many. Raises MailboxError.

    Those in folders elsewhere are for the readers of other mailboxes.
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
    """Whether nothing that was erased is left in the files of the database."""
    with reading(club) as work:
        erased_at = work.erasures.left_in_database()
    if erased_at is None:
        return True
    if not club.storage.wipe():
        return False
    with writing(club) as work:
        work.erasures.gone_from_database(erased_at)
    return True
