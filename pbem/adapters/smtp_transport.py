"""The SMTP server that takes our mail (RFC 5321)."""

from __future__ import annotations

import re
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from pbem.adapters.connection import (
    AuthorityError,
    Line,
    Security,
    Trouble,
    tls_context,
    trouble_of,
)
from pbem.service.ports import Delivery, DeliveryReport, TransportError

_GOODBYE_S: Final = 2.0
"""A server that is slow to say goodbye is left without."""

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")

_ABOUT_THE_MAIL: Final = {552, 555}
"""5xx to MAIL FROM that speak of this mail: its size (RFC 1870), a parameter (RFC 5321 4.1.1.11).
Any other says that we may not send here at all."""


@dataclass(frozen=True)
class SmtpSettings:
    """Where the SMTP server is, and who we are there."""

    host: str
    port: int
    user: str
    """Empty: no login."""
    password: str = field(repr=False)
    security: Security
    timeout_s: float = 30.0
    ca_file: Path | None = None
    """Certificate authorities to trust beside those of the system."""


class SmtpError(TransportError):
    """A transport error that knows the setting to look at."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.sentence)
        self.setting = trouble.setting
        """Name of a field of SmtpSettings; empty if none is to blame."""


class SmtpTransport:
    """The SMTP server; one connection for a batch."""

    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings
        self._guard = threading.Lock()
        self._lines: set[Line] = set()

    @contextmanager
    def connect(self) -> Iterator[SmtpSession]:
        """Opens a connection; raises TransportError."""
        with self._line() as line:
            session = SmtpSession(_connected(self._settings, line), self._settings)
            try:
                yield session
            except BaseException:
                # Perhaps in the midst of a mail: a QUIT there would be a line of it.
                session.drop()
                raise
            session.quit()

    @contextmanager
    def _line(self) -> Iterator[Line]:
        line = Line(self._settings.timeout_s)
        with self._guard:
            self._lines.add(line)
        try:
            yield line
        finally:
            with self._guard:
                self._lines.discard(line)
            line.cut()

    def close(self) -> None:
        """Cuts every open connection, also from another thread; never raises."""
        with self._guard:
            for line in self._lines:
                line.cut()


class _Reply(NamedTuple):
    """What the server answered to a command; the code is -1 if it made no sense."""

    code: int
    text: bytes

    def __str__(self) -> str:
        return f"{self.code} {' '.join(self.text.decode(errors='replace').split())}"

    @property
    def kind(self) -> int:
        """First digit: 2 yes, 4 not now, 5 no (RFC 5321 section 4.2.1)."""
        return self.code // 100

    @property
    def is_last(self) -> bool:
        """Whether the session is over; 421 may come at any time (RFC 5321 section 3.8)."""
        return self.code in (421, -1)


class SmtpSession:
    """An open connection. A mail of which nobody knows whether it got through is deferred."""

    def __init__(self, smtp: smtplib.SMTP, settings: SmtpSettings) -> None:
        self._smtp = smtp
        self._settings = settings
        self._gone: Trouble | None = None

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        """Sends one mail to one recipient; raises TransportError once the connection is gone.

        It raises one, too, if the server takes no mail from this sender at all.
        """
        if self._gone is not None:
            raise SmtpError(self._gone)
        if objection := self._unusable(sender, recipient):
            return DeliveryReport(Delivery.REFUSED, objection)
        # RFC 5321 section 2.3.8: CR and LF never alone; smtplib leaves bytes as they are.
        content = _LINE_END.sub(b"\r\n", raw)
        options = self._options(sender + recipient, content)
        return self._begin(sender, options) or self._hand_over(recipient, content)

    def _unusable(self, sender: str, recipient: str) -> str:
        addresses = sender + recipient
        if not addresses.isprintable():
            return "An address holds a control character."
        if not addresses.isascii() and not self._smtp.has_extn("smtputf8"):
            return f"{self._settings.host} takes ASCII addresses only."
        return ""

    def _options(self, addresses: str, content: bytes) -> list[str]:
        offered = {
            f"SIZE={len(content)}": self._smtp.has_extn("size"),
            "BODY=8BITMIME": self._smtp.has_extn("8bitmime") and not content.isascii(),
            "SMTPUTF8": not addresses.isascii(),
        }
        return [option for option, wanted in offered.items() if wanted]

    def _begin(self, sender: str, options: list[str]) -> DeliveryReport | None:
        try:
            reply = _Reply(*self._smtp.mail(sender, options))
        except (smtplib.SMTPException, OSError) as error:
            # Nothing of this mail has gone out: it has not been tried.
            self._gone = _explained(error, self._settings)
            raise SmtpError(self._gone) from error
        if reply.kind == 2:
            return None
        report = self._refused(reply)
        if self._gone is not None:
            raise SmtpError(self._gone)
        if reply.kind == 5 and reply.code not in _ABOUT_THE_MAIL:
            raise SmtpError(
                Trouble(f"{self._settings.host} takes no mail from {sender}: {reply}", "user")
            )
        return report

    def _hand_over(self, recipient: str, content: bytes) -> DeliveryReport:
        try:
            reply = _Reply(*self._smtp.rcpt(recipient))
            if reply.kind == 2:
                reply = self._data(content)
        except (smtplib.SMTPException, OSError) as error:
            self._gone = _explained(error, self._settings)
            return DeliveryReport(Delivery.DEFERRED, self._gone.sentence)
        if reply.kind == 2:
            return DeliveryReport(Delivery.SENT, str(reply))
        return self._refused(reply)

    def _data(self, content: bytes) -> _Reply:
        try:
            return _Reply(*self._smtp.data(content))
        except smtplib.SMTPDataError as error:
            return _reply_in(error)

    def _refused(self, reply: _Reply) -> DeliveryReport:
        if reply.is_last:
            self._gone = Trouble(f"{self._settings.host} ends the session: {reply}")
        else:
            self._reset()
        refused = reply.kind == 5
        return DeliveryReport(Delivery.REFUSED if refused else Delivery.DEFERRED, str(reply))

    def _reset(self) -> None:
        try:
            self._smtp.rset()
        except (smtplib.SMTPException, OSError) as error:
            self._gone = _explained(error, self._settings)

    def quit(self) -> None:
        """Says goodbye where there is anybody left to say it to; never raises."""
        if self._gone is None and self._smtp.sock is not None:
            self._smtp.sock.settimeout(_GOODBYE_S)
            with suppress(smtplib.SMTPException, OSError):
                self._smtp.quit()
        self.drop()

    def drop(self) -> None:
        """Hangs up; never raises."""
        with suppress(OSError):
            self._smtp.close()


class _Smtp(smtplib.SMTP):
    """smtplib on a line of ours."""

    def __init__(self, settings: SmtpSettings, line: Line) -> None:
        self._line = line
        self._tls = None if settings.security == "none" else tls_context(settings.ca_file)
        self._at_once = settings.security == "tls"
        super().__init__(local_hostname="localhost", timeout=settings.timeout_s)
        # The name that STARTTLS checks the certificate against.
        self._host = settings.host

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        wire = self._line.dial(host, port)
        here = wire.getsockname()[0]
        # RFC 5321 section 4.1.3: an address does where no name is known; asking for one is slow.
        self.local_hostname = f"[IPv6:{here}]" if ":" in here else f"[{here}]"
        if self._tls is None or not self._at_once:
            return wire
        return self._tls.wrap_socket(wire, server_hostname=host)

    def secure(self) -> None:
        """STARTTLS; raises SMTPNotSupportedError if the server has none."""
        self.starttls(context=self._tls)


def _connected(settings: SmtpSettings, line: Line) -> smtplib.SMTP:
    smtp: smtplib.SMTP | None = None
    try:
        smtp = _Smtp(settings, line)
        _greet(smtp, settings)
    except (smtplib.SMTPException, OSError, ValueError, AuthorityError) as error:
        if smtp is not None:
            smtp.close()
        raise SmtpError(_explained(error, settings)) from error
    return smtp


def _greet(smtp: _Smtp, settings: SmtpSettings) -> None:
    code, text = smtp.connect(settings.host, settings.port)
    if code != 220:
        raise smtplib.SMTPConnectError(code, text)
    if settings.security == "starttls":
        smtp.secure()
    smtp.ehlo_or_helo_if_needed()
    if settings.user:
        smtp.login(settings.user, settings.password)


def _reply_in(error: smtplib.SMTPResponseException) -> _Reply:
    said = error.smtp_error
    return _Reply(error.smtp_code, said if isinstance(said, bytes) else said.encode())


def _explained(error: Exception, settings: SmtpSettings) -> Trouble:
    """What went wrong, in plain words; the password is not among them."""
    trouble = _trouble(error, settings)
    secret = settings.password or "\0"
    return trouble._replace(sentence=trouble.sentence.replace(secret, "…"))


def _trouble(error: Exception, settings: SmtpSettings) -> Trouble:
    host = settings.host
    match error:
        case smtplib.SMTPAuthenticationError():
            reply = _reply_in(error)
            setting = "password" if reply.kind == 5 else ""
            return Trouble(f"{host} refuses the login of {settings.user}: {reply}", setting)
        case smtplib.SMTPResponseException():
            return Trouble(f"{host} refuses the session: {_reply_in(error)}")
        case smtplib.SMTPNotSupportedError() if "STARTTLS" in str(error):
            return Trouble(f"{host} offers no STARTTLS at port {settings.port}.", "security")
        case smtplib.SMTPServerDisconnected():
            # smtplib says so of a timeout, too; the cause is in the context.
            cause = error.__context__
            lost = cause if isinstance(cause, OSError) else ConnectionResetError()
            return trouble_of(lost, host, settings.port)
        case smtplib.SMTPException():
            return Trouble(f"{host} offers no login that we know: {error}", "user")
        case UnicodeError():
            return Trouble(f"{host} takes only ASCII letters in a password.", "password")
    return trouble_of(error, host, settings.port)
