"""The server, in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Final, Self

from aiosmtpd.smtp import Envelope, Session

from pbem.adapters.lmtp_server.visitor import RefusedVisitor, Visitor
from pbem.adapters.pulse import Pulse
from pbem.log import get_logger
from pbem.ports.inbound import HandedMail
from pbem.ports.process import StorageUnavailable

log = get_logger(__name__)

AT_ONCE: Final = 8
"""Mails recorded at once; others wait, with their connections open."""
CONNECTIONS: Final = 25
"""Open at once; Postfix opens twenty at most. One more is told to try again."""
SECONDS: Final = 300.0
"""After this long, a connection on which no email came is closed, whatever else was sent."""
TURN_SECONDS: Final = 5.0
"""How often the loop shows that it turns."""
LOOP: Final = "the loop of LMTP"
"""What it is called where it does not."""
END_SECONDS: Final = 2.0
"""For so long a mail that has begun may go on when the server is to end."""
MOST_RECIPIENTS: Final = 20
"""Of one mail: each has a copy of its own, and nobody writes to more of the club's addresses."""
NULL_SENDER: Final = "<>"

TAKEN: Final = "250 2.0.0 recorded"
NOT_OURS: Final = "550 5.1.1 There is no such address here"
TOO_MANY: Final = "550 5.5.3 Too many recipients"
MALFORMED: Final = "553 5.1.3 That is no address"
NOT_NOW: Final = "451 4.3.0 It cannot be recorded now; try again"


class LmtpServer:
    """Takes mail for some addresses; what it answers for is recorded.

    `take` records a mail, raising StorageUnavailable if that cannot be done now; `not_taken` is
    told when it could not. `connections` may be open at once. Each is closed after `seconds`
    without an email.
    """

    def __init__(
        self,
        take: Callable[[HandedMail], object],
        is_ours: Callable[[str], bool],
        *,
        most: int,
        connections: int = CONNECTIONS,
        seconds: float = SECONDS,
        not_taken: Callable[[], None] = lambda: None,
    ) -> None:
        self._take = take
        self._is_ours = is_ours
        self._most = most
        self._connections = connections
        self._seconds = seconds
        self._not_taken = not_taken
        self._visitors: set[Visitor] = set()
        self._thread: threading.Thread | None = None
        self._listening = threading.Event()
        self._pulse = Pulse()

    def start(self, listeners: Sequence[socket.socket]) -> Self:
        """Begins to take mail; the sockets listen already."""
        # aiosmtpd reports every command, and with it secrets.
        logging.getLogger("mail.log").setLevel(logging.ERROR)
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listeners)), name="lmtp", daemon=True
        )
        self._thread.start()
        self._pulse.depends_on(self._thread)
        self._listening.wait()
        return self

    def unwell(self) -> str:
        """What does not go on, in words; empty if mail is taken."""
        return self._pulse.unwell()

    def end(self) -> None:
        """Takes no more; mails that have begun may still come within END_SECONDS."""
        if self._thread is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)

    def ended(self, seconds: float | None = None) -> bool:
        """Whether nothing comes any more, after at most so many seconds; None: however long."""
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()

    async def _serve(self, listeners: Sequence[socket.socket]) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._pulse.expect(LOOP, TURN_SECONDS)
        self._turn()
        # Servers as context managers would wait, since Python 3.12.1, until all clients hang up.
        with ThreadPoolExecutor(AT_ONCE, "lmtp") as self._pool, ExitStack() as closing:
            for each in listeners:
                server = await self._listen(each)
                closing.callback(server.close)
            self._listening.set()
            await self._stop.wait()
            closing.close()
            await self._part()

    def _turn(self) -> None:
        self._pulse.comes(LOOP)
        self._loop.call_later(TURN_SECONDS, self._turn)

    async def _listen(self, listener: socket.socket) -> asyncio.Server:
        if listener.family == socket.AF_UNIX:
            return await self._loop.create_unix_server(self._receive, sock=listener)
        return await self._loop.create_server(self._receive, sock=listener)

    async def _part(self) -> None:
        """Parts from all visitors, from those that are handing a mail over once they have."""
        visitors = tuple(self._visitors)
        for visitor in visitors:
            with suppress(OSError):
                await visitor.end()
        leaving = asyncio.gather(*(visitor.gone.wait() for visitor in visitors))
        with suppress(TimeoutError):
            await asyncio.wait_for(leaving, END_SECONDS)
        for visitor in visitors:
            visitor.hang_up()

    def _receive(self) -> Visitor | RefusedVisitor:
        self._visitors = {each for each in self._visitors if not each.gone.is_set()}
        if len(self._visitors) >= self._connections:
            return RefusedVisitor()
        visitor = Visitor(self, most=self._most, hostname="localhost", seconds=self._seconds)
        self._visitors.add(visitor)
        return visitor

    async def handle_EHLO(  # noqa: N802
        self,
        server: Visitor,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Both are promised by RFC 2033; aiosmtpd takes one command after the other anyway."""
        session.host_name = hostname
        first, *others = responses
        return [first, "250-PIPELINING", "250-ENHANCEDSTATUSCODES", *others]

    async def handle_MAIL(  # noqa: N802
        self,
        server: Visitor,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """A mail begins."""
        if not _is_clean(address):
            return MALFORMED
        envelope.mail_from = address
        return "250 2.1.0 go on"

    async def handle_RCPT(  # noqa: N802
        self,
        server: Visitor,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Whom it is for."""
        if not (_is_clean(address) and self._is_ours(address)):
            return NOT_OURS
        if len(envelope.rcpt_tos) == MOST_RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 go on"

    async def handle_DATA(  # noqa: N802
        self, server: Visitor, session: Session, envelope: Envelope
    ) -> str:
        """Its content; what is answered counts for every recipient, as all is recorded or none."""
        sender = envelope.mail_from or ""
        mail = HandedMail(
            "" if sender == NULL_SENDER else sender,
            tuple(envelope.rcpt_tos),
            envelope.original_content or b"",
            session.host_name or "",
        )
        return await self._loop.run_in_executor(self._pool, self._recorded, mail)

    async def handle_exception(self, error: Exception) -> str:
        """Of what aiosmtpd trips over it would show the message, and have the mail sent back."""
        log.warning("command not understood", exc_info=error)
        return NOT_NOW

    def _recorded(self, mail: HandedMail) -> str:
        try:
            with self._pulse.doing("lmtp"):
                self._take(mail)
        except StorageUnavailable as error:
            log.warning("mail not taken", error=str(error))
            self._not_taken()
            return NOT_NOW
        except Exception:
            # The mail server keeps it, so that nothing is lost, and tries again.
            log.exception("mail not taken")
            return NOT_NOW
        return TAKEN


def _is_clean(address: str) -> bool:
    """Whether an address can be written into a header: no control characters."""
    return not any(character < " " or character == "\x7f" for character in address)
