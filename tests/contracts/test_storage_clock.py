"""The contract of a storage: its moments when the clock has gone back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.matches.match import Result
from pbem.ports.inbound import InboundState
from pbem.ports.people import AbsenceNotice, OpenQuestion
from pbem.ports.play import CLUB, Digest, Pause, Unseen
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, T0, claim, new_match, outgoing, recorded_mail

YEAR = timedelta(days=365)
AHEAD = T0 + YEAR


def _set_back(storage: Storage) -> None:
    """Set the storage back from a clock that was a year ahead."""
    with storage.writing() as uow:
        uow.service.beat(AHEAD)
        uow.service.set_back(YEAR, T0)


def test_running_moments_go_back_with_the_clock(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        ended = uow.matches.add(replace(match, id=0, result=Result((), "draw", {}, AHEAD)))
        for each in (match, ended):
            uow.matches.save(replace(uow.matches.get(each.id), turn_started_at=AHEAD))
        uow.questions.ask(OpenQuestion("unproven", 1, None, AHEAD + MINUTE))
        uow.pauses.put(Pause(CLUB, AHEAD, AHEAD + MINUTE))
        uow.service.polled(AHEAD - MINUTE)
        uow.waiting_news.put(Unseen(match.id, 1, 1, AHEAD + MINUTE, AHEAD + YEAR))
        digest = uow.digests.add(Digest(1, AHEAD, {match.id: 1}))
    _set_back(storage)
    with storage.reading() as uow:
        assert uow.matches.get(match.id).turn_started_at == T0
        assert uow.matches.get(ended.id).turn_started_at == AHEAD
        assert uow.pauses.of(CLUB) == [Pause(CLUB, T0, AHEAD + MINUTE)], "it ends on its date"
        assert uow.waiting_news.of(1) == [Unseen(match.id, 1, 1, T0 + MINUTE, AHEAD)]
        assert uow.digests.of(digest.id) == replace(digest, at=T0)
        (asked,) = uow.questions.waiting(1, T0)
        assert asked.expires_at == T0 + MINUTE
        assert (uow.service.last_beat(), uow.service.last_poll()) == (T0, T0 - MINUTE)


def _claimed(uow: UnitOfWork, minutes: int) -> list[int]:
    at = T0 + MINUTE * minutes
    return [mail.id for mail in claim(uow, at, at + MINUTE, 9)]


def test_waiting_email_is_due_and_holds_keep_their_length(
    storage: Storage,
) -> None:
    """Emails 1 to 4: held, paused, due, and claimed since the clock went back."""
    with storage.writing() as uow:
        for number in (1, 2):
            uow.outbox.add(outgoing(number), AHEAD - MINUTE)
        held, paused = claim(uow, AHEAD, AHEAD + 5 * MINUTE, 2)
        uow.outbox.retry(paused.id, "450", AHEAD + 3 * MINUTE)
        uow.outbox.add(outgoing(4), T0)
        (since,) = claim(uow, T0, T0 + 4 * MINUTE, 9)
        uow.outbox.add(outgoing(3), AHEAD)
    _set_back(storage)
    with storage.writing() as uow:
        due = uow.outbox.by_message_id("<3@club.example>")
        assert due is not None
        assert due.queued_at == T0
        assert _claimed(uow, 0) == [paused.id, due.id]
        assert since.id in _claimed(uow, 4)
        assert held.id in _claimed(uow, 5)


def test_no_moment_is_later_than_now(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        for uid, at in ((1, AHEAD - MINUTE), (2, T0 - MINUTE)):
            number = recorded_mail(uow, uid, at=at)
            uow.inbound.close(number, InboundState.STRANGER)
            uow.outbox.add(outgoing(uid), at)
            uow.absences.add(AbsenceNotice(1, match.id, at, "", ""))
        uow.players.address_failed("anna@example.org", AHEAD - MINUTE, "550")
        uow.players.address_works("bob@example.org", AHEAD - MINUTE)
    _set_back(storage)
    with storage.reading() as uow:
        recorded = [each.recorded_at for each in uow.inbound.in_state(InboundState.STRANGER)]
        assert recorded == [T0 - MINUTE] * 2
        assert uow.outbox.count("anna@example.org", "turn", T0 - MINUTE) == 2
        assert uow.outbox.count("anna@example.org", "turn", T0) == 0
        assert [each.at for each in uow.absences.of(1, 9)] == [T0 - MINUTE] * 2
        assert uow.players.addresses(1)[0].failed_at == T0 - MINUTE
        assert uow.players.addresses(2)[0].works_since == T0 - MINUTE


def test_question_waits_longer_after_an_outage(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        for minutes in (1, 5):
            uow.questions.ask(OpenQuestion("unproven", 1, None, T0 + MINUTE * minutes))
        uow.questions.postpone(YEAR, after=T0 + 2 * MINUTE)
        waiting = uow.questions.waiting(1, T0 + 3 * MINUTE)
    assert [each.expires_at for each in waiting] == [T0 + YEAR + 5 * MINUTE]
