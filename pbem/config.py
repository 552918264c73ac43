"""Configuration: the TOML file and the environment, read here and nowhere else.

The file is `--config`, else `PBEM_CONFIG`, else `./pbem.toml`, else the user's config folder. Any
key can be overridden by the environment: `PBEM_IMAP__PASSWORD` for `password` in `[imap]`.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TextIO
from urllib.parse import urlsplit

from platformdirs import user_config_path, user_data_path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from pbem.accounts import belongs_to_another
from pbem.adapters.club_holidays import HOW, ClubHolidays, read_holidays
from pbem.adapters.lmtp_server import Place, read_place
from pbem.games.phrases import DEFAULT
from pbem.mail.address import is_address
from pbem.mail.addresses.addressing import is_club_address
from pbem.resources import folder
from pbem.service.delivery.rates import OTHERS, Rates

FILE_NAME = "pbem.toml"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ConfigError(Exception):
    """What is wrong with the configuration, and which key mends it."""


class _Section(BaseModel):
    # Nothing of what is wrong is quoted: it may be a secret.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


LONGEST_LOCAL_PART = 24
"""Octets before the @ of the club's address: the proof of a player's mail is added to them, and
RFC 5321 section 4.5.3.1.1 allows 64 in all."""


LEAST_SECRET = 16
"""Characters of a secret."""
LEAST_DIFFERENT = 8
"""Different ones among them; what is made by chance has more, also in hexadecimal digits."""
KNOWN_TO_ALL = ("replace me by what pbem init has written",)
"""Secrets that stood in sample configurations."""
HOW_TO_GET_ONE = (
    "pbem init makes a good one, and so does "
    'python3 -c "import secrets; print(secrets.token_hex(32))"'
)


def _fit_to_sign(secret: SecretStr) -> SecretStr:
    """A secret that nobody guesses: who knows it can answer in the name of every player."""
    text = secret.get_secret_value()
    if not text:
        raise ValueError(f"it is empty; {HOW_TO_GET_ONE}")
    if len(text) < LEAST_SECRET or len(set(text)) < LEAST_DIFFERENT or text in KNOWN_TO_ALL:
        raise ValueError(f"it is too easy to guess; {HOW_TO_GET_ONE}")
    return secret


SigningSecret = Annotated[SecretStr, AfterValidator(_fit_to_sign)]


_CLUB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,30}")


def club_name(text: str) -> str:
    """A short name; raises ValueError."""
    if not _CLUB_NAME.fullmatch(text):
        raise ValueError(
            "a name is up to 31 letters, digits and spaces, without accents, and begins with a"
            " letter or digit; it stands in every subject: [pbem 12]"
        )
    return text


def an_address(text: str) -> str:
    """An e-mail address; raises ValueError."""
    if not is_address(text):
        raise ValueError("it is not a plain e-mail address, such as club@example.org")
    return text


def club_address(text: str) -> str:
    """An address to which proofs can be added; raises ValueError."""
    address = an_address(text)
    if len(address.rpartition("@")[0].encode()) > LONGEST_LOCAL_PART:
        raise ValueError(f"at most {LONGEST_LOCAL_PART} characters may stand before the @")
    return address


def _an_address_or_none(text: str) -> str:
    return an_address(text) if text else ""


def _club_address_or_none(text: str) -> str:
    return club_address(text) if text else ""


def _a_language(key: str) -> str:
    """A language in which there are templates of mails."""
    there = sorted(path.name for path in (folder("templates") / "mail").iterdir())
    if key not in there:
        raise ValueError(f"there are no mails in {key!r}; there are: {', '.join(there)}")
    return key


def _listed(given: object) -> object:
    """Dates may stand without quotation marks, as TOML has them."""
    if not isinstance(given, list | tuple):
        raise ValueError(f"it is a list in brackets; {HOW}")
    return tuple(map(str, given))


def _holidays(written: tuple[str, ...]) -> tuple[str, ...]:
    read_holidays(written)
    return written


class ClubSection(_Section):
    """`[club]`: who runs it, and where its things are."""

    name: Annotated[str, AfterValidator(club_name)] = "pbem"
    address: Annotated[str, AfterValidator(club_address)]
    director: Annotated[str, AfterValidator(_an_address_or_none)] = ""
    data_dir: Path = Path()
    embedded: bool = False
    joining: Literal["open", "approval", "closed"] = "closed"
    leave_days: int = Field(default=30, ge=0, le=365)
    language: Annotated[str, AfterValidator(_a_language)] = DEFAULT
    holidays: Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_holidays)] = ()
    secret: SigningSecret = Field(default=SecretStr(""), validate_default=True)
    secret_version: int = 1
    old_secrets: dict[int, SigningSecret] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _director_is_a_person(self) -> ClubSection:
        if is_club_address(self.director, (self.address,)):
            raise ValueError("director is the club's own address, whose mail is read as moves")
        return self

    @model_validator(mode="after")
    def _somebody_approves(self) -> ClubSection:
        if self.joining == "approval" and not self.director:
            raise ValueError('joining = "approval" needs a director, who approves')
        return self

    @property
    def calendar(self) -> ClubHolidays:
        """The days on which no time counts."""
        return read_holidays(self.holidays)

    @property
    def secrets(self) -> dict[int, bytes]:
        """Key by version, the current one included."""
        keys = {**self.old_secrets, self.secret_version: self.secret}
        return {version: key.get_secret_value().encode() for version, key in keys.items()}


class OAuthSection(_Section):
    """`[imap.oauth]` or `[smtp.oauth]`: a refresh token, which gets us access tokens."""

    provider: Literal["", "google", "microsoft"] = ""
    token_url: str = Field(default="", pattern=r"^(https?://[^\s/@]+(/\S*)?)?$")
    client_id: str = Field(min_length=1)
    client_secret: SecretStr = SecretStr("")
    refresh_token: SecretStr = Field(min_length=1)
    scope: str = ""

    @model_validator(mode="after")
    def _somewhere_safe(self) -> OAuthSection:
        if not (self.provider or self.token_url):
            raise ValueError('set provider to "google" or "microsoft", else token_url')
        if self.token_url.startswith("http:") and urlsplit(self.token_url).hostname not in LOOPBACK:
            raise ValueError("token_url must begin with https: what goes there is secret")
        return self


class ServerSection(_Section):
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
            raise ValueError(f'security = "none" is for loopback only, not for {self.host}')
        return self

    @model_validator(mode="after")
    def _one_way_to_log_in(self) -> ServerSection:
        ways = (self.password.get_secret_value(), self.token_command, self.oauth)
        if sum(map(bool, ways)) > 1:
            raise ValueError("set one of password, token_command and oauth, not several")
        if (self.token_command or self.oauth) and not self.user:
            raise ValueError("set user to the address of the mailbox")
        return self


_DOMAIN = re.compile(r"[^\s@.]+(\.[^\s@.]+)+")


class SmtpSection(ServerSection):
    """`[smtp]`: who takes the club's mail, and how much of it in a minute and a day."""

    rate: int = Field(default=0, ge=0, le=100_000)
    day_rate: int = Field(default=0, ge=0, le=1_000_000)
    domain_rates: dict[str, Annotated[int, Field(ge=0, le=100_000)]] = Field(default_factory=dict)

    @field_validator("domain_rates")
    @classmethod
    def _of_domains(cls, given: dict[str, int]) -> dict[str, int]:
        for domain in given:
            if domain != OTHERS and not _DOMAIN.fullmatch(domain):
                raise ValueError(
                    f'{domain!r} is no domain, such as "gmail.com"; "{OTHERS}" is every other one'
                )
        return {domain.casefold(): rate for domain, rate in given.items()}

    @property
    def rates(self) -> Rates:
        """How many mails may go in a time."""
        return Rates(self.rate, self.domain_rates, self.day_rate)


FIRST_MAILBOX = "first"
"""What the mailbox without a name is called at the shell."""
HANDED_OVER = "lmtp"
"""Name of the intake that needs no mailbox."""
NAMES_TAKEN = (FIRST_MAILBOX, HANDED_OVER)


def _mailbox_name(text: str) -> str:
    """A word by which mails are known to have come from there; raises ValueError."""
    if text and not _WORD.fullmatch(text):
        raise ValueError("a name is up to 31 small letters, digits, hyphens and underscores")
    if text in NAMES_TAKEN:
        raise ValueError(f"{text} means something else; choose another name")
    return text


_WORD = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
MailboxName = Annotated[str, Field(min_length=1), AfterValidator(_mailbox_name)]


class ImapSection(ServerSection):
    """`[imap]`: the club's mailbox, or one of several in `[[imap]]`."""

    name: Annotated[str, AfterValidator(_mailbox_name)] = ""
    address: Annotated[str, AfterValidator(_club_address_or_none)] = ""
    """Of mail to it, if that is not the club's address."""
    folder: str = "INBOX"
    done_folder: str = ""

    @property
    def title(self) -> str:
        """What is said of the section in errors, as in `[imap second]`."""
        return f"imap {self.name}".strip()

    @property
    def place(self) -> str:
        """Name under which UIDs of the folder are recorded: no other mailbox has the same."""
        return f"{self.name}:{self.folder}" if self.name else self.folder


def _place(text: str) -> str:
    read_place(text)
    return text


class LmtpSection(_Section):
    """`[lmtp]`: where the mail server of this machine hands mail over."""

    listen: Annotated[str, AfterValidator(_place)]

    @property
    def place(self) -> Place:
        """Where we listen, unless systemd does it for us."""
        return read_place(self.listen)


class DatabaseSection(_Section):
    """`[database]`: SQLite in the data folder, unless a URL says otherwise."""

    url: str = ""


class PolicySection(_Section):
    """`[policy]`: what the director decided."""

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
                f'proof = "{self.proof}" needs trusted_hosts = ["…"], the name by which your mail'
                " server signs its Authentication-Results"
            )
        return self


class SiteSection(_Section):
    """`[site]`: the reading room."""

    folder: Path | None = None
    """None: `site` in the data folder."""
    enabled: bool = True
    url: str = Field(default="", pattern=r"^(https?://[^\s/@?#]+(/[^\s?#]*)?)?$")
    public: Literal["live", "ended", "never"] = "live"
    delay: int = Field(default=0, ge=0, le=1000)

    @field_validator("folder", mode="before")
    @classmethod
    def _none_if_empty(cls, given: object) -> object:
        return given or None


class JobsSection(_Section):
    """`[jobs]`: who does the club's work."""

    engine: Literal["ticker", "procrastinate"] = "ticker"
    """One process by its clock, or workers by a queue in PostgreSQL."""
    concurrency: int = Field(default=2, ge=1, le=32)
    """Jobs that one process does at once."""


DEFAULT_LEVEL: Final = "info"


class LogSection(_Section):
    """`[log]`: what the log tells."""

    level: Literal["debug", "info", "warning", "error"] = DEFAULT_LEVEL


class Config(BaseSettings):
    """Everything that is configured."""

    model_config = SettingsConfigDict(
        env_prefix="PBEM_",
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    club: ClubSection
    imap: ImapSection = ImapSection()
    """The first mailbox."""
    mailboxes: dict[MailboxName, ImapSection] = Field(default_factory=dict)
    """The others by name; in the file all stand in `[[imap]]`."""
    lmtp: LmtpSection | None = None
    """None: nobody hands mail over, and a mailbox is read."""
    smtp: SmtpSection = SmtpSection()
    database: DatabaseSection = DatabaseSection()
    policy: PolicySection = PolicySection()
    site: SiteSection = SiteSection()
    jobs: JobsSection = JobsSection()
    log: LogSection = LogSection()

    @model_validator(mode="after")
    def _queue_in_postgresql(self) -> Config:
        if self.has_queue and not self.database.url.startswith("postgresql"):
            raise ValueError(
                '[jobs] engine = "procrastinate" needs [database] url = "postgresql://…"'
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, whose values come in as init settings."""
        return env_settings, init_settings

    @model_validator(mode="after")
    def _mailboxes_apart(self) -> Config:
        imaps = self.imaps
        if len({each.place for each in imaps}) < len(imaps):
            raise ValueError("[[imap]]: each mailbox but the first needs a name of its own")
        if len({(each.host, each.port, each.user, each.folder) for each in imaps}) < len(imaps):
            raise ValueError("[[imap]]: two of them are the same mailbox")
        return self

    @model_validator(mode="after")
    def _director_writes_from_elsewhere(self) -> Config:
        if is_club_address(self.club.director, self.addresses):
            raise ValueError(
                "[club] director: it is an address of the club itself, whose mail is read as moves"
            )
        return self

    @property
    def imaps(self) -> tuple[ImapSection, ...]:
        """All mailboxes; a mail server of one's own has one for the club, and LMTP needs none."""
        if self.club.embedded:
            return (self.imap.model_copy(update={"name": ""}),)
        if not (self.lmtp is None or self.mailboxes or "imap" in self.model_fields_set):
            return ()
        others = (each.model_copy(update={"name": name}) for name, each in self.mailboxes.items())
        return (self.imap, *others)

    @property
    def intakes(self) -> tuple[str, ...]:
        """Names of the ways by which mail comes in."""
        lmtp = () if self.lmtp is None or self.club.embedded else (HANDED_OVER,)
        return (*(each.name for each in self.imaps), *lmtp)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The club's address, and those that mailboxes have of their own."""
        own = (each.address for each in self.imaps)
        return tuple(dict.fromkeys([self.club.address, *filter(None, own)]))

    @property
    def database_url(self) -> str:
        """URL of the database."""
        return self.database.url or f"sqlite:///{self.club.data_dir / 'pbem.sqlite'}"

    @property
    def has_queue(self) -> bool:
        """Whether jobs wait in a queue, for any number of workers."""
        return self.jobs.engine == "procrastinate"

    @property
    def archive_dir(self) -> Path:
        """Where records are written."""
        return self.club.data_dir / "archive"

    @property
    def site_dir(self) -> Path:
        """Where the pages of the reading room are written."""
        return self.club.data_dir / (self.site.folder or "site")

    @property
    def site_url(self) -> str:
        """Where it can be read, ending in a slash; empty if nobody has said so."""
        return self.site.url and f"{self.site.url.rstrip('/')}/"


def find_config(given: Path | None = None) -> Path:
    """The configuration file; raises ConfigError if there is none."""
    named = given or (Path(os.environ["PBEM_CONFIG"]) if "PBEM_CONFIG" in os.environ else None)
    if named is not None:
        return _named(named)
    places = [Path(FILE_NAME), user_config_path("pbem") / FILE_NAME]
    for place in places:
        with suppress(OSError):  # of another account's home there is nothing to be had
            if place.is_file():
                return place
    looked = " nor ".join(map(str, places))
    raise ConfigError(f"there is no configuration: neither {looked} exists; pbem init writes one")


def _named(path: Path) -> Path:
    try:
        if path.is_file():
            return path
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    raise ConfigError(f"there is no configuration file {path}; pbem init writes one")


def load_config(path: Path) -> Config:
    """Configuration of a file and the environment; raises ConfigError that names the key."""
    _require_private(path)
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    try:
        return Config(**_with_data_dir(_with_mailboxes(values), path))
    except ValidationError as error:
        raise ConfigError(f"{path}: {_in_words(error)}") from error


def _require_private(path: Path) -> None:
    """The file holds the club's secret and passwords: nobody else may read it.

    Whose it is, that account is the club's, and what another one did would not be its own.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    if trouble := belongs_to_another(path, status):
        raise ConfigError(trouble)
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(
            f"{path} can be read by others, and it holds secrets; run: chmod 600 {path}"
        )


def _with_mailboxes(values: dict[str, Any]) -> dict[str, Any]:
    """`[[imap]]` as the first mailbox and the others by name, as the environment calls them."""
    imaps = values.get("imap")
    if "mailboxes" in values:
        raise ConfigError("[mailboxes]: a mailbox stands in [[imap]], with a name")
    if not isinstance(imaps, list) or not all(isinstance(each, dict) for each in imaps):
        return values
    names = [str(each.get("name", "")) for each in imaps]
    if not all(names[1:]) or len(set(names)) < len(names):
        raise ConfigError("[[imap]]: each mailbox but the first needs a name of its own")
    others = dict(zip(names[1:], imaps[1:], strict=True))
    return {**values, "imap": imaps[0] if imaps else {}, "mailboxes": others}


def _with_data_dir(values: dict[str, Any], path: Path) -> dict[str, Any]:
    """`data_dir` is relative to the file; without it, the user's data folder."""
    club = values.get("club")
    if isinstance(club, dict):
        given = club.get("data_dir")
        data_dir = path.parent / given if isinstance(given, str) else user_data_path("pbem")
        return {**values, "club": {**club, "data_dir": data_dir.absolute()}}
    return values


def _in_words(error: ValidationError) -> str:
    problems = []
    for problem in error.errors():
        told = problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:  # of several sections at once, which the sentence names
            problems.append(told)
            continue
        section, *keys = (str(part) for part in problem["loc"])
        if section == "mailboxes":
            section = f"imap {keys.pop(0)}" if keys else "imap"
        key = f"[{section}] {'.'.join(keys)}".strip()
        problems.append(f"{key}: {told}")
    return "; ".join(problems)


def environment_without_settings() -> dict[str, str]:
    """The environment for a process that is to read its configuration from a file alone."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}


FIRST_GIVEN: Final = 3
"""The first file descriptor behind standard error."""


def sockets_given() -> range:
    """File descriptors of the sockets on which systemd listens for us (sd_listen_fds(3))."""
    number = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or not number.isdecimal():
        return range(0)
    return range(FIRST_GIVEN, FIRST_GIVEN + int(number))


def is_journal(stream: TextIO) -> bool:
    """Whether what is written to a stream goes to journald, which says so (systemd.exec(5))."""
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"


def shows_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours and Unicode whose reader wants them.

    NO_COLOR is the wish not to have any (https://no-color.org).
    """
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    encoding = (getattr(stream, "encoding", "") or "").lower().replace("-", "")
    return wanted and encoding == "utf8" and stream.isatty()
