"""Check by email: send trial emails to the club and see whether they arrive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext

from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.bootstrap import Servers
from pbem.cli.context import opened, servers_in_use
from pbem.cli.doctor import signing
from pbem.cli.doctor.finding import Finding
from pbem.config import Config
from pbem.ports.inbound import Mailbox, MailboxError
from pbem.ports.outbox import Transport, TransportError
from pbem.ports.process import StorageUnavailable
from pbem.service.club import Club
from pbem.service.delivery.trial_mail import Lookout, Trial, send_trial


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


WAIT_SECONDS = 60.0
LOOK_SECONDS = 1.0

PLUS_REMEDY = (
    "The mailbox must take plus-addresses: Postfix and Dovecot do with recipient_delimiter = +;"
    " a provider may have them switched off. Or was it sorted into another folder?"
)
ADDRESS_REMEDY = (
    "Is address in [club] that of the mailbox of user in [imap]? Or was it sorted into another"
    " folder, such as one for spam? Where it is handed over by LMTP, does pbem serve run?"
)


class Arrivals:
    """How trials went."""

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
        """The mail that came last, as it came."""

    def trouble(self) -> str:
        """What is wrong with the address, empty if mail to it arrives, plus-addressed too.

        Raises MailboxError or TransportError.
        """
        plus = Trial.of(self._club, self._address, plus=True)
        if not (why := self._failure(plus)):
            return ""
        plain = Trial.of(self._club, self._address, plus=False)
        if not (deeper := self._failure(plain)):
            return (
                f"mail to {plain.recipient} arrives, to {plus.recipient} not: {why} {PLUS_REMEDY}"
            )
        return f"mail to {plain.recipient} does not arrive: {deeper} {ADDRESS_REMEDY}"

    def _failure(self, trial: Trial) -> str:
        """Why a trial did not arrive, empty if it did."""
        lookout = Lookout(self._club, self._mailbox, trial)
        seconds = f"{self._wait_seconds:.0f} seconds"
        self._announce(f"a mail goes to {trial.recipient}; it has {seconds} to arrive")
        began = time.monotonic()
        if refusal := send_trial(self._club, self._transport, trial):
            return f"the server did not take it: {refusal}"
        while (sighting := lookout.look()) is None:
            if time.monotonic() - began > self._wait_seconds:
                return f"nothing came within {seconds}."
            time.sleep(LOOK_SECONDS)
        if sighting.bounce:
            return f"it came back: {sighting.bounce}"
        self.arrived = sighting.raw
        self._announce(f"it arrived after {time.monotonic() - began:.0f} s")
        return ""
