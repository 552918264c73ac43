"""The contract of a storage: the outbox."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.mail.topic import Holder, QuestionTopic, match_key
from pbem.ports.outbox import NewMail, Unrequested
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, T0, claim, new_match, outgoing

UNTIL = T0 + MINUTE * 5
WEEK = timedelta(days=7)


def _claimed(uow: UnitOfWork, at: timedelta = MINUTE * 0, limit: int = 9) -> list[str]:
    return [mail.mail.message_id for mail in claim(uow, T0 + at, UNTIL + at, limit)]


def _queue(storage: Storage, *numbers: int) -> None:
    with storage.writing() as uow:
        for number in numbers:
            uow.outbox.add(outgoing(number), T0)


def test_email_is_claimed_as_it_was_queued(storage: Storage) -> None:
    match = new_match(storage)
    mail = outgoing(1, player=1, topic=match_key(match.id), turn=4, writer=2)
    with storage.writing() as uow:
        uow.outbox.add(mail, T0)
        (queued,) = claim(uow, T0, UNTIL, 1)
    assert (queued.mail, queued.attempts) == (mail, 0)


def test_email_needs_an_existing_player(storage: Storage) -> None:
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.outbox.add(outgoing(1, player=9), T0)


def test_oldest_emails_are_claimed_first_and_only_once(storage: Storage) -> None:
    _queue(storage, 3, 1, 2)
    with storage.writing() as uow:
        assert _claimed(uow, limit=2) == ["<3@club.example>", "<1@club.example>"]
    with storage.writing() as uow:
        assert _claimed(uow) == ["<2@club.example>"]
        assert _claimed(uow) == []
        assert uow.outbox.unsent() == 3


def test_email_queued_for_later_is_not_due(storage: Storage) -> None:
    _queue(storage, 1)
    with storage.writing() as uow:
        assert claim(uow, T0 - MINUTE, UNTIL, 9) == []
        assert len(claim(uow, T0, UNTIL, 9)) == 1


def test_claim_expires(storage: Storage) -> None:
    _queue(storage, 1)
    with storage.writing() as uow:
        claim(uow, T0, UNTIL, 9)
        assert claim(uow, UNTIL - MINUTE, UNTIL + MINUTE, 9) == []
        (again,) = claim(uow, UNTIL, UNTIL + MINUTE, 9)
    assert (again.mail, again.attempts) == (outgoing(1), 0)


def test_claim_can_be_given_back(storage: Storage) -> None:
    _queue(storage, 1)
    with storage.writing() as uow:
        (queued,) = claim(uow, T0, UNTIL, 9)
        uow.outbox.release(queued.id)
        assert claim(uow, T0, UNTIL, 9) == [queued]
        uow.outbox.release(queued.id, T0 + MINUTE)
        assert claim(uow, T0, UNTIL, 9) == []
        assert claim(uow, T0 + MINUTE, UNTIL, 9) == [queued]


def test_claims_of_a_worker_can_be_released_for_it(storage: Storage) -> None:
    """Six emails: sent, claimed by the worker, by another, by one without a name, paused, free."""
    _queue(storage, 1, 2, 3, 4, 5, 6)
    with storage.writing() as uow:
        sent, held = claim(uow, T0, UNTIL, 2, "he")
        uow.outbox.sent([sent.id], T0)
        claim(uow, T0, UNTIL, 1, "another")
        claim(uow, T0, UNTIL, 1)
        (paused,) = claim(uow, T0, UNTIL, 1, "he")
        uow.outbox.retry(paused.id, "450", T0 + WEEK)
        assert uow.outbox.holders() == ["another", "he"]
        assert uow.outbox.release_of("he") == 1
        assert uow.outbox.holders() == ["another"]
        assert _claimed(uow) == [held.mail.message_id, "<6@club.example>"]


def test_deferred_email_is_tried_again_later(storage: Storage) -> None:
    _queue(storage, 1)
    with storage.writing() as uow:
        (queued,) = claim(uow, T0, UNTIL, 9)
        uow.outbox.retry(queued.id, "450 later", T0 + MINUTE)
    with storage.writing() as uow:
        assert claim(uow, T0, UNTIL, 9) == []
        (again,) = claim(uow, T0 + MINUTE, UNTIL, 9)
        assert (again.id, again.mail, again.attempts) == (queued.id, queued.mail, 1)
        assert uow.outbox.unsent() == 1


def test_sent_or_failed_email_is_not_claimed_again(storage: Storage) -> None:
    _queue(storage, 1, 2, 3)
    with storage.writing() as uow:
        first, second, _ = claim(uow, T0, UNTIL, 9)
        uow.outbox.sent([first.id], T0)
        uow.outbox.failed(second.id, "550 no such user", T0)
        assert uow.outbox.unsent() == 1
        assert _claimed(uow, at=WEEK) == ["<3@club.example>"]


def test_sent_email_stays_sent_despite_an_expired_claim(storage: Storage) -> None:
    _queue(storage, 1)
    with storage.writing() as uow:
        (queued,) = claim(uow, T0, UNTIL, 9)
        uow.outbox.sent([queued.id], T0)
        uow.outbox.retry(queued.id, "450 later", T0)
        uow.outbox.release(queued.id)
        uow.outbox.failed(queued.id, "550 no", T0)
        assert uow.outbox.unsent() == 0
        assert _claimed(uow, at=WEEK) == []


def test_thread_of_a_player_in_a_match_is_found(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        assert uow.outbox.thread(match_key(match.id), 1) == []
        for number in range(1, 11):
            uow.outbox.add(outgoing(number, player=1, topic=match_key(match.id)), T0)
            uow.outbox.add(outgoing(number + 100, player=2, topic=match_key(match.id)), T0)
        ten = [f"<{number}@club.example>" for number in range(1, 11)]
        assert uow.outbox.thread(match_key(match.id), 1) == ten
        uow.outbox.add(outgoing(11, player=1, topic=match_key(match.id)), T0)
        uow.outbox.add(outgoing(12, player=1), T0)
    with storage.reading() as uow:
        assert uow.outbox.thread(match_key(match.id), 1) == [ten[0], *ten[2:], "<11@club.example>"]
        assert uow.outbox.thread(match_key(match.id + 1), 1) == []


def test_emails_to_a_stranger_have_their_own_thread(storage: Storage) -> None:
    new_match(storage)
    topic, address = QuestionTopic(31).key, "Eve@Example.org"
    with storage.writing() as uow:
        others: tuple[dict[str, Any], ...] = ({"to_address": "bob@example.org"}, {"player": 1})
        for number, changes in enumerate(({}, *others, {"turn": 0})):
            mail = outgoing(number, **{"to_address": address, "topic": topic, **changes})
            uow.outbox.add(mail, T0)
    with storage.reading() as uow:
        thread = ["<0@club.example>", "<3@club.example>"]
        for same in (address, address.lower()):
            assert uow.outbox.thread(topic, same) == thread
            assert uow.outbox.latest_turn(topic, same) == 0
            assert uow.exposures.worth(topic, same).newest_turn == 0
            assert uow.outbox.latest(topic, same) == uow.outbox.by_message_id(thread[1])
        assert uow.outbox.thread(topic, 1) == ["<2@club.example>"]
        of_all: dict[Holder, list[str]] = {address: thread, 1: ["<2@club.example>"], 2: []}
        assert uow.outbox.threads(topic, list(of_all)) == of_all
        assert uow.outbox.threads(topic, []) == {}
        assert uow.outbox.thread(match_key(31), address) == []


def test_latest_turn_sent_to_a_player_is_known(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        assert uow.outbox.latest_turn(match_key(match.id), 1) is None
        for number, turn in ((1, 3), (2, 8), (3, 5), (4, None)):
            uow.outbox.add(outgoing(number, player=1, topic=match_key(match.id), turn=turn), T0)
        uow.outbox.add(outgoing(5, player=2, topic=match_key(match.id), turn=9), T0)
        uow.outbox.add(outgoing(6, player=2, topic=match_key(match.id), turn=9), T0 + MINUTE)
        assert uow.outbox.latest_turn(match_key(match.id), 1) == 5
        assert uow.outbox.latest_turn(match_key(match.id), 2) == 9
        turns = [uow.exposures.worth(match_key(match.id), each)[0] for each in (1, 2, 3)]
        assert turns == [5, 9, None]
        told = [uow.outbox.queued_at(match_key(match.id), 2, turn) for turn in (9, 8)]
        assert told == [T0 + MINUTE, None]


def test_emails_of_a_kind_to_an_address_are_counted(storage: Storage) -> None:
    with storage.writing() as uow:
        for minute, kind in enumerate(("turn", "help", "turn")):
            mail = outgoing(minute, to_address="Anna@Example.org", kind=kind)
            uow.outbox.add(mail, T0 + MINUTE * minute)
    with storage.reading() as uow:
        assert uow.outbox.count("anna@example.ORG", "turn", T0) == 2
        assert uow.outbox.count("anna@example.org", "turn", T0 + MINUTE) == 1
        assert uow.outbox.count("anna@example.org", "turn", T0 + MINUTE * 2) == 1
        assert uow.outbox.count("bob@example.org", "turn", T0) == 0


# Bounces


def test_email_is_found_by_its_bounce_key_and_message_id(storage: Storage) -> None:
    match = new_match(storage)
    mail = outgoing(1, player=1, topic=match_key(match.id), turn=4, bounce_key="k1", writer=2)
    with storage.writing() as uow:
        uow.outbox.add(mail, T0)
        uow.outbox.add(outgoing(2), T0)
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.outbox.add(outgoing(3, bounce_key="k1"), T0)
    with storage.reading() as uow:
        posted = uow.outbox.by_bounce_key("k1")
        assert posted is not None
        assert posted == uow.outbox.by_message_id("<1@club.example>")
        assert posted == uow.outbox.latest(match_key(match.id), 1)
        assert (posted.mail, posted.queued_at, posted.bounces) == (mail, T0, 0)
        assert (posted.closed, posted.failed) == (False, False)
        assert uow.outbox.by_bounce_key("k2") is uow.outbox.by_message_id("<9@x>") is None
        assert uow.outbox.latest(match_key(match.id), 2) is None


def test_newest_email_of_a_match_to_a_player_is_found(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        for number, player in enumerate((1, 1, 2), start=1):
            uow.outbox.add(outgoing(number, player=player, topic=match_key(match.id)), T0)
        newest = uow.outbox.latest(match_key(match.id), 1)
    assert newest is not None
    assert newest.mail.message_id == "<2@club.example>"


def test_undeliverable_email_is_recorded_as_failed(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1, bounce_key="k"), T0, failure="no address accepts mail")
        assert uow.outbox.unsent() == 0
        assert _claimed(uow) == []
        posted = uow.outbox.by_bounce_key("k")
    assert posted is not None
    assert (posted.closed, posted.failed) == (True, True)


def test_email_that_bounced_for_now_waits_again(storage: Storage) -> None:
    _queue(storage, 1)
    with storage.writing() as uow:
        (queued,) = claim(uow, T0, UNTIL, 1)
        uow.outbox.sent([queued.id], T0)
        uow.outbox.bounced_for_now(queued.id, "full", T0 + WEEK)
        posted = uow.outbox.by_message_id("<1@club.example>")
        assert posted is not None
        assert (posted.closed, posted.failed, posted.bounces) == (False, False, 1)
        assert posted.mail.received_at is None, "a later attempt proves nothing about answers"
        assert uow.outbox.unsent() == 1
        assert _claimed(uow, WEEK - MINUTE) == []
        assert _claimed(uow, WEEK) == ["<1@club.example>"]


def test_email_that_bounced_for_good_has_failed(storage: Storage) -> None:
    _queue(storage, 1, 2)
    with storage.writing() as uow:
        sent, waiting = claim(uow, T0, UNTIL, 2)
        uow.outbox.sent([sent.id], T0)
        for queued in (sent, waiting):
            uow.outbox.bounced(queued.id, "550", T0)
        for number in (1, 2):
            posted = uow.outbox.by_message_id(f"<{number}@club.example>")
            assert posted is not None
            assert (posted.closed, posted.failed) == (True, True)
        assert _claimed(uow, WEEK) == []


def test_failed_and_deferred_emails_are_listed_newest_first(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1), T0 - WEEK)
        uow.outbox.add(outgoing(2, player=1, topic=match_key(match.id)), T0)
        uow.outbox.add(outgoing(3, player=2), T0)
        for number in (4, 5, 6, 7):
            uow.outbox.add(outgoing(number, to_address="x@example.org"), T0)
        uow.outbox.add(outgoing(8), T0, failure="nobody takes it")
        mails = sorted(claim(uow, T0, UNTIL, 9), key=lambda each: each.id)
        old, failed, off, gone, came_back, lost, _ = mails
        uow.outbox.failed(old.id, "550 long ago", T0)
        uow.outbox.failed(failed.id, "550 no", T0 + MINUTE)
        uow.outbox.retry(off.id, "450 later", T0 + MINUTE)
        uow.outbox.retry(gone.id, "450 later", T0 + MINUTE)
        uow.outbox.sent([gone.id], T0)
        uow.outbox.sent([came_back.id], T0)
        uow.outbox.bounced_for_now(came_back.id, "full", T0 + MINUTE)
        uow.outbox.sent([lost.id], T0)
        uow.outbox.bounced(lost.id, "unknown", T0 + MINUTE)
    with storage.reading() as uow:
        told = uow.outbox.troubled(T0, 9)
        assert [(each.reply, each.failed_at) for each in told] == [
            ("nobody takes it", T0),
            ("unknown", T0 + MINUTE),
            ("full", None),
            ("450 later", None),
            ("550 no", T0 + MINUTE),
        ]
        assert uow.outbox.troubled(T0, 2) == told[:2]
        assert uow.outbox.troubled(T0, 9, player=2) == [told[3]]
        (his,) = uow.outbox.troubled(T0, 9, player=1)
        assert (his.kind, his.recipient, his.topic) == ("turn", "anna@example.org", "match 1")
        assert his.queued_at == T0


def test_waiting_email_is_listed_and_may_be_withheld(storage: Storage) -> None:
    match = new_match(storage)
    mail = replace(outgoing(2, player=1, topic=match_key(match.id)), received_at=None)
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1), T0)
        uow.outbox.add(mail, T0 + MINUTE)
        first, second = uow.outbox.waiting()
        assert (first.message_id, first.player) == ("<1@club.example>", None)
        assert first.received_at == outgoing(1).received_at
        assert (second.player, second.topic, second.queued_at) == (1, mail.topic, T0 + MINUTE)
        assert (second.kind, second.received_at) == (mail.kind, None)
        uow.outbox.withhold(first.id, "held", T0 + MINUTE)
        assert uow.outbox.waiting() == [second]
        assert _claimed(uow, MINUTE * 2) == [second.message_id]
        assert uow.outbox.troubled(T0, 9) == []


def test_email_that_another_may_replace_is_sent_only_later(storage: Storage) -> None:
    match = new_match(storage)
    topic, later = match_key(match.id), T0 + MINUTE * 2
    about = {"player": 1, "topic": topic}
    with storage.writing() as uow:
        uow.outbox.add_all([NewMail(outgoing(1, **about), not_before=later)], T0)
        uow.outbox.add(outgoing(2, **about), T0)
        uow.outbox.add_all([NewMail(outgoing(3), not_before=later)], T0)
        (delayed,) = uow.outbox.delayed(topic, T0 + MINUTE)
        assert delayed.mail.message_id == "<1@club.example>"
        assert uow.outbox.delayed(topic, later) == []
        assert _claimed(uow, MINUTE) == ["<2@club.example>"]
        uow.outbox.withhold(delayed.id, "replaced", T0 + MINUTE)
        assert uow.outbox.delayed(topic, T0 + MINUTE) == []
        assert _claimed(uow, MINUTE * 3) == ["<3@club.example>"]


def test_unsolicited_emails_are_counted_by_allowance(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.players.add("Anna", ["anna@example.org"])
        uow.outbox.add(outgoing(1, allowance="mailbox a@b"), T0)
        uow.outbox.add(outgoing(2, allowance="mailbox a@b", player=1), T0 + MINUTE)
        uow.outbox.add(outgoing(3, allowance="signed a@b"), T0 + MINUTE)
        uow.outbox.add(outgoing(4), T0 + MINUTE)
    with storage.reading() as uow:
        both = [Unrequested(T0, None, "turn"), Unrequested(T0 + MINUTE, 1, "turn")]
        assert uow.outbox.unrequested("mailbox a@b", T0) == both
        assert uow.outbox.unrequested("mailbox a@b", T0 + MINUTE) == both[1:]
        assert uow.outbox.unrequested("mailbox a", T0) == []
        assert uow.outbox.to_strangers(T0, "mailbox ") == both[:1]
        assert len(uow.outbox.to_strangers(T0, "signed ")) == 1
        posted = uow.outbox.by_message_id("<1@club.example>")
    assert posted is not None
    assert posted.mail.allowance == "mailbox a@b"
