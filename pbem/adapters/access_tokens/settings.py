"""Settings of access tokens, and the tokens issued."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
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


@dataclass(frozen=True)
class GrantSettings:
    """An account at a provider that accepts a refresh token (RFC 6749 section 6)."""

    token_url: str
    client_id: str
    refresh_token: str = field(repr=False)
    client_secret: str = field(default="", repr=False)
    """Empty for a public client."""
    scope: str = ""
    """Empty for the scope of the consent."""
    section: str = "[imap.oauth]"
    """Their section in the configuration, for errors."""
    timeout_s: float = 30.0
    ca_file: Path | None = None


def looks_like_a_token(text: str) -> bool:
    """Return whether a text can be an access token at all."""
    return _TOKEN.fullmatch(text) is not None


ProviderName = Literal["google", "microsoft"]


class Provider(NamedTuple):
    """A provider's token URL, and the scope for IMAP and SMTP together."""

    token_url: str
    scope: str


PROVIDERS: Final[dict[ProviderName, Provider]] = {
    "google": Provider("https://oauth2.googleapis.com/token", "https://mail.google.com/"),
    # "common" serves accounts of organisations and of persons alike.
    "microsoft": Provider(
        "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send"
        " offline_access",
    ),
}
