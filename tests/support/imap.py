"""An IMAP server with scripted answers."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Self

import pytest

from pbem.adapters.imap_mailbox import ImapSettings

HOST: Final = "127.0.0.1"
SAY_NOTHING: Final = "(says nothing)"
HANG_UP: Final = "(hangs up)"

_USUAL: Final = {
    "GREETING": "* OK test",
    "CAPABILITY": "* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS\r\n{tag} OK done",
    "SELECT": "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n{tag} OK [READ-WRITE] done",
    "EXAMINE": "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n{tag} OK [READ-ONLY] done",
    "LOGOUT": "* BYE\r\n{tag} OK done",
    "SEARCH": "* SEARCH\r\n{tag} OK done",
    "IDLE": "+ idling",
}


class ScriptedImap:
    """`answers` maps commands to answers, with {tag} for the tag. GREETING is the first line."""

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}
        self.heard: list[str] = []
        self.connections = 0
        self.silent = threading.Event()
        self._server = socketserver.ThreadingTCPServer((HOST, 0), self._handler())
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def settings(self, timeout_s: float = 60.0) -> ImapSettings:
        """Return the settings for a client."""
        return ImapSettings(HOST, self.port, "club", "open sesame", "none", timeout_s=timeout_s)

    def _handler(self) -> type[socketserver.StreamRequestHandler]:
        script = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                script.connections += 1
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
        going_on, tag = self._answer(wire, "GREETING", ""), ""
        while going_on and (line := wire.rfile.readline().decode()):
            self.heard.append(line.strip())
            words = line.upper().split()
            if words[0] != "DONE":
                tag = line.split()[0]
            verb = next(word for word in words[words[0] != "DONE" :] if word != "UID")
            going_on = self._answer(wire, verb, tag)

    def _answer(self, wire: socketserver.StreamRequestHandler, verb: str, tag: str) -> bool:
        """Answer a line. Return whether the conversation continues."""
        told = self.answers.get(verb, _USUAL.get(verb, "{tag} OK done"))
        if told == SAY_NOTHING:
            self.silent.set()
            wire.rfile.read()
        if told in (HANG_UP, SAY_NOTHING):
            return False
        wire.wfile.write(f"{told.replace('{tag}', tag)}\r\n".encode())
        return verb != "LOGOUT"


@pytest.fixture
def scripted_imap() -> Iterator[ScriptedImap]:
    """Start a server with answers set by the test."""
    with ScriptedImap() as server:
        yield server
