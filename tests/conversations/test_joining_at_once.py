"""Several workers read the emails of people who join at the same moment, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Barrier

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.inbox.poll import poll
from pbem.inbox.process import process
from pbem.ports.inbound import InboundState
from pbem.service.club import Club, Joining
from pbem.service.delivery.deliver import deliver
from pbem.service.work import reading
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock

pytestmark = pytest.mark.servers

ROUNDS = 4


@pytest.fixture
def house(database_url: str, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        storage = stack.enter_context(closing(SqlStorage(open_engine(database_url))))
        house = stack.enter_context(closing(House(Fakes(clock), storage, clock, tmp_path)))
        policy = replace(house.club.policy, joining=Joining.OPEN)
        house.club = replace(house.club, policy=policy)
        yield house


@pytest.fixture
def workers(house: House, database_url: str) -> Iterator[Sequence[Club]]:
    """Two workers of the club, each with its own connection."""
    with ExitStack() as stack:
        storages = [
            stack.enter_context(closing(SqlStorage(open_engine(database_url)))) for _ in range(2)
        ]
        yield [
            replace(house.club, storage=each, unique=_unique(number))
            for number, each in enumerate(storages)
        ]


def _unique(worker: int) -> Callable[[], str]:
    numbers = count()
    return lambda: f"w{worker}n{next(numbers)}"


def work_at_once(house: House, workers: Sequence[Club]) -> None:
    """Let each worker read one of the waiting emails, all at the same moment."""
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        waiting = work.inbound.pending()
    assert len(waiting) == len(workers)
    barrier = Barrier(len(workers))

    def reads(club: Club, mail: int) -> None:
        barrier.wait()
        process(club, mail)

    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(reads, workers, waiting))
    deliver(house.club, house.transport)
    assert house.inbound(InboundState.SHUNTED) == []


def texts(*people: Person) -> list[str]:
    return [" ".join(mail.text.split()) for each in people for mail in each.receives()]


def members(house: House) -> list[str]:
    with reading(house.club) as work:
        return [player.name for player in work.players.all()]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_name_wanted_twice_at_once_goes_to_one(
    house: House, workers: Sequence[Club], number: int
) -> None:
    people = [house.stranger(f"p{each}@mail.example") for each in range(2)]
    for person in people:
        person.says("join Anna")
    house.works()
    for person in people:
        person.receives()
        person.says("confirm")
    work_at_once(house, workers)
    told = sorted(texts(*people), key=lambda text: "Welcome" not in text)
    assert ["Welcome to pbem, Anna!" in told[0], "the name Anna is taken" in told[1]] == [True] * 2
    assert (len(told), members(house)) == (2, ["Anna"])


@pytest.mark.parametrize("number", range(ROUNDS))
def test_two_confirms_at_once_make_one_member(
    house: House, workers: Sequence[Club], number: int
) -> None:
    anna = house.stranger("anna@mail.example")
    anna.says("join Anna")
    house.works()
    anna.receives()
    for _ in range(2):
        anna.says("confirm")
    work_at_once(house, workers)
    told = sorted(texts(anna), key=lambda text: "Welcome" not in text)
    assert "Welcome to pbem, Anna!" in told[0]
    assert "nothing is waiting for your confirmation" in told[1]
    assert members(house) == ["Anna"]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_two_joins_at_once_make_one_member(
    house: House, workers: Sequence[Club], number: int
) -> None:
    anna = house.stranger("anna@mail.example")
    anna.says("Hello, who are you?")
    house.works()
    anna.receives()
    for name in ("Anna", "Berta"):
        anna.says(f"join {name}")
    work_at_once(house, workers)
    told = sorted(texts(anna), key=lambda text: "Welcome" not in text)
    (name,) = members(house)
    assert f"Welcome to pbem, {name}!" in told[0]
    assert "you are already a member of pbem, under this name." in told[1]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_two_workers_respect_the_limit_of_a_mailbox(
    house: House, workers: Sequence[Club], number: int
) -> None:
    people = [house.stranger(f"eve+{each}@mail.example") for each in range(4)]
    people.append(house.stranger("eve@mail.example"))
    for each in people[:2]:
        each.says(f"join {each.address[4]}eve", recipient=house.address)
    house.works()
    assert len(texts(*people)) == 2
    for each in people[2:4]:
        each.says(f"join {each.address[4]}eve", recipient=house.address)
    work_at_once(house, workers)
    assert len(texts(*people)) == 1
    assert len(house.inbound(InboundState.KEPT)) == 1
