"""Settings of the mailbox and our account, and errors that name a setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pbem.adapters.connection import ConnectionProblem, Security
from pbem.adapters.token_login import AccessTokens
from pbem.ports.inbound import MailboxError


@dataclass(frozen=True)
class ImapSettings:
    """Settings of the mailbox and our account."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    security: Security
    folder: str = "INBOX"
    done_folder: str = ""
    """Folder for handled email. If empty, it stays in place, marked as seen."""
    timeout_s: float = 30.0
    ca_file: Path | None = None
    """Certificate authorities to trust besides those of the system."""
    name: str = ""
    """The club's name for the mailbox, if it has several."""
    place: str = ""
    """Name under which the folder's UIDs are recorded. If empty, the folder's own."""
    tokens: AccessTokens | None = field(default=None, repr=False)
    """Used for the login instead of the password, if given."""


class ImapError(MailboxError):
    """A mailbox error with the setting to check."""

    def __init__(self, trouble: ConnectionProblem) -> None:
        super().__init__(trouble.sentence)
        self.setting = trouble.setting
        """Name of a field of ImapSettings. Empty if none is to blame."""
