"""Mail servers that require access tokens: a Dovecot and an SMTP server."""

from __future__ import annotations

import imaplib
import json
import os
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from aiosmtpd.smtp import MISSING, SMTP, AuthResult, Envelope, Session
from typer.testing import CliRunner, Result

from pbem.adapters.access_tokens import GrantSettings
from pbem.cli import command_line
from tests.support.authorisation_server import AuthorisationServer, Registration
from tests.support.certificates import Certificates
from tests.support.dovecot import Dovecot, missing, running
from tests.support.smtp import SmtpServer
from tests.support.token_server import CLIENT_ID, CLIENT_SECRET, TokenServer, tells_a_secret

AT_ONCE = 10.0


@dataclass
class TokenDovecot:
    """A Dovecot that accepts no passwords, and the server that checks its tokens."""

    dovecot: Dovecot
    authority: AuthorisationServer

    def grant_settings(self, refresh_token: str) -> GrantSettings:
        """Return the settings for getting access tokens."""
        url = f"{self.authority.url}/token"
        return GrantSettings(url, CLIENT_ID, refresh_token, CLIENT_SECRET, timeout_s=5)


@pytest.fixture(scope="session")
def _token_dovecot(certificates: Certificates) -> Iterator[TokenDovecot]:
    if lacking := missing():
        _go_without(lacking)
    with (
        AuthorisationServer().running() as authority,
        running(certificates, f"{authority.url}/introspect") as dovecot,
    ):
        if objection := _cannot(dovecot):
            _go_without(objection)
        yield TokenDovecot(dovecot, authority)


def _go_without(lacking: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)


def _cannot(dovecot: Dovecot) -> str:
    """Return why it accepts no tokens, or an empty string."""
    try:
        with imaplib.IMAP4(dovecot.host, dovecot.imap_port, AT_ONCE) as client:
            offered = client.capabilities
    except (OSError, imaplib.IMAP4.error):
        offered = ()
    if {"AUTH=XOAUTH2", "AUTH=OAUTHBEARER"} <= set(offered):
        return ""
    log = (dovecot.folder / "log").read_text()
    return f"This Dovecot has no login by access token (its driver oauth2). It says:\n{log}"


@pytest.fixture
def token_dovecot(_token_dovecot: TokenDovecot) -> Iterator[TokenDovecot]:
    """The Dovecot. Its mailboxes outlive a test, so use a domain of your own."""
    authority = _token_dovecot.authority
    yield _token_dovecot
    authority.rotates, authority.lifetime, authority.answers = False, 3600, []
    authority.registered(Registration())
    authority.forms.clear()
    authority.go_on.set()


class TokenSmtpServer(SmtpServer):
    """An SMTP server that requires login by access token."""

    def __init__(
        self, authority: TokenServer, kept: list[bytes], mechanisms: tuple[str, ...] = ("XOAUTH2",)
    ) -> None:
        super().__init__(lambda sender, recipient, raw: kept.append(raw))
        self._authority = authority
        self._mechanisms = mechanisms
        self.acknowledged: list[bytes] = []
        """Answers of clients to the report of an error."""

    def _receive(self) -> SMTP:
        visitor = super()._receive()
        for name in {"LOGIN", "PLAIN", "XOAUTH2", "OAUTHBEARER"} - set(self._mechanisms):
            visitor._auth_methods.pop(name, None)
        return visitor

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._authenticated("XOAUTH2", server, args)

    async def auth_OAUTHBEARER(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._authenticated("OAUTHBEARER", server, args)

    async def _authenticated(
        self, mechanism: Literal["XOAUTH2", "OAUTHBEARER"], server: SMTP, args: list[str]
    ) -> AuthResult:
        message = b64decode(args[1]).decode()
        user, token = _read(mechanism, message)
        if user and self._authority.owner(token) == user:
            return AuthResult(success=True)
        report = {"status": "401", "schemes": "bearer", "scope": "https://mail.example/"}
        answer = await server.challenge_auth(json.dumps(report))
        assert answer is not MISSING
        assert isinstance(answer, bytes)
        self.acknowledged.append(answer)
        # Some servers repeat the login that they received.
        return AuthResult(success=False, handled=False, message=f"535 5.7.8 {args[1]} {token}")

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        return await super().handle_MAIL(server, session, envelope, address, options)


def _read(mechanism: str, message: str) -> tuple[str, str]:
    """Return user and token."""
    bearer = r"\x01auth=Bearer ([^\x01]*)\x01\x01"
    beginning = {
        "XOAUTH2": r"user=([^\x01]*)",
        "OAUTHBEARER": r"n,a=([^\x01,]*),\x01host=[^\x01]*\x01port=\d+",
    }[mechanism]
    found = re.fullmatch(beginning + bearer, message)
    return (found[1], found[2]) if found else ("", "")


@dataclass
class TokenClub:
    """A club whose mailbox requires access tokens."""

    path: Path
    user: str
    home: TokenDovecot
    smtp: TokenSmtpServer

    @property
    def authority(self) -> AuthorisationServer:
        return self.home.authority

    def write(self, imap: str, smtp: str = "") -> None:
        """Write a configuration with these lines about the logins."""
        self.path.write_text(f"""
[club]
address = "{self.user}"
data_dir = "club"
secret = "a canary, and long enough"
[imap]
host = "127.0.0.1"
port = {self.home.dovecot.imap_port}
security = "none"
user = "{self.user}"
{imap}
[smtp]
host = "127.0.0.1"
port = {self.smtp.port}
security = "none"
user = "{self.user}"
{smtp}
""")
        self.path.chmod(0o600)

    def oauth(self, refresh_token: str, **others: str) -> str:
        """Return the lines of a section such as [imap.oauth], without its heading."""
        values = {
            "token_url": f"{self.authority.url}/token",
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "refresh_token": refresh_token,
            **others,
        }
        return "\n".join(f'{key} = "{value}"' for key, value in values.items() if value)

    def run(self, *words: str) -> Result:
        """Run a command, `doctor` if none is given."""
        typed = [*(words or ("doctor",)), "--config", str(self.path)]
        result = CliRunner().invoke(command_line(typed), typed)
        assert not tells_a_secret(result.output), result.output
        assert "Traceback" not in result.output
        return result


@pytest.fixture
def token_club(token_dovecot: TokenDovecot, domain: str, tmp_path: Path) -> Iterator[TokenClub]:
    user = f"club@{domain}"
    token_dovecot.dovecot.add(user, "no password is asked for")
    with TokenSmtpServer(token_dovecot.authority, []) as smtp:
        yield TokenClub(tmp_path / "pbem.toml", user, token_dovecot, smtp)
