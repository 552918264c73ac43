"""What is the same for every mailbox at the two big providers."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

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
