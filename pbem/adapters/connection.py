"""Connections of the email adapters: a line that can be cut, TLS, backoff, error messages.

Two adapters share this module, so it knows neither IMAP nor SMTP.
"""

from __future__ import annotations

import socket
import ssl
import threading
import traceback
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, Literal, NamedTuple

Security = Literal["tls", "starttls", "none"]
"""TLS from the first byte, TLS after a plain greeting (RFC 9051 section 6.2.1, RFC 3207), or none.
"""


class ConnectionProblem(NamedTuple):
    """A connection error, described in a sentence for people."""

    sentence: str
    setting: str = ""
    """Setting to check first. Empty if none is to blame."""


_LONGEST_QUOTE: Final = 300


def in_a_line(text: str) -> str:
    """Make a quoted text safe to show: one line, no control characters, not too long."""
    blanked = "".join(c if c.isprintable() else " " for c in text)
    return shorten(blanked, _LONGEST_QUOTE, placeholder=" …")


def full_stop(text: str) -> str:
    """Return a text that ends with a full stop."""
    return text if text.endswith((".", "!")) else f"{text}."


def hushed(text: str, secrets: Collection[str]) -> str:
    """Replace every secret in a text by an ellipsis, since servers repeat what they were sent."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "…")
    return text


def fit_to_show(error: Exception, secrets: Collection[str]) -> Exception | None:
    """Return an error for use as a cause, or None if its traceback would show a secret."""
    shown = "".join(traceback.format_exception(error))
    return error if hushed(shown, secrets) == shown else None


class ServerLine:
    """A TCP connection that another thread can cut at any moment, even while connecting.

    TLS and the protocol libraries wrap, detach and replace the socket. So this keeps a second
    handle on the same connection. Shutting that down wakes any thread that waits on the first.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._guard = threading.Lock()
        self._handle: socket.socket | None = None
        self._cut = False

    def dial(self, host: str, port: int) -> socket.socket:
        """Connect to the first address of the host that answers."""
        failure = OSError(f"{host} has no address")
        for family, address in _addresses(host, port):
            wire = socket.socket(family, socket.SOCK_STREAM)
            try:
                self._hold(wire)
                wire.connect(address)
                self._refuse_if_cut()
            except OSError as error:
                wire.close()
                failure = error
            else:
                return wire
        raise failure

    def _hold(self, wire: socket.socket) -> None:
        wire.settimeout(self._timeout_s)
        # Don't wait for ever for a server that disappeared without closing.
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        # imapclient writes a command in pieces, which must not wait for each other's ACK.
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._guard:
            self._refuse_if_cut()
            if self._handle is not None:
                self._handle.close()
            self._handle = wire.dup()

    def _refuse_if_cut(self) -> None:
        if self._cut:
            raise ConnectionAbortedError("closed by pbem")

    @property
    def is_cut(self) -> bool:
        """Return whether the connection was cut from this side."""
        return self._cut

    def cut(self) -> None:
        """Cut the connection now. Never raises."""
        with self._guard:
            self._cut = True
            if self._handle is None:
                return
            with suppress(OSError):
                self._handle.shutdown(socket.SHUT_RDWR)
            self._handle.close()
            self._handle = None


def _addresses(host: str, port: int) -> Iterator[tuple[socket.AddressFamily, Any]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        # Python fails on names such as two dots in a row before it asks a server.
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from error
    return ((family, address) for family, _, _, _, address in found)


class AuthorityError(Exception):
    """Raised if the file of certificate authorities cannot be used."""


def tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """Return a context that verifies chain and name. `ca_file` adds to the system's authorities."""
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:  # includes ssl.SSLError
            raise AuthorityError(f"{ca_file}: {error.strerror or error}") from error
    return context


@dataclass
class Backoff:
    """When to try again after failures in a row: after 1, 2, 4 … seconds, at most `limit`.

    It never sleeps. Callers ask how long to wait.
    """

    first: float = 1.0
    limit: float = 300.0
    failures: int = 0
    not_before: float = -inf

    def failed(self, now: float) -> None:
        """Record a failure."""
        # The exponent is bounded, since a float overflows at 2**1024 and outages can be long.
        self.not_before = now + min(self.first * 2.0 ** min(self.failures, 30), self.limit)
        self.failures += 1

    def succeeded(self) -> None:
        """Record a success, so that the next failure counts as the first."""
        self.failures = 0
        self.not_before = -inf

    def remaining(self, now: float) -> float:
        """Return the seconds until the next attempt, 0 if it may be made now."""
        return max(0.0, self.not_before - now)


_NAME_MISMATCH: Final = {62, 64}
"""X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH of OpenSSL."""


def trouble_of(error: Exception, host: str, port: int) -> ConnectionProblem:
    """Explain an error of the network or of TLS in plain words."""
    match error:
        case AuthorityError():
            return ConnectionProblem(
                f"The certificate authorities cannot be read from {error}.", "ca_file"
            )
        case socket.gaierror():
            return ConnectionProblem(f"The host name {host} cannot be found.", "host")
        case ssl.SSLError():
            return _tls_trouble(error, host, port)
        case ConnectionRefusedError():
            return ConnectionProblem(f"Nothing answers at {host}, port {port}.", "port")
        case TimeoutError():
            return ConnectionProblem(f"{host}, port {port}, did not answer in time.", "host")
        case ConnectionError() | EOFError():
            return ConnectionProblem(f"The connection to {host}, port {port}, was lost.")
        case OSError():
            reason = error.strerror or str(error)
            return ConnectionProblem(f"{host}, port {port}, cannot be reached: {reason}.", "host")
    return ConnectionProblem(f"{host}, port {port}, gave an answer that makes no sense: {error}.")


def _tls_trouble(error: ssl.SSLError, host: str, port: int) -> ConnectionProblem:
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code in _NAME_MISMATCH:
            return ConnectionProblem(f"The certificate at {host} is for another name.", "host")
        return ConnectionProblem(
            f"The certificate of {host} is not trusted: {error.verify_message}.", "ca_file"
        )
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return ConnectionProblem(
            f"{host}, port {port}, closed the connection during TLS.", "security"
        )
    return ConnectionProblem(f"{host}, port {port}, does not speak TLS there.", "security")
