"""Settings of the SMTP server and our account, and errors that name a setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pbem.adapters.connection import ConnectionProblem, Security
from pbem.adapters.token_login import AccessTokens
from pbem.ports.outbox import TransportError


@dataclass(frozen=True)
class SmtpSettings:
    """Settings of the SMTP server and our account."""

    host: str
    port: int
    user: str
    """Empty for no login."""
    password: str = field(repr=False)
    security: Security
    timeout_s: float = 30.0
    ca_file: Path | None = None
    """Certificate authorities to trust besides those of the system."""
    tokens: AccessTokens | None = field(default=None, repr=False)
    """Used for the login instead of the password, if given."""


class SmtpError(TransportError):
    """A transport error with the setting to check."""

    def __init__(self, trouble: ConnectionProblem) -> None:
        super().__init__(trouble.sentence)
        self.setting = trouble.setting
        """Name of a field of SmtpSettings. Empty if none is to blame."""
