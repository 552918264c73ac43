"""A server that issues access tokens and tells mail servers whose they are.

Every secret in the tests of logging in by token contains the word "canary".
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from ssl import SSLContext
from typing import Any, Final
from urllib.parse import parse_qsl

import pytest

HOST: Final = "127.0.0.1"
CLIENT_ID: Final = "pbem-tests"
CLIENT_SECRET: Final = "canary-client-secret"

CANARIES: Final = ("canary", "Y2FuYXJ5", "NhbmFye", "jYW5hcn")
"""The word, plain and in base64 in each alignment to three octets."""

_SERIAL = count(1)


def tells_a_secret(text: str) -> bool:
    """Return whether a text contains a secret, plain or in base64."""
    return any(canary in text for canary in CANARIES)


class TokenServer:
    """RFC 6749 section 6 at /token, and RFC 7662 in Dovecot's style at /introspect.

    Refresh tokens may be valid for one use. Access tokens are valid until they are withdrawn.
    """

    def __init__(self, context: SSLContext | None = None) -> None:
        self.rotates = False
        self.client_secret = CLIENT_SECRET
        """Empty for a public client."""
        self.lifetime: object = 3600
        self.answers: list[tuple[int, bytes]] = []
        """Status and body to return instead of a token, used up in order. Status 0 hangs up."""
        self.forms: list[dict[str, str]] = []
        """Requests to /token."""
        self.asking = threading.Event()
        """Set when someone asks for a token."""
        self.go_on = threading.Event()
        """While cleared, requests for a token wait."""
        self.go_on.set()
        self._refresh: dict[str, str] = {}
        self._access: dict[str, str] = {}
        self._server = ThreadingHTTPServer((HOST, 0), self._handler())
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "http" if context is None else "https"
        self.url = f"{scheme}://localhost:{self._server.server_address[1]}"

    def consent(self, user: str) -> str:
        """Return a refresh token for a user's mailbox."""
        token = f"canary-refresh-{next(_SERIAL)}"
        self._refresh[token] = user
        return token

    def issue(self, user: str) -> str:
        """Return an access token."""
        token = f"canary-access-{next(_SERIAL)}"
        self._access[token] = user
        return token

    def withdraw_access(self, user: str) -> None:
        """Withdraw a user's access tokens."""
        self._access = {token: name for token, name in self._access.items() if name != user}

    def withdraw_consent(self, user: str) -> None:
        """Withdraw a user's access and refresh tokens."""
        self.withdraw_access(user)
        self._refresh = {token: name for token, name in self._refresh.items() if name != user}

    def owner(self, access_token: str) -> str:
        """Return whose mailbox an access token opens, or an empty string if it is invalid."""
        return self._access.get(access_token, "")

    def _granted(self, form: dict[str, str]) -> tuple[int, bytes]:
        self.forms.append(form)
        self.asking.set()
        self.go_on.wait(10)
        if self.answers:
            return self.answers.pop(0)
        if (form.get("client_id"), form.get("client_secret", "")) != (
            CLIENT_ID,
            self.client_secret,
        ):
            return _json(401, error="invalid_client", error_description="The client is unknown")
        token = form.get("refresh_token", "")
        if form.get("grant_type") != "refresh_token" or token not in self._refresh:
            return _json(400, error="invalid_grant", error_description=f"{token} is revoked.")
        user = self._refresh[token]
        newer = {}
        if self.rotates:
            del self._refresh[token]
            newer = {"refresh_token": self.consent(user)}
        return _json(
            200,
            access_token=self.issue(user),
            token_type="Bearer",
            expires_in=self.lifetime,
            **newer,
        )

    def _introspected(self, access_token: str) -> tuple[int, bytes]:
        user = self.owner(access_token)
        return _json(200, active=True, email=user) if user else _json(401, active=False)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._say(server._granted(dict(parse_qsl(body))))

            def do_GET(self) -> None:
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                self._say(server._introspected(token))

            def _say(self, answer: tuple[int, bytes]) -> None:
                status, body = answer
                if not status:  # hang up
                    return
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                if status // 100 == 3:
                    self.send_header("Location", f"{server.url}/token")
                with suppress(ConnectionError):
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Log nothing."""

        return Handler

    @contextmanager
    def running(self) -> Iterator[TokenServer]:
        """Run the server for the length of the block."""
        serving = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        serving.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


def _json(status: int, **values: Any) -> tuple[int, bytes]:
    return status, json.dumps(values).encode()


@pytest.fixture
def token_server() -> Iterator[TokenServer]:
    """A server of the test's own."""
    with TokenServer().running() as server:
        yield server
