"""A connection to the IMAP server that opens when needed and closes after any error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from typing import Final

from imapclient.exceptions import (
    CapabilityError,
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
)

from pbem.adapters.connection import (
    Backoff,
    ConnectionProblem,
    ServerLine,
    fit_to_show,
    hushed,
    trouble_of,
)
from pbem.adapters.imap_mailbox.settings import ImapError, ImapSettings
from pbem.adapters.imap_mailbox.wire import ImapConnection, sentence
from pbem.adapters.token_login import (
    MECHANISMS,
    Exchange,
    TokenError,
    TokenRefused,
    chosen,
    logged_in,
    secrets_of,
)

_GOODBYE_S: Final = 2.0
"""Maximum seconds to wait for the server's goodbye."""


class Link:
    """One logged-in connection at a time. After failures it delays new attempts."""

    def __init__(self, settings: ImapSettings, monotonic: Callable[[], float]) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._backoff = Backoff()
        self._last = ""
        self._line = ServerLine(settings.timeout_s)
        self._secrets: list[str] = []
        self._client: ImapConnection | None = None
        self.busy = threading.RLock()
        """Held during a conversation that must not be mixed with another."""

    @property
    def live(self) -> bool:
        """Return whether there is a connection that is not known to be lost."""
        return self._client is not None

    def backing_off(self) -> float:
        """Return the seconds until the next attempt may be made."""
        return self._backoff.remaining(self._monotonic())

    def healthy(self) -> None:
        """Record that the server works, so that the next failure counts as the first."""
        self._backoff.succeeded()

    def connect(self) -> None:
        """Connect and log in. Raises ImapError."""
        if wait := self.backing_off():
            raise ImapError(
                ConnectionProblem(f"{self._last} The next attempt is in {ceil(wait)} s.")
            )
        with self.busy, self._ending_on_error():
            # Made first, so that `close` works while we wait for a token.
            self._line = ServerLine(self._settings.timeout_s)
            if self._settings.tokens is None:
                self._begin()
            else:
                logged_in(self._settings.tokens, self._begin)

    def _begin(self, token: str = "") -> None:
        """Open a new connection, since some servers hang up after refusing a login."""
        self._hang_up()
        self._secrets = secrets_of(self._settings, token)
        self._client = ImapConnection(self._settings, self._line)
        if self._settings.security == "starttls":
            self._client.secure()
        log_in(self._client, self._settings, token)

    @contextmanager
    def talking(self) -> Iterator[ImapConnection]:
        """Return the connection for a few commands. Any error closes it and raises ImapError."""
        with self.busy:
            if self._client is None:
                raise ImapError(ConnectionProblem("The mailbox is not open."))
            with self._ending_on_error():
                yield self._client

    @contextmanager
    def _ending_on_error(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001
            # Deliberately broad: on garbage, the libraries raise whatever they trip over.
            trouble = _explained(error, self._settings, self._secrets)
            self._drop()
            self._last = trouble.sentence
            self._backoff.failed(self._monotonic())
            raise ImapError(trouble) from fit_to_show(error, self._secrets)
        except BaseException:
            # Half a conversation is of no use.
            self._drop()
            raise

    def close(self) -> None:
        """Close the connection, with a goodbye if it is idle. Never raises."""
        if not self.busy.acquire(blocking=False):
            self._line.cut()
            return
        try:
            self._say_goodbye()
        finally:
            self.busy.release()

    def _say_goodbye(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                # RFC 9051 section 3.4: a client should not just hang up.
                self._client.patience(_GOODBYE_S)
                self._client.logout()
        self._drop()

    def _drop(self) -> None:
        self._hang_up()
        self._line.cut()

    def _hang_up(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client.shutdown()
        self._client = None


def _explained(error: Exception, settings: ImapSettings, secrets: list[str]) -> ConnectionProblem:
    trouble = _trouble(error, settings, hushed(str(error), secrets))
    return trouble._replace(sentence=hushed(trouble.sentence, secrets))


def _trouble(error: Exception, settings: ImapSettings, text: str) -> ConnectionProblem:
    host, said = settings.host, sentence(text)
    match error:
        case ImapError():
            return ConnectionProblem(text, error.setting)
        case TokenError():
            return error.trouble
        case LoginError() if unavailable(error):
            return ConnectionProblem(
                f"{host} cannot check the login of {settings.user} now: {said}"
            )
        case LoginError() if not isinstance(error.__context__, IMAPClientAbortError):
            return ConnectionProblem(
                f"{host} refuses the login of {settings.user}: {said}", "password"
            )
        case CapabilityError():
            return ConnectionProblem(f"{host} does not offer STARTTLS on this port.", "security")
        case IMAPClientAbortError() | LoginError():
            return ConnectionProblem(f"The connection to {host} broke: {said}")
        case IMAPClientError():
            return ConnectionProblem(f"{host} says: {said}")
        case UnicodeError():
            return ConnectionProblem(
                f"{host} accepts only ASCII letters in a password.", "password"
            )
    return trouble_of(error, host, settings.port)


def log_in(client: ImapConnection, settings: ImapSettings, token: str) -> None:
    """Log in. Raises LoginError, or TokenRefused if a token was used."""
    if token:
        _by_token(client, settings, token)
    # LOGIN is ASCII only. PLAIN allows UTF-8 (RFC 4616) and is what RFC 9051 prefers.
    elif client.has_capability("AUTH=PLAIN"):
        client.plain_login(settings.user, settings.password)
    elif client.has_capability("LOGINDISABLED"):
        raise ImapError(
            ConnectionProblem(f"{settings.host} accepts no login without TLS.", "security")
        )
    else:
        client.login(settings.user, settings.password)


def _by_token(client: ImapConnection, settings: ImapSettings, token: str) -> None:
    mechanism = chosen([each for each in MECHANISMS if client.has_capability(f"AUTH={each}")])
    if mechanism is None:
        what = f"{settings.host} does not offer login by access token"
        raise ImapError(ConnectionProblem(f"{what} ({' or '.join(MECHANISMS)}).", "password"))
    exchange = Exchange(mechanism, settings, token)
    try:
        client.sasl_login(mechanism, exchange.answer)
    except LoginError as error:
        broke_off = isinstance(error.__context__, IMAPClientAbortError)
        # Some hang up after refusing a token, but have sent the reason before.
        if unavailable(error) or (broke_off and not exchange.report):
            raise
        said = sentence(hushed(f"{error} {exchange.report}".strip(), secrets_of(settings, token)))
        what = f"{settings.host} refuses the access token of {settings.user}"
        raise TokenRefused(ConnectionProblem(f"{what}: {said}", "token")) from error


def unavailable(error: LoginError) -> bool:
    """Return whether the login failed because of a temporary problem (RFC 5530 section 3)."""
    return "[UNAVAILABLE]" in str(error).upper()
