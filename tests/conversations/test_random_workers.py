"""Workers read random emails of people who play many matches together, on PostgreSQL.

Four workers read one email at a time, and one reads several in a transaction. Now and then two wait
for each other. The database ends one of them, and its work is repeated.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.matches.director_actions import DecisionError
from pbem.ports.inbound import InboundState
from pbem.ports.process import Deadlock, StorageUnavailable
from pbem.run.worker import Worker
from pbem.service.delivery.deliver import deliver
from pbem.service.direct.announcing import Recipients
from pbem.service.direct.decide import SHELL
from pbem.service.direct.pausing import pause, resume
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock

pytestmark = pytest.mark.servers

ROUNDS = 3
WORKERS = 4
NAMES = ("Anna", "Bert", "Clara", "Dora")
EXAMPLE = re.compile(r"for example:\n\n +(\S.*)")
ASIDE = (
    "leave 2 days",
    "back",
    "set zone Europe/Warsaw",
    "set zone UTC",
    "set autoleave on",
    "set weekends off",
)
"""Lines that people write in addition to moves."""


@pytest.fixture
def house(postgresql_url: str, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        storage = stack.enter_context(closing(SqlStorage(open_engine(postgresql_url))))
        yield stack.enter_context(closing(House(Fakes(clock), storage, clock, tmp_path)))


@pytest.fixture
def workers(house: House, postgresql_url: str) -> Iterator[Sequence[Worker]]:
    """Workers of the club, each with its own connections."""
    with ExitStack() as stack:
        storages = [
            stack.enter_context(closing(SqlStorage(open_engine(postgresql_url))))
            for _ in range(WORKERS)
        ]
        yield [
            Worker(
                replace(house.club, storage=each, unique=_unique(number)),
                house.transport,
                threading.Event(),
            )
            for number, each in enumerate(storages)
        ]


def _unique(worker: int) -> Callable[[], str]:
    numbers = count()
    return lambda: f"w{worker}n{next(numbers)}"


def writes(person: Person, chance: random.Random) -> None:
    """Let someone write: a move if it is their turn, and perhaps something else."""
    for mail in _threads(person):
        found = EXAMPLE.search(mail.text)
        if found and chance.random() < 0.6:
            person.says(found[1], to=mail, quoting=False)
        elif chance.random() < 0.9:
            person.says(chance.choice(ASIDE), to=mail, quoting=False)


def _threads(person: Person) -> list[Received]:
    """Return the newest email of each thread."""
    person.receives()
    newest = {str(mail.message["Subject"]): mail for mail in person.read}
    return list(newest.values())


def reads_together(house: House) -> None:
    """Let one more worker read the waiting emails, several in a transaction."""
    with suppress(Deadlock):  # a service repeats it
        process_pending(house.club)


def at_once(house: House, workers: Sequence[Worker], chance: random.Random) -> list[str]:
    """Let all workers read what waits while the club sweeps. Return the failed attempts."""
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        waiting = work.inbound.pending()
    chance.shuffle(waiting)
    shares = [waiting[first::WORKERS] for first in range(WORKERS)]
    troubles: list[str] = []

    def reads(worker: Worker, share: Sequence[int]) -> None:
        for mail in share:
            try:
                worker.jobs["process"](mail, 0)
            except StorageUnavailable as error:
                troubles.append(str(error))

    def sees_to_time() -> None:
        for order in (pause, resume):
            try:
                sweeper.jobs["sweep"](None, 0)
                with writing(house.club) as work:
                    order(work, Recipients("club"), "", SHELL)
            except Deadlock:  # a director sees it and repeats it
                pass
            except StorageUnavailable as error:
                troubles.append(str(error))
            except DecisionError:
                pass

    sweeper = Worker(house.club, house.transport, threading.Event())
    with ThreadPoolExecutor(WORKERS + 2) as pool:
        aside = [pool.submit(sees_to_time), pool.submit(reads_together, house)]
        list(pool.map(reads, workers, shares))
        for each in aside:
            each.result()
    process_pending(house.club)
    deliver(house.club, house.transport)
    return troubles


def test_everything_is_done_when_workers_wait_for_each_other(
    house: House, workers: Sequence[Worker]
) -> None:
    chance = random.Random(14)
    people = [house.player(name) for name in NAMES]
    for first in range(len(people)):
        seated = [*people[first:], *people[:first]]
        house.match("lancelot", *seated, chosen="")
        house.match("lancelot", *reversed(seated), days=1)
    troubles: list[str] = []
    for _ in range(ROUNDS):
        for person in people:
            writes(person, chance)
        house.clock.advance(hours=chance.choice((1, 8, 30)))
        with writing(house.club) as work:
            work.service.beat(house.clock.now())
        troubles += at_once(house, workers, chance)
    assert house.inbound(InboundState.SHUNTED) == []
    assert troubles == []
