"""The contract of a storage: transactions, moments and texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from threading import Event, Thread

import pytest

from pbem.matches.match import Result
from pbem.matches.sets import MatchSet
from pbem.matches.time_control import DeadlineKind, Due
from pbem.service.ports import (
    InboundKey,
    InboundState,
    ParkedMail,
    Storage,
    StorageError,
    UnitOfWork,
)
from tests.support.stored import (
    INBOX,
    MINUTE,
    OPTIONS,
    T0,
    a_match,
    action,
    key,
    new_match,
    outgoing,
    people,
    received,
    recorded_mail,
)


class CrashError(Exception):
    """Something nobody expected."""


def test_what_is_written_is_there_for_the_next_transaction(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", ["anna@example.org"])
        assert uow.players.get(anna.id) == anna
    with storage.reading() as uow:
        assert uow.players.get(anna.id) == anna


def test_an_error_leaves_everything_as_it_was(storage: Storage) -> None:
    match = new_match(storage)

    def crash_at_the_end() -> None:
        with storage.writing() as uow:
            uow.players.add("Dora", ["dora@example.org"])
            uow.matches.append(match.id, [action(1)])
            uow.matches.save(replace(match, actions=1, to_act="W"))
            uow.outbox.add(outgoing(1), T0)
            raise CrashError

    with pytest.raises(CrashError):
        crash_at_the_end()
    with storage.reading() as uow:
        assert uow.players.named("Dora") is None
        assert uow.matches.recorded(match.id) == []
        assert uow.matches.get(match.id) == match
        assert uow.outbox.unsent() == 0


def test_a_refusal_leaves_the_rest_of_the_transaction_alone(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1), T0)
        with pytest.raises(StorageError):
            uow.outbox.add(outgoing(1), T0)
        uow.matches.append(match.id, [action(1)])
        with pytest.raises(StorageError):
            uow.matches.append(match.id, [action(2), action(1)])
        with pytest.raises(StorageError):
            uow.players.add("Dora", ["dora@example.org", "ANNA@example.org"])
        uow.outbox.add(outgoing(2), T0)
    with storage.reading() as uow:
        assert uow.outbox.unsent() == 2
        assert uow.matches.recorded(match.id) == [action(1)]
        assert uow.players.named("Dora") is None


def test_a_reading_transaction_refuses_to_write(storage: Storage) -> None:
    with (
        pytest.raises(Exception, match=r"read-?only"),  # each database has its own error
        storage.reading() as uow,
    ):
        uow.players.add("Anna", ["anna@example.org"])
    with storage.reading() as uow:
        assert uow.players.all() == []


def test_a_reading_transaction_refuses_to_lock(storage: Storage) -> None:
    match = new_match(storage)
    with pytest.raises(RuntimeError, match="read-only"), storage.reading() as uow:
        uow.matches.lock(match.id)


def test_one_can_write_again_after_reading(storage: Storage) -> None:
    with storage.reading() as uow:
        assert uow.players.all() == []
    with storage.writing() as uow:
        people(uow, "Anna")
    with storage.reading() as uow:
        assert uow.players.named("Anna") is not None


def test_a_reading_transaction_sees_one_moment(storage: Storage) -> None:
    with storage.reading() as before:
        assert before.players.all() == []
        with storage.writing() as uow:
            people(uow, "Anna")
        assert before.players.all() == []


def test_a_locked_match_is_nobody_else_s(storage: Storage) -> None:
    match = new_match(storage)
    began, seen = Event(), []

    def other() -> None:
        began.set()
        with storage.writing() as uow:
            seen.append(uow.matches.lock(match.id).actions)

    thread = Thread(target=other)
    with storage.writing() as uow:
        locked = uow.matches.lock(match.id)
        thread.start()
        began.wait()
        uow.matches.append(match.id, [action(1)])
        uow.matches.save(replace(locked, actions=1))
        assert seen == []
    thread.join()
    assert seen == [1]


def test_what_was_read_before_a_lock_is_read_anew(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.matches.get(match.id)
        uow.matches.save(replace(match, turn=7))
        assert uow.matches.lock(match.id).turn == 7
        assert uow.matches.get(match.id).turn == 7


@pytest.mark.parametrize("number", (0, -1, 12, 2**31, 10**30))
def test_what_is_not_there_is_said_so(storage: Storage, number: int) -> None:
    with storage.writing() as uow:
        for ask in (
            uow.players.get,
            uow.matches.get,
            uow.matches.lock,
            uow.sets.get,
            uow.sets.lock,
            uow.inbound.get,
            uow.inbound.lock,
        ):
            with pytest.raises(StorageError):
                ask(number)


# Moments


def test_a_moment_comes_back_in_utc(storage: Storage) -> None:
    there = T0.astimezone(timezone(timedelta(hours=5, minutes=45)))
    with storage.writing() as uow:
        match = uow.matches.add(a_match(people(uow, "Anna", "Bob"), started_at=there))
        uow.matches.append(match.id, [action(1, at=there)])
        uow.deadlines.put(match.id, 1, [Due(DeadlineKind.FLAG, there)])
        uow.service.beat(there)
        mail = uow.inbound.add(received(1, received_at=there), key(), there)
        assert mail is not None
    with storage.reading() as uow:
        moments = [
            uow.matches.get(match.id).started_at,
            uow.matches.recorded(match.id)[0].at,
            uow.deadlines.flag_at(match.id),
            uow.service.last_beat(),
            uow.inbound.get(mail).received_at,
            uow.inbound.get(mail).recorded_at,
        ]
    assert [str(moment) for moment in moments] == ["2026-11-21 09:30:15.123456+00:00"] * 6


NAIVE = T0.replace(tzinfo=None)


def _with_match(uow: UnitOfWork, at: datetime) -> None:
    uow.matches.add(a_match([uow.players.get(1), uow.players.get(2)], started_at=at))


def _with_result(uow: UnitOfWork, at: datetime) -> None:
    result = Result((), "draw", {"S": 0}, at)
    uow.matches.save(replace(uow.matches.get(1), result=result))


def _with_set(uow: UnitOfWork, at: datetime) -> None:
    uow.sets.add(MatchSet(0, "lanko-68", (1, 2, 3), OPTIONS, at))


def _with_parked(uow: UnitOfWork, at: datetime) -> None:
    uow.inbound.park(ParkedMail(1, 1, 1, "<ask@club.example>", at))


ASKED_WITH_A_MOMENT: dict[str, Callable[[UnitOfWork, datetime], object]] = {
    "start of a match": _with_match,
    "end of a match": _with_result,
    "set": _with_set,
    "action": lambda uow, at: uow.matches.append(1, [action(1, at=at)]),
    "archived": lambda uow, at: uow.matches.mark_archived(1, at),
    "received": lambda uow, at: uow.inbound.add(received(2, received_at=at), key(2), T0),
    "recorded": lambda uow, at: uow.inbound.add(received(2), key(2), at),
    "mails before": lambda uow, at: uow.inbound.count_before(uow.inbound.get(1), at),
    "park": _with_parked,
    "parked": lambda uow, at: uow.inbound.parked(1, 1, at),
    "queued": lambda uow, at: uow.outbox.add(outgoing(2), at),
    "claimed": lambda uow, at: uow.outbox.claim(at, T0, 1),
    "claimed until": lambda uow, at: uow.outbox.claim(T0, at, 1),
    "sent": lambda uow, at: uow.outbox.sent(1, at),
    "failed": lambda uow, at: uow.outbox.failed(1, "550", at),
    "next attempt": lambda uow, at: uow.outbox.retry(1, "450", at),
    "mails since": lambda uow, at: uow.outbox.count("anna@example.org", "turn", at),
    "deadline": lambda uow, at: uow.deadlines.put(1, 1, [Due(DeadlineKind.FLAG, at)]),
    "due until": lambda uow, at: uow.deadlines.due(at),
    "due after": lambda uow, at: uow.deadlines.postpone(MINUTE, at),
    "heartbeat": lambda uow, at: uow.service.beat(at),
    "poll": lambda uow, at: uow.service.polled(at),
}


@pytest.mark.parametrize("asked", ASKED_WITH_A_MOMENT)
def test_a_naive_datetime_is_refused(storage: Storage, asked: str) -> None:
    new_match(storage)
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1), T0)
        recorded_mail(uow, 1)
    with pytest.raises(ValueError, match="has no time zone"), storage.writing() as uow:
        ASKED_WITH_A_MOMENT[asked](uow, NAIVE)


# Texts out of strangers' mails


def test_what_a_database_cannot_hold_becomes_a_question_mark(storage: Storage) -> None:
    with storage.writing() as uow:
        mail = uow.inbound.add(received(1), InboundKey("<\0a@b>", "d", "x\udcff@y.example"), T0)
        assert mail is not None
        uow.inbound.close(mail, InboundState.SHUNTED, "line \ud800")
    with storage.reading() as uow:
        stored = uow.inbound.get(mail)
    assert (stored.message_id, stored.sender, stored.reason) == ("<?a@b>", "x?@y.example", "line ?")


def test_headers_of_any_length_are_recorded(storage: Storage) -> None:
    sender = "".join(map(chr, range(0x4E00, 0x4E00 + 9000))) + "@example.org"
    with storage.writing() as uow:
        mail = uow.inbound.add(received(1), InboundKey(sender, "digest", sender), T0)
        again = uow.inbound.add(received(2), InboundKey("", "digest", sender), T0)
        assert mail is not None
        assert again is not None
        uow.outbox.add(outgoing(1, recipient=sender), T0)
    with storage.reading() as uow:
        assert uow.inbound.get(mail).sender == sender
        assert uow.inbound.count_before(uow.inbound.get(again), T0) == 1
        assert uow.outbox.count(sender, "turn", T0) == 1


def test_the_raw_mail_comes_back_byte_for_byte(storage: Storage) -> None:
    raw = bytes(range(256)) * 5_000
    with storage.writing() as uow:
        mail = uow.inbound.add(received(1, raw=raw), key(), T0)
        uow.outbox.add(outgoing(1, raw=raw), T0)
        assert mail is not None
    with storage.writing() as uow:
        assert uow.inbound.get(mail).raw == raw
        assert uow.outbox.claim(T0, T0 + MINUTE, 1)[0].mail.raw == raw


def test_a_uid_may_be_any_unsigned_number_of_32_bits(storage: Storage) -> None:
    with storage.writing() as uow:
        recorded_mail(uow, 4_294_967_295)
        assert uow.inbound.highest(INBOX) == 4_294_967_295
