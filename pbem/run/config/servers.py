"""Servers: the sections about where email comes from and goes to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, field_validator, model_validator

from pbem.adapters.lmtp_server import ListenPlace, read_place
from pbem.ports.storage import HANDED_OVER
from pbem.run.config.values import ConfigSection, club_address_or_none
from pbem.service.club import OTHERS, Rates

LOOPBACK = ("localhost", "127.0.0.1", "::1")

ProviderUrl = Annotated[str, Field(pattern=r"^(https?://[^\s/@]+(/\S*)?)?$")]


class OAuthSection(ConfigSection):
    """`[imap.oauth]` or `[smtp.oauth]`: how to get access tokens."""

    provider: Literal["", "google", "microsoft"] = ""
    token_url: ProviderUrl = ""
    authorize_url: ProviderUrl = ""
    client_id: str = Field(min_length=1)
    client_secret: SecretStr = SecretStr("")
    refresh_token: SecretStr = SecretStr("")
    """Empty if it comes from `pbem mail login`."""
    scope: str = ""

    @model_validator(mode="after")
    def _somewhere_safe(self) -> OAuthSection:
        if not (self.provider or self.token_url):
            raise ValueError('set provider to "google" or "microsoft", or set token_url')
        for name in ("token_url", "authorize_url"):
            url = urlsplit(getattr(self, name))
            if url.scheme == "http" and url.hostname not in LOOPBACK:
                raise ValueError(f"{name} must begin with https, because secrets are sent there")
        return self


class ServerSection(ConfigSection):
    """`[imap]` or `[smtp]`: one mail server."""

    host: str = "localhost"
    port: int = Field(default=0, ge=0, le=65535)
    user: str = ""
    password: SecretStr = SecretStr("")
    token_command: tuple[str, ...] = ()
    oauth: OAuthSection | None = None
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: Path | None = None
    timeout_s: float = Field(default=30, gt=0, le=3600)

    @field_validator("ca_file", mode="before")
    @classmethod
    def _none_if_empty(cls, given: object) -> object:
        return given or None

    @model_validator(mode="after")
    def _plain_on_loopback_only(self) -> ServerSection:
        if self.security == "none" and self.host not in LOOPBACK:
            raise ValueError(
                f'security = "none" is for loopback only, not for {self.host}. Set tls or starttls'
            )
        return self

    @model_validator(mode="after")
    def _one_way_to_log_in(self) -> ServerSection:
        ways = (self.password.get_secret_value(), self.token_command, self.oauth)
        if sum(map(bool, ways)) > 1:
            raise ValueError("set only one of password, token_command and oauth")
        if (self.token_command or self.oauth) and not self.user:
            raise ValueError("set user to the address of the mailbox")
        return self


_DOMAIN = re.compile(r"[^\s@.]+(\.[^\s@.]+)+")


class SmtpSection(ServerSection):
    """`[smtp]`: the server that sends the club's email, and limits per minute and day."""

    rate: int = Field(default=0, ge=0, le=100_000)
    day_rate: int = Field(default=0, ge=0, le=1_000_000)
    domain_rates: dict[str, Annotated[int, Field(ge=0, le=100_000)]] = Field(default_factory=dict)

    @field_validator("domain_rates")
    @classmethod
    def _of_domains(cls, given: dict[str, int]) -> dict[str, int]:
        for domain in given:
            if domain != OTHERS and not _DOMAIN.fullmatch(domain):
                raise ValueError(
                    f'{domain!r} is not a domain, such as "gmail.com". "{OTHERS}" means all others'
                )
        return {domain.casefold(): rate for domain, rate in given.items()}

    @property
    def rates(self) -> Rates:
        """Return how many emails may be sent in a time."""
        return Rates(self.rate, self.domain_rates, self.day_rate)


FIRST_MAILBOX = "first"
"""Name of the mailbox without a name, on the command line."""
SMTP = "smtp"
"""Name of the account in [smtp.oauth], on the command line."""
NAMES_TAKEN = (FIRST_MAILBOX, SMTP, HANDED_OVER)


def _mailbox_name(text: str) -> str:
    """Return a word that marks the emails from a mailbox. Raises ValueError."""
    if text and not _WORD.fullmatch(text):
        raise ValueError("a name has up to 31 lower-case letters, digits, hyphens and underscores")
    if text in NAMES_TAKEN:
        raise ValueError(f"{text} is reserved. Choose another name")
    return text


_WORD = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
MailboxName = Annotated[str, Field(min_length=1), AfterValidator(_mailbox_name)]


class ImapSection(ServerSection):
    """`[imap]`: the club's mailbox, or one of several in `[[imap]]`."""

    name: Annotated[str, AfterValidator(_mailbox_name)] = ""
    address: Annotated[str, AfterValidator(club_address_or_none)] = ""
    """Address of this mailbox, if it is not the club's."""
    folder: str = "INBOX"
    done_folder: str = ""

    @property
    def title(self) -> str:
        """Return its name on the command line."""
        return f"imap {self.name}".strip()

    @property
    def in_file(self) -> str:
        """Return its section in the file, for errors."""
        return imap_in_file(self.name)

    @property
    def oauth_in_file(self) -> str:
        """Return its section `oauth` in the file, for errors."""
        return f'[imap.oauth] of "{self.name}"' if self.name else "[imap.oauth]"

    @property
    def place(self) -> str:
        """Return the name under which the folder's UIDs are recorded, unique among mailboxes."""
        return f"{self.name}:{self.folder}" if self.name else self.folder


def imap_in_file(name: str) -> str:
    """Return the section of a mailbox, for errors."""
    return f'[[imap]] "{name}"' if name else "[imap]"


def _place(text: str) -> str:
    read_place(text)
    return text


class LmtpSection(ConfigSection):
    """`[lmtp]`: where the mail server of this machine delivers email."""

    listen: Annotated[str, AfterValidator(_place)]
    connections: int = Field(default=25, ge=1, le=1000)
    """Connections open at the same time."""
    timeout_s: float = Field(default=300.0, gt=0, le=3600)
    """Seconds after which a connection without an email is closed."""

    @property
    def place(self) -> ListenPlace:
        """Return where we listen, unless systemd listens for us."""
        return read_place(self.listen)
