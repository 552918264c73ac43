"""Checks of the mail servers: log in to each, and send trial emails to each club address."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from datetime import timedelta

from pbem.adapters.access_tokens import RefreshGrant
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.adapters.token_login import AccessTokens, TokenError
from pbem.cli.context import opened, servers_in_use
from pbem.cli.doctor.domain import signing
from pbem.cli.doctor.finding import Finding
from pbem.mail.addresses.addressing import bounce_address
from pbem.ports.inbound import Mailbox, MailboxError
from pbem.ports.outbox import Transport, TransportError
from pbem.ports.process import StorageUnavailable
from pbem.run.bootstrap.club import UNIQUE_BYTES
from pbem.run.bootstrap.servers import Servers, servers_of
from pbem.run.config import Config, ConfigError
from pbem.service.club import Club
from pbem.service.delivery.trial_mail import Lookout, Trial, send_trial

REMEDIES = {
    "host": "Set host in {section} to the server name that your provider gives.",
    "port": "Set port in {section}. 0 is the usual port for its security.",
    "user": "Set user in {section} to one that may send from the address in [club].",
    "password": "Set user and password in {section}. Some providers need an app password.",
    "token": "Is user in {section} the mailbox whose owner consented? Did they consent to IMAP and"
    " SMTP, and are both switched on for it? deploy/README.md says where to look.",
    "security": "Set security in {section} to tls, starttls, or none (on loopback only).",
    "ca_file": "Set ca_file in {section} to the certificate of its authority, "
    "or give the server a certificate that this machine trusts.",
    "folder": "Set folder in {section} to an existing folder, or create it.",
    "sender": "Set bounce_addresses in [policy] to false; bounces are identified by their content "
    "then.",
    "done_folder": "Set done_folder in {section} to a folder that can be created, or empty it.",
}
"""How to fix a setting of a mail server."""


EXPIRES_SOON = timedelta(days=14)
_MINUTE = "%Y-%m-%d %H:%M UTC"


def mail_servers(config: Config) -> Iterator[Finding]:
    """Check that each mail server can be reached and does what a club needs."""
    if config.club.embedded:
        yield _own_servers()
        return
    servers = servers_of(config)
    for section, imap in zip(config.imaps, servers.imaps, strict=True):
        with closing(ImapMailbox(imap)) as mailbox:
            name = f"{imap.host}, folder {imap.folder}"
            yield _server(section.title, section.in_file, name, mailbox.open)
    yield from _smtp(config, SmtpTransport(servers.smtp), servers.smtp.host)
    for tokens, grant in servers.grants.items():
        yield from _consent(tokens, grant)


def _consent(tokens: AccessTokens, grant: RefreshGrant) -> Iterator[Finding]:
    """Say until when we can get access tokens. Nothing if we cannot, which was said before."""
    try:
        tokens.current()
    except TokenError:
        return
    settings, renewal = grant.settings, grant.kept.renewal()
    if renewal is None:  # its file cannot be written
        return
    what, at = f"consent in {settings.section}", f"last renewed {renewal.at:{_MINUTE}}"
    if renewal.expires:
        until = f"the {what} expires {renewal.expires:{_MINUTE}}; {at}"
        soon = renewal.expires - renewal.at < EXPIRES_SOON
        advice = f"{until}. Run {settings.login} before then." if soon else ""
        yield Finding("consent", note=until, advice=advice)
    elif unused := settings.provider.unused_days:
        end = renewal.at + timedelta(days=unused)
        yield Finding(
            "consent",
            note=f"the {what} lasts until {end:%Y-%m-%d} if unused, and each renewal extends it;"
            f" {at}",
        )
    else:
        yield Finding("consent", note=f"the provider does not say when the {what} expires; {at}")


def _own_servers() -> Finding:
    """Return the finding for the embedded servers of a club that is for trying out."""
    from pbem.extras.embedded.club import require_embedded_servers

    try:
        require_embedded_servers()
    except ConfigError as error:
        return Finding("mail server", f"{error}")
    return Finding("mail server", note="embedded, for trying out; it starts with pbem serve")


def _smtp(config: Config, transport: SmtpTransport, host: str) -> Iterator[Finding]:
    """Check that emails may be sent from the club's address, and from its bounce addresses."""
    address = config.club.address
    greeted = _server("smtp", "[smtp]", host, lambda: _try_sender(transport, address))
    yield greeted
    if config.policy.bounce_addresses and not greeted.trouble:
        sender = bounce_address(address, "0" * 2 * UNIQUE_BYTES)
        well = "each email may have its own sender address"
        yield _server("policy", "", well, lambda: _try_sender(transport, sender))


def _try_sender(transport: SmtpTransport, sender: str) -> None:
    with transport.connect() as session:
        session.try_sender(sender)


def _server(subject: str, section: str, name: str, visit: Callable[[], object]) -> Finding:
    """Log in to a server. Return the finding, with the setting to fix if it fails."""
    try:
        visit()
    except (MailboxError, TransportError) as error:
        setting = getattr(error, "setting", "") if section else "sender"
        remedy = REMEDIES.get(setting, "").format(section=section)
        return Finding(subject, f"{error} {remedy}".rstrip())
    return Finding(subject, note=name)


WAIT_SECONDS = 60.0
LOOK_SECONDS = 1.0

PLUS_REMEDY = (
    "The mailbox must accept plus-addresses: Postfix and Dovecot need recipient_delimiter = +,"
    " and a provider may have them switched off. Or was it sorted into another folder?"
)
ADDRESS_REMEDY = (
    "Does the address in [club] belong to the mailbox of user in [imap]? Was it sorted into another"
    " folder, such as spam? If it arrives by LMTP, is pbem serve running?"
)


class Arrivals:
    """Trial emails, and how they arrived."""

    def __init__(
        self,
        club: Club,
        address: str,
        mailbox: Mailbox | None,
        transport: Transport,
        announce: Callable[[str], None],
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._club = club
        self._address = address
        self._mailbox = mailbox
        self._transport = transport
        self._announce = announce
        self._wait_seconds = wait_seconds
        self.arrived = b""
        """The email that arrived last, as received."""

    def trouble(self) -> str:
        """Return what is wrong with an address. Empty if email arrives, plus-addressed too.

        Raises MailboxError or TransportError.
        """
        plus = Trial.of(self._club, self._address, plus=True)
        if not (why := self._failure(plus)):
            return ""
        plain = Trial.of(self._club, self._address, plus=False)
        if not (deeper := self._failure(plain)):
            arrives = f"email to {plain.recipient} arrives, but not to {plus.recipient}"
            return f"{arrives}: {why} {PLUS_REMEDY}"
        return f"email to {plain.recipient} does not arrive: {deeper} {ADDRESS_REMEDY}"

    def _failure(self, trial: Trial) -> str:
        """Return why a trial did not arrive, empty if it did."""
        lookout = Lookout(self._club, self._mailbox, trial)
        seconds = f"{self._wait_seconds:.0f} seconds"
        self._announce(f"sending an email to {trial.recipient}, which has {seconds} to arrive")
        began = time.monotonic()
        if refusal := send_trial(self._club, self._transport, trial):
            return f"the server rejected it: {refusal}"
        while (sighting := lookout.look()) is None:
            if time.monotonic() - began > self._wait_seconds:
                return f"nothing arrived within {seconds}."
            time.sleep(LOOK_SECONDS)
        if sighting.bounce:
            return f"it bounced: {sighting.bounce}"
        self.arrived = sighting.raw
        self._announce(f"it arrived after {time.monotonic() - began:.0f} s")
        return ""


def trial_mails(config: Config, announce: Callable[[str], None]) -> Iterator[Finding]:
    """Check that email to each address of the club arrives, to plus-addresses too."""
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
    yield Finding("mail", note="emails arrive, at plus-addresses of the club too")
    yield from signing(config, arrived)


def _by_address(config: Config, servers: Servers) -> Iterator[tuple[str, ImapSettings | None]]:
    """Yield every address of the club, and the mailbox that should get its email, if any."""
    own = [each.address or config.club.address for each in config.imaps]
    for address in config.addresses:
        to_first = not servers.imaps or address not in own
        at = 0 if to_first else own.index(address)
        yield address, servers.imaps[at] if servers.imaps else None
