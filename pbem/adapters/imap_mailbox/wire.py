"""The two IMAP libraries, on a line that can be cut."""

from __future__ import annotations

import imaplib
import re
import socket
import ssl
import time
from typing import Final

from imapclient import IMAPClient

from pbem.adapters.connection import ServerLine, full_stop, in_a_line, tls_context
from pbem.adapters.imap_mailbox.settings import ImapSettings

_LONGEST_LINE: Final = 1_000_000
_CHUNK: Final = 64 * 1024
_BYTES_LITERAL: Final = re.compile(r"""\[?\bb(['"])(.*?)\1\]?""")
_EXISTS: Final = re.compile(rb"\* [0-9]+ EXISTS\b", re.IGNORECASE)


class _Wire(imaplib.IMAP4):
    """imaplib with our own buffer, through methods that it lets us override.

    Its own buffer hides data already read from poll(2), and loses half a line if a timeout strikes
    in the middle. Both break IDLE.
    """

    def __init__(
        self, host: str, port: int, line: ServerLine, context: ssl.SSLContext | None
    ) -> None:
        self._line = line
        self._context = context
        self._buffer = bytearray()
        self._filled_from: socket.socket | None = None
        super().__init__(host, port)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        wire = self._line.dial(self.host, self.port)
        if self._context is None:
            return wire
        return self._context.wrap_socket(wire, server_hostname=self.host)

    def readline(self) -> bytes:
        """Return one line. Empty at the end of the connection."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > _LONGEST_LINE:
                raise self.error(f"got more than {_LONGEST_LINE} bytes without a line end")
            if not self._fill():
                return b""
        return self._taken(end + 1)

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer only at the end of the connection."""
        while len(self._buffer) < size and self._fill():
            pass
        return self._taken(size)

    def _fill(self) -> bool:
        if self.sock is not self._filled_from:
            # Data received without TLS must not pass for data that came through it.
            self._buffer.clear()
            self._filled_from = self.sock
        chunk = self.sock.recv(_CHUNK)
        self._buffer += chunk
        return bool(chunk)

    def _taken(self, size: int) -> bytes:
        with memoryview(self._buffer)[:size] as first:  # a slice of the buffer would be a copy
            taken = bytes(first)
        del self._buffer[:size]
        return taken


class ImapConnection(IMAPClient):
    """imapclient on our own line. Times stay in the server's time zone."""

    def __init__(self, settings: ImapSettings, line: ServerLine) -> None:
        self._line = line
        self._tls = None if settings.security == "none" else tls_context(settings.ca_file)
        super().__init__(
            settings.host,
            settings.port,
            ssl=settings.security == "tls",
            ssl_context=self._tls,
            timeout=settings.timeout_s,
        )
        self.normalise_times = False

    def _create_IMAP4(self) -> _Wire:  # noqa: N802
        self._wire = _Wire(self.host, self.port, self._line, self._tls if self.ssl else None)
        return self._wire

    def secure(self) -> None:
        """Start TLS. Raises CapabilityError if the server does not support it."""
        self.starttls(self._tls)

    def patience(self, seconds: float) -> None:
        """Set how long to wait for an answer from now on."""
        self._wire.sock.settimeout(seconds)

    def hears_of_mail(self, seconds: float) -> bool:
        """Return whether a new message is announced within `seconds` of IDLE (RFC 2177)."""
        usual = self._wire.sock.gettimeout()
        self.idle()
        try:
            announced = self._listen(time.monotonic() + seconds)
        finally:
            self._wire.sock.settimeout(usual)
        _, late = self.idle_done()
        return announced or any(b"EXISTS" in answer for answer in late)

    def _listen(self, until: float) -> bool:
        while (left := until - time.monotonic()) > 0:
            self._wire.sock.settimeout(left)
            try:
                line = self._wire.readline()
            except TimeoutError:
                return False
            if not line:
                raise ConnectionResetError("the server closed the connection during IDLE")
            if _EXISTS.match(line):
                return True
        return False


def words(error: Exception) -> str:
    """Return the text of an error as a sentence."""
    return sentence(str(error))


def sentence(said: str) -> str:
    """Return a server's reply as a sentence. imaplib passes it on raw, even as bytes."""
    return full_stop(in_a_line(_BYTES_LITERAL.sub(r"\2", said)))
