"""The contract of a storage: the queue of outgoing email."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pbem.mail.outgoing.letter import Urgency
from pbem.mail.topic import QuestionTopic, match_key
from pbem.ports.outbox import SPACING, NewMail, OutboxLine
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, T0, claim, outgoing

UNTIL = T0 + 2 * MINUTE


def _queue(storage: Storage, *mails: dict[str, Any]) -> None:
    """Queue emails of T0 in this order, to different readers unless told otherwise."""
    new = []
    for number, changes in enumerate(mails, start=1):
        to = {"to_address": f"reader{number}@example.org", "urgency": Urgency.PLAY}
        new.append(NewMail(outgoing(number, **{**to, **changes})))
    with storage.writing() as uow:
        uow.outbox.add_all(new, T0)


def _due(uow: UnitOfWork, most: int = 99, *without: str) -> list[int]:
    return [mail.id for mail in uow.outbox.due(T0, most, without)]


def test_most_urgent_emails_come_first_with_some_of_each_urgency(storage: Storage) -> None:
    _queue(storage, *({"urgency": Urgency(urgency)} for urgency in (3, 0, 1, 0, 0, 2, 1) * 2))
    with storage.writing() as uow:
        found = uow.outbox.due(T0, 2)
    assert [(mail.urgency, mail.id) for mail in found] == [
        (Urgency.PLAY, 2),
        (Urgency.PLAY, 4),
        (Urgency.NOTICE, 3),
        (Urgency.NOTICE, 7),
        (Urgency.ANNOUNCEMENT, 6),
        (Urgency.ANNOUNCEMENT, 13),
        (Urgency.REPORT, 1),
        (Urgency.REPORT, 8),
    ]


def test_one_email_at_a_time_goes_to_a_reader_or_match(storage: Storage) -> None:
    anna = ({"to_address": "anna@example.org"}, {"to_address": "Anna@Example.ORG"})
    seven, notice = {"topic": match_key(7)}, {"urgency": Urgency.NOTICE}
    of_nothing = {"topic": QuestionTopic(1).key}
    _queue(storage, *anna, seven, seven, {**anna[0], **notice}, of_nothing, of_nothing, {})
    with storage.writing() as uow:
        assert _due(uow) == [1, 3, 6, 7, 8, 2, 4, 5]
        claim(uow, T0, UNTIL, 99)
        for number in (1, 2):
            uow.outbox.sent([number], T0)
        uow.outbox.add(outgoing(9, to_address="anna@example.org", urgency=Urgency.PLAY), T0)
        uow.outbox.add(outgoing(10, to_address="x@example.org", urgency=Urgency.PLAY), T0)
        assert _due(uow) == [9, 10], "sent emails hold up nobody"


def test_flood_takes_turns_with_later_email(storage: Storage) -> None:
    _queue(storage, *({"to_address": "anna@example.org"},) * 3)
    with storage.writing() as uow:
        for number, moments in ((4, 0.5), (5, 1.5)):
            mail = outgoing(number, to_address=f"x{number}@example.org", urgency=Urgency.PLAY)
            uow.outbox.add(mail, T0 + moments * SPACING)
        found = [mail.id for mail in uow.outbox.due(T0 + MINUTE, 99)]
    assert found == [1, 4, 2, 5, 3]


def test_excluded_domains_are_left_out(storage: Storage) -> None:
    addresses = ("a@Gmail.com", "b@example.org", "c@gmail.com", "d@café.example")
    _queue(storage, *({"to_address": address} for address in addresses))
    with storage.writing() as uow:
        assert [mail.domain for mail in uow.outbox.due(T0, 9)] == [
            "gmail.com",
            "example.org",
            "gmail.com",
            "café.example",
        ]
        assert _due(uow, 9, "gmail.com", "café.example") == [2]


def test_recent_attempts_are_counted_by_domain(storage: Storage) -> None:
    _queue(storage, *({"to_address": f"{number}@gmail.com"} for number in range(4)), {}, {})
    with storage.writing() as uow:
        uow.outbox.take_turns()
        assert uow.outbox.tried(T0 - MINUTE) == Counter()
        claimed = [mail.id for mail in claim(uow, T0, UNTIL, 5)]
        assert claimed == [1, 2, 3, 4, 5]
        uow.outbox.sent([1], T0)
        uow.outbox.retry(2, "450", T0 + MINUTE)
        uow.outbox.failed(3, "550", T0)
        uow.outbox.release(4)
    with storage.reading() as uow:
        assert uow.outbox.tried(T0 - MINUTE) == {"gmail.com": 3, "example.org": 1}
        assert uow.outbox.tried(T0) == {}, "excluding attempts at that very moment"


def test_attempts_go_back_with_the_clock(storage: Storage) -> None:
    ahead = T0 + 60 * MINUTE
    with storage.writing() as uow:
        for number in (1, 2):
            uow.outbox.add(outgoing(number, urgency=Urgency.PLAY), ahead)
        claim(uow, ahead, ahead, 1)
        uow.service.set_back(60 * MINUTE, T0)
        assert uow.outbox.tried(T0) == {}
        assert uow.outbox.tried(T0 - MINUTE) == {"example.org": 1}
        uow.outbox.add(outgoing(3, to_address="x@example.org", urgency=Urgency.PLAY), T0)
        assert _due(uow) == [1, 2, 3]


def test_waiting_email_is_counted_by_urgency_and_domain(storage: Storage) -> None:
    gmail, report = {"to_address": "a@gmail.com"}, {"urgency": Urgency.REPORT}
    _queue(storage, gmail, gmail, {**gmail, **report}, {}, {}, {})
    with storage.writing() as uow:
        uow.outbox.sent([4], T0)
        uow.outbox.claim([5], T0, UNTIL)
        uow.outbox.retry(6, "450", T0 + MINUTE)
        mail = outgoing(7, urgency=Urgency.PLAY, to_address="b@gmail.com")
        uow.outbox.add(mail, T0 - MINUTE)
    with storage.reading() as uow:
        assert uow.outbox.lines(T0) == [
            OutboxLine(Urgency.PLAY, "gmail.com", 3, T0 - MINUTE),
            OutboxLine(Urgency.REPORT, "gmail.com", 1, T0),
        ]
