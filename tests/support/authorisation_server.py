"""A server that asks for consent and checks every parameter of what it is sent.

It refuses anything that differs from its registration, and anything said twice.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import urllib3

from tests.support.token_server import CLIENT_ID, CLIENT_SECRET, TokenServer

GOOGLE: Final = {"access_type": "offline", "prompt": "consent"}
GOOGLE_SCOPE: Final = "https://mail.google.com/"
MICROSOFT_SCOPE: Final = (
    "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send"
    " offline_access"
)
DEVICE: Final = "urn:ietf:params:oauth:grant-type:device_code"

_SERIAL = count(1)


@dataclass(frozen=True)
class Registration:
    """What the server knows about its only client, and what the user does."""

    scope: str = GOOGLE_SCOPE
    client_secret: str = CLIENT_SECRET
    parameters: Mapping[str, str] = field(default_factory=lambda: GOOGLE)
    redirect_host: str = "127.0.0.1"
    mailbox: str = "club@games.example"
    """The login hint that it expects."""
    user: str = ""
    """Who logs in, if not the mailbox's owner."""
    error: str = ""
    """The error to answer a request for consent with."""
    further: Mapping[str, object] = field(default_factory=dict)
    """More members of its answers."""
    without_refresh_token: bool = False
    pending: tuple[str, ...] = ()
    """Answers to the first questions about a device code: errors, or HTTP statuses. 0 hangs up."""
    code_lifetime: int = 900
    """Seconds for which a device code is valid."""


MICROSOFT: Final = Registration(
    MICROSOFT_SCOPE, client_secret="", parameters={}, redirect_host="localhost"
)


@dataclass
class _Device:
    interval: float
    not_before: float
    expires: float
    pending: list[str]


class AuthorisationServer(TokenServer):
    """RFC 6749 section 4.1 with RFC 7636 at /authorize and /token, RFC 8628 at /devicecode."""

    def __init__(self) -> None:
        super().__init__()
        self.objections: list[str] = []
        """Why it refused requests."""
        self.now = 0.0
        """Its clock, for device codes."""
        self.codes: list[str] = []
        """Every code it issued."""
        self.registered(Registration())

    def registered(self, registration: Registration) -> None:
        """Expect another client from now on."""
        self.client = registration
        self.client_secret = registration.client_secret
        self.objections.clear()
        self.codes.clear()
        self._codes: dict[str, tuple[str, str]] = {}
        self._spent: dict[str, str] = {}
        self._devices: dict[str, _Device] = {}

    def wait(self, seconds: float) -> None:
        """Let time pass for device codes."""
        self.now += seconds

    def consented(self, url: str) -> str:
        """Open a page of consent as a browser does. Return the address it leads to, or fail."""
        answer = visited(url)
        assert answer.status == 302, self.objections
        return str(answer.headers["Location"])

    # Requests for consent

    def _authorised(self, query: str) -> tuple[int, str]:
        """Return the status, and where the browser is sent, or why not."""
        try:
            asked = _each_once(query)
        except ValueError as error:
            return 400, str(error)
        client = self.client
        exact = {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "scope": client.scope,
            "code_challenge_method": "S256",
            "login_hint": client.mailbox,
            **client.parameters,
        }
        forms = {
            "redirect_uri": rf"http://{re.escape(client.redirect_host)}:[1-9]\d{{3,4}}",
            "state": r"[A-Za-z0-9_-]{32,}",
            "code_challenge": r"[A-Za-z0-9_-]{43}",
        }
        if asked.keys() != exact.keys() | forms.keys():
            return 400, f"not the parameters: {sorted(asked)}"
        for name, value in exact.items():
            if asked[name] != value:
                return 400, f"{name} is not {value}"
        for name, form in forms.items():
            if not re.fullmatch(form, asked[name]):
                return 400, f"{name} has not the form {form}"
        answer = {"state": asked["state"]}
        if client.error:
            answer["error"] = client.error
        else:
            answer["code"] = f"canary-code-{next(_SERIAL)}"
            self.codes.append(answer["code"])
            self._codes[answer["code"]] = asked["redirect_uri"], asked["code_challenge"]
        # Microsoft adds the slash that the registered address lacks, as browsers do.
        return 302, f"{asked['redirect_uri']}/?{urlencode(answer)}"

    # Tokens

    def _granted(self, form: dict[str, str]) -> tuple[int, bytes]:
        kind = form.get("grant_type", "")
        exchange = {"authorization_code": self._by_code, DEVICE: self._by_device}.get(kind)
        if exchange is None:
            status, body = super()._granted(form)
            if status != 200 or not self.client.further:
                return status, body
            return status, json.dumps({**json.loads(body), **self.client.further}).encode()
        self.forms.append(form)
        if objection := self._wrong_client(form):
            return self._refused("invalid_client", objection)
        return exchange(form)

    def _wrong_client(self, form: dict[str, str]) -> str:
        if form.get("client_id") != CLIENT_ID:
            return "client_id is not ours"
        # A public client must not send an empty secret either.
        given = form.get("client_secret")
        return "" if given == (self.client_secret or None) else "client_secret is wrong"

    def _by_code(self, form: dict[str, str]) -> tuple[int, bytes]:
        if form.keys() - {"client_id", "client_secret"} != {
            "grant_type",
            "code",
            "redirect_uri",
            "code_verifier",
        }:
            return self._refused("invalid_request", f"not the parameters: {sorted(form)}")
        code = form["code"]
        if code in self._spent:  # RFC 6749 section 4.1.2: it was stolen
            self._refresh.pop(self._spent[code], None)
        if code not in self._codes:
            return self._refused("invalid_grant", f"The code {code} is unknown or spent.")
        redirect_uri, challenge = self._codes.pop(code)
        if form["redirect_uri"] != redirect_uri:
            return self._refused("invalid_grant", "redirect_uri differs from the first one")
        verifier = form["code_verifier"]
        digest = urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
        if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier) or digest != challenge:
            return self._refused("invalid_grant", "code_verifier does not match")
        status, body = self._consent_of()
        self._spent[code] = json.loads(body).get("refresh_token", "")
        return status, body

    def _consent_of(self) -> tuple[int, bytes]:
        user = self.client.user or self.client.mailbox
        answer: dict[str, object] = {
            "access_token": self.issue(user),
            "token_type": "Bearer",
            "expires_in": 3599,
            "scope": self.client.scope,
            **self.client.further,
        }
        if not self.client.without_refresh_token:
            answer["refresh_token"] = self.consent(user)
        return 200, json.dumps(answer).encode()

    # Device codes

    def _device(self, form: dict[str, str]) -> tuple[int, bytes]:
        if objection := self._wrong_client(form):
            return self._refused("invalid_client", objection)
        if form.keys() - {"client_id", "client_secret"} != {"scope"}:
            return self._refused("invalid_request", f"not the parameters: {sorted(form)}")
        if form["scope"] != self.client.scope:
            return self._refused("invalid_scope", "scope is wrong")
        code = f"canary-device-{next(_SERIAL)}"
        self._devices[code] = _Device(
            5, self.now + 5, self.now + self.client.code_lifetime, list(self.client.pending)
        )
        answer = {
            "device_code": code,
            "user_code": "HQRT-PLVW",
            "verification_uri": "https://microsoft.example/devicelogin",
            "expires_in": self.client.code_lifetime,
            "interval": 5,
            "message": "Not shown",
        }
        return 200, json.dumps(answer).encode()

    def _by_device(self, form: dict[str, str]) -> tuple[int, bytes]:
        if form.keys() - {"client_id", "client_secret"} != {"grant_type", "device_code"}:
            return self._refused("invalid_request", f"not the parameters: {sorted(form)}")
        device = self._devices.get(form["device_code"])
        if device is None:
            return self._refused("invalid_grant", "device_code is unknown or spent")
        if device.pending and device.pending[0].isdigit():
            return int(device.pending.pop(0)), b""
        too_early = self.now < device.not_before
        if too_early:
            self.objections.append("asked too early")
        if self.now >= device.expires:
            return self._refused("expired_token", "")
        answer = "slow_down" if too_early else (device.pending.pop(0) if device.pending else "")
        if answer == "slow_down":
            device.interval += 5
        device.not_before = self.now + device.interval
        if answer:
            return 400, json.dumps({"error": answer}).encode()
        del self._devices[form["device_code"]]
        return self._consent_of()

    def _refused(self, error: str, why: str) -> tuple[int, bytes]:
        self.objections.append(why)
        return 400, json.dumps({"error": error, "error_description": why}).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self
        plain: Any = super()._handler()

        class Handler(plain):  # type: ignore[misc]
            def do_GET(self) -> None:  # noqa: N802
                page = urlsplit(self.path)
                if page.path != "/authorize":
                    super().do_GET()
                    return
                status, said = server._authorised(page.query)
                if status != 302:
                    server.objections.append(said)
                self.send_response(status)
                self.send_header("Location" if status == 302 else "X-Objection", said)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_POST(self) -> None:  # noqa: N802
                kind = self.headers["Content-Type"]
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                if kind != "application/x-www-form-urlencoded":
                    self._say(server._refused("invalid_request", f"not a form: {kind}"))
                    return
                try:
                    form = _each_once(body)
                except ValueError as error:
                    self._say(server._refused("invalid_request", str(error)))
                    return
                asked = {"/token": server._granted, "/devicecode": server._device}[self.path]
                self._say(asked(form))

        return Handler

    @contextmanager
    def running(self) -> Iterator[AuthorisationServer]:
        """Run the server for the length of the block."""
        with super().running():
            yield self


def _each_once(text: str) -> dict[str, str]:
    """Return parameters, none of which may be empty or appear twice (RFC 6749 section 3.1)."""
    pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True)
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a parameter appears twice")
    if not all(value for _, value in pairs):
        raise ValueError("a parameter is empty")
    return dict(pairs)


def visited(url: str) -> urllib3.BaseHTTPResponse:
    """Open an address as a browser does, without following where it leads."""
    with urllib3.PoolManager(timeout=10, retries=False) as pool:
        return pool.request("GET", url, redirect=False)


@pytest.fixture
def authority() -> Iterator[AuthorisationServer]:
    """A server of the test's own."""
    with AuthorisationServer().running() as server:
        yield server
