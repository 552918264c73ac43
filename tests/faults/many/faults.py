"""Faults around many processes, each as a block during which a day's email arrives."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count

from tests.faults.many.town import FETCHERS, WORKERS, Town
from tests.support.relay import PASSES, Fate, Relay

Fault = Callable[[Town], AbstractContextManager[None]]
MOST_CUTS = 5


@contextmanager
def nothing(_town: Town) -> Iterator[None]:
    """No fault: a quiet day."""
    yield


def together(*faults: Fault) -> Fault:
    """Several faults on one day."""

    @contextmanager
    def fault(town: Town) -> Iterator[None]:
        with ExitStack() as begun:
            for each in faults:
                begun.enter_context(each(town))
            yield

    return fault


def killed(name: str, nth: int) -> Fault:
    """Kill a process after its n-th statement from now. Another one starts in its place."""

    @contextmanager
    def fault(town: Town) -> Iterator[None]:
        town.crew.dies_after(name, nth)
        yield

    return fault


def gone(name: str) -> Fault:
    """Kill a process that nobody restarts before the day is over."""

    @contextmanager
    def fault(town: Town) -> Iterator[None]:
        town.crew.kill(name, for_good=True)
        yield
        town.crew.call_back(name)

    return fault


def database_cut(name: str, nth: int) -> Fault:
    """Break the network between a process and PostgreSQL at every n-th packet to the process.

    This happens a limited number of times. Otherwise the process might never make progress.
    """

    @contextmanager
    def fault(town: Town) -> Iterator[None]:
        with _at_every(town.databases[name], nth, town.databases[name].cut, MOST_CUTS):
            yield

    return fault


@contextmanager
def _at_every(relay: Relay, nth: int, act: Callable[[], None], most: int = 1) -> Iterator[None]:
    numbers = count(1)

    def heard(said: bytes) -> bytes:
        number = next(numbers)
        if number % nth == 0 and number <= most * nth:
            act()
        return said

    relay.edit = heard
    yield
    relay.edit = bytes


def postgresql_restarts(nth: int) -> Fault:
    """Restart PostgreSQL with all its sessions at the n-th packet to a worker."""

    @contextmanager
    def fault(town: Town) -> Iterator[None]:
        due, over = threading.Event(), threading.Event()

        def restart() -> None:
            due.wait()
            if not over.is_set():
                town.postgres.stop()
                town.postgres.start()

        restarter = threading.Thread(target=restart)
        restarter.start()
        try:
            with _at_every(town.databases[WORKERS[0]], nth, due.set):
                yield
        finally:
            if not due.is_set():
                over.set()
            due.set()
            restarter.join()

    return fault


def imap(verb: str, fate: Fate, nth: int = 1) -> Fault:
    """Break the network between the fetchers and IMAP at the n-th command of a kind."""
    return _lines(lambda town: [town.imap[name] for name in FETCHERS], verb, fate, nth)


def smtp(verb: str, fate: Fate, nth: int = 1) -> Fault:
    """Break the network between the workers and SMTP at the n-th command of a kind."""
    return _lines(lambda town: [town.smtp[name] for name in WORKERS], verb, fate, nth)


def _lines(relays: Callable[[Town], list[Relay]], verb: str, fate: Fate, nth: int) -> Fault:
    @contextmanager
    def fault(town: Town) -> Iterator[None]:
        numbers = count(1)

        def judge(line: bytes) -> Fate:
            words = line.upper().split()[:3]
            return fate if verb.encode() in words and next(numbers) == nth else PASSES

        for relay in relays(town):
            relay.fate = judge
            relay.cut()  # lines are counted only on connections made from now on
        yield
        for relay in relays(town):
            relay.fate = None
            relay.cut()

    return fault
