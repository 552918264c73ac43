"""Parts of the club's processes: reading mailboxes, accepting email by LMTP, doing jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.adapters.db.advisory_lock import SessionDuty
from pbem.adapters.db.engine import file_of
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch
from pbem.adapters.lmtp_server import given_sockets, opened
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.ports.process import Duty, Unshared
from pbem.run.bootstrap.servers import Servers
from pbem.run.config import Config, ConfigError, sockets_given
from pbem.run.fetch import ClubMailbox
from pbem.run.serve import Running
from pbem.service.club import Club

if TYPE_CHECKING:
    from pbem.run.lmtp import LmtpIntake
    from pbem.run.worker import Shift


def shift_of(
    config: Config,
    club: Club,
    servers: Servers,
    stop: threading.Event,
    queues: Sequence[str] = (),
    concurrency: int = 0,
) -> tuple[Shift, Callable[[], None]]:
    """Return a worker for a club with a job queue, and a function that cuts its connections.

    Default: all queues, and as many jobs at the same time as configured.
    """
    from pbem.adapters.job_queue import QUEUES
    from pbem.run.worker import Shift, Worker

    club.load_templates()
    transport = SmtpTransport(servers.smtp)
    worker = Worker(club, transport, stop)
    at_once = concurrency or config.jobs.concurrency

    def close() -> None:
        servers.close_tokens()
        transport.close()

    return Shift(worker, config.database_url, tuple(queues) or QUEUES, at_once), close


@contextmanager
def intake_of(config: Config, club: Club) -> Iterator[LmtpIntake | None]:
    """Accept email by LMTP during the block. Yields None if the club does not use LMTP.

    Raises PlaceTaken, and ConfigError if a package is missing.
    """
    if config.lmtp is None:
        yield None
        return
    try:
        from pbem.run.lmtp import LmtpIntake
    except ModuleNotFoundError as error:
        raise ConfigError(f"LMTP needs pbem[lmtp], which is not installed: {error}") from error
    given = sockets_given()
    with given_sockets(given) if given else opened(config.lmtp.place) as listeners:
        most = config.lmtp.connections
        yield LmtpIntake(club, listeners, connections=most, seconds=config.lmtp.timeout_s)


def running(config: Config, club: Club, servers: Servers) -> Running:
    """Return a club with its mail servers."""
    club.load_templates()
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
    """Return the club's mailboxes. One process at a time reads each of them."""
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
    """Return who may read a mailbox. PostgreSQL decides. On SQLite there is only one process."""
    if file_of(config.database_url) is not None:
        return Unshared()
    return SessionDuty(config.database_url, f"mailbox {imap.place}")
