"""`pbem mail login`: get the consent to use a mailbox, and keep its refresh token."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Annotated

import typer

from pbem.adapters.access_tokens import CachedTokens, GrantSettings, RefreshGrant
from pbem.adapters.access_tokens.consent import PATIENCE_S, Granted, Loopback, by_device
from pbem.adapters.imap_mailbox import ImapMailbox
from pbem.adapters.private_folder import make_private
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.adapters.token_login import AccessTokens, TokenError
from pbem.cli.context import ConfigOption, configured
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError
from pbem.run.bootstrap.servers import Servers, servers_of
from pbem.run.config import FIRST_MAILBOX


def login(
    mailbox: Annotated[
        str,
        typer.Option(
            help='For this mailbox: its name in [[imap]], "first" for the one without a name,'
            ' "smtp" for [smtp.oauth].'
        ),
    ] = "",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="The port for the browser to come back to. 0: any."),
    ] = 0,
    device: Annotated[
        bool,
        typer.Option(
            "--device", help="Show a code to enter in any browser instead. Not for Google."
        ),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Get the consent to use a mailbox at Gmail, Microsoft or another provider, in a browser.

    It needs [imap.oauth] in the configuration. A running club uses the new consent within minutes.
    """
    with errors_as_sentences(TokenError):
        settings = configured(config)
        make_private(settings.club.data_dir, settings.database_url)
        servers = servers_of(settings)
        tokens, grant = _chosen(servers.grants, mailbox)
        granted = (
            by_device(grant.settings, typer.echo, time.sleep)
            if device
            else _by_browser(grant.settings, port)
        )
        _require_accepted(servers, tokens, CachedTokens(lambda: grant.issued(granted)))
        grant.kept.replace(granted)
        typer.echo("The consent is kept. Logging in to the mail servers:")
        from pbem.cli.doctor.mail_servers import mail_servers

        findings = list(mail_servers(settings))
    for line in (line for each in findings for line in each.lines):
        typer.echo(line)
    if any(each.trouble for each in findings):
        raise typer.Exit(ExitStatus.MAIL_SERVER)


def _chosen(
    grants: Mapping[AccessTokens, RefreshGrant], mailbox: str
) -> tuple[AccessTokens, RefreshGrant]:
    """Return the account of this mailbox, or the first. Raises RefusedCommand."""
    named = {
        grant.settings.mailbox or FIRST_MAILBOX: (tokens, grant) for tokens, grant in grants.items()
    }
    if not named:
        raise RefusedCommand(
            "no section asks for consent. Write [imap.oauth] into the configuration, with provider"
            " and client_id"
        )
    if mailbox and mailbox not in named:
        raise RefusedCommand(f"{mailbox} needs no consent. These do: {', '.join(named)}")
    return named[mailbox or next(iter(named))]


def _by_browser(settings: GrantSettings, port: int) -> Granted:
    with Loopback(settings, port) as waiting:
        shown = {"user": settings.user, "url": waiting.url, "port": waiting.server_port}
        typer.echo(_BY_BROWSER.format(**shown))
        typed = sys.stdin.fileno() if sys.stdin else None  # None if closed
        code = waiting.code(typed, typer.echo, PATIENCE_S)
    return waiting.granted(code)


_BY_BROWSER = """\
Open this address in a browser and log in as {user}. You have ten minutes.

{url}

If the browser is on another machine, it ends with an error page. Copy the address of that page,
paste it here, and press Enter. Or forward the port before you open the address. Type there:

ssh -L {port}:127.0.0.1:{port} SERVER
"""


def _require_accepted(servers: Servers, old: AccessTokens, new: AccessTokens) -> None:
    """Raise RefusedCommand unless a server accepts the token, which may be for another account."""
    try:
        for imap in (each for each in servers.imaps if each.tokens is old):
            with closing(ImapMailbox(replace(imap, tokens=new))) as mailbox:
                mailbox.open()
            return
        with SmtpTransport(replace(servers.smtp, tokens=new)).connect():
            return
    except (MailboxError, TransportError) as error:
        if getattr(error, "setting", "") not in _AFTER_LOGIN:
            raise RefusedCommand(f"{error} Nothing was changed.") from error


_AFTER_LOGIN = {"folder", "done_folder"}
"""The settings of errors that come after the login."""
