"""Config: all settings, and what follows from them."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.mail.addresses.addressing import is_club_address
from pbem.ports.storage import HANDED_OVER
from pbem.run.config.sections import (
    ClubSection,
    DatabaseSection,
    GamesSection,
    JobsSection,
    LogSection,
    MetricsSection,
    PolicySection,
    SiteSection,
    WebhookSection,
)
from pbem.run.config.servers import ImapSection, LmtpSection, MailboxName, SmtpSection

DATABASE = "pbem.sqlite"
"""Name of the SQLite database in the data folder."""


class Config(BaseSettings):
    """All settings."""

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
    """The other mailboxes by name. In the file, all are in `[[imap]]`."""
    lmtp: LmtpSection | None = None
    """The LMTP section. None if the club reads mailboxes instead."""
    smtp: SmtpSection = SmtpSection()
    database: DatabaseSection = DatabaseSection()
    policy: PolicySection = PolicySection()
    games: GamesSection = GamesSection()
    site: SiteSection = SiteSection()
    webhook: WebhookSection = WebhookSection()
    jobs: JobsSection = JobsSection()
    metrics: MetricsSection = MetricsSection()
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
        """Let the environment override the file, whose values come in as init settings."""
        return env_settings, init_settings

    @model_validator(mode="after")
    def _mailboxes_apart(self) -> Config:
        imaps = self.imaps
        if len({each.place for each in imaps}) < len(imaps):
            raise ValueError("[[imap]]: each mailbox except the first needs a unique name")
        if len({(each.host, each.port, each.user, each.folder) for each in imaps}) < len(imaps):
            raise ValueError("[[imap]]: two sections name the same mailbox. Remove one of them")
        return self

    @model_validator(mode="after")
    def _director_writes_from_elsewhere(self) -> Config:
        if is_club_address(self.club.director, self.addresses):
            raise ValueError(
                "[club] director: this is the club's own address, whose emails are read as moves. "
                "Set another"
            )
        return self

    @property
    def imaps(self) -> tuple[ImapSection, ...]:
        """Return all mailboxes. An embedded mail server counts as one. LMTP needs no mailbox."""
        if self.club.embedded:
            return (self.imap.model_copy(update={"name": ""}),)
        if not (self.lmtp is None or self.mailboxes or "imap" in self.model_fields_set):
            return ()
        others = (each.model_copy(update={"name": name}) for name, each in self.mailboxes.items())
        return (self.imap, *others)

    @property
    def intakes(self) -> tuple[str, ...]:
        """Return the names of the ways in which email arrives."""
        lmtp = () if self.lmtp is None or self.club.embedded else (HANDED_OVER,)
        return (*(each.name for each in self.imaps), *lmtp)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the club's address and the separate addresses of its mailboxes."""
        own = (each.address for each in self.imaps)
        return tuple(dict.fromkeys([self.club.address, *filter(None, own)]))

    @property
    def database_url(self) -> str:
        """Return the URL of the database."""
        return self.database.url or f"sqlite:///{self.club.data_dir / DATABASE}"

    @property
    def has_queue(self) -> bool:
        """Return whether jobs wait in a queue, for any number of workers."""
        return self.jobs.engine == "procrastinate"

    @property
    def archive_dir(self) -> Path:
        """Return the folder of the records."""
        return self.club.data_dir / "archive"

    @property
    def site_dir(self) -> Path:
        """Return the folder of the reading room's pages."""
        return self.club.data_dir / self.site.folder

    @property
    def site_url(self) -> str:
        """Return the public address of the reading room, ending in a slash. Empty if not set."""
        return self.site.url and f"{self.site.url.rstrip('/')}/"
