"""Sections: all settings except those of the mail servers."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from pbem.adapters.club_holidays import ClubHolidays, read_holidays
from pbem.games.installed import ALL, Choice
from pbem.games.phrases import DEFAULT
from pbem.mail.addresses.addressing import is_club_address
from pbem.run.config.values import (
    ConfigSection,
    SigningSecret,
    a_language,
    an_address_or_none,
    an_ip_address,
    club_address,
    club_name,
    game_name,
    known_holidays,
    listed,
)

SHORTEST_KEPT = 100
"""Minimum days for which emails are kept, unless forever: longer than any email proves something
that must be recent, and longer than a table waits."""


MOST_BOT_MATCHES: Final = 10_000


class ClubSection(ConfigSection):
    """`[club]`: the club's name, addresses, rules and files."""

    name: Annotated[str, AfterValidator(club_name)] = "pbem"
    address: Annotated[str, AfterValidator(club_address)]
    director: Annotated[str, AfterValidator(an_address_or_none)] = ""
    data_dir: Path = Path()
    embedded: bool = False
    joining: Literal["open", "approval", "closed"] = "closed"
    leave_days: int = Field(default=30, ge=0, le=365)
    ban_days: int = Field(default=30, ge=0, le=365)
    second_ban_days: int = Field(default=90, ge=0, le=365)
    keep_mails: int = Field(default=365, ge=0, le=36500)
    bot_matches: int = Field(default=5, ge=0, le=MOST_BOT_MATCHES)
    bot_limits: dict[Literal["random", "greedy", "steady"], Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict
    )
    language: Annotated[str, AfterValidator(a_language)] = DEFAULT
    holidays: Annotated[
        tuple[str, ...], BeforeValidator(listed), AfterValidator(known_holidays)
    ] = ()
    secret: SigningSecret = Field(default=SecretStr(""), validate_default=True)
    secret_version: int = 1
    old_secrets: dict[int, SigningSecret] = Field(default_factory=dict)

    @field_validator("keep_mails")
    @classmethod
    def _for_as_long_as_they_prove(cls, days: int) -> int:
        if 0 < days < SHORTEST_KEPT:
            raise ValueError(
                f"emails must be kept for {SHORTEST_KEPT} days or more, or forever (0), since"
                f" recent ones serve as proof. {days} days are too few"
            )
        return days

    @model_validator(mode="after")
    def _director_is_a_person(self) -> ClubSection:
        if is_club_address(self.director, (self.address,)):
            raise ValueError(
                "director is the club's own address, whose emails are read as moves. Set another"
            )
        return self

    @model_validator(mode="after")
    def _somebody_approves(self) -> ClubSection:
        if self.joining == "approval" and not self.director:
            raise ValueError('joining = "approval" needs a director to approve. Set director')
        return self

    @property
    def mails_kept(self) -> timedelta | None:
        """Return how long emails are kept. None means forever."""
        return timedelta(days=self.keep_mails) if self.keep_mails else None

    @property
    def calendar(self) -> ClubHolidays:
        """Return the days when the clocks are paused."""
        return read_holidays(self.holidays)

    @property
    def secrets(self) -> dict[int, bytes]:
        """Return the keys by version, including the current one."""
        keys = {**self.old_secrets, self.secret_version: self.secret}
        return {version: key.get_secret_value().encode() for version, key in keys.items()}


class DatabaseSection(ConfigSection):
    """`[database]`: SQLite in the data folder, unless there is a URL."""

    url: str = ""


class PolicySection(ConfigSection):
    """`[policy]`: the club's rules."""

    mails_an_hour: int = Field(default=60, ge=0)
    match_mails_an_hour: int = Field(default=120, ge=0)
    proof: Literal["token", "token+dkim", "dkim"] = "token"
    trusted_hosts: tuple[str, ...] = ()
    parked_days: int = Field(default=7, ge=1, le=365)
    bounce_addresses: bool = True
    poll_seconds: int = Field(default=60, ge=1, le=86400)
    open_offers: int = Field(default=5, ge=1, le=1000)
    running_matches: int = Field(default=20, ge=1, le=10000)

    @model_validator(mode="after")
    def _signatures_by_somebody(self) -> PolicySection:
        if "dkim" in self.proof and not self.trusted_hosts:
            raise ValueError(
                f'proof = "{self.proof}" needs trusted_hosts = ["…"], the name that your mail'
                " server uses in its Authentication-Results"
            )
        return self


class GamesSection(ConfigSection):
    """`[games]`: the games that take new matches, and a table of settings for each family."""

    model_config = ConfigDict(extra="allow")

    enabled: tuple[Annotated[str, AfterValidator(game_name)], ...] = (ALL,)
    disabled: tuple[Annotated[str, AfterValidator(game_name)], ...] = ()

    @property
    def choice(self) -> Choice:
        """Return both lists and the settings."""
        return Choice(self.enabled, self.disabled, self.model_extra or {})

    @model_validator(mode="after")
    def _only_tables(self) -> GamesSection:
        for key, value in (self.model_extra or {}).items():
            if not isinstance(value, dict):
                raise ValueError(
                    f"{key} is not a key of [games]. Settings of a game go into [games.NAME]"
                )
        return self


USUAL_FOLDER: Final = Path("site")


class SiteSection(ConfigSection):
    """`[site]`: the reading room."""

    folder: Path = USUAL_FOLDER
    """The folder of the pages, relative to the data folder."""
    enabled: bool = True
    url: str = Field(default="", pattern=r"^(https?://[^\s/@?#]+(/[^\s?#]*)?)?$")
    public: Literal["live", "ended", "never"] = "live"
    delay: int = Field(default=0, ge=0, le=1000)

    @field_validator("folder", mode="before")
    @classmethod
    def _usual_if_empty(cls, given: object) -> object:
        return given or USUAL_FOLDER


SHORTEST_WEBHOOK_SECRET: Final = 16


class WebhookSection(ConfigSection):
    """`[webhook]`: an address that is called for each public event."""

    url: str = Field(default="", pattern=r"^(https?://[^\s/@?#]+(/[^\s#]*)?)?$")
    secret: SecretStr = SecretStr("")
    """Signs what is sent."""
    ca_file: Path | None = None

    @model_validator(mode="after")
    def _signed(self) -> WebhookSection:
        if self.url and len(self.secret.get_secret_value()) < SHORTEST_WEBHOOK_SECRET:
            raise ValueError(
                f"[webhook] secret: write at least {SHORTEST_WEBHOOK_SECRET} characters,"
                " such as the output of: openssl rand -base64 32"
            )
        return self


class JobsSection(ConfigSection):
    """`[jobs]`: which processes do the club's work."""

    engine: Literal["ticker", "procrastinate"] = "ticker"
    """One process by its clock, or workers with a queue in PostgreSQL."""
    concurrency: int = Field(default=2, ge=1, le=32)
    """Jobs that one process does at the same time."""


class MetricsSection(ConfigSection):
    """`[metrics]`: where each process shows its metrics."""

    port: int = Field(default=0, ge=0, le=65535)
    """0 means nowhere."""
    address: Annotated[str, AfterValidator(an_ip_address)] = "127.0.0.1"
    connections: int = Field(default=8, ge=1, le=100)
    """Connections open at the same time."""
    timeout_s: float = Field(default=5.0, gt=0, le=300)
    """Seconds after which a connection without a request is closed."""


DEFAULT_LEVEL: Final = "info"
DEFAULT_FORMAT: Final = "text"


class LogSection(ConfigSection):
    """`[log]`: the level and the format of the log."""

    level: Literal["debug", "info", "warning", "error"] = DEFAULT_LEVEL
    format: Literal["text", "json"] = DEFAULT_FORMAT
    """Lines for people, or a JSON object per line for programs that collect them."""
