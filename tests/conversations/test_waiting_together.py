"""Waiting emails share a transaction with the same result as if each had arrived alone."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.inbox.process import process
from pbem.ports.inbound import InboundState
from pbem.ports.process import Deadlock, StorageUnavailable
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club
from pbem.service.delivery.deliver import deliver
from pbem.service.work import reading
from tests.conversations.house import House
from tests.conversations.post_office import Fakes
from tests.conversations.test_what_becomes_of_a_mail import with_a_broken_help
from tests.fakes.clock import FakeClock

Works = Callable[[Club], object]


@pytest.fixture
def opened(
    clock: FakeClock, sqlite_template: Path, tmp_path: Path
) -> Iterator[Callable[[], House]]:
    """Return a function that opens identical clubs, each with its own database."""
    with ExitStack() as stack:
        homes = (tmp_path / str(number) for number in itertools.count(1))

        def opens() -> House:
            home = next(homes)
            home.mkdir()
            file = shutil.copy(sqlite_template, home)
            storage = stack.enter_context(closing(SqlStorage(open_engine(f"sqlite:///{file}"))))
            return stack.enter_context(closing(House(Fakes(clock), storage, clock, home)))

        yield opens


def each_alone(club: Club) -> None:
    """Use one transaction per email."""
    with reading(club) as work:
        mails = work.inbound.pending()
    for mail in mails:
        process(club, mail)


def a_heap_waits(house: House) -> None:
    """Emails of one and several matches and senders, good ones and others."""
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, bert)
    house.match("lanko-68", clara, anna)
    house.match("lancelot", bert, clara)
    first, *_, second = anna.receives()
    anna.says("resign", to=second)
    house.works()
    [question] = anna.receives()
    bert.receives()
    clara.receives()
    with_a_broken_help(house)
    anna.says("[41-36]\n\nGood luck!", to=first)
    clara.says("[41-36]", to=clara.read[0], headers=[("Cc", anna.address)])
    bert.says("[10-19]", to=bert.read[0])
    anna.says("leave 2 days", to=second)
    house.stranger("joe@mail.example").says("Who are you?")
    bert.says("draw?", to=bert.read[0])
    said = clara.says("offer lancelot players=2", recipient=house.address)
    clara.sends(said.as_bytes())
    clara.says("help", to=clara.read[0])
    anna.says("confirm", to=question)
    bert.says("nonsense", to=bert.read[-1])
    poll(house.club, house.mailbox)


def people_change_while_mails_wait(house: House) -> None:
    """Anna swaps an address and Bert leaves, while more of their emails wait."""
    anna, bert = house.player("Anna", "anna@home.example"), house.player("Bert")
    clara, work = house.player("Clara"), house.stranger("anna@work.example")
    house.match("lanko-68", anna, bert)
    house.match("lanko-68", bert, clara)
    first, second = anna.receives()[-1], [clara.receives(), bert.receives()][-1][-1]
    anna.says("address add anna@work.example", to=first)
    bert.says("forget me", to=second)
    house.works()
    work.says("confirm", to=work.receives()[-1])
    house.works()
    added = anna.receives()[-1]
    bert.says("[41-36]", to=second)
    anna.says("[41-36]", to=first, sender=work.address)
    anna.says("address undo anna@work.example", to=added)
    anna.says("help", to=first, sender=work.address)
    clara.says("draw?")
    bert.says("confirm", to=bert.receives()[-1])
    bert.says("help", to=second)
    bert.says("resign", to=second)
    clara.says("show")
    anna.says("show", to=first, sender="anna@home.example")
    poll(house.club, house.mailbox)


def what_came(house: House) -> dict[str, list[tuple[str, str]]]:
    """Return everything that everyone has received."""
    deliver(house.club, house.transport)
    for person in house.people:
        person.receives()
    return {
        person.address: [(str(mail.message["Subject"]), mail.text) for mail in person.read]
        for person in house.people
    }


def after(
    house: House, works: Works, waits: Callable[[House], None] = a_heap_waits
) -> dict[str, Any]:
    """Return the result of processing many emails, and the log of it."""
    waits(house)
    with capture_logs() as logs:
        works(house.club)
    return {
        "mails": what_came(house),
        "fates": {state: [mail.id for mail in house.inbound(state)] for state in InboundState},
        "moves": [house.moves(match.id) for match in house.matches()],
        "said": [(each.get("mail"), each["event"]) for each in logs if "mail" in each],
    }


def test_batched_emails_have_the_same_result_as_single_ones(
    opened: Callable[[], House],
) -> None:
    together, alone = after(opened(), process_pending), after(opened(), each_alone)
    assert together == alone
    assert together["moves"] == [["[41-36]"], ["[41-36]"], []]
    assert len(together["fates"][InboundState.SHUNTED]) == 1


def test_batched_email_sees_changes_by_the_one_before_it(
    opened: Callable[[], House],
) -> None:
    waits = people_change_while_mails_wait
    together = after(opened(), process_pending, waits)
    assert together == after(opened(), each_alone, waits)
    assert together["moves"] == [["[41-36]"], ["[41-36]"]]
    fates = together["fates"]
    assert len(fates[InboundState.STRANGER]) == 1, "from the address that Anna has removed"
    assert len(fates[InboundState.IGNORED]) == 2, "from Bert, who has left"


class Failing:
    """A storage of which one transaction fails at its end."""

    def __init__(self, storage: Any, number: int, error: Exception) -> None:
        self._storage, self._left, self._error = storage, number, error

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        """Fail in the chosen transaction, and otherwise do as usual."""
        with self._storage.writing() as uow:
            yield uow
            self._left -= 1
            if self._left == 0:
                raise self._error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)


@pytest.mark.parametrize("failing", (2, 3))
def test_batch_that_hits_a_deadlock_is_retried_one_by_one(
    opened: Callable[[], House], failing: int
) -> None:
    """The second and third transactions hold several emails."""

    def gives_way(club: Club) -> None:
        storage: Any = Failing(club.storage, failing, Deadlock())
        process_pending(replace(club, storage=storage))

    assert after(opened(), gives_way) == after(opened(), each_alone)


def test_emails_wait_while_the_database_is_away(opened: Callable[[], House]) -> None:
    def waits(club: Club) -> None:
        storage: Any = Failing(club.storage, 2, StorageUnavailable("away"))
        with pytest.raises(StorageUnavailable):
            process_pending(replace(club, storage=storage))
        with reading(club) as work:
            assert len(work.inbound.pending()) == 10, "the first was committed"
        process_pending(club)

    assert after(opened(), waits) == after(opened(), each_alone)
