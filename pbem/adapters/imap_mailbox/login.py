"""Saying who we are: by password, or by access token."""

from __future__ import annotations

from imapclient.exceptions import IMAPClientAbortError, LoginError

from pbem.adapters.bearer import MECHANISMS, Exchange, TokenRefused, chosen, secrets_of
from pbem.adapters.connection import Trouble, hushed
from pbem.adapters.imap_mailbox.settings import ImapError, ImapSettings
from pbem.adapters.imap_mailbox.wire import Client, sentence


def log_in(client: Client, settings: ImapSettings, token: str) -> None:
    """Raises LoginError, or TokenRefused if it was by token."""
    if token:
        _by_token(client, settings, token)
    # LOGIN carries ASCII only; PLAIN carries UTF-8 (RFC 4616) and is what RFC 9051 prefers.
    elif client.has_capability("AUTH=PLAIN"):
        client.plain_login(settings.user, settings.password)
    elif client.has_capability("LOGINDISABLED"):
        raise ImapError(Trouble(f"{settings.host} takes no login without TLS.", "security"))
    else:
        client.login(settings.user, settings.password)


def _by_token(client: Client, settings: ImapSettings, token: str) -> None:
    mechanism = chosen([each for each in MECHANISMS if client.has_capability(f"AUTH={each}")])
    if mechanism is None:
        what = f"{settings.host} offers no login by access token"
        raise ImapError(Trouble(f"{what} ({' or '.join(MECHANISMS)}).", "password"))
    exchange = Exchange(mechanism, settings, token)
    try:
        client.sasl_login(mechanism, exchange.answer)
    except LoginError as error:
        broke_off = isinstance(error.__context__, IMAPClientAbortError)
        # Some hang up on a token that they refuse, but have reported the reason before.
        if unavailable(error) or (broke_off and not exchange.report):
            raise
        said = sentence(hushed(f"{error} {exchange.report}".strip(), secrets_of(settings, token)))
        what = f"{settings.host} refuses the access token of {settings.user}"
        raise TokenRefused(Trouble(f"{what}: {said}", "token")) from error


def unavailable(error: LoginError) -> bool:
    """Whether the server cannot tell for now (RFC 5530 section 3): no login is to blame."""
    return "[UNAVAILABLE]" in str(error).upper()
