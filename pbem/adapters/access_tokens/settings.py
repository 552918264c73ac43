"""Settings of access tokens, and the tokens issued."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""RFC 6750 section 2.1. None of these characters is special in SASL, IMAP or SMTP."""


@dataclass(frozen=True)
class Issued:
    """An access token and its lifetime in seconds."""

    token: str = field(repr=False)
    lifetime_s: float


Source = Callable[[], Issued]
"""Requests an access token. Raises TokenError."""


class Provider(NamedTuple):
    """URLs and parameters of a provider. The other URLs may be relative to the token URL."""

    token_url: str = ""
    scope: str = ""
    """For IMAP and SMTP together."""
    authorize_url: str = ""
    device_url: str = ""
    """Empty if it allows no email by device code."""
    parameters: Mapping[str, str] = MappingProxyType({})
    """Sent with a request for consent, to get a refresh token."""
    loopback: str = "127.0.0.1"
    """The host to which it sends browsers back."""
    unused_days: int = 0
    """Days without use after which a refresh token expires. 0 if unknown."""


OTHER_PROVIDER: Final = Provider()

ProviderName = Literal["google", "microsoft"]

PROVIDERS: Final[dict[ProviderName, Provider]] = {
    "google": Provider(
        "https://oauth2.googleapis.com/token",
        "https://mail.google.com/",
        "https://accounts.google.com/o/oauth2/v2/auth",
        # Without a new consent, Google issues no second refresh token.
        parameters={"access_type": "offline", "prompt": "consent"},
        unused_days=180,
    ),
    "microsoft": Provider(
        # "common" serves accounts of organisations and of persons alike.
        "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send"
        " offline_access",
        # Relative, since the token URL may name a tenant.
        "authorize",
        "devicecode",
        # Its form for registration refuses http://127.0.0.1.
        loopback="localhost",
        unused_days=90,
    ),
}


@dataclass(frozen=True)
class GrantSettings:
    """An account at a provider that accepts a refresh token (RFC 6749 section 6)."""

    token_url: str
    client_id: str
    refresh_token: str = field(default="", repr=False)
    """Empty if `pbem mail login` gets the first one."""
    client_secret: str = field(default="", repr=False)
    """Empty for a public client."""
    scope: str = ""
    """Empty for the scope of the consent."""
    section: str = "[imap.oauth]"
    """Their section in the configuration, for errors."""
    timeout_s: float = 30.0
    ca_file: Path | None = None
    user: str = ""
    mailbox: str = ""
    """The account's name in `pbem mail login --mailbox`."""
    authorize_url: str = ""
    """Empty if the provider has one."""
    provider: Provider = OTHER_PROVIDER

    @property
    def login(self) -> str:
        """Return the command that gets consent."""
        return f"pbem mail login --mailbox {self.mailbox}" if self.mailbox else "pbem mail login"


def looks_like_a_token(text: str) -> bool:
    """Return whether a text can be an access token at all."""
    return _TOKEN.fullmatch(text) is not None
