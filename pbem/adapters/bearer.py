"""Logging in by access token: XOAUTH2, as Gmail and Microsoft have it, and OAUTHBEARER (RFC 7628).

What the IMAP and the SMTP adapter share; neither knows where the tokens come from.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from typing import Final, Literal, Protocol, TypeVar

from pbem.adapters.connection import ConnectionProblem, in_a_line

T = TypeVar("T")

Mechanism = Literal["XOAUTH2", "OAUTHBEARER"]

MECHANISMS: Final[Sequence[Mechanism]] = ("XOAUTH2", "OAUTHBEARER")
"""In the order in which they are chosen: the older one is what the big providers document."""


class AccessTokens(Protocol):
    """The access tokens of one account (RFC 6749 section 1.4), for every thread that logs in."""

    def current(self) -> str:
        """One that should be good; raises TokenError."""

    def refused(self, token: str) -> bool:
        """A server has refused this one; says whether it is worth asking for another."""

    def close(self) -> None:
        """The club ends: whoever waits for one waits no longer. Never raises."""


class TokenError(Exception):
    """No access token can be had; its words hold no secret."""

    def __init__(self, trouble: ConnectionProblem) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


class TokenRefused(TokenError):
    """A mail server does not take an access token."""


def logged_in(tokens: AccessTokens, attempt: Callable[[str], T]) -> T:
    """What an attempt with a token returns; a token that is refused is replaced once.

    Nobody is told beforehand when a token is withdrawn, or when two clocks disagree.
    """
    token = tokens.current()
    try:
        return attempt(token)
    except TokenRefused:
        if not tokens.refused(token) or (newer := tokens.current()) == token:
            raise
    return attempt(newer)


def chosen(offered: Collection[str]) -> Mechanism | None:
    """The mechanism to use with a server that offers these."""
    names = {name.upper() for name in offered}
    return next((mechanism for mechanism in MECHANISMS if mechanism in names), None)


class LoginAccount(Protocol):
    """Who we are at a server; the settings of both adapters are one."""

    @property
    def host(self) -> str:
        """Name of the server."""

    @property
    def port(self) -> int:
        """Where it listens."""

    @property
    def user(self) -> str:
        """Whose mailbox it is."""

    @property
    def password(self) -> str:
        """Empty where a token logs in."""


class Exchange:
    """What a client says in one login.

    That is one message. Whoever challenges it has refused the token and tells why; that wants an
    answer before it becomes a plain no: an empty one in XOAUTH2, a lone ^A in OAUTHBEARER (RFC
    7628 section 3.2.3).
    """

    def __init__(self, mechanism: Mechanism, account: LoginAccount, token: str) -> None:
        self.mechanism = mechanism
        self._message = _message(mechanism, account, token)
        self._dummy = "" if mechanism == "XOAUTH2" else "\1"
        self._said = False
        self.report = ""
        """Why the server refuses, in its words."""

    def answer(self, challenge: bytes | None = None) -> str:
        """The next thing to say; the first one whether asked for or not."""
        if not self._said:
            self._said = True
            return self._message
        self.report = _report(challenge or b"")
        return self._dummy


def _message(mechanism: Mechanism, account: LoginAccount, token: str) -> str:
    if mechanism == "XOAUTH2":
        return f"user={account.user}\1auth=Bearer {token}\1\1"
    # RFC 5801 section 4: in the name, "=" and "," are escaped.
    name = account.user.replace("=", "=3D").replace(",", "=2C")
    where = f"host={account.host}\1port={account.port}\1"
    return f"n,a={name},\1{where}auth=Bearer {token}\1\1"


def secrets_of(account: LoginAccount, token: str = "") -> list[str]:
    """All that is secret in a login, in every form in which a server may repeat it."""
    plain = f"\0{account.user}\0{account.password}" if account.password else ""
    messages = [_message(each, account, token) for each in MECHANISMS] if token else []
    return spellings(account.password, plain, token, *messages)


def spellings(*secrets: str) -> list[str]:
    """Secrets, and how they look in base64, for `hushed`."""
    return [form for text in secrets if text for form in (text, b64encode(text.encode()).decode())]


def _report(challenge: bytes) -> str:
    """What a server says of an error, which should be a JSON object of strings."""
    try:
        report = json.loads(challenge)
        text = ", ".join(f"{key} {value}" for key, value in report.items())
    except (ValueError, AttributeError, RecursionError):
        text = challenge.decode(errors="replace")
    return in_a_line(text)
