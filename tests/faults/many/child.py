"""One process of a club, a worker or a fetcher, which can be told when to die.

It is forked from a process that has imported everything it needs, and ends with the process that
started it.
"""

from __future__ import annotations

import faulthandler
import itertools
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from pbem.adapters.imap_mailbox import ImapMailbox
from pbem.adapters.job_queue import kinds, runner
from pbem.cli.logs import log_to_stderr
from pbem.run import fetch
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.processes import mailboxes_of, shift_of
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import Config, load_config
from pbem.run.fetch import FetchService
from pbem.run.serve import stop_on_signals
from pbem.run.worker import WorkService
from pbem.service.club import Club
from pbem.service.delivery import deliver
from tests.faults.many.blow import Blow
from tests.support import writers

CLAIM = timedelta(seconds=3)
PAUSE = timedelta(seconds=0.5)
POLL_SECONDS = 0.5
OFTEN = ("stalled", "deliver")
"""Jobs that take over what others have left."""
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload([writers.__name__, __name__, "pbem.adapters.db.migrate"])


class Child:
    """A process, as seen by the one that started it."""

    def __init__(self, role: str, config: Path) -> None:
        self._end, theirs = PROCESSES.Pipe()
        self.process: BaseProcess = PROCESSES.Process(target=_live, args=(theirs, role, config))
        self.process.start()
        theirs.close()

    def dies_after(self, steps: int) -> None:
        """Kill the process this many statements after it receives this order."""
        try:
            self._end.send(steps)
        except OSError:  # it is dead already
            return

    def tells_what_it_does(self) -> None:
        """Make the process log where each of its threads is."""
        os.kill(self.process.pid or 0, signal.SIGUSR1)

    def close(self) -> None:
        """Clean up after a process that has ended."""
        self.process.join()
        self.process.close()
        self._end.close()


def _live(end: Connection, role: str, config: Path) -> None:
    log = (config.parent / f"{config.stem}.log").open("a")
    os.dup2(log.fileno(), sys.stderr.fileno())
    faulthandler.register(signal.SIGUSR1)
    log_to_stderr()
    blow = Blow()
    blow.watch_psycopg()
    threading.Thread(target=_listen, args=(end, blow), daemon=True).start()
    _hurry()
    ROLES[role](config)


def _listen(end: Connection, blow: Blow) -> None:
    try:
        while True:
            blow.comes_after(end.recv())
    except EOFError:
        os._exit(1)  # the process that started us is gone


def _hurry() -> None:
    """Remove pauses that suit people and their servers, so that no test waits for them."""
    deliver.FIRST_PAUSE = PAUSE
    fetch.AGAIN_SECONDS = PAUSE.total_seconds()
    runner.LOOK_SECONDS = runner.BEAT_SECONDS = 0.5
    runner.AGAIN_SECONDS, runner.STALLED_SECONDS = 1, 2.0
    often = {name: replace(kinds.KINDS[name], every="* * * * * *") for name in OFTEN}
    kinds.KINDS = {**kinds.KINDS, **often}


def _club_of(settings: Config) -> Club:
    club = build_club(settings)
    return replace(club, policy=replace(club.policy, claim=CLAIM))


def _work(config: Path) -> None:
    """`pbem worker`."""
    settings, stop = load_config(config), stop_on_signals()
    club = _club_of(settings)
    shift, close = shift_of(settings, club, servers_of(settings), stop)
    WorkService(shift, close).run_until(stop)


def _fetch(config: Path) -> None:
    """`pbem fetch`."""
    settings, stop = load_config(config), stop_on_signals()
    club, servers, hours = _club_of(settings), servers_of(settings), itertools.count(step=3600)
    quick = ImapMailbox(servers.imap, lambda: float(next(hours)))
    mailboxes = [replace(each, mailbox=quick) for each in mailboxes_of(settings, servers)]
    FetchService(club, mailboxes, POLL_SECONDS, servers.close_tokens).run_until(stop)


ROLES: dict[str, Callable[[Path], None]] = {"work": _work, "fetch": _fetch}
