"""The club's IMAP folder and a watch on it (RFC 9051).

No IMAP operation is a lock, and no flag is. Two clients that move one message may both get OK.
"""

from pbem.adapters.imap_mailbox.mailbox import ImapMailbox, ImapWatch
from pbem.adapters.imap_mailbox.settings import ImapError, ImapSettings

__all__ = ["ImapError", "ImapMailbox", "ImapSettings", "ImapWatch"]
