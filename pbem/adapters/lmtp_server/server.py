"""The LMTP server, in its own thread."""

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

from pbem.adapters.lmtp_server.lmtp_session import RefusedVisitor, Visitor
from pbem.adapters.watchdog import Watchdog
from pbem.log import get_logger
from pbem.ports.inbound import HandedMail
from pbem.ports.process import StorageUnavailable

log = get_logger(__name__)

AT_ONCE: Final = 8
"""Emails recorded at once. Others wait with their connections open."""
CONNECTIONS: Final = 25
"""Connections open at once. Postfix opens at most twenty. Any more are told to try again."""
SECONDS: Final = 300.0
"""After this long, a connection on which no email came is closed, whatever else was sent."""
TURN_SECONDS: Final = 5.0
"""Seconds between signals that the loop is running."""
LOOP: Final = "the loop of LMTP"
"""The loop's name in reports that it has stopped."""
END_SECONDS: Final = 2.0
"""Seconds for emails already started when the server stops."""
MOST_RECIPIENTS: Final = 20
"""Maximum number of recipients of one email. Each gets a copy, and nobody writes to more addresses
of the club.
"""
NULL_SENDER: Final = "<>"

TAKEN: Final = "250 2.0.0 recorded"
NOT_OURS: Final = "550 5.1.1 No such address here"
TOO_MANY: Final = "550 5.5.3 Too many recipients"
MALFORMED: Final = "553 5.1.3 Not an address"
NOT_NOW: Final = "451 4.3.0 Cannot record it now; try again"


class LmtpServer:
    """Accepts email for some addresses. It confirms only what is recorded.

    `take` records an email and raises StorageUnavailable if that is not possible now. `not_taken`
    is called in that case. `connections` may be open at once. Each is closed after `seconds`
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
        self._pulse = Watchdog()

    def start(self, listeners: Sequence[socket.socket]) -> Self:
        """Start accepting email on sockets that already listen."""
        # aiosmtpd logs every command, including secrets.
        logging.getLogger("mail.log").setLevel(logging.ERROR)
        self._thread = threading.Thread(
            target=self._run, args=(listeners,), name="lmtp", daemon=True
        )
        self._thread.start()
        self._pulse.depends_on(self._thread)
        self._listening.wait()
        return self

    def _run(self, listeners: Sequence[socket.socket]) -> None:
        try:
            asyncio.run(self._serve(listeners))
        finally:
            self._listening.set()  # after an error, too: then `unwell` says that it has stopped

    def unwell(self) -> str:
        """Describe what has stopped. Empty if email is accepted."""
        return self._pulse.unwell()

    def end(self) -> None:
        """Accept no new email. Emails already started may finish within END_SECONDS."""
        if self._thread is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)

    def ended(self, seconds: float | None = None) -> bool:
        """Wait at most `seconds` (None: for ever) for the end. Return whether it has ended."""
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()

    async def _serve(self, listeners: Sequence[socket.socket]) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._pulse.expect(LOOP, TURN_SECONDS)
        self._turn()
        # As context managers, servers would wait for all clients since Python 3.12.1.
        with ThreadPoolExecutor(AT_ONCE, "lmtp") as self._pool, ExitStack() as closing:
            for each in listeners:
                # Since Python 3.13, create_unix_server looks at the path of a socket, which this
                # account may not see, and removes it at the end.
                server = await self._loop.create_server(self._receive, sock=each)
                closing.callback(server.close)
            self._listening.set()
            await self._stop.wait()
            closing.close()
            await self._part()

    def _turn(self) -> None:
        self._pulse.comes(LOOP)
        self._loop.call_later(TURN_SECONDS, self._turn)

    async def _part(self) -> None:
        """Disconnect all visitors. Those handing over an email may finish first."""
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
        """Offer both extensions that RFC 2033 requires. aiosmtpd takes commands in order anyway."""
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
        """Start an email."""
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
        """Add a recipient."""
        if not (_is_clean(address) and self._is_ours(address)):
            return NOT_OURS
        if len(envelope.rcpt_tos) == MOST_RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 go on"

    async def handle_DATA(  # noqa: N802
        self, server: Visitor, session: Session, envelope: Envelope
    ) -> str:
        """Record the content. The answer applies to all recipients: all or none are recorded."""
        sender = envelope.mail_from or ""
        mail = HandedMail(
            "" if sender == NULL_SENDER else sender,
            tuple(envelope.rcpt_tos),
            envelope.original_content or b"",
            session.host_name or "",
        )
        return await self._loop.run_in_executor(self._pool, self._recorded, mail)

    async def handle_exception(self, error: Exception) -> str:
        """Answer 451. aiosmtpd would show the error and have the email bounce."""
        log.warning("command not understood", exc_info=error)
        return NOT_NOW

    def _recorded(self, mail: HandedMail) -> str:
        try:
            with self._pulse.doing("lmtp"):
                self._take(mail)
        except StorageUnavailable as error:
            log.warning("email not accepted", error=str(error))
            self._not_taken()
            return NOT_NOW
        except Exception:
            # The mail server keeps it, so that nothing is lost, and tries again.
            log.exception("email not accepted")
            return NOT_NOW
        return TAKEN


def _is_clean(address: str) -> bool:
    """Return whether an address is safe in a header, without control characters."""
    return not any(character < " " or character == "\x7f" for character in address)
