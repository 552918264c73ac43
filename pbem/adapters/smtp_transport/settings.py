"""Where the SMTP server is, who we are there, and errors that name a setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pbem.adapters.bearer import AccessTokens
from pbem.adapters.connection import ConnectionProblem, Security
from pbem.ports.outbox import TransportError


@dataclass(frozen=True)
class SmtpSettings:
    """Where the SMTP server is, and who we are there."""

    host: str
    port: int
    user: str
    """Empty: no login."""
    password: str = field(repr=False)
    security: Security
    timeout_s: float = 30.0
    ca_file: Path | None = None
    """Certificate authorities to trust beside those of the system."""
    tokens: AccessTokens | None = field(default=None, repr=False)
    """If there are any, they log in, and the password does not."""


class SmtpError(TransportError):
    """A transport error that knows the setting to look at."""

    def __init__(self, trouble: ConnectionProblem) -> None:
        super().__init__(trouble.sentence)
        self.setting = trouble.setting
        """Name of a field of SmtpSettings; empty if none is to blame."""
