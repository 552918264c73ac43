"""Where the mailbox is, who we are there, and errors that name a setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pbem.adapters.bearer import AccessTokens
from pbem.adapters.connection import ConnectionProblem, Security
from pbem.ports.inbound import MailboxError


@dataclass(frozen=True)
class ImapSettings:
    """Where the mailbox is, and who we are there."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    security: Security
    folder: str = "INBOX"
    done_folder: str = ""
    """Handled mail is moved there; empty: it stays, marked as seen."""
    timeout_s: float = 30.0
    ca_file: Path | None = None
    """Certificate authorities to trust beside those of the system."""
    name: str = ""
    """What the club calls the mailbox, where it has several."""
    place: str = ""
    """Under which name UIDs of the folder are recorded; empty: its own."""
    tokens: AccessTokens | None = field(default=None, repr=False)
    """If there are any, they log in, and the password does not."""


class ImapError(MailboxError):
    """A mailbox error that knows the setting to look at."""

    def __init__(self, trouble: ConnectionProblem) -> None:
        super().__init__(trouble.sentence)
        self.setting = trouble.setting
        """Name of a field of ImapSettings; empty if none is to blame."""
