"""SMTP servers on loopback: a real one that passes on emails, and a scripted one."""

from __future__ import annotations

import asyncio
import re
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from ssl import SSLContext
from typing import Final, Literal, Self

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.certificates import Certificates

HOST: Final = "127.0.0.1"

Deliver = Callable[[str, str, bytes], None]
"""Takes sender, recipient and email. An error means that the email is not accepted now."""


class SmtpServer:
    """aiosmtpd in its own thread."""

    def __init__(
        self,
        deliver: Deliver,
        *,
        knows: Callable[[str], bool] = lambda recipient: True,
        security: Literal["tls", "starttls", "none"] = "none",
        context: SSLContext | None = None,
        logins: dict[str, str] | None = None,
    ) -> None:
        self.host = HOST
        self.port = 0
        self.connections = 0
        self.only_from = ""
        """The one sender that may send here, or empty for everyone."""
        self._deliver = deliver
        self._knows = knows
        self._security = security
        self._context = context
        self._logins = logins
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="smtp-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._listening.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._visitors: set[SMTP] = set()
        at_once = self._context if self._security == "tls" else None
        server = await self._loop.create_server(self._receive, HOST, 0, ssl=at_once)
        self.port = server.sockets[0].getsockname()[1]
        self._listening.set()
        await self._end.wait()
        server.close()
        for visitor in self._visitors:
            if visitor.transport is not None:
                visitor.transport.close()

    def _receive(self) -> SMTP:
        self.connections += 1
        visitor = SMTP(
            self,
            hostname="localhost",
            tls_context=self._context if self._security == "starttls" else None,
            require_starttls=self._security == "starttls",
            authenticator=self._authenticate if self._logins else None,
            auth_require_tls=False,
            loop=self._loop,
        )
        self._visitors.add(visitor)
        return visitor

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        known = isinstance(data, LoginPassword) and self._logins == {
            data.login.decode(): data.password.decode()
        }
        return AuthResult(success=known, handled=False)

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._logins and not session.authenticated:
            return "530 5.7.0 Authentication required"
        if self.only_from not in ("", address):
            return "553 5.7.1 Sender address rejected: not owned by user"
        envelope.mail_from = address
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self._knows(address):
            return "550 5.1.1 There is nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        for recipient in envelope.rcpt_tos:
            content = envelope.content
            assert isinstance(content, bytes)
            try:
                await asyncio.to_thread(self._deliver, envelope.mail_from or "", recipient, content)
            except OSError as error:
                return f"451 4.3.0 {error}"
        return "250 2.0.0 OK"


HANG_UP: Final = "(hangs up)"
SAY_NOTHING: Final = "(says nothing)"
TAKE_AND_HANG_UP: Final = "(takes the mail and hangs up)"
TAKE_AND_SAY_NOTHING: Final = "(takes the mail and says nothing)"

_USUAL: Final = {
    "GREETING": "220 test",
    "CONTENT": "",
    "EHLO": "250 test",
    "DATA": "354 go on",
    "QUIT": "221 bye",
}


class ScriptedSmtp:
    """An SMTP server with scripted answers, which remembers what it received.

    `answers` has a list of answers for a command, used up in order. Then the usual answers follow.
    GREETING stands for the first line of the server, CONTENT for the beginning of an email, DOT for
    its end. `rule`, if given, is asked before the list.
    """

    def __init__(self, answers: dict[str, list[str]] | None = None) -> None:
        self.answers = answers or {}
        self.rule: Callable[[str, str], str] = lambda verb, line: ""
        """Takes a command and its line. Returns the answer, or nothing for the usual one."""
        self.heard: list[str] = []
        self.mails: list[bytes] = []
        self.taken: list[tuple[str, bytes]] = []
        """Recipients and emails that the server has accepted responsibility for."""
        self.silent = threading.Event()
        self._server = socketserver.ThreadingTCPServer((HOST, 0), self._handler())
        self._server.daemon_threads = True
        self.host, self.port = HOST, self._server.server_address[1]

    def _handler(self) -> type[socketserver.StreamRequestHandler]:
        script = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                with suppress(ConnectionError):
                    script._converse(self)

        return Handler

    def __enter__(self) -> Self:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _converse(self, wire: socketserver.StreamRequestHandler) -> None:
        going_on, recipient = self._answer(wire, "GREETING"), ""
        while going_on and (line := wire.rfile.readline().decode()):
            self.heard.append(line.strip())
            verb = line.split()[0].upper()
            going_on = self._answer(wire, verb, line)
            if verb == "RCPT":
                recipient = line.partition("<")[2].rpartition(">")[0]
            if going_on and verb == "DATA" and self._last.startswith("354"):
                going_on = self._answer(wire, "CONTENT") and self._takes(wire, recipient)

    def _takes(self, wire: socketserver.StreamRequestHandler, recipient: str) -> bool:
        mail = _content(wire)
        if mail is None:
            return False
        self.mails.append(mail)
        self._decide("DOT", "")
        if self._last.startswith(("2", "(takes")):
            # Recorded before the answer is sent: the client may look at once.
            self.taken.append((recipient, re.sub(rb"(?m)^\.\.", b".", mail)))
        return self._say(wire)

    def _answer(self, wire: socketserver.StreamRequestHandler, verb: str, line: str = "") -> bool:
        self._decide(verb, line)
        return self._say(wire)

    def _decide(self, verb: str, line: str) -> None:
        told = self.answers.get(verb, [])
        usual = _USUAL.get(verb, "250 OK")
        self._last = self.rule(verb, line) or (told.pop(0) if told else usual)

    def _say(self, wire: socketserver.StreamRequestHandler) -> bool:
        """Send an answer. Return whether the conversation continues."""
        if self._last in (SAY_NOTHING, TAKE_AND_SAY_NOTHING):
            self.silent.set()
            wire.rfile.read()
        if self._last.startswith("("):
            return False
        if self._last:
            wire.wfile.write(f"{self._last}\r\n".encode())
        return not self._last.startswith(("221", "421"))


def _content(wire: socketserver.StreamRequestHandler) -> bytes | None:
    """Return everything after DATA, with dots, without the last one. None if that never came."""
    lines = []
    while (line := wire.rfile.readline()) not in (b".\r\n", b""):
        lines.append(line)
    return b"".join(lines) if line else None


@pytest.fixture
def scripted() -> Iterator[ScriptedSmtp]:
    """Start a server with answers set by the test."""
    with ScriptedSmtp() as server:
        yield server


@pytest.fixture(scope="session")
def server_tls(certificates: Certificates) -> SSLContext:
    """Return the TLS context of the servers here."""
    return certificates.server_context()
