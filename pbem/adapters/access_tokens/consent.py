"""The first consent: in a browser that comes back to this machine (RFC 8252), or by device code."""

from __future__ import annotations

import os
import secrets
import select
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from pbem.adapters.access_tokens.endpoint import (
    DeclinedRequest,
    Endpoint,
    refresh_token_in,
    seconds_in,
)
from pbem.adapters.access_tokens.grant import REMEDIES
from pbem.adapters.access_tokens.settings import GrantSettings
from pbem.adapters.connection import ConnectionProblem, in_a_line
from pbem.adapters.token_login import TokenError

PATIENCE_S: Final = 600.0
"""How long someone has to consent."""

_LOOPBACK: Final = "127.0.0.1"
_VISIT_S: Final = 2.0
"""For one request. Browsers also open connections and say nothing."""
_LONGEST_LINE: Final = 64 * 1024

_DEVICE: Final = "urn:ietf:params:oauth:grant-type:device_code"
_INTERVAL_S: Final = 5.0
"""Between two questions, and how much longer after `slow_down` (RFC 8628 section 3.5)."""
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


class NotTheAnswer(Exception):
    """Raised by an address that does not belong to our request. The text says why."""


@dataclass(frozen=True)
class Authorization:
    """One request for consent (RFC 6749 section 4.1.1), with PKCE (RFC 7636)."""

    settings: GrantSettings
    redirect_uri: str
    state: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(64), repr=False)

    @property
    def url(self) -> str:
        """Return the address to open in a browser. Raises TokenError."""
        settings = self.settings
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
            "state": self.state,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
            "login_hint": settings.user,
            **settings.provider.parameters,
        }
        filled = {name: value for name, value in query.items() if value}
        return f"{urljoin(settings.token_url, page)}?{urlencode(filled)}"

    def code_in(self, address: str) -> str:
        """Return the code in the address to which a browser was sent.

        Raises NotTheAnswer if the address is not the answer to this request, and TokenError if the
        answer is no.
        """
        try:
            answer = parse_qs(urlsplit(address.strip()).query, strict_parsing=True)
        except ValueError:
            answer = {}
        if any(len(values) > 1 for values in answer.values()):
            raise NotTheAnswer("This address has a parameter twice.")
        told = {name: values[0] for name, values in answer.items()}
        if not secrets.compare_digest(told.get("state", "").encode(), self.state.encode()):
            raise NotTheAnswer("This address does not belong to this login.")
        if error := told.get("error"):
            description = told.get("error_description", "")
            raise _declined(self.settings, DeclinedRequest(error, description))
        if not told.get("code"):
            raise NotTheAnswer("This address has no code.")
        return told["code"]

    def granted(self, code: str) -> Granted:
        """Exchange a code for tokens (RFC 6749 section 4.1.3). Raises TokenError."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        try:
            granted = Endpoint(self.settings).asked(form, code, self.verifier)
        except DeclinedRequest as declined:
            raise _declined(self.settings, declined) from None
        return _with_refresh_token(self.settings, granted)


class Loopback(HTTPServer):
    """A port of this machine to which the browser comes back once."""

    def __init__(self, settings: GrantSettings, port: int = 0) -> None:
        """Listen on this port, or on any free one. Raises TokenError."""
        try:
            super().__init__((_LOOPBACK, port), _Visit)
        except OSError as error:
            sentence = f"Port {port} cannot be used: {error.strerror}. Choose another with --port."
            raise TokenError(ConnectionProblem(sentence)) from error
        host = settings.provider.loopback
        self.authorization = Authorization(settings, f"http://{host}:{self.server_port}/")
        self._answer: str | TokenError = ""

    def code(self, typed: int | None, say: Callable[[str], None], patience_s: float) -> str:
        """Wait for the browser, or for its address as a line from a file descriptor.

        Raises TokenError.
        """
        end = time.monotonic() + patience_s
        line = b""
        while not self._answer:
            if (left := end - time.monotonic()) <= 0:
                raise _declined(self.authorization.settings, DeclinedRequest(_TOO_LATE))
            sources: list[HTTPServer | int] = [self] if typed is None else [self, typed]
            ready, _, _ = select.select(sources, [], [], left)
            if self in ready:
                self.handle_request()
            elif ready and typed is not None:
                # Not by readline, which may keep a second line where select cannot see it.
                read = os.read(typed, _LONGEST_LINE)
                typed = typed if read else None
                *lines, line = (line + (read or b"\n")).split(b"\n")
                self._take(lines, say)
        if isinstance(self._answer, TokenError):
            raise self._answer
        return self._answer

    def _take(self, lines: Iterable[bytes], say: Callable[[str], None]) -> None:
        for line in filter(bytes.strip, lines):
            if not (objection := self.objection(line.decode(errors="replace"))):
                return
            say(f"{objection} Paste the whole address that the browser shows.")

    def objection(self, address: str) -> str:
        """Take the answer in an address. Return why it is none, otherwise an empty string."""
        try:
            self._answer = self.authorization.code_in(address)
        except NotTheAnswer as error:
            return f"{error}"
        except TokenError as error:
            self._answer = error
        return ""

    def handle_error(self, *_: object) -> None:
        """Ignore a visitor that hangs up."""


class _Visit(BaseHTTPRequestHandler):
    """One request to the port. Anyone on this machine, and any page in the browser, can make it."""

    server: Loopback
    timeout = _VISIT_S

    def do_GET(self) -> None:
        # A wrong request must not end the wait.
        objection = self.server.objection(self.path)
        self.send_response(404 if objection else 200)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        text = (
            objection or "pbem has the answer. You can close this page. Continue in the terminal."
        )
        self.wfile.write(f"{text}\n".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing, since the line has the code."""


_HEADERS: Final = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class DeviceCode:
    """A code to enter on any other device (RFC 8628)."""

    def __init__(self, settings: GrantSettings) -> None:
        """Ask for a code. Raises TokenError."""
        if not settings.provider.device_url:
            sentence = "This provider allows no email by device code. Leave out --device."
            raise TokenError(ConnectionProblem(sentence))
        self._settings = settings
        url = urljoin(settings.token_url, settings.provider.device_url)
        try:
            answer = Endpoint(settings, url).asked({"scope": settings.scope})
        except DeclinedRequest as declined:
            raise _declined(settings, declined) from None
        self.page = in_a_line(str(answer.get("verification_uri", "")))
        self.user_code = in_a_line(str(answer.get("user_code", "")))
        self._code = str(answer.get("device_code", ""))
        interval_s = seconds_in(answer, "interval", _INTERVAL_S)
        self._interval_s = min(max(interval_s, _SHORTEST_S), _LONGEST_CODE_S)
        self._left_s = min(seconds_in(answer, "expires_in", PATIENCE_S), _LONGEST_CODE_S)

    def granted(self, wait: Callable[[float], None]) -> Granted:
        """Ask until the user has consented. Raises TokenError."""
        form = {"grant_type": _DEVICE, "device_code": self._code}
        while self._left_s > 0:
            wait(self._interval_s)
            self._left_s -= self._interval_s
            try:
                granted = Endpoint(self._settings).asked(form, self._code)
            except DeclinedRequest as declined:
                if declined.error == "slow_down":
                    self._interval_s += _INTERVAL_S
                elif declined.error != "authorization_pending":
                    raise _declined(self._settings, declined) from None
            else:
                return _with_refresh_token(self._settings, granted)
        raise _declined(self._settings, DeclinedRequest("expired_token"))


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
