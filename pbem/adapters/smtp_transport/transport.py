"""Connections to the SMTP server, one per batch."""

from __future__ import annotations

import smtplib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import ceil
from typing import Final

from pbem.adapters.connection import (
    AuthorityError,
    Backoff,
    ConnectionProblem,
    ServerLine,
    fit_to_show,
    full_stop,
    hushed,
    in_a_line,
)
from pbem.adapters.smtp_transport.session import SmtpSession
from pbem.adapters.smtp_transport.settings import SmtpError, SmtpSettings
from pbem.adapters.smtp_transport.wire import SmtpClient, explained, reply_in
from pbem.adapters.token_login import (
    MECHANISMS,
    Exchange,
    TokenError,
    TokenRefused,
    chosen,
    logged_in,
    secrets_of,
)

_OF_THE_LOGIN: Final = {"password", "token"}


class SmtpTransport:
    """The SMTP server, with one connection per batch."""

    def __init__(
        self, settings: SmtpSettings, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._backoff = Backoff()
        self._last = ConnectionProblem("")
        self._guard = threading.Lock()
        self._lines: set[ServerLine] = set()

    @contextmanager
    def connect(self) -> Iterator[SmtpSession]:
        with self._line() as line:
            session = SmtpSession(self._connected(line), self._settings)
            try:
                yield session
            except BaseException:
                # It may be in the middle of an email, where QUIT would become a line of it.
                session.drop()
                raise
            session.quit()

    def _connected(self, line: ServerLine) -> SmtpClient:
        """Connect, after a pause if a login was refused. Providers lock accounts that insist."""
        if wait := self._backoff.remaining(self._monotonic()):
            pause = f"{full_stop(self._last.sentence)} The next attempt is in {ceil(wait)} s."
            raise SmtpError(self._last._replace(sentence=pause))
        try:
            smtp = connected(self._settings, line)
        except SmtpError as error:
            if error.setting in _OF_THE_LOGIN:
                self._last = ConnectionProblem(str(error), error.setting)
                self._backoff.failed(self._monotonic())
            raise
        self._backoff.succeeded()
        return smtp

    @contextmanager
    def _line(self) -> Iterator[ServerLine]:
        line = ServerLine(self._settings.timeout_s)
        with self._guard:
            self._lines.add(line)
        try:
            yield line
        finally:
            with self._guard:
                self._lines.discard(line)
            line.cut()

    def close(self) -> None:
        """Cut every open connection, also from another thread. Never raises."""
        with self._guard:
            for line in self._lines:
                line.cut()


def connected(settings: SmtpSettings, line: ServerLine) -> SmtpClient:
    """Return a session that is ready for email. Raises SmtpError."""
    attempt = partial(_attempt, settings, line)
    if settings.tokens is None or not settings.user:
        return attempt("")
    try:
        return logged_in(settings.tokens, attempt)
    except TokenError as error:
        raise SmtpError(error.trouble) from error.__cause__


def _attempt(settings: SmtpSettings, line: ServerLine, token: str) -> SmtpClient:
    """Open a new connection, since some servers hang up after refusing a login."""
    client: SmtpClient | None = None
    try:
        client = SmtpClient(settings, line)
        _greet(client, settings, token)
    except Exception as error:
        if client is not None:
            client.close()
        if not isinstance(error, _EXPECTED):
            raise
        secrets = secrets_of(settings, token)
        raise SmtpError(explained(error, settings, secrets)) from fit_to_show(error, secrets)
    return client


_EXPECTED = (smtplib.SMTPException, OSError, ValueError, AuthorityError)


def _greet(client: SmtpClient, settings: SmtpSettings, token: str) -> None:
    code, text = client.connect(settings.host, settings.port)
    if code != 220:
        raise smtplib.SMTPConnectError(code, text)
    if settings.security == "starttls":
        client.secure()
    client.ehlo_or_helo_if_needed()
    if token:
        _log_in_by_token(client, settings, token)
    elif settings.user:
        client.login(settings.user, settings.password)


def _log_in_by_token(client: SmtpClient, settings: SmtpSettings, token: str) -> None:
    mechanism = chosen(client.esmtp_features.get("auth", "").split())
    if mechanism is None:
        what = f"{settings.host} does not offer login by access token"
        raise SmtpError(ConnectionProblem(f"{what} ({' or '.join(MECHANISMS)}).", "password"))
    exchange = Exchange(mechanism, settings, token)
    try:
        client.auth(mechanism, exchange.answer)
    except smtplib.SMTPAuthenticationError as error:
        reply = reply_in(error)
        if reply.kind != 5:
            raise
        said = in_a_line(hushed(f"{reply} {exchange.report}", secrets_of(settings, token)))
        what = f"{settings.host} refuses the access token of {settings.user}"
        raise TokenRefused(ConnectionProblem(f"{what}: {full_stop(said)}", "token")) from None
