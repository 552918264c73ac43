"""Logging in by access token, for the IMAP and SMTP adapters.

Supports XOAUTH2 of Gmail and Microsoft, and OAUTHBEARER (RFC 7628). Tokens may come from anywhere.
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
"""In order of preference. The older one is what the big providers document."""


class AccessTokens(Protocol):
    """The access tokens of one account (RFC 6749 section 1.4), for all threads."""

    def current(self) -> str:
        """Return a token that should be valid. Raises TokenError."""

    def refused(self, token: str) -> bool:
        """Report a token that a server refused. Return whether asking for another may help."""

    def close(self) -> None:
        """Stop all waiting for tokens, since the club ends. Never raises."""


class TokenError(Exception):
    """Raised if no access token is available. The text has no secret."""

    def __init__(self, trouble: ConnectionProblem) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


class TokenRefused(TokenError):
    """Raised if a mail server refuses an access token."""


def logged_in(tokens: AccessTokens, attempt: Callable[[str], T]) -> T:
    """Run an attempt with a token and return its result. Replaces a refused token once.

    A token can be withdrawn without notice, or two clocks can disagree.
    """
    token = tokens.current()
    try:
        return attempt(token)
    except TokenRefused:
        if not tokens.refused(token) or (newer := tokens.current()) == token:
            raise
    return attempt(newer)


def chosen(offered: Collection[str]) -> Mechanism | None:
    """Return the mechanism to use with a server that offers these, None if none fits."""
    names = {name.upper() for name in offered}
    return next((mechanism for mechanism in MECHANISMS if mechanism in names), None)


class LoginAccount(Protocol):
    """Our account at a server, as the settings of both adapters define it."""

    @property
    def host(self) -> str:
        """Return the name of the server."""

    @property
    def port(self) -> int:
        """Return the port of the server."""

    @property
    def user(self) -> str:
        """Return the user name of the mailbox."""

    @property
    def password(self) -> str:
        """Return the password, empty if a token is used."""


class Exchange:
    """One login exchange of a client.

    It consists of one message. A server that then sends a challenge has refused the token and says
    why. It expects an answer before the final refusal: empty in XOAUTH2, a single ^A in OAUTHBEARER
    (RFC 7628 section 3.2.3).
    """

    def __init__(self, mechanism: Mechanism, account: LoginAccount, token: str) -> None:
        self.mechanism = mechanism
        self._message = _message(mechanism, account, token)
        self._dummy = "" if mechanism == "XOAUTH2" else "\1"
        self._said = False
        self.report = ""
        """Why the server refuses, in its words."""

    def answer(self, challenge: bytes | None = None) -> str:
        """Return the next answer. The first is the message, asked for or not."""
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
    """Return all secrets of a login in every form in which a server may repeat them."""
    plain = f"\0{account.user}\0{account.password}" if account.password else ""
    messages = [_message(each, account, token) for each in MECHANISMS] if token else []
    return spellings(account.password, plain, token, *messages)


def spellings(*secrets: str) -> list[str]:
    """Return secrets and their base64 forms, for `hushed`."""
    return [form for text in secrets if text for form in (text, b64encode(text.encode()).decode())]


def _report(challenge: bytes) -> str:
    """Return a server's error report, which should be a JSON object of strings."""
    try:
        report = json.loads(challenge)
        text = ", ".join(f"{key} {value}" for key, value in report.items())
    except (ValueError, AttributeError, RecursionError):
        text = challenge.decode(errors="replace")
    return in_a_line(text)
