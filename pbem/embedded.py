"""Embedded: the club at a mail server of its own, for trying out.

The servers are an extra of the installation, and imported only here and when they are wanted.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pbem.adapters.imap_mailbox import ImapSettings
from pbem.adapters.scheduler import Job
from pbem.adapters.smtp_transport import SmtpSettings
from pbem.bootstrap import Servers, running
from pbem.config import Config, ConfigError
from pbem.mail.address import is_address
from pbem.serve import Running
from pbem.service.club import Club
from pbem.service.work import reading

if TYPE_CHECKING:
    from pbem.adapters.embedded_mail import KeptSettings

NEW_PLAYERS_SECONDS = 1.0
"""How soon a player who is added gets an embedded mailbox."""
HOST = "127.0.0.1"
NOWHERE = ".invalid"
"""No such domain has mailboxes (RFC 6761): what is sent there comes back."""


def require_embedded_servers() -> None:
    """Raises ConfigError where the servers are not installed."""
    try:
        import pbem.adapters.embedded_mail  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            "the mail servers for trying out are not installed; run: pip install 'pbem[embedded]'"
        ) from error


def folder_of_embedded(config: Config) -> Path:
    """Where mail, ports and passwords of the club's own server are kept."""
    return config.club.data_dir / "embedded"


def embedded_servers(config: Config) -> Servers | None:
    """The club's way to its own server as it was last started, None if it never was."""
    require_embedded_servers()
    kept = _kept(folder_of_embedded(config))
    known = config.club.address.casefold() in kept.passwords
    return _servers(config.club.address, kept) if known else None


def _kept(folder: Path) -> KeptSettings:
    from pbem.adapters.embedded_mail import KeptSettings

    try:
        return KeptSettings.of(folder)
    except OSError as error:
        raise ConfigError(f"{error.filename} cannot be read: {error.strerror}") from error


def _servers(club_address: str, kept: KeptSettings) -> Servers:
    password = kept.password(club_address)
    return Servers(
        (ImapSettings(HOST, kept.imap_port, club_address, password, "none", place="INBOX"),),
        SmtpSettings(HOST, kept.smtp_port, "", "", "none"),
    )


class Embedded:
    """A mail server of our own with mailboxes for the club, its people, and whoever writes.

    Strangers get theirs when a mail comes from them or goes to them, so that they can join.
    Mail, ports and passwords are those of the last run, unless all is to begin afresh.
    """

    def __init__(
        self, club: Club, folder: Path, announce: Callable[[str], None], *, fresh: bool = False
    ) -> None:
        require_embedded_servers()
        from pbem.adapters.embedded_mail import EmbeddedMail

        if fresh:
            _throw_away(folder)
        self._club = club
        self._announce = announce
        self._kept = _kept(folder)
        self._opened: set[str] = set()
        self._opening = threading.Lock()
        self._mail = EmbeddedMail(
            {}, folder=folder / "mail", open_mailbox=self._open_for_a_stranger
        )

    def __enter__(self) -> Self:
        self._open_mailbox(self._club.address, "the club")
        if self._club.director:
            self._open_mailbox(self._club.director, "the director")
        self._listen()
        self.open_for_new_players()
        for address in tuple(self._kept.passwords):
            self._open_for_a_stranger(address)
        return self

    def _listen(self) -> None:
        """At the ports of the last run, or at others where something else has taken them."""
        kept = self._kept
        self._mail.smtp_port, self._mail.imap_port = kept.smtp_port, kept.imap_port
        try:
            self._mail.start()
        except OSError:
            self._announce(f"port {kept.smtp_port} or {kept.imap_port} is taken; others are used")
            self._mail.smtp_port = self._mail.imap_port = 0
            self._mail.start()
        smtp, imap = self._mail.smtp_port, self._mail.imap_port
        kept.listening(smtp, imap)
        self._announce(f"SMTP {HOST}:{smtp}  IMAP {HOST}:{imap}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._mail.stop()

    def open_for_new_players(self) -> None:
        """Opens a mailbox for every address that has none yet."""
        with reading(self._club) as work:
            players = work.players.all()
        for player in players:
            for address in player.addresses:
                if not player.bot:
                    self._open_mailbox(address, player.name)

    def _open_for_a_stranger(self, address: str) -> None:
        if is_address(address) and not address.casefold().endswith(NOWHERE):
            self._open_mailbox(address, "a stranger")

    def _open_mailbox(self, address: str, owner: str) -> None:
        """Opens and announces one, if it is not open; the server's thread asks for some."""
        with self._opening:
            if address.casefold() in self._opened:
                return
            password = self._kept.password(address)
            self._opened.add(address.casefold())
            self._mail.add(address, password)
            self._announce(f"mailbox of {owner}: user {address} password {password}")

    @property
    def servers(self) -> Servers:
        """The club's way to it."""
        return _servers(self._club.address, self._kept)


def _throw_away(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ConfigError(f"{folder} cannot be removed: {error.strerror}") from error


def embedded_running(config: Config, club: Club, embedded: Embedded) -> Running:
    """A club at its embedded mail server."""
    job = Job("mailboxes", NEW_PLAYERS_SECONDS, embedded.open_for_new_players)
    return replace(running(config, club, embedded.servers), extra_jobs=(job,))
