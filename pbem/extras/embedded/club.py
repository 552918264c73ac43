"""Embedded: the club with its own mail server, for trying it out.

The servers are an optional package, imported only here and only when needed.
"""

from __future__ import annotations

import json
import secrets
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.adapters.scheduler import Job
from pbem.adapters.smtp_transport import SmtpSettings
from pbem.inbox.hand_over import take
from pbem.mail.address import is_address
from pbem.mail.addresses.addressing import is_club_address
from pbem.ports.process import Every
from pbem.run.bootstrap.processes import running
from pbem.run.bootstrap.servers import Servers
from pbem.run.config import Config, ConfigError
from pbem.run.serve import Running
from pbem.service.club import Club
from pbem.service.work import reading, writing

PASSWORD_BYTES = 9
SMTP_PORT, POP3_PORT = 2525, 1110
NEW_PLAYERS_SECONDS = 1.0
"""Seconds until a new player gets an embedded mailbox."""
HOST = "127.0.0.1"
NOWHERE = ".invalid"
"""A domain without mailboxes (RFC 6761). Email to it bounces."""


def require_embedded_servers() -> None:
    """Raise ConfigError if the servers are not installed."""
    try:
        import aiosmtpd  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            "the mail servers for trying out are not installed; run: pip install 'pbem[embedded]'"
        ) from error


def folder_of_embedded(config: Config) -> Path:
    """Return the folder with the server's emails, ports and passwords."""
    return config.club.data_dir / "embedded"


def embedded_servers(config: Config) -> Servers | None:
    """Return the settings of the server as last started, None if it never was."""
    require_embedded_servers()
    kept = KeptSettings.of(folder_of_embedded(config))
    return _servers(kept) if kept.file.exists() else None


def _servers(kept: KeptSettings) -> Servers:
    return Servers((), SmtpSettings(HOST, kept.smtp_port, "", "", "none"))


@dataclass
class KeptSettings:
    """The servers' ports and passwords, in a file for its owner only."""

    file: Path
    smtp_port: int = SMTP_PORT
    pop3_port: int = POP3_PORT
    passwords: dict[str, str] = field(default_factory=dict)
    """Passwords by address, in lower case."""

    @classmethod
    def of(cls, folder: Path) -> KeptSettings:
        """Return the settings in a folder, or new ones if there are none. Raises ConfigError."""
        file = folder / "settings.json"
        try:
            found = json.loads(file.read_text("utf-8"))
            passwords = {str(name): str(word) for name, word in found["passwords"].items()}
            return cls(file, int(found["smtp_port"]), int(found["pop3_port"]), passwords)
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return cls(file)
        except OSError as error:
            raise ConfigError(f"{file} cannot be read: {error.strerror}") from error

    def password(self, address: str) -> str:
        """Return the password of a mailbox, created if needed."""
        name = address.casefold()
        if name not in self.passwords:
            self.passwords[name] = secrets.token_urlsafe(PASSWORD_BYTES)
            self.save()
        return self.passwords[name]

    def listening(self, smtp_port: int, pop3_port: int) -> None:
        """Store the servers' ports for next time."""
        if (smtp_port, pop3_port) != (self.smtp_port, self.pop3_port) or not self.file.exists():
            self.smtp_port, self.pop3_port = smtp_port, pop3_port
            self.save()

    def save(self) -> None:
        """Write the file, as a whole or not at all. Raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self.file.with_suffix(".new")
        new.unlink(missing_ok=True)
        new.touch(mode=0o600, exist_ok=False)
        shown = {
            "smtp_port": self.smtp_port,
            "pop3_port": self.pop3_port,
            "passwords": self.passwords,
        }
        new.write_text(json.dumps(shown, indent=2) + "\n", "utf-8")
        new.replace(self.file)


class Embedded:
    """A mail server with mailboxes for the club's people and anybody who writes.

    Email to the club is recorded on arrival, so the club has no mailbox. Strangers get a mailbox
    once an email comes from them or goes to them, so that they can join. Emails, ports and
    passwords are kept from the last run, unless `fresh` starts from scratch.
    """

    def __init__(
        self, club: Club, folder: Path, announce: Callable[[str], None], *, fresh: bool = False
    ) -> None:
        require_embedded_servers()
        from pbem.extras.embedded.server import EmbeddedMail

        if fresh:
            _throw_away(folder)
        self._club = club
        self._announce = announce
        self._kept = KeptSettings.of(folder)
        self._opened: set[str] = set()
        self._opening = threading.Lock()
        self._mail = EmbeddedMail(
            folder / "mail",
            is_club=lambda address: is_club_address(address, club.addresses),
            take=partial(take, club),
            open_mailbox=self._open_for_a_stranger,
        )

    def __enter__(self) -> Self:
        if self._club.director:
            self._open_mailbox(self._club.director, "the director")
        self._listen()
        self.open_for_new_players()
        for address in tuple(self._kept.passwords):
            self._open_for_a_stranger(address)
        return self

    def _listen(self) -> None:
        """Listen on the ports of the last run, or on others if these are in use."""
        kept = self._kept
        self._mail.smtp_port, self._mail.pop3_port = kept.smtp_port, kept.pop3_port
        try:
            self._mail.start()
        except OSError:
            self._announce(f"port {kept.smtp_port} or {kept.pop3_port} is taken; others are used")
            self._mail.smtp_port = self._mail.pop3_port = 0
            self._mail.start()
        smtp, pop3 = self._mail.smtp_port, self._mail.pop3_port
        kept.listening(smtp, pop3)
        self._announce(f"SMTP {HOST}:{smtp}  POP3 {HOST}:{pop3}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._mail.stop()

    def open_for_new_players(self) -> None:
        """Open a mailbox for every address without one."""
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
        """Open and announce a mailbox, if it is not open. The server's thread may call this."""
        with self._opening:
            if address.casefold() in self._opened:
                return
            password = self._kept.password(address)
            self._opened.add(address.casefold())
            self._mail.add(address, password)
            self._announce(f"mailbox of {owner}: user {address} password {password}")

    def note_all_is_recorded(self) -> None:
        """Record that no email is waiting for the club, so that flags may fall."""
        with writing(self._club) as work:
            work.service.polled(work.now)

    @property
    def servers(self) -> Servers:
        """Return the club's settings for this server."""
        return _servers(self._kept)


def _throw_away(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ConfigError(f"{folder} cannot be removed: {error.strerror}") from error


def embedded_running(config: Config, club: Club, embedded: Embedded) -> Running:
    """Return a club with its embedded mail server."""
    jobs = (
        Job("mailboxes", Every(NEW_PLAYERS_SECONDS), embedded.open_for_new_players),
        Job("mail", Every(config.policy.poll_seconds), embedded.note_all_is_recorded),
    )
    return replace(running(config, club, embedded.servers), extra_jobs=jobs)
