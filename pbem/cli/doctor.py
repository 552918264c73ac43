"""`pbem doctor`: looks at everything the club needs, and says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pbem.accounts import own_name
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.adapters.private_folder import FolderUnusable
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.bootstrap import UNIQUE_BYTES, Servers, servers_of
from pbem.cli.context import ConfigOption, opened, servers_in_use
from pbem.cli.listing import minute
from pbem.cli.statuses import ExitStatus
from pbem.cli.terminal import printable
from pbem.cli.trial import Arrivals
from pbem.cli.troubles import LOOKED_BACK, lines_of
from pbem.config import Config, ConfigError, find_config, load_config
from pbem.mail.addresses.addressing import bounce_address
from pbem.service.delivery.waiting import waiting
from pbem.service.ports import (
    HANDED_OVER,
    LISTENS,
    Line,
    MailboxError,
    SchemaDiffers,
    StorageUnavailable,
    TransportError,
    TroubledMail,
)
from pbem.service.room.room import Room
from pbem.service.work import reading

REMEDIES = {
    "host": "Set host in [{section}] to the name of the server as your provider tells it.",
    "port": "Set port in [{section}]; 0 is the usual one for its security.",
    "user": "Set user in [{section}] to one that may send as the address in [club].",
    "password": "Set user and password in [{section}]; some providers want an app password.",
    "token": "Is user in [{section}] the mailbox whose owner consented, did they consent to IMAP "
    "and SMTP, and are both switched on for it? deploy/README.md tells where to look.",
    "security": "Set security in [{section}] to tls, starttls or (on loopback) none.",
    "ca_file": "Set ca_file in [{section}] to the certificate of the authority that signed it, "
    "or let the server have a certificate that this machine trusts.",
    "folder": "Set folder in [{section}] to a folder that exists, or make it.",
    "sender": "Set bounce_addresses in [policy] to false; bounces are identified by their content "
    "then.",
    "done_folder": "Set done_folder in [{section}] to a folder that can be made, or to nothing.",
}
"""What to do about a setting of a mail server."""


LATELY = timedelta(minutes=10)
"""Whose heart has beaten within that time is alive."""


class Finding(NamedTuple):
    """What came of one check."""

    subject: str
    trouble: str = ""
    """Empty if all is well."""
    note: str = ""


def doctor(
    send: Annotated[
        bool,
        typer.Option("--send", help="Send a mail to a plus-address of the club, and wait for it."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Check configuration, database, IMAP, SMTP and clock, and say what to do."""
    bad = False
    for finding in examine(config, send=send):
        mark, text = ("BAD", finding.trouble) if finding.trouble else ("ok ", finding.note)
        typer.echo(f"{mark}  {finding.subject}: {text}")
        bad = bad or bool(finding.trouble)
    if bad:
        raise typer.Exit(ExitStatus.REFUSED)


def examine(path: Path | None, *, send: bool = False) -> Iterator[Finding]:
    """Every check whose grounds are sound."""
    try:
        found = find_config(path)
        settings = load_config(found)
    except ConfigError as error:
        yield Finding("configuration", str(error))
        return
    yield Finding("configuration", note=str(found))
    troubles = ""
    for finding in _grounds(settings):
        troubles += finding.trouble
        yield finding
    if send and troubles:
        yield Finding("mail", "none is sent before the rest is well.")
    elif send:
        yield _trial(settings)


def _grounds(settings: Config) -> Iterator[Finding]:
    """What a club needs before it can write to anybody."""
    yield from _storage(settings)
    if settings.club.embedded:
        yield _own_servers()
        return
    servers = servers_of(settings)
    if settings.lmtp is not None:
        yield _handed_over(settings, settings.lmtp.listen)
    for imap in servers.imaps:
        with closing(ImapMailbox(imap)) as mailbox:
            section = f"imap {imap.name}".strip()
            yield _server(section, f"{imap.host}, folder {imap.folder}", mailbox.open)
    yield from _smtp(settings, SmtpTransport(servers.smtp), servers.smtp.host)


def _handed_over(settings: Config, listen: str) -> Finding:
    """Whether somebody takes what the mail server hands over, if the club is served at all."""
    try:
        with opened(settings) as club, reading(club) as work:
            lately, beat = work.now - LATELY, work.service.last_beat()
            listened = work.service.last_poll((LISTENS,))
            complete = work.service.last_poll((HANDED_OVER,))
    except (StorageUnavailable, OSError):  # told already
        return Finding("lmtp", note=f"mail is handed over at {listen}")
    if beat is not None and beat > lately and (listened is None or listened < lately):
        since = "" if listened is None else f" since {listened:%Y-%m-%d %H:%M} UTC"
        return Finding(
            "lmtp",
            f"nobody has taken mail at {listen}{since}, and no flag falls meanwhile."
            " Start pbem lmtp, or pbem serve anew.",
        )
    waits = "; no flag falls before the mail server has tried again what may wait there"
    behind = listened is not None and (complete is None or complete < lately)
    return Finding("lmtp", note=f"mail is handed over at {listen}{waits if behind else ''}")


def _own_servers() -> Finding:
    """Of a club that is for trying out."""
    from pbem.embedded import require_embedded_servers

    try:
        require_embedded_servers()
    except ConfigError as error:
        return Finding("mail server", f"{error}")
    return Finding("mail server", note="its own, for trying out; it starts with pbem serve")


def _trial(settings: Config) -> Finding:
    """Whether mail to the club arrives, to a plus-address too."""
    servers = servers_in_use(settings)
    transport = SmtpTransport(servers.smtp)
    with opened(settings) as club:
        for address, imap in _by_address(settings, servers):
            with nullcontext() if imap is None else closing(ImapMailbox(imap)) as mailbox:
                arrivals = Arrivals(club, address, mailbox, transport, _tell_step)
                try:
                    trouble = arrivals.trouble()
                except (MailboxError, TransportError, StorageUnavailable) as error:
                    trouble = str(error)
            if trouble:
                return Finding("mail", trouble)
    return Finding("mail", note="it arrives, at plus-addresses of the club too")


def _by_address(settings: Config, servers: Servers) -> Iterator[tuple[str, ImapSettings | None]]:
    """Every address of the club, and the mailbox to which its mail is to come, if it is to any."""
    own = [each.address or settings.club.address for each in settings.imaps]
    for address in settings.addresses:
        to_first = not servers.imaps or address not in own
        at = 0 if to_first else own.index(address)
        yield address, servers.imaps[at] if servers.imaps else None


def _tell_step(step: str) -> None:
    typer.echo(f"     {step}")


def _smtp(settings: Config, transport: SmtpTransport, host: str) -> Iterator[Finding]:
    """Whether mail may go out from the club's address, and from those that bounces come to."""
    address = settings.club.address
    greeted = _server("smtp", host, lambda: _try_sender(transport, address))
    yield greeted
    if settings.policy.bounce_addresses and not greeted.trouble:
        sender = bounce_address(address, "0" * 2 * UNIQUE_BYTES)
        yield _server(
            "policy",
            "a mail may go out from an address of its own",
            lambda: _try_sender(transport, sender),
        )


def _try_sender(transport: SmtpTransport, sender: str) -> None:
    with transport.connect() as session:
        session.try_sender(sender)


def _storage(settings: Config) -> Iterator[Finding]:
    try:
        with opened(settings) as club, reading(club) as work:
            last_beat = work.service.last_beat()
            lost = work.outbox.troubled(club.clock.now() - LOOKED_BACK, MOST_LOOKED_AT)
            held_up = [each.line for each in waiting(work) if work.club.policy.rates.any]
    except FolderUnusable as error:
        yield Finding("data", str(error))
        return
    except SchemaDiffers as error:
        yield Finding("database", f"{error}.")
        return
    except (StorageUnavailable, OSError) as error:
        yield Finding("database", f"{error}. Look at url in [database] and data_dir in [club].")
        return
    folder = settings.club.data_dir
    yield Finding("data", note=f"{folder} is closed to all but {own_name()}")
    yield Finding("database", note="its schema is up to date")
    if club.room is not None:
        yield _reading_room(club.room, settings.site_dir, elsewhere=settings.has_queue)
    now = club.clock.now()
    if last_beat is not None and last_beat > now:
        yield Finding(
            "clock",
            f"it is {now:%Y-%m-%d %H:%M} UTC here, but the service was alive at "
            f"{last_beat:%Y-%m-%d %H:%M} UTC. Set the clock of this machine, best by NTP.",
        )
    else:
        yield Finding("clock", note=f"it is {now:%Y-%m-%d %H:%M} UTC")
    if lost:
        yield _outbox(club.director, lost)
    if held_up:
        yield _held_up(held_up, now)


def _reading_room(room: Room, folder: Path, *, elsewhere: bool) -> Finding:
    """Whether pages can be written where the configuration wants them.

    Of several machines that have the same configuration, one writes them.
    """
    if elsewhere and not folder.exists():
        return Finding("reading room", note=f"{folder} is not here; another machine has it")
    try:
        with room.store.alone():
            pass
    except OSError as error:
        trouble = f"{folder} cannot be written: {error.strerror}. Look at folder in [site]."
        return Finding("reading room", trouble)
    return Finding("reading room", note=f"its pages go to {folder}")


MOST_LOOKED_AT = 100


def _outbox(director: str, lost: list[TroubledMail]) -> Finding:
    """What did not arrive; that it was no mail to the director nobody else would tell."""
    of_director = [each for each in lost if each.failed_at and each.recipient == director]
    if of_director:
        (newest,) = lines_of(of_director[:1])
        trouble = f"{newest}. Let that address take the club's mail, or set director in [club]."
        return Finding("outbox", printable(trouble))
    waiting = sum(each.failed_at is None for each in lost)
    (newest,) = lines_of(lost[:1])
    are = "1 refused mail is" if waiting == 1 else f"{waiting} refused mails are"
    have = "1 has" if len(lost) - waiting == 1 else f"{len(lost) - waiting} have"
    counts = f"{are} tried again, {have} failed of late"
    return Finding("outbox", note=printable(f"{counts}; the newest: {newest}"))


LONG = timedelta(hours=1)
"""For so long mail may wait for its turn before somebody should know."""


def _held_up(lines: list[Line], now: datetime) -> Finding:
    """What the club may not send as fast as it writes."""
    mails, since = sum(line.mails for line in lines), min(line.since for line in lines)
    waits = "1 mail waits" if mails == 1 else f"{mails} mails wait"
    text = f"{waits} to go, the oldest since {minute(since)}; pbem mail waiting lists them"
    if now - since < LONG:
        return Finding("limits", note=text)
    remedy = "Set rate, day_rate and domain_rates in [smtp] to what your provider allows."
    return Finding("limits", f"{text}. {remedy}")


def _server(section: str, name: str, visit: Callable[[], object]) -> Finding:
    try:
        visit()
    except (MailboxError, TransportError) as error:
        setting = "sender" if section == "policy" else getattr(error, "setting", "")
        remedy = REMEDIES.get(setting, "").format(section=section)
        return Finding(section, f"{error} {remedy}".rstrip())
    return Finding(section, note=name)
