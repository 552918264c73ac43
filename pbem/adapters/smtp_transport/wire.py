"""smtplib on a line that can be cut, and explanations of its errors."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Collection
from typing import Final, NamedTuple

from pbem.adapters.connection import ConnectionProblem, ServerLine, hushed, tls_context, trouble_of
from pbem.adapters.smtp_transport.settings import SmtpSettings
from pbem.adapters.token_login import secrets_of


class Reply(NamedTuple):
    """A server's reply to a command. The code is -1 if it made no sense."""

    code: int
    text: bytes

    def __str__(self) -> str:
        return f"{self.code} {' '.join(self.text.decode(errors='replace').split())}"

    @property
    def kind(self) -> int:
        """Return the first digit: 2 yes, 4 not now, 5 no (RFC 5321 section 4.2.1)."""
        return self.code // 100

    @property
    def is_last(self) -> bool:
        """Return whether the session is over. 421 may come at any time (RFC 5321 section 3.8)."""
        return self.code in (421, -1)


class SmtpClient(smtplib.SMTP):
    """smtplib on our own connection."""

    def __init__(self, settings: SmtpSettings, line: ServerLine) -> None:
        self._line = line
        self._tls = None if settings.security == "none" else tls_context(settings.ca_file)
        self._at_once = settings.security == "tls"
        super().__init__(local_hostname="localhost", timeout=settings.timeout_s)
        # The name that STARTTLS checks the certificate against.
        self._host = settings.host

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        wire = self._line.dial(host, port)
        here = wire.getsockname()[0]
        # RFC 5321 section 4.1.3 allows an address instead of a name, which is slow to find out.
        self.local_hostname = f"[IPv6:{here}]" if ":" in here else f"[{here}]"
        if self._tls is None or not self._at_once:
            return wire
        return self._tls.wrap_socket(wire, server_hostname=host)

    def secure(self) -> None:
        """Start TLS. Raises SMTPNotSupportedError if the server does not support it."""
        self.starttls(context=self._tls)

    def text(self, content: bytes) -> Reply:
        """Send DATA and content with CRLF line ends. Raises SMTPDataError if the server refuses.

        smtplib's own `data` runs a regular expression on each octet.
        """
        code, said = self.docmd("data")
        if code != _GO_ON:
            raise smtplib.SMTPDataError(code, said)
        # RFC 5321 section 4.5.2: a full stop alone on a line ends an email.
        lines = (_CRLF + content).replace(_CRLF + b".", _CRLF + b"..").removeprefix(_CRLF)
        self.send(lines + b"." + _CRLF)
        return Reply(*self.getreply())


_GO_ON: Final = 354
_CRLF: Final = b"\r\n"


def ended_by_crlf(raw: bytes) -> bytes:
    """Return content whose lines end in CRLF. RFC 5321 section 2.3.8 forbids CR or LF alone."""
    return b"".join(line + _CRLF for line in raw.splitlines())


def reply_in(error: smtplib.SMTPResponseException) -> Reply:
    said = error.smtp_error
    return Reply(error.smtp_code, said if isinstance(said, bytes) else said.encode())


def explained(
    error: Exception, settings: SmtpSettings, secrets: Collection[str] | None = None
) -> ConnectionProblem:
    """Explain an error in plain words, without secrets, by default without the password."""
    trouble = _trouble(error, settings)
    hidden = secrets_of(settings) if secrets is None else secrets
    return trouble._replace(sentence=hushed(trouble.sentence, hidden))


def _trouble(error: Exception, settings: SmtpSettings) -> ConnectionProblem:
    host = settings.host
    match error:
        case smtplib.SMTPAuthenticationError():
            reply = reply_in(error)
            if reply.kind == 5:
                return ConnectionProblem(
                    f"{host} refuses the login of {settings.user}: {reply}", "password"
                )
            return ConnectionProblem(
                f"{host} cannot check the login of {settings.user} now: {reply}"
            )
        case smtplib.SMTPResponseException():
            return ConnectionProblem(f"{host} refuses the session: {reply_in(error)}")
        case smtplib.SMTPNotSupportedError() if "STARTTLS" in str(error):
            return ConnectionProblem(
                f"{host} does not offer STARTTLS on port {settings.port}.", "security"
            )
        case smtplib.SMTPServerDisconnected():
            # smtplib raises this after a timeout too. The cause is in the context.
            cause = error.__context__
            lost = cause if isinstance(cause, OSError) else ConnectionResetError()
            return trouble_of(lost, host, settings.port)
        case smtplib.SMTPException():
            return ConnectionProblem(
                f"{host} offers no login method that pbem knows: {error}", "user"
            )
        case UnicodeError():
            return ConnectionProblem(
                f"{host} accepts only ASCII letters in a user name and a password.", "password"
            )
    return trouble_of(error, host, settings.port)
