"""Bootstrap: the only place where ports get their adapters."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from jinja2 import FileSystemLoader

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.clock import SystemClock
from pbem.adapters.db import open_storage
from pbem.adapters.embedded_mail import EmbeddedMail
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch
from pbem.adapters.scheduler import Job
from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.config import Config, ServerSection
from pbem.mail.incoming.addressing import Signer
from pbem.mail.outgoing.render import Renderer
from pbem.resources import folder
from pbem.serve import Running
from pbem.service.bots import is_bot
from pbem.service.club import Club, Policy

UNIQUE_BYTES = 10
PASSWORD_BYTES = 9
NEW_PLAYERS_SECONDS = 1.0
"""How soon a player who is added gets an embedded mailbox."""


@dataclass(frozen=True)
class Servers:
    """Where the club's mail comes from and goes to."""

    imap: ImapSettings
    smtp: SmtpSettings


def build_club(config: Config) -> Club:
    """The club with its database, brought to the newest schema; raises StorageUnavailable."""
    config.club.data_dir.mkdir(parents=True, exist_ok=True)
    return Club(
        name=config.club.name,
        address=config.club.address,
        director=config.club.director,
        storage=open_storage(config.database_url),
        clock=SystemClock(),
        archive=FileArchive(config.archive_dir),
        signer=Signer(config.club.secrets, config.club.secret_version),
        renderer=Renderer(FileSystemLoader(folder("templates") / "mail")),
        unique=lambda: secrets.token_hex(UNIQUE_BYTES),
        chance=secrets.randbelow,
        policy=Policy(config.policy.mails_an_hour, config.policy.parked_days),
    )


def servers_of(config: Config) -> Servers:
    """The mail servers of the configuration."""
    imap, smtp = config.imap, config.smtp
    return Servers(
        ImapSettings(
            host=imap.host,
            port=imap.port or (993 if imap.security == "tls" else 143),
            user=imap.user,
            password=imap.password.get_secret_value(),
            security=imap.security,
            folder=imap.folder,
            done_folder=imap.done_folder,
            timeout_s=imap.timeout_s,
            ca_file=imap.ca_file,
        ),
        SmtpSettings(
            host=smtp.host,
            port=smtp.port or _smtp_port(smtp),
            user=smtp.user,
            password=smtp.password.get_secret_value(),
            security=smtp.security,
            timeout_s=smtp.timeout_s,
            ca_file=smtp.ca_file,
        ),
    )


def _smtp_port(smtp: ServerSection) -> int:
    return {"tls": 465, "starttls": 587, "none": 25}[smtp.security]


def running(config: Config, club: Club, servers: Servers) -> Running:
    """A club at its mail servers."""
    transport = SmtpTransport(servers.smtp)
    return Running(
        club=club,
        mailbox=ImapMailbox(servers.imap),
        watch=ImapWatch(servers.imap),
        transport=transport,
        close_transport=transport.close,
        poll_seconds=config.policy.poll_seconds,
    )


class Embedded:
    """A mail server of our own for trying out, with mailboxes for the club and its people."""

    def __init__(self, club: Club, announce: Callable[[str], None]) -> None:
        self._club = club
        self._announce = announce
        self._passwords: dict[str, str] = {}
        self._mail = EmbeddedMail({})

    def __enter__(self) -> Self:
        self._open_mailbox(self._club.address, "the club")
        if self._club.director:
            self._open_mailbox(self._club.director, "the director")
        self._mail.start()
        host = self._mail.host
        self._announce(f"SMTP {host}:{self._mail.smtp_port}  IMAP {host}:{self._mail.imap_port}")
        self.open_for_new_players()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._mail.stop()

    def open_for_new_players(self) -> None:
        """Opens a mailbox for every address that has none yet."""
        with self._club.storage.reading() as uow:
            players = uow.players.all()
        for player in players:
            for address in player.addresses:
                if address.casefold() not in self._passwords and not is_bot(self._club, address):
                    self._open_mailbox(address, player.name)

    def _open_mailbox(self, address: str, owner: str) -> None:
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        self._passwords[address.casefold()] = password
        self._mail.add(address, password)
        self._announce(f"mailbox of {owner}: user {address} password {password}")

    @property
    def servers(self) -> Servers:
        """The club's way to it."""
        user, password = self._club.address, self._passwords[self._club.address.casefold()]
        host = self._mail.host
        return Servers(
            ImapSettings(host, self._mail.imap_port, user, password, "none"),
            SmtpSettings(host, self._mail.smtp_port, "", "", "none"),
        )


def embedded_running(config: Config, club: Club, embedded: Embedded) -> Running:
    """A club at its embedded mail server."""
    job = Job("mailboxes", NEW_PLAYERS_SECONDS, embedded.open_for_new_players)
    return replace(running(config, club, embedded.servers), extra_jobs=(job,))
