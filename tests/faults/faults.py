"""Faults around the club, each as a block during which it lasts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any

from sqlalchemy import event, text

from tests.faults.trial import TIMEOUT_S, Trial, imap_verb
from tests.support.relay import PASSES, SILENCE, Fate, Relay

Fault = Callable[[Trial], AbstractContextManager[None]]

ALWAYS = 1_000_000
SHORT_S = 0.3
"""Seconds to wait for a silent server."""


def refusal(said: str) -> Fate:
    """The server answers this instead of obeying."""
    return Fate(heard=False, answer=f"{said}\r\n".encode())


def farewell(said: str) -> Fate:
    """The server answers this and hangs up."""
    return Fate(heard=False, answer=f"{said}\r\n".encode(), cut=True)


def imap(verb: str, fate: Fate, times: int = ALWAYS) -> Fault:
    """IMAP: change the answer to a command. GREETING stands for the server's first line."""

    @contextmanager
    def fault(trial: Trial) -> Iterator[None]:
        numbers = count()
        trial.imap_rule = lambda line: (
            fate if imap_verb(line) == verb and next(numbers) < times else PASSES
        )
        with _begun_anew(trial, SHORT_S if fate == SILENCE else TIMEOUT_S):
            yield
        trial.imap_rule = lambda line: PASSES

    return fault


@contextmanager
def _begun_anew(trial: Trial, timeout_s: float) -> Iterator[None]:
    """Start a process that has yet to log in. The same one continues afterwards."""
    trial.timeout_s = timeout_s
    trial.lives_again()
    yield
    trial.timeout_s = TIMEOUT_S


def imap_edit(edit: Callable[[bytes], bytes]) -> Fault:
    """IMAP: edit the server's answers on their way."""

    @contextmanager
    def fault(trial: Trial) -> Iterator[None]:
        trial.lives_again()
        trial.relay.edit = edit
        yield
        trial.relay.edit = bytes

    return fault


@contextmanager
def folder_is_renumbered(trial: Trial) -> Iterator[None]:
    """Dovecot loses its index: the folder gets another UIDVALIDITY, and every email a new UID."""
    trial.done_folder = ""
    trial.lives_again()
    trial.a_day()
    trial.settles()
    trial.life.mailbox.close()
    for path in trial.maildir.glob("dovecot*"):
        # The memory of the last UIDVALIDITY stays, so that the next one differs.
        if not path.name.startswith("dovecot-uidvalidity"):
            rmtree(path) if path.is_dir() else path.unlink()
    yield


@contextmanager
def folder_is_made_anew(trial: Trial) -> Iterator[None]:
    """Someone deletes the folder of handled emails, with everything in it."""
    rmtree(trial.maildir / ".Done")
    yield


@contextmanager
def tls_breaks(trial: Trial) -> Iterator[None]:
    """Change one octet in the middle of TLS."""
    with _by_tls(trial):
        trial.relay.edit = lambda said: said[:-1] + bytes([said[-1] ^ 1])
        yield
        trial.relay.edit = bytes


@contextmanager
def _by_tls(trial: Trial) -> Iterator[None]:
    plain = trial.relay
    with Relay(trial.dovecot.imaps_port) as relay:
        trial.relay, trial.tls = relay, trial.ca_file
        trial.lives_again()
        yield
        trial.tls = None
    trial.relay = plain
    trial.lives_again()


def smtp(verb: str, answer: str, times: int = ALWAYS, to: str = "") -> Fault:
    """SMTP: change the answer to a command, or to everything about one recipient."""

    @contextmanager
    def fault(trial: Trial) -> Iterator[None]:
        numbers, recipients = count(), [""]

        def rule(heard: str, line: str) -> str:
            if heard == "RCPT":
                recipients[0] = line.partition("<")[2].rpartition(">")[0]
            if heard != verb or to not in recipients[0] or next(numbers) >= times:
                return ""
            if to and answer.startswith("5"):
                trial.refused.add(recipients[0])
            return answer

        trial.smtp_rule = rule
        with _begun_anew(trial, SHORT_S if "says nothing" in answer else TIMEOUT_S):
            yield
        trial.smtp_rule = lambda heard, line: ""

    return fault


@contextmanager
def database_is_locked(trial: Trial) -> Iterator[None]:
    """Someone else locks the database for longer than we wait."""
    with (
        _on_each_connection(trial, "PRAGMA busy_timeout = 5"),
        closing(sqlite3.connect(trial.database, isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def disk_is_full(trial: Trial) -> Iterator[None]:
    """The database cannot grow."""
    with _on_each_connection(trial, "PRAGMA max_page_count = 1"):
        yield
    for connection in trial.life.death.connections:
        connection.execute("PRAGMA max_page_count = 1000000")


@contextmanager
def _on_each_connection(trial: Trial, pragma: str) -> Iterator[None]:
    def set_it(connection: Any, _record: object) -> None:
        connection.execute(pragma)

    trial.lives_again()
    event.listen(trial.life.engine, "connect", set_it)
    yield
    event.remove(trial.life.engine, "connect", set_it)


@contextmanager
def file_is_read_only(trial: Trial) -> Iterator[None]:
    """The database can be read but not written until someone fixes that."""
    trial.lives_again()
    trial.life.engine.dispose()
    trial.life.death.read_only = True
    yield
    trial.life.death.read_only = False


def clock_jumps(by: timedelta, look: int, *, back: bool = False) -> Fault:
    """The clock jumps when it has been read this many times, and may be corrected at the end."""

    @contextmanager
    def fault(trial: Trial) -> Iterator[None]:
        trial.clock.jump(by, look)
        yield
        if back:
            trial.clock.jump(-by, 1)

    return fault


def postgresql_goes_away(nth: int) -> Fault:
    """The server ends the session at the n-th statement, perhaps in mid-transaction."""

    @contextmanager
    def fault(trial: Trial) -> Iterator[None]:
        numbers = count(1)

        def end(*_: object) -> None:
            if next(numbers) == nth:
                with trial.watcher.connect() as connection:
                    connection.execute(text(END_ALL))

        trial.lives_again()
        event.listen(trial.life.engine, "before_cursor_execute", end)
        yield
        event.remove(trial.life.engine, "before_cursor_execute", end)

    return fault


END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@contextmanager
def archive_is_full(trial: Trial) -> Iterator[None]:
    """Something else is in the place of the records folder."""
    archive = Path(trial.home / "archive")
    archive.write_text("no folder")
    yield
    archive.unlink()
