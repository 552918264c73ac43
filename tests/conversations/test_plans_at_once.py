"""Plans on both databases: two workers at once, and a worker that fails in the middle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.matches.plans import Ending
from pbem.ports.inbound import InboundState
from pbem.ports.process import StorageUnavailable
from pbem.service.work import reading
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.conversations.test_at_once import meeting
from tests.fakes.clock import FakeClock
from tests.support.at_once import process_at_once

pytestmark = pytest.mark.servers


@pytest.fixture
def house(sql_storage: SqlStorage, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club on each of the databases."""
    with closing(House(Fakes(clock), sql_storage, clock, tmp_path)) as house:
        yield house


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def sent(house: House, person: Person, text: str) -> None:
    person.receives()
    person.says(text)
    house.works()
    person.receives()


def at_once(house: House, url: str, *said: tuple[Person, str]) -> None:
    """Let people answer their newest emails, and process the answers at the same moment."""
    for person, text in said:
        person.receives()
        person.says(text)
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        mails = work.inbound.pending()
    clubs = [replace(house.club, storage=meeting(house, url))] * len(mails)
    assert process_at_once(clubs, mails) == [None] * len(said)
    house.works()
    assert house.inbound(InboundState.SHUNTED) == []


def test_turn_and_plan_for_it_at_once_are_played_or_refused_together(
    house: House, anna: Person, bert: Person, database_url: str
) -> None:
    house.match("lancelot", anna, bert)
    sent(house, anna, "E5")
    at_once(house, database_url, (bert, "F6"), (anna, "if F6 then E6"))
    refused = house.inbound(InboundState.REFUSED)
    assert house.moves() == (["E5", "F6"] if refused else ["E5", "F6", "E6"])


def test_plan_cancelled_at_the_moment_of_its_turn_is_played_or_cancelled(
    house: House, anna: Person, bert: Person, database_url: str
) -> None:
    house.match("lancelot", anna, bert)
    sent(house, anna, "E5\n\nif F6 then E6")
    at_once(house, database_url, (bert, "F6"), (anna, "cancel plan 1"))
    assert anna.player
    with reading(house.club) as work:
        [plan] = work.plans.of_player(anna.player.id)
    played = len(house.moves()) == 3
    assert plan.ended is (Ending.PLAYED if played else Ending.CANCELLED)
    assert len(house.inbound(InboundState.REFUSED)) == played


def test_worker_that_fails_between_turn_and_answer_leaves_neither(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert)
    sent(house, anna, "E5\n\nif F6 then E6; if any then G7")
    bert.receives()
    bert.says("F6\n\nif E6 then H8")
    poll(house.club, house.mailbox)
    whole, failures = house.club, 0
    while True:
        house.club = replace(whole, unique=failing_after(failures, whole.unique))
        try:
            process_pending(house.club)
        except StorageUnavailable:
            failures += 1
            assert house.moves() == ["E5"]
            with reading(whole) as work:
                assert [plan.ended for plan in work.plans.in_match(1)] == [None]
        else:
            break
    assert failures > 4
    assert house.moves() == ["E5", "F6", "E6", "H8", "G7"]


def failing_after(calls: int, unique: Callable[[], str]) -> Callable[[], str]:
    """Return a source of unique texts whose database goes away after some calls."""
    left = iter(range(calls))

    def next_text() -> str:
        if next(left, None) is None:
            raise StorageUnavailable("the database has gone away")
        return unique()

    return next_text
