"""Bootstrap: the only place where ports get their adapters."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from pbem.adapters.access_tokens import (
    PROVIDERS,
    CachedTokens,
    GrantSettings,
    KeptToken,
    RefreshGrant,
    TokenCommand,
)
from pbem.adapters.archive_files import FileArchive
from pbem.adapters.bearer import AccessTokens
from pbem.adapters.clock import SystemClock
from pbem.adapters.db import SessionDuty, file_of, open_storage
from pbem.adapters.folder_lock import FolderLock
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch
from pbem.adapters.lmtp_server import given_sockets, opened
from pbem.adapters.private_folder import make_private
from pbem.adapters.processes import Processes
from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.archive.site.values import Site
from pbem.config import (
    Config,
    ConfigError,
    ImapSection,
    OAuthSection,
    ServerSection,
    environment_without_settings,
    sockets_given,
)
from pbem.fetch import ClubMailbox
from pbem.mail.addresses.addressing import Signer
from pbem.mail.outgoing.mailto import mailto
from pbem.mail.outgoing.render import of_the_club
from pbem.mail.proof.authentication import ProofRule
from pbem.serve import Running
from pbem.service.club import Club, Joining, Policy
from pbem.service.ports import Duty, JobQueue, Unshared
from pbem.service.room.room import Public, Room

if TYPE_CHECKING:
    from pbem.lmtp import Intake
    from pbem.worker import Shift

UNIQUE_BYTES = 10


@dataclass(frozen=True)
class Servers:
    """Where the club's mail comes from and goes to."""

    imaps: tuple[ImapSettings, ...]
    smtp: SmtpSettings

    @property
    def imap(self) -> ImapSettings:
        """The first mailbox."""
        return self.imaps[0]

    def close_tokens(self) -> None:
        """Whoever waits for an access token waits no longer, and gets none."""
        for tokens in (*(each.tokens for each in self.imaps), self.smtp.tokens):
            if tokens is not None:
                tokens.close()


def build_club(config: Config) -> Club:
    """The club with its database, brought to the newest schema; raises StorageUnavailable."""
    make_private(config.club.data_dir, config.database_url)
    storage = open_storage(config.database_url, config.archive_dir, _queue(config))
    return Club(
        name=config.club.name,
        address=config.club.address,
        director=config.club.director,
        language=config.club.language,
        storage=storage,
        clock=SystemClock(),
        archive=FileArchive(config.archive_dir),
        signer=Signer(config.club.secrets, config.club.secret_version),
        renderer=of_the_club(),
        unique=lambda: secrets.token_hex(UNIQUE_BYTES),
        chance=secrets.randbelow,
        policy=_policy(config),
        workers=Processes(),
        witness=storage.clock if config.has_queue else None,
        holidays=config.club.calendar,
        more_addresses=config.addresses[1:],
        intakes=config.intakes,
        room=_room(config),
    )


def _queue(config: Config) -> JobQueue | None:
    """Where jobs wait, if they do; raises ConfigError where what it needs is not installed."""
    if not config.has_queue:
        return None
    try:
        from pbem.adapters.job_queue import ProcrastinateQueue
    except ModuleNotFoundError as error:
        raise ConfigError(f"the queue of jobs needs pbem[postgresql]: {error}") from error
    return ProcrastinateQueue()


def _room(config: Config) -> Room | None:
    """The reading room, unless another machine has it."""
    if not config.site.enabled:
        return None
    inside = config.site_dir.is_relative_to(config.club.data_dir)
    return Room(
        site=Site(config.club.name, config.club.address, config.site_url, _join_link(config)),
        # In the data folder no web server could read it anyway.
        store=FileArchive(config.site_dir, public=not inside),
        public=Public(config.site.public),
        delay=config.site.delay,
        version=metadata.version("pbem"),
    )


def _join_link(config: Config) -> str:
    """What a reader of the reading room taps to join; empty unless everybody may."""
    if Joining(config.club.joining) is not Joining.OPEN:
        return ""
    return mailto(config.club.address, "join", "join YOUR NAME")


def served_alone(config: Config, *, embedded: bool) -> AbstractContextManager[object]:
    """A block in which nobody else serves the club, where two would harm; raises AlreadyServed.

    Two may share PostgreSQL and a mailbox. On SQLite they would only wait for each other, and two
    embedded mail servers would each get a part of the mail.
    """
    database = file_of(config.database_url)
    if database is None and not embedded:
        return nullcontext()
    folder_of_it = config.club.data_dir if database is None else database.parent
    return FolderLock(folder_of_it / "serve.lock")


def _policy(config: Config) -> Policy:
    section = config.policy
    return Policy(
        joining=Joining(config.club.joining),
        leave_days=config.club.leave_days,
        mails_an_hour=section.mails_an_hour,
        match_mails_an_hour=section.match_mails_an_hour,
        parked_days=section.parked_days,
        bounce_addresses=section.bounce_addresses,
        proof=ProofRule(section.proof),
        trusted_hosts=section.trusted_hosts,
        open_offers=section.open_offers,
        running_matches=section.running_matches,
        rates=config.smtp.rates,
    )


def servers_of(config: Config) -> Servers:
    """The mail servers of the configuration."""
    smtp, imaps = config.smtp, tuple(_imap(config, each) for each in config.imaps)
    # Shared where they can be: a provider may let each refresh token be used but once.
    same = _logs_in_alike(smtp, config.imap)
    smtp_tokens = imaps[0].tokens if same and imaps else _tokens(config, smtp, "smtp")
    return Servers(
        imaps,
        SmtpSettings(
            host=smtp.host,
            port=smtp.port or _smtp_port(smtp),
            user=smtp.user,
            password=smtp.password.get_secret_value(),
            security=smtp.security,
            timeout_s=smtp.timeout_s,
            ca_file=smtp.ca_file,
            tokens=smtp_tokens,
        ),
    )


def _imap(config: Config, imap: ImapSection) -> ImapSettings:
    return ImapSettings(
        host=imap.host,
        port=imap.port or (993 if imap.security == "tls" else 143),
        user=imap.user,
        password=imap.password.get_secret_value(),
        security=imap.security,
        folder=imap.folder,
        done_folder=imap.done_folder,
        timeout_s=imap.timeout_s,
        ca_file=imap.ca_file,
        name=imap.name,
        place=imap.place,
        tokens=_tokens(config, imap, imap.title),
    )


def _logs_in_alike(smtp: ServerSection, imap: ServerSection) -> bool:
    """Whether what logs in to IMAP is to log in to SMTP, which may have no way of its own."""
    own = smtp.password.get_secret_value() or smtp.token_command or smtp.oauth
    if own:
        return (smtp.token_command, smtp.oauth) == (imap.token_command, imap.oauth)
    return bool(smtp.user)


def _tokens(config: Config, server: ServerSection, name: str) -> AccessTokens | None:
    if server.token_command:
        environment = environment_without_settings()
        command = TokenCommand(server.token_command, name, environment, server.timeout_s)
        return CachedTokens(command, close=command.close)
    if server.oauth is None:
        return None
    settings = _grant_settings(server, server.oauth, name)
    kept = KeptToken(config.club.data_dir / "oauth", settings)
    return CachedTokens(RefreshGrant(settings, kept))


def _grant_settings(server: ServerSection, oauth: OAuthSection, name: str) -> GrantSettings:
    preset = PROVIDERS[oauth.provider] if oauth.provider else None
    return GrantSettings(
        token_url=oauth.token_url or (preset.token_url if preset else ""),
        client_id=oauth.client_id,
        client_secret=oauth.client_secret.get_secret_value(),
        refresh_token=oauth.refresh_token.get_secret_value(),
        scope=oauth.scope or (preset.scope if preset else ""),
        section=f"{name}.oauth",
        timeout_s=server.timeout_s,
        ca_file=server.ca_file,
    )


def _smtp_port(smtp: ServerSection) -> int:
    return {"tls": 465, "starttls": 587, "none": 25}[smtp.security]


def shift_of(
    config: Config,
    club: Club,
    servers: Servers,
    stop: threading.Event,
    queues: Sequence[str] = (),
    concurrency: int = 0,
) -> tuple[Shift, Callable[[], None]]:
    """A worker of a club that has a queue of jobs, and what cuts its connections.

    Without queues it does all jobs; without a number as many at once as configured.
    """
    from pbem.adapters.job_queue import QUEUES
    from pbem.worker import Shift, Worker

    transport = SmtpTransport(servers.smtp)
    worker = Worker(club, transport, stop)
    at_once = concurrency or config.jobs.concurrency

    def close() -> None:
        servers.close_tokens()
        transport.close()

    return Shift(worker, config.database_url, tuple(queues) or QUEUES, at_once), close


@contextmanager
def intake_of(config: Config, club: Club) -> Iterator[Intake | None]:
    """What takes mail by LMTP, as long as the block; None where nobody hands any over.

    Raises PlaceTaken, and ConfigError where what it needs is not installed.
    """
    if config.lmtp is None:
        yield None
        return
    try:
        from pbem.lmtp import Intake
    except ModuleNotFoundError as error:
        raise ConfigError(f"LMTP needs pbem[lmtp]: {error}") from error
    given = sockets_given()
    with given_sockets(given) if given else opened(config.lmtp.place) as listeners:
        yield Intake(club, listeners)


def running(config: Config, club: Club, servers: Servers) -> Running:
    """A club at its mail servers."""
    transport = SmtpTransport(servers.smtp)
    return Running(
        club=club,
        mailboxes=mailboxes_of(config, servers),
        transport=transport,
        close_transport=transport.close,
        close_tokens=servers.close_tokens,
        poll_seconds=config.policy.poll_seconds,
    )


def mailboxes_of(config: Config, servers: Servers) -> tuple[ClubMailbox, ...]:
    """The club's mailboxes, each to be read by one process at a time."""
    places = [each.place for each in servers.imaps]
    return tuple(
        ClubMailbox(
            mailbox=ImapMailbox(each),
            watch=ImapWatch(each),
            name=each.name,
            elsewhere=tuple(place for place in places if place != each.place),
            duty=_duty(config, each),
        )
        for each in servers.imaps
    )


def _duty(config: Config, imap: ImapSettings) -> Duty:
    """On PostgreSQL the database knows who reads; on SQLite one process does everything."""
    if file_of(config.database_url) is not None:
        return Unshared()
    return SessionDuty(config.database_url, f"mailbox {imap.place}")
