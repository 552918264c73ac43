"""The contract of a storage: moments come back in UTC, texts and emails unchanged if possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from pbem.mail.outgoing.letter import to_bytes
from pbem.mail.topic import match_key
from pbem.matches.clock import Clock
from pbem.matches.competitions.series import Series
from pbem.matches.match import Result
from pbem.matches.time_controls.days import Days
from pbem.ports.inbound import InboundKey, InboundState
from pbem.ports.people import AbsenceNotice, OpenQuestion
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import (
    INBOX,
    MINUTE,
    OPTIONS,
    T0,
    a_match,
    action,
    claim,
    key,
    new_match,
    outgoing,
    people,
    received,
    recorded_mail,
)

# Moments


def test_moment_comes_back_in_utc(storage: Storage) -> None:
    there = T0.astimezone(timezone(timedelta(hours=5, minutes=45)))
    with storage.writing() as uow:
        match = uow.matches.add(a_match(people(uow, "Anna", "Bob"), started_at=there))
        uow.matches.append(match.id, [action(1, at=there)])
        uow.matches.save(replace(match, clock=Clock(Days(1)).start(1, there)))
        uow.service.beat(there)
        mail = uow.inbound.add(received(1, received_at=there), key(), there)
        assert mail is not None
    with storage.reading() as uow:
        moments = [
            uow.matches.get(match.id).started_at,
            uow.matches.recorded(match.id)[0].at,
            uow.matches.get(match.id).clock.since,
            uow.deadlines.due(there + timedelta(days=1))[-1].due_at - timedelta(days=1),
            uow.service.last_beat(),
            uow.inbound.get(mail).received_at,
            uow.inbound.get(mail).recorded_at,
        ]
    assert [str(moment) for moment in moments] == ["2026-11-21 09:30:15.123456+00:00"] * 7


NAIVE = T0.replace(tzinfo=None)


def _with_match(uow: UnitOfWork, at: datetime) -> None:
    uow.matches.add(a_match([uow.players.get(1), uow.players.get(2)], started_at=at))


def _with_result(uow: UnitOfWork, at: datetime) -> None:
    result = Result((), "draw", {"S": 0}, at)
    uow.matches.save(replace(uow.matches.get(1), result=result))


def _with_series(uow: UnitOfWork, at: datetime) -> None:
    uow.competitions.add(Series("lanrick-1893", (1, 2), OPTIONS, at, games=3))


def _with_question(uow: UnitOfWork, at: datetime) -> None:
    uow.questions.ask(OpenQuestion("unproven", 1, None, at))


def _mails_before(uow: UnitOfWork, at: datetime) -> int:
    return uow.inbound.count_about(A_MATCH, 1, at, proven=True)


A_MATCH = match_key(1)

ASKED_WITH_A_MOMENT: dict[str, Callable[[UnitOfWork, datetime], object]] = {
    "start of a match": _with_match,
    "end of a match": _with_result,
    "competition": _with_series,
    "action": lambda uow, at: uow.matches.append(1, [action(1, at=at)]),
    "archived": lambda uow, at: uow.matches.mark_archived(1, at),
    "received": lambda uow, at: uow.inbound.add(received(2, received_at=at), key(2), T0),
    "highest": lambda uow, at: uow.inbound.highest(INBOX, at),
    "recorded": lambda uow, at: uow.inbound.add(received(2), key(2), at),
    "mails before": _mails_before,
    "mails of a match": lambda uow, at: uow.inbound.count_about(A_MATCH, 1, at, proven=True),
    "asked": _with_question,
    "waiting": lambda uow, at: uow.questions.waiting(1, at),
    "queued": lambda uow, at: uow.outbox.add(outgoing(2), at),
    "written": lambda uow, at: uow.outbox.add(outgoing(2, written_at=at), T0),
    "claimed": lambda uow, at: claim(uow, at, T0, 1),
    "claimed until": lambda uow, at: claim(uow, T0, at, 1),
    "sent": lambda uow, at: uow.outbox.sent([1], at),
    "failed": lambda uow, at: uow.outbox.failed(1, "550", at),
    "next attempt": lambda uow, at: uow.outbox.retry(1, "450", at),
    "mails since": lambda uow, at: uow.outbox.count("anna@example.org", "turn", at),
    "due until": lambda uow, at: uow.deadlines.due(at),
    "address failed": lambda uow, at: uow.players.address_failed("anna@example.org", at, ""),
    "address works": lambda uow, at: uow.players.address_works("anna@example.org", at),
    "absence": lambda uow, at: uow.absences.add(AbsenceNotice(1, 1, at, "", "")),
    "bounced": lambda uow, at: uow.outbox.bounced(1, "550", at),
    "bounced for now": lambda uow, at: uow.outbox.bounced_for_now(1, "452", at),
    "heartbeat": lambda uow, at: uow.service.beat(at),
    "poll": lambda uow, at: uow.service.polled(at),
    "set back": lambda uow, at: uow.service.set_back(MINUTE, at),
    "postponed": lambda uow, at: uow.questions.postpone(MINUTE, at),
}


def test_naive_datetime_is_refused(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1), T0)
        recorded_mail(uow, 1)
    for ask in ASKED_WITH_A_MOMENT.values():
        with pytest.raises(ValueError, match="has no time zone"), storage.writing() as uow:
            ask(uow, NAIVE)


# Texts from strangers' emails


def test_unstorable_character_becomes_a_question_mark(storage: Storage) -> None:
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
        uow.outbox.add(outgoing(1, to_address=sender), T0)
    with storage.reading() as uow:
        assert uow.inbound.get(mail).sender == sender
        assert uow.inbound.provenance(uow.inbound.get(again), T0).unproven == 1
        assert uow.outbox.count(sender, "turn", T0) == 1


def test_raw_email_comes_back_byte_for_byte(storage: Storage) -> None:
    raw = bytes(range(256)) * 5_000
    with storage.writing() as uow:
        mail = uow.inbound.add(received(1, raw=raw), key(), T0)
        assert mail is not None
    with storage.reading() as uow:
        assert uow.inbound.get(mail).raw == raw


def test_queued_email_has_the_same_bytes_whenever_sent(storage: Storage) -> None:
    there = T0.astimezone(timezone(timedelta(hours=5, minutes=45)))
    mail = outgoing(1, subject="\0 \ud800", text="ż\n" * 5_000, written_at=there, answers=True)
    with storage.writing() as uow:
        uow.outbox.add(mail, T0 + MINUTE)
    with storage.writing() as uow:
        (first,) = claim(uow, T0 + MINUTE, T0 + 2 * MINUTE, 1)
    with storage.writing() as uow:
        (again,) = claim(uow, T0 + 3 * MINUTE, T0 + 4 * MINUTE, 1)
    kept = replace(mail.letter, subject="? ?", written_at=T0)
    assert first.mail.letter == kept
    assert to_bytes(again.mail.letter) == to_bytes(kept)


def test_uid_may_be_any_unsigned_32_bit_number(storage: Storage) -> None:
    with storage.writing() as uow:
        recorded_mail(uow, 4_294_967_295)
        assert uow.inbound.highest(INBOX, T0 + MINUTE) == 4_294_967_295
