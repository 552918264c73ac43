"""The contract of a storage: open questions, and what others may have read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.mail.topic import Holder, MembershipTopic, match_key
from pbem.ports.keeping import Exposure
from pbem.ports.people import OpenQuestion
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage
from tests.support.stored import MINUTE, T0, new_match, people, recorded_mail

WEEK = timedelta(days=7)
STRANGER = "Eve@Example.org"


def _question(**changes: Any) -> OpenQuestion:
    data = {"text": "[41-36]\n\nżółw", "days": [1, None]}
    question = OpenQuestion("unproven", 1, match_key(1), T0 + WEEK, "<ask@club.example>", data=data)
    return replace(question, **changes)


def test_question_waits_until_it_expires(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        mails = [recorded_mail(uow, uid) for uid in (1, 2)]
        first, second = (uow.questions.ask(_question(inbound_id=mail)) for mail in mails)
        uow.questions.ask(_question(holder=2))
    with storage.reading() as uow:
        assert uow.questions.waiting(1, T0) == [first, second]
        assert uow.questions.waiting(1, T0 + WEEK - MINUTE) == [first, second]
        assert uow.questions.waiting(1, T0 + WEEK) == []
        assert uow.questions.get(first.id) == first
        assert (first.inbound_id, first.data) == (mails[0], _question().data)


def test_expired_question_is_deleted(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        old = uow.questions.ask(_question(holder=STRANGER, about=None))
        later = uow.questions.ask(_question(expires_at=T0 + WEEK + MINUTE))
        assert uow.questions.drop_expired(T0 + WEEK - MINUTE) == 0
        assert uow.questions.drop_expired(T0 + WEEK) == 1
        assert uow.questions.get(later.id) == later
        with pytest.raises(StorageError):
            uow.questions.get(old.id)


def test_questions_are_found_by_topic_and_holder(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        of_match = uow.questions.ask(_question())
        of_club = uow.questions.ask(_question(about=MembershipTopic(1).key))
        of_nothing = uow.questions.ask(_question(holder=STRANGER, about=None))
    with storage.reading() as uow:
        waiting = uow.questions.waiting
        assert waiting(1, T0, match_key(1)) == [of_match]
        assert waiting(1, T0) == [of_match, of_club]
        assert waiting(1, T0, match_key(2)) == waiting(2, T0) == waiting("1", T0) == []
        assert waiting(STRANGER.lower(), T0) == [of_nothing]


def test_questions_of_a_kind_are_found_for_any_holder(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        asked = [
            uow.questions.ask(_question(kind=kind, holder=holder))
            for kind, holder in (("one", 1), ("two", STRANGER), ("one", STRANGER))
        ]
    with storage.reading() as uow:
        assert uow.questions.of_kind("one", T0) == [asked[0], asked[2]]
        assert uow.questions.of_kind("one", T0 + WEEK) == []


def test_question_is_found_by_its_latest_email(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        asked = uow.questions.ask(_question())
        assert uow.questions.asked_by("<ask@club.example>") == asked
        uow.questions.ask(_question(asked_by=""))
        uow.questions.asked(asked.id, "<new@club.example>")
        again = replace(asked, asked_by="<new@club.example>")
        assert uow.questions.asked_by("<new@club.example>") == again
        for unknown in ("<ask@club.example>", ""):
            assert uow.questions.asked_by(unknown) is None
        with pytest.raises(StorageError):
            uow.questions.asked(99, "<new@club.example>")


def test_email_waits_once_and_is_settled_once(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        mail = recorded_mail(uow, 1)
        question = uow.questions.ask(_question(inbound_id=mail))
        with pytest.raises(StorageError):
            uow.questions.ask(_question(inbound_id=mail))
        uow.questions.settle(question.id)
        assert uow.questions.waiting(1, T0) == []
        for gone in (uow.questions.settle, uow.questions.get):
            with pytest.raises(StorageError):
                gone(question.id)
        assert uow.questions.ask(_question(inbound_id=mail)).id > question.id


@pytest.mark.parametrize("wrong", ({"holder": 9}, {"inbound_id": 9}))
def test_question_needs_an_existing_holder_and_email(
    storage: Storage, wrong: dict[str, int]
) -> None:
    new_match(storage)
    with storage.writing() as uow, pytest.raises(StorageError):
        uow.questions.ask(_question(**wrong))


def test_exposures_are_kept_by_topic_and_holder(storage: Storage) -> None:
    first, second = match_key(1), match_key(2)
    with storage.writing() as uow:
        people(uow, "Anna")
        holders: tuple[Holder, ...] = (1, STRANGER)
        for holder in holders:
            uow.exposures.note(first, holder, Exposure(mail=9, turn=1))
            uow.exposures.note(first, holder, Exposure(mail=0, turn=3))
    with storage.reading() as uow:
        assert uow.exposures.of(first, 1) == Exposure(mail=9, turn=3)
        assert uow.exposures.of(first, STRANGER.lower()) == Exposure(mail=9, turn=3)
        assert uow.exposures.of(first, 2) is uow.exposures.of(second, 1) is None
        for holder in (*holders, 2):
            exposure = uow.exposures.of(first, holder)
            assert uow.exposures.worth(first, holder) == (None, exposure, False)
