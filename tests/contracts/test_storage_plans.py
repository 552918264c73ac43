"""The contract of a storage: plans of players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.archive.site.values import Note
from pbem.matches.plans import ANYTHING, Ending, Plan, Step
from pbem.ports.play import Unseen
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage
from tests.support.stored import T0, new_match

LINES = (
    (Step(False, ("[31-N]",)), Step(True, ("[35-25]", "+++"))),
    (Step(False, ANYTHING), Step(True, ("resign",), 3)),
)


def test_plans_are_read_as_stored_in_order(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        other = uow.matches.add(replace(match, id=0))
    plans = [
        Plan(match.id, 1, 1, LINES, turn=3, since=2),
        Plan(match.id, 1, 2, LINES[:1], turn=4, since=3),
        Plan(match.id, 2, 1, LINES[1:], turn=4, since=3),
        Plan(other.id, 1, 1, LINES, turn=1, since=0),
    ]
    with storage.writing() as uow:
        for plan in reversed(plans):
            uow.plans.add(plan)
    with storage.reading() as uow:
        assert uow.plans.in_match(match.id) == plans[:3]
        assert uow.plans.of_player(1) == [plans[0], plans[1], plans[3]]
        assert uow.plans.of_player(1, match.id) == plans[:2]
        assert uow.plans.of_player(3) == []


def test_transaction_sees_what_it_adds_after_it_asked(storage: Storage) -> None:
    match = new_match(storage)
    plan, note = Plan(match.id, 1, 1, LINES, turn=1, since=0), Note(1, 1, "hello", T0)
    news = Unseen(match.id, 1, 1, T0, T0)
    with storage.writing() as uow:
        uow.matches.lock(match.id)
        assert not uow.plans.in_match(match.id)
        assert not uow.waiting_notes.of(match.id)
        assert not uow.waiting_news.in_match(match.id)
        uow.plans.add(plan)
        uow.waiting_notes.add(match.id, 2, note)
        uow.waiting_news.put(news)
        assert uow.plans.in_match(match.id) == [plan]
        assert uow.waiting_notes.of(match.id) == {2: [note]}
        assert uow.waiting_news.in_match(match.id) == {1: news}


def test_ended_plan_is_kept_in_the_match_until_its_author_knows(storage: Storage) -> None:
    match = new_match(storage)
    plans = [Plan(match.id, 1, number, LINES, turn=3, since=2) for number in (1, 2, 3)]
    with storage.writing() as uow:
        for plan in plans:
            uow.plans.add(plan)
        uow.plans.end(plans[0], Ending.LEFT, told=False)
        uow.plans.end(plans[1], Ending.PLAYED, told=True)
        uow.plans.end(plans[0], Ending.DRAW, told=True)
    left = replace(plans[0], ended=Ending.LEFT)
    with storage.reading() as uow:
        assert uow.plans.in_match(match.id) == [left, plans[2]]
    with storage.writing() as uow:
        uow.plans.told(match.id, 2)
        assert uow.plans.in_match(match.id) == [left, plans[2]]
        uow.plans.told(match.id, 1)
        assert uow.plans.in_match(match.id) == [plans[2]]
        uow.plans.forget(plans[1])
        known = uow.plans.of_player(1, match.id)
        assert known == [replace(left, told=True), plans[2]]


def test_plan_of_an_unknown_match_or_with_a_taken_number_is_refused(storage: Storage) -> None:
    match = new_match(storage)
    plan = Plan(match.id, 1, 1, LINES, turn=3, since=2)
    with storage.writing() as uow:
        uow.plans.add(plan)
    for wrong in (plan, replace(plan, match_id=99), replace(plan, player=99)):
        with pytest.raises(StorageError), storage.writing() as uow:
            uow.plans.add(wrong)
