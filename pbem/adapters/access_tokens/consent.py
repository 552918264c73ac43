"""The first consent: in a browser that comes back to this machine (RFC 8252), or by device code."""

from __future__ import annotations

import os
import secrets
import select
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urljoin

from pbem.adapters.access_tokens.endpoint import (
    DeclinedRequest,
    Endpoint,
    ProviderUnavailable,
    refresh_token_in,
    seconds_in,
)
from pbem.adapters.access_tokens.grant import REMEDIES
from pbem.adapters.access_tokens.settings import GrantSettings
from pbem.adapters.connection import ConnectionProblem, in_a_line
from pbem.adapters.token_login import TokenError

PATIENCE_S: Final = 600.0
"""Seconds that someone has to consent."""

_LOOPBACK: Final = "127.0.0.1"
_VISIT_S: Final = 2.0
"""For one request. Browsers also open connections and say nothing."""
_LONGEST_LINE: Final = 64 * 1024

_DEVICE: Final = "urn:ietf:params:oauth:grant-type:device_code"
_INTERVAL_S: Final = 5.0
"""Between two questions, and how much longer after `slow_down` or a failure (RFC 8628 section 3.5).
"""
_SHORTEST_S: Final = 1.0
_LONGEST_CODE_S: Final = 1800.0

_DECLINED: Final = "The consent was declined"
_TOO_LATE: Final = "too_late"
_REASONS: Final = {
    "access_denied": _DECLINED,
    "authorization_declined": _DECLINED,  # Microsoft's name for it
    "expired_token": "Nobody entered the code in time",
    _TOO_LATE: "Nobody consented in time",
    "invalid_grant": "The code of the consent is no longer valid",
}

Granted = dict[str, Any]
"""The provider's answer to a consent (RFC 6749 section 5.1), with a refresh token."""


class Loopback(HTTPServer):
    """One request for consent (RFC 6749 section 4.1, with PKCE: RFC 7636).

    The browser brings the answer to a port of this machine.
    """

    def __init__(self, settings: GrantSettings, port: int = 0) -> None:
        """Listen on this port, or on any free one. Raises TokenError."""
        try:
            super().__init__((_LOOPBACK, port), _Visit)
        except OSError as error:
            sentence = f"Port {port} cannot be used: {error.strerror}. Choose another with --port."
            raise TokenError(ConnectionProblem(sentence)) from error
        self._settings = settings
        # Providers may ignore the port, but must compare the rest (RFC 8252 section 7.3).
        self.redirect_uri = f"http://{settings.provider.loopback}:{self.server_port}"
        self._state = secrets.token_urlsafe(32)
        self.verifier = secrets.token_urlsafe(64)
        self._answer: dict[str, str] = {}

    @property
    def url(self) -> str:
        """Return the address to open in a browser. Raises TokenError."""
        settings = self._settings
        page = settings.authorize_url or settings.provider.authorize_url
        if not page:
            sentence = (
                f"Set authorize_url in {settings.section} to the provider's page for consent."
            )
            raise TokenError(ConnectionProblem(sentence, "authorize_url"))
        challenge = urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=")
        query = {
            "response_type": "code",
            "client_id": settings.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": settings.scope,
            "state": self._state,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
            "login_hint": settings.user,
            **settings.provider.parameters,
        }
        filled = {name: value for name, value in query.items() if value}
        return f"{urljoin(settings.token_url, page)}?{urlencode(filled)}"

    def code(self, typed: int | None, say: Callable[[str], None], patience_s: float) -> str:
        """Wait for the browser, or for its address as a line from a file descriptor.

        Raises TokenError.
        """
        end = time.monotonic() + patience_s
        line = b""
        while not self._answer:
            if (left := end - time.monotonic()) <= 0:
                raise _declined(self._settings, DeclinedRequest(_TOO_LATE))
            sources: list[HTTPServer | int] = [self] if typed is None else [self, typed]
            ready, _, _ = select.select(sources, [], [], left)
            if self in ready:
                self.handle_request()
            elif ready and typed is not None:
                # Not by readline, which may keep a second line where select cannot see it.
                read = os.read(typed, _LONGEST_LINE)
                typed = typed if read else None
                *lines, line = (line + (read or b"\n")).split(b"\n")
                for each in filter(bytes.strip, lines):
                    if not self._answer and (why := self.objection(each.decode(errors="replace"))):
                        say(f"{why} Paste the whole address that the browser shows.")
        if error := self._answer.get("error"):
            description = self._answer.get("error_description", "")
            raise _declined(self._settings, DeclinedRequest(error, description))
        return self._answer["code"]

    def objection(self, address: str) -> str:
        """Take the answer in an address. Return why it is none, otherwise an empty string."""
        # Not by urlsplit, which refuses some addresses.
        pairs = parse_qsl(address.strip().partition("#")[0].partition("?")[2])
        told = dict(pairs)
        if len(told) < len(pairs):
            return "This address has a parameter twice."
        if not secrets.compare_digest(told.get("state", "").encode(), self._state.encode()):
            return "This address does not belong to this login."
        if not told.keys() & {"code", "error"}:
            return "This address has no code."
        self._answer = told
        return ""

    def granted(self, code: str) -> Granted:
        """Exchange a code for tokens (RFC 6749 section 4.1.3). Raises TokenError."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        granted = _asked(self._settings, form, code, self.verifier)
        return _with_refresh_token(self._settings, granted)

    def handle_error(self, *_: object) -> None:
        """Ignore a visitor that hangs up."""


class _Visit(BaseHTTPRequestHandler):
    """One request to the port. Anyone on this machine, and any page in the browser, can make it."""

    server: Loopback
    timeout = _VISIT_S

    def do_GET(self) -> None:
        # A wrong request must not end the wait.
        objection = self.server.objection(self.path)
        text = (
            objection or "pbem has the answer. You can close this page. Continue in the terminal."
        )
        self.send_response(404 if objection else 200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(f"{text}\n".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing, since the line has the code."""


def by_device(
    settings: GrantSettings, say: Callable[[str], None], wait: Callable[[float], None]
) -> Granted:
    """Show a code to enter on any device, and wait for consent (RFC 8628). Raises TokenError."""
    if not settings.provider.device_url:
        sentence = "This provider allows no email by device code. Leave out --device."
        raise TokenError(ConnectionProblem(sentence))
    url = urljoin(settings.token_url, settings.provider.device_url)
    answer = _asked(settings, {"scope": settings.scope}, url=url)
    page = in_a_line(str(answer.get("verification_uri", "")))
    user_code = in_a_line(str(answer.get("user_code", "")))
    say(f"Open {page} in any browser, and log in as {settings.user} with this code:")
    say(f"\n{user_code}\n")
    code = str(answer.get("device_code", ""))
    form = {"grant_type": _DEVICE, "device_code": code}
    interval_s = max(seconds_in(answer, "interval", _INTERVAL_S), _SHORTEST_S)
    left_s = min(seconds_in(answer, "expires_in", PATIENCE_S), _LONGEST_CODE_S)
    while left_s > 0:
        wait(min(interval_s, left_s))
        left_s -= interval_s
        try:
            return _with_refresh_token(settings, Endpoint(settings).asked(form, code))
        except ProviderUnavailable:
            if left_s <= 0:
                raise
            interval_s += _INTERVAL_S
        except DeclinedRequest as declined:
            if declined.error == "slow_down":
                interval_s += _INTERVAL_S
            elif declined.error != "authorization_pending":
                raise _declined(settings, declined) from None
    raise _declined(settings, DeclinedRequest("expired_token"))


def _asked(
    settings: GrantSettings, form: dict[str, str], *secret: str, url: str = ""
) -> dict[str, Any]:
    try:
        return Endpoint(settings, url).asked(form, *secret)
    except DeclinedRequest as declined:
        raise _declined(settings, declined) from None


def _declined(settings: GrantSettings, declined: DeclinedRequest) -> TokenError:
    if reason := _REASONS.get(declined.error):
        return TokenError(ConnectionProblem(f"{reason}. To try again, run {settings.login}."))
    setting, remedy = REMEDIES.get(declined.error, ("", "To try again, run {login}."))
    advice = remedy.format(section=settings.section, login=settings.login)
    sentence = f"{Endpoint(settings).host} gives no consent: {declined} {advice}"
    return TokenError(ConnectionProblem(sentence, setting))


def _with_refresh_token(settings: GrantSettings, granted: Granted) -> Granted:
    if refresh_token_in(granted):
        return granted
    sentence = f"{Endpoint(settings).host} issued no refresh token. Check scope in"
    raise TokenError(ConnectionProblem(f"{sentence} {settings.section}.", "scope"))
