"""How access tokens are asked for, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""RFC 6750 section 2.1; nothing in it has a meaning in SASL, IMAP or SMTP."""


@dataclass(frozen=True)
class Issued:
    """An access token, and for how many seconds it may be used."""

    token: str = field(repr=False)
    lifetime_s: float


Source = Callable[[], Issued]
"""Asks for an access token; raises TokenError."""


@dataclass(frozen=True)
class GrantSettings:
    """An account at a provider that takes a refresh token (RFC 6749 section 6)."""

    token_url: str
    client_id: str
    refresh_token: str = field(repr=False)
    client_secret: str = field(default="", repr=False)
    """Empty: a public client, which has none."""
    scope: str = ""
    """Empty: what was consented to."""
    section: str = "[imap.oauth]"
    """Where all this stands in the configuration, for errors to name."""
    timeout_s: float = 30.0
    ca_file: Path | None = None


def looks_like_a_token(text: str) -> bool:
    """Whether a text can be an access token at all."""
    return _TOKEN.fullmatch(text) is not None


ProviderName = Literal["google", "microsoft"]


class Provider(NamedTuple):
    """Where a provider gives out tokens, and the scope for IMAP and SMTP together."""

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
