"""One SMTP connection for a batch of emails."""

from __future__ import annotations

import smtplib
from contextlib import suppress
from typing import Final

from pbem.adapters.connection import ConnectionProblem
from pbem.adapters.smtp_transport.settings import SmtpError, SmtpSettings
from pbem.adapters.smtp_transport.wire import Reply, SmtpClient, ended_by_crlf, explained, reply_in
from pbem.ports.outbox import Delivery, DeliveryReport

_GOODBYE_S: Final = 2.0
"""Maximum wait in seconds for the server's goodbye."""

_ABOUT_THE_MAIL: Final = {552, 555}
"""5xx replies to MAIL FROM about this email only: its size (RFC 1870) or a parameter (RFC 5321
section 4.1.1.11). Any other means that we may not send here at all.
"""

_OF_OUR_OWN: Final = (b"5.4.5", b"5.1.90")
"""Enhanced codes of Gmail and Exchange Online for our daily limit, not for the email or recipient.
"""


class SmtpSession:
    """An open connection. An email is deferred if nobody knows whether it got through."""

    def __init__(self, smtp: SmtpClient, settings: SmtpSettings) -> None:
        self._smtp = smtp
        self._settings = settings
        self._gone: ConnectionProblem | None = None

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        if self._gone is not None:
            raise SmtpError(self._gone)
        if objection := self._unusable(sender, recipient):
            return DeliveryReport(Delivery.REFUSED, objection)
        content = ended_by_crlf(raw)
        options = self._options(sender + recipient, content)
        return self._begin(sender, options) or self._hand_over(recipient, content)

    def try_sender(self, sender: str) -> None:
        """Check whether the server accepts email from an address, without sending any.

        Raises TransportError if it does not.
        """
        refusal = self._begin(sender, [])
        if refusal is not None:
            raise SmtpError(
                ConnectionProblem(
                    f"{self._settings.host} accepts no email from {sender}: {refusal.reply}"
                )
            )
        self._reset()

    def _unusable(self, sender: str, recipient: str) -> str:
        addresses = sender + recipient
        if not addresses.isprintable():
            return "An address contains a control character."
        if not addresses.isascii() and not self._smtp.has_extn("smtputf8"):
            return f"{self._settings.host} accepts only ASCII addresses."
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
            reply = Reply(*self._smtp.mail(sender, options))
        except (smtplib.SMTPException, OSError) as error:
            # Nothing of this email has gone out, so it was not tried.
            self._gone = explained(error, self._settings)
            raise SmtpError(self._gone) from error
        if reply.kind == 2:
            return None
        report = self._refused(reply)
        if self._gone is not None:
            raise SmtpError(self._gone)
        if reply.kind == 5 and reply.code not in _ABOUT_THE_MAIL:
            raise SmtpError(
                ConnectionProblem(
                    f"{self._settings.host} accepts no email from {sender}: {reply}", "user"
                )
            )
        return report

    def _hand_over(self, recipient: str, content: bytes) -> DeliveryReport:
        try:
            reply = Reply(*self._smtp.rcpt(recipient))
            if reply.kind == 2:
                reply = self._data(content)
        except (smtplib.SMTPException, OSError) as error:
            self._gone = explained(error, self._settings)
            return DeliveryReport(Delivery.DEFERRED, self._gone.sentence)
        if reply.kind == 2:
            return DeliveryReport(Delivery.SENT, str(reply))
        return self._refused(reply)

    def _data(self, content: bytes) -> Reply:
        try:
            return self._smtp.text(content)
        except smtplib.SMTPDataError as error:
            return reply_in(error)

    def _refused(self, reply: Reply) -> DeliveryReport:
        if reply.kind == 5 and reply.text.startswith(_OF_OUR_OWN):
            self._gone = ConnectionProblem(
                f"{self._settings.host} accepts no more email for now: {reply}"
            )
            return DeliveryReport(Delivery.DEFERRED, str(reply))
        if reply.is_last:
            self._gone = ConnectionProblem(f"{self._settings.host} ended the session: {reply}")
        else:
            self._reset()
        refused = reply.kind == 5
        return DeliveryReport(Delivery.REFUSED if refused else Delivery.DEFERRED, str(reply))

    def _reset(self) -> None:
        try:
            self._smtp.rset()
        except (smtplib.SMTPException, OSError) as error:
            self._gone = explained(error, self._settings)

    def quit(self) -> None:
        """Say goodbye if the connection is still there. Never raises."""
        if self._gone is None and self._smtp.sock is not None:
            self._smtp.sock.settimeout(_GOODBYE_S)
            with suppress(smtplib.SMTPException, OSError):
                self._smtp.quit()
        self.drop()

    def drop(self) -> None:
        """Hang up. Never raises."""
        with suppress(OSError):
            self._smtp.close()
