"""One connection of a mail server, with what aiosmtpd's LMTP lacks.

RFC 2033 requires an answer for each recipient (section 4.2) and enhanced codes (section 5).
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import syntax

LONGEST_COMMAND: Final = 2048
"""Octets. UTF-8 addresses and extensions can exceed the 512 of RFC 5321."""
HELD: Final = 256 * 1024
"""Maximum number of octets read from a connection before they are examined."""

TOO_MANY_CONNECTIONS: Final = "421 4.3.2 Too many connections; try again"
TOO_SLOW: Final = "421 4.4.2 No email arrived for too long"
ENDING: Final = "421 4.3.2 pbem is stopping; try again"
_GO_ON: Final = "354 End data with <CR><LF>.<CR><LF>"
_TOO_MUCH: Final = "552 5.3.4 Too much mail data"
_NO_RECIPIENT: Final = "503 5.5.1 Send RCPT before DATA"
_WITHOUT_CODE = re.compile(r"([245])\d\d (?!\d\.\d{1,3}\.\d{1,3}\b)")


class Visitor(LMTP):
    """A mail server that hands over emails one after the other."""

    line_length_limit = HELD

    def __init__(self, hooks: object, *, most: int, hostname: str, seconds: float) -> None:
        super().__init__(
            hooks,
            data_size_limit=most,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="pbem",
            timeout=seconds,
            loop=asyncio.get_running_loop(),
        )
        # aiosmtpd shares one between all connections and clears it for each.
        self.command_size_limits = defaultdict(lambda: LONGEST_COMMAND)
        self._most = most
        self._greets = True
        self._answers = 1
        """Number of times to send the next answer: once for each recipient of an email."""
        self._ending = False
        self.gone = asyncio.Event()

    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802
        """Answer with the extensions."""
        self._greets = True
        await super().smtp_LHLO(arg)
        self._greets = False

    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Read an email, in no more memory than its own size."""
        assert self.envelope is not None
        if not self.envelope.rcpt_tos:
            await self.push(_NO_RECIPIENT)
            return
        await self.push(_GO_ON)
        self.envelope.original_content = await read_content(self._reader, self._most)
        answer = _TOO_MUCH
        if self.envelope.original_content is not None:
            answer = await self._call_handler_hook("DATA")
        self.envelope = self._create_envelope()
        await self.push(answer)
        super()._reset_timeout()

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Restart the time until the connection ends: not with each command, as aiosmtpd would.

        Only an email restarts it. So a byte or a NOOP now and then keeps no connection open.
        """
        if self._timeout_handle is None:
            super()._reset_timeout(duration)

    def _timeout_cb(self) -> None:
        assert isinstance(self.transport, asyncio.WriteTransport)
        self.transport.write(f"{TOO_SLOW}\r\n".encode())
        self.transport.close()

    async def push(self, status: Any) -> None:
        """Send an answer."""
        line = status.decode() if isinstance(status, bytes) else str(status)
        answers, self._answers = self._answers, 1
        for _ in range(answers):
            await super().push(line if self._greets else _with_code(line))
        self._greets = False if line.startswith("220 ") else self._greets
        if line.startswith(_GO_ON) and self.envelope is not None:
            self._answers = len(self.envelope.rcpt_tos)
        elif self._ending:
            await self._leave_between_mails()

    async def end(self) -> None:
        """Let a started email finish, and accept no other."""
        self._ending = True
        await self._leave_between_mails()

    async def _leave_between_mails(self) -> None:
        if self.envelope is not None and self.envelope.mail_from is None:
            await super().push(ENDING)
            self.hang_up()

    def hang_up(self) -> None:
        """Close the connection."""
        if self.transport is not None:
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Record that the connection has ended."""
        super().connection_lost(error)
        self.gone.set()


class RefusedVisitor(asyncio.Protocol):
    """A connection over the limit: it gets a 421 and is closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the 421 and close the connection."""
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(f"{TOO_MANY_CONNECTIONS}\r\n".encode())
        transport.close()


def _with_code(line: str) -> str:
    """Return an answer with an enhanced status code (RFC 2034)."""
    return _WITHOUT_CODE.sub(lambda found: f"{found[0]}{found[1]}.0.0 ", line, count=1)


END: Final = b"\r\n.\r\n"
"""Only this ends an email, with both CR and LF (RFC 5321 section 4.1.1.4)."""
_LINE_END: Final = b"\r\n"
_DOT: Final = b"\r\n."


async def read_content(reader: asyncio.StreamReader, most: int) -> bytes | None:
    """Return the content after DATA, with dot-stuffing undone.

    Returns None if it exceeds `most` bytes, after reading it to its end anyway.
    """
    read, too_much = await _beginning(reader), False
    while not read.endswith(END):
        read += await _more(reader)
        if too_much := too_much or len(read) > most + len(END):
            del read[: -len(END)]
    if too_much:
        return None
    return bytes(read[: -len(END)] + _LINE_END).replace(_DOT, _LINE_END)[len(_LINE_END) :]


async def _beginning(reader: asyncio.StreamReader) -> bytearray:
    """Return the preceding line end with as many octets as could make the content empty."""
    read = bytearray(_LINE_END)
    while not read.endswith(END) and any(read.endswith(END[:n]) for n in range(1, len(END))):
        read += await reader.readexactly(1)
    return read


async def _more(reader: asyncio.StreamReader) -> bytes:
    """Return everything up to the end, or as much as the reader can hold."""
    try:
        return await reader.readuntil(END)
    except asyncio.LimitOverrunError as full:
        return await reader.readexactly(full.consumed)
