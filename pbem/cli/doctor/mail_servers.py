"""Checks of the mail servers: what mail comes from, and what it goes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from pbem.adapters.imap_mailbox import ImapMailbox
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.bootstrap import UNIQUE_BYTES, servers_of
from pbem.cli.doctor.finding import Finding
from pbem.config import Config, ConfigError
from pbem.mail.addresses.addressing import bounce_address
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError

REMEDIES = {
    "host": "Set host in {section} to the name of the server as your provider tells it.",
    "port": "Set port in {section}; 0 is the usual one for its security.",
    "user": "Set user in {section} to one that may send as the address in [club].",
    "password": "Set user and password in {section}; some providers want an app password.",
    "token": "Is user in {section} the mailbox whose owner consented, did they consent to IMAP "
    "and SMTP, and are both switched on for it? deploy/README.md tells where to look.",
    "security": "Set security in {section} to tls, starttls or (on loopback) none.",
    "ca_file": "Set ca_file in {section} to the certificate of the authority that signed it, "
    "or let the server have a certificate that this machine trusts.",
    "folder": "Set folder in {section} to a folder that exists, or make it.",
    "sender": "Set bounce_addresses in [policy] to false; bounces are identified by their content "
    "then.",
    "done_folder": "Set done_folder in {section} to a folder that can be made, or to nothing.",
}
"""What to do about a setting of a mail server."""


def look(config: Config) -> Iterator[Finding]:
    """Whether each can be reached and does what a club wants of it."""
    if config.club.embedded:
        yield _own_servers()
        return
    servers = servers_of(config)
    for section, imap in zip(config.imaps, servers.imaps, strict=True):
        with closing(ImapMailbox(imap)) as mailbox:
            name = f"{imap.host}, folder {imap.folder}"
            yield _server(section.title, section.in_file, name, mailbox.open)
    yield from _smtp(config, SmtpTransport(servers.smtp), servers.smtp.host)


def _own_servers() -> Finding:
    """Of a club that is for trying out."""
    from pbem.extras.embedded.club import require_embedded_servers

    try:
        require_embedded_servers()
    except ConfigError as error:
        return Finding("mail server", f"{error}")
    return Finding("mail server", note="its own, for trying out; it starts with pbem serve")


def _smtp(config: Config, transport: SmtpTransport, host: str) -> Iterator[Finding]:
    """Whether mail may go out from the club's address, and from those that bounces come to."""
    address = config.club.address
    greeted = _server("smtp", "[smtp]", host, lambda: _try_sender(transport, address))
    yield greeted
    if config.policy.bounce_addresses and not greeted.trouble:
        sender = bounce_address(address, "0" * 2 * UNIQUE_BYTES)
        well = "a mail may go out from an address of its own"
        yield _server("policy", "", well, lambda: _try_sender(transport, sender))


def _try_sender(transport: SmtpTransport, sender: str) -> None:
    with transport.connect() as session:
        session.try_sender(sender)


def _server(subject: str, section: str, name: str, visit: Callable[[], object]) -> Finding:
    """A visit to a server, and what is to be set where it fails."""
    try:
        visit()
    except (MailboxError, TransportError) as error:
        setting = getattr(error, "setting", "") if section else "sender"
        remedy = REMEDIES.get(setting, "").format(section=section)
        return Finding(subject, f"{error} {remedy}".rstrip())
    return Finding(subject, note=name)
