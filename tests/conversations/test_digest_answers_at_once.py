"""Answers to digests on both databases: two workers at once, and a worker that fails inside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.ports.inbound import InboundState
from pbem.ports.process import StorageUnavailable
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.conversations.test_digest_answers import digest_of
from tests.conversations.test_plans_at_once import at_once, failing_after
from tests.fakes.clock import FakeClock

pytestmark = pytest.mark.servers


@pytest.fixture
def house(sql_storage: SqlStorage, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club on each of the databases."""
    with closing(House(Fakes(clock), sql_storage, clock, tmp_path)) as house:
        yield house


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", mails="digest 07:30")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert", mails="digest 07:30")


def test_two_answers_to_one_digest_at_once_play_each_match_once(
    house: House, anna: Person, bert: Person, database_url: str
) -> None:
    for _ in range(3):
        house.match("lancelot", anna, bert)
    digest_of(house, anna)
    first = "match 1:\nE5\n\nmatch 2:\nE5\n\nmatch 3:\nE5"
    second = "match 3:\nE6\n\nmatch 2:\nE6\n\nmatch 1:\nE6"
    at_once(house, database_url, (anna, first), (anna, second))

    played = [house.moves(number) for number in (1, 2, 3)]
    assert played in ([["E5"]] * 3, [["E6"]] * 3)
    done, refused = anna.receives()[-2:]
    assert "Done: " in done.text + refused.text
    assert "this match has moved on" in " ".join((done.text + refused.text).split())


def test_two_players_answer_the_same_matches_at_once(
    house: House, anna: Person, bert: Person, database_url: str
) -> None:
    for players in ((anna, bert), (bert, anna)) * 2:
        house.match("lancelot", *players)
    for person in (anna, bert):
        digest_of(house, person)
    of_anna = "match 3:\nE5\n\nmatch 1:\nE5"
    of_bert = "match 4:\nE6\n\nmatch 2:\nE6"
    at_once(house, database_url, (anna, of_anna), (bert, of_bert))

    assert [house.moves(number) for number in range(1, 5)] == [["E5"], ["E6"]] * 2


def test_worker_that_fails_between_matches_leaves_none_behind(house: House, anna: Person) -> None:
    clara = house.player("Clara")
    for _ in range(2):
        house.match("lancelot", anna, clara)
    digest = digest_of(house, anna)
    clara.receives()
    anna.says("match 1:\nE5\n\nmatch 2:\nE5", digest)
    poll(house.club, house.mailbox)
    whole, failures = house.club, 0
    while True:
        house.club = replace(whole, unique=failing_after(failures, whole.unique))
        try:
            process_pending(house.club)
        except StorageUnavailable:
            failures += 1
            assert (house.moves(1), house.moves(2)) == ([], [])
        else:
            break
    house.club = whole
    house.works()

    assert failures > 2
    assert (house.moves(1), house.moves(2)) == (["E5"], ["E5"])
    assert (len(anna.receives()), len(clara.receives())) == (1, 2)
    assert house.inbound(InboundState.SHUNTED) == []
