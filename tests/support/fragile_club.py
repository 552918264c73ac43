"""A served club that is killed at a chosen step.

It equals `pbem serve` except for one thing: when a step has been reached so many times, the process
gets a signal there, exactly between two steps or in the middle of one.
"""

from __future__ import annotations

import imaplib
import os
import signal
import smtplib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, event

from pbem.cli.logs import log_to_stderr
from pbem.ports.inbound import Mailbox, MailboxState, ReceivedMail
from pbem.ports.outbox import DeliveryReport, Session, Transport
from pbem.ports.storage import Storage, UnitOfWork
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.processes import running
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import load_config
from pbem.run.serve import Service, stop_on_signals

POINTS = ("fetched", "recorded", "processed", "sent")
"""Fetched, not committed. Committed, not moved. Processed, not sent. Sent, not recorded as sent."""
COMMANDS = ("imap", "sql", "smtp")
"""Before any mailbox command, after any statement, or before any SMTP command."""


class Strike(NamedTuple):
    """The step at which the process gets a signal, once it has been reached so many times."""

    point: str = "never"
    times: int = 1
    blow: signal.Signals = signal.SIGKILL


class Blow:
    """The signal, and when it is sent."""

    def __init__(self, strike: Strike, reports: Connection) -> None:
        self._point, self._left, self._signal = strike
        self._reports = reports

    def at(self, point: str) -> None:
        """Note that a step is reached."""
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                self._reports.send(point)
                os.kill(os.getpid(), self._signal)


def strike_at_commands(blow: Blow) -> None:
    """Have the libraries report every command."""

    def told_before(command: Callable[..., Any], point: str) -> Callable[..., Any]:
        def tell(*arguments: Any) -> Any:
            blow.at(point)
            return command(*arguments)

        return tell

    # Every command has its own tag.
    imaplib.IMAP4._new_tag = told_before(imaplib.IMAP4._new_tag, "imap")  # type: ignore[attr-defined]
    smtplib.SMTP.send = told_before(smtplib.SMTP.send, "smtp")  # type: ignore[method-assign]
    event.listen(Engine, "after_cursor_execute", lambda *_: blow.at("sql"))


class FragileMailbox:
    """A mailbox with steps before and after each action."""

    def __init__(self, mailbox: Mailbox, blow: Blow) -> None:
        self._mailbox, self._blow = mailbox, blow

    def open(self) -> MailboxState:
        return self._mailbox.open()

    def unhandled(self, after: int) -> list[int]:
        return self._mailbox.unhandled(after)

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        return self._mailbox.sizes(uids)

    def heads(self, uids: Sequence[int]) -> dict[int, bytes]:
        return self._mailbox.heads(uids)

    def fetch(self, uids: Sequence[int], most: int | None = None) -> list[ReceivedMail]:
        self._blow.at("fetching")
        mails = self._mailbox.fetch(uids, most)
        if mails:
            self._blow.at("fetched")
        return mails

    def mark_done(self, uids: Sequence[int]) -> None:
        self._blow.at("recorded")
        self._mailbox.mark_done(uids)

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        self._mailbox.remove(uids, message_ids)

    def close(self) -> None:
        self._mailbox.close()


class FragileSession:
    """A session with steps before and after an email."""

    def __init__(self, session: Session, blow: Blow) -> None:
        self._session, self._blow = session, blow

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        self._blow.at("processed")
        report = self._session.send(sender, recipient, raw)
        self._blow.at("sent")
        return report


class FragileTransport:
    """A transport whose sessions are fragile."""

    def __init__(self, transport: Transport, blow: Blow) -> None:
        self._transport, self._blow = transport, blow

    @contextmanager
    def connect(self) -> Iterator[FragileSession]:
        with self._transport.connect() as session:
            yield FragileSession(session, self._blow)


class FragileStorage:
    """A storage with a step just before it commits."""

    def __init__(self, storage: Storage, blow: Blow) -> None:
        self._storage, self._blow = storage, blow

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        with self._storage.writing() as uow:
            yield uow
            self._blow.at("committing")

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        return self._storage.reading()

    def wake_by(self, wake: Callable[[str], None]) -> None:
        self._storage.wake_by(wake)

    def wipe(self) -> bool:
        return self._storage.wipe()

    def close(self) -> None:
        self._storage.close()


def serve(config: Path, log: Path, strike: Strike, reports: Connection) -> None:
    """Serve the club until the process is killed or told to end.

    Sends `serving` when it has started, and the step of each strike. Errors go to a log.
    """
    with log.open("a") as errors:
        os.dup2(errors.fileno(), sys.stderr.fileno())
    log_to_stderr()
    blow = Blow(strike, reports)
    settings = load_config(config)
    club = build_club(settings)
    club = replace(
        club,
        storage=FragileStorage(club.storage, blow),
        # Emails held by a dead process are resent soon, so that nobody waits for minutes.
        policy=replace(club.policy, claim=timedelta(seconds=2)),
    )
    strike_at_commands(blow)
    sound = running(settings, club, servers_of(settings))
    [first] = sound.mailboxes
    stop = stop_on_signals()
    reports.send("serving")
    Service(
        replace(
            sound,
            mailboxes=(replace(first, mailbox=FragileMailbox(first.mailbox, blow)),),
            transport=FragileTransport(sound.transport, blow),
            poll_seconds=0.1,
        )
    ).run_until(stop)
