"""Check by mail: whether what is sent to the club arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext

from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.bootstrap import Servers
from pbem.cli.context import opened, servers_in_use
from pbem.cli.doctor import signing
from pbem.cli.doctor.finding import Finding
from pbem.cli.trial import Arrivals
from pbem.config import Config
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError
from pbem.ports.process import StorageUnavailable


def look(config: Config, announce: Callable[[str], None]) -> Iterator[Finding]:
    """Whether mail to each address of the club arrives, to a plus-address too."""
    servers = servers_in_use(config)
    transport = SmtpTransport(servers.smtp)
    arrived = b""
    with opened(config) as club:
        for address, imap in _by_address(config, servers):
            with nullcontext() if imap is None else closing(ImapMailbox(imap)) as mailbox:
                arrivals = Arrivals(club, address, mailbox, transport, announce)
                try:
                    trouble = arrivals.trouble()
                except (MailboxError, TransportError, StorageUnavailable) as error:
                    trouble = str(error)
            arrived = arrivals.arrived
            if trouble:
                yield Finding("mail", trouble)
                return
    yield Finding("mail", note="it arrives, at plus-addresses of the club too")
    yield from signing.look(config, arrived)


def _by_address(config: Config, servers: Servers) -> Iterator[tuple[str, ImapSettings | None]]:
    """Every address of the club, and the mailbox to which its mail is to come, if it is to any."""
    own = [each.address or config.club.address for each in config.imaps]
    for address in config.addresses:
        to_first = not servers.imaps or address not in own
        at = 0 if to_first else own.index(address)
        yield address, servers.imaps[at] if servers.imaps else None
