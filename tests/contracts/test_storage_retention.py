"""The contract of a storage: how long data is kept."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from pbem.adapters.db import retention
from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.archive.site.values import Note, NoteKind
from pbem.mail.topic import DIRECTORS, DigestTopic, OfferTopic, TopicKey, match_key
from pbem.matches.leave import Leave
from pbem.matches.match import MatchSummary, Result
from pbem.matches.offer import Offer, OfferEntry, State
from pbem.matches.offer_terms import OfferTerms
from pbem.matches.plans import Plan
from pbem.ports.inbound import FROM_BOTS, NO_FOLDER, InboundState, MailboxState
from pbem.ports.keeping import Exposure
from pbem.ports.people import AbsenceNotice, Mute, OpenQuestion
from pbem.ports.play import Digest, Snapshot, Unseen
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import (
    INBOX,
    MINUTE,
    OPTIONS,
    T0,
    key,
    new_match,
    outgoing,
    received,
    recorded_mail,
)

SOON = T0 + MINUTE
LATER = SOON + MINUTE


@pytest.fixture
def match(storage: Storage) -> MatchSummary:
    """A match of Anna, Bob and Carol."""
    return new_match(storage)


def ended(uow: UnitOfWork, match: MatchSummary, at: datetime = T0) -> None:
    """End a match."""
    result = Result(("S",), "resignation", dict.fromkeys(match.seats, 0), at)
    uow.matches.save(replace(match, result=result, to_act=None, turn_started_at=None))


@pytest.mark.usefixtures("match")
def test_received_email_is_pruned_and_waiting_email_stays(storage: Storage) -> None:
    with storage.writing() as uow:
        for uid, state in enumerate(InboundState, start=1):
            recorded_mail(uow, uid)
            uow.inbound.close(uid, state)
        asked_about = recorded_mail(uow, 21)
        uow.inbound.close(asked_about, InboundState.PARKED)
        uow.questions.ask(OpenQuestion("unproven", 1, None, LATER, inbound_id=asked_about))
        young = recorded_mail(uow, 22, SOON)
        uow.inbound.close(young, InboundState.DONE)
    with storage.writing() as uow:
        states = len(InboundState)
        assert uow.retention.prune_received(SOON, 0, states) == (states, states - 3)
        assert uow.retention.prune_received(SOON, states, 100) == (None, 0)
    with storage.reading() as uow:
        left = [mail.id for state in InboundState for mail in uow.inbound.in_state(state)]
        waiting = [InboundState.NEW, InboundState.KEPT, InboundState.SHUNTED]
        assert len(left) == 5
        assert {uow.inbound.get(each).state for each in left[:-2]} >= {*waiting[:2]}
        assert {asked_about, young} <= {*left}
        with pytest.raises(StorageError, match="mail 2 is kept no longer"):
            uow.inbound.get(2)
        with pytest.raises(StorageError, match="there is no received mail 99"):
            uow.inbound.get(99)


def test_pruned_email_is_recognised_in_any_folder(storage: Storage) -> None:
    other = MailboxState("second:INBOX", 7)
    bots = MailboxState(FROM_BOTS, 1)
    with storage.writing() as uow:
        for number, state in enumerate((INBOX, other, MailboxState(NO_FOLDER, 2**62), bots), 1):
            uow.inbound.add(received(5, state), key(number), T0)
            uow.inbound.close(number, InboundState.DONE)
        mails = [uow.inbound.get(number) for number in range(1, 5)]
        assert not any(uow.inbound.provenance(each, T0).pruned for each in mails)
        assert uow.retention.prune_received(SOON, 0, 100) == (None, 4)
    with storage.writing() as uow:
        assert uow.inbound.highest(INBOX, None) == uow.inbound.highest(other, T0) == 5
        assert uow.inbound.known(INBOX, [4, 5, 6]) == {4, 5}
        assert uow.inbound.known(bots, [0, 5]) == set()  # bots count from 0
        other_id = replace(mails[0], message_id="<9@example.org>")
        known = [uow.inbound.provenance(each, T0).pruned for each in (*mails, other_id)]
        assert known == [True, True, True, False, False]
        # An older email that was put off until now, then a new one, and a recreated folder.
        for uid in (3, 8):
            recorded_mail(uow, uid)
        assert uow.inbound.highest(INBOX, SOON) == 8
        uow.inbound.close(5, InboundState.IGNORED)
        uow.retention.prune_received(SOON, 0, 100)
        assert uow.inbound.known(INBOX, [5, 6]) == {5}
        assert uow.inbound.highest(INBOX._replace(uidvalidity=1), SOON) == 0


def test_sent_email_is_pruned_but_threads_of_running_matches_stay(
    storage: Storage, match: MatchSummary
) -> None:
    topic = match_key(match.id)
    with storage.writing() as uow:
        over = uow.matches.add(replace(match, id=0))
        ended(uow, over)
        for number in range(1, 4):
            uow.outbox.add(outgoing(number, player=1, topic=topic, turn=number), T0)
            uow.outbox.add(outgoing(10 + number, player=1, topic=match_key(over.id)), T0)
        uow.outbox.add(outgoing(20, player=2, topic=topic), T0)
        uow.outbox.add(outgoing(21), T0)
        uow.outbox.add(outgoing(22, topic=TopicKey("question 1")), T0)
        uow.questions.ask(OpenQuestion("unproven", 1, None, LATER, asked_by="<22@club.example>"))
        before = {n: uow.outbox.by_message_id(f"<{n}@club.example>") for n in (2, 3, 20, 22)}
        for each in range(1, 10):
            uow.outbox.sent([each], T0)
        assert uow.retention.prune_sent(SOON, 0, 100) == (None, 6)
        assert uow.retention.prune_sent(SOON, 0, 100) == (None, 0)
    with storage.reading() as uow:
        assert uow.outbox.thread(topic, 1) == [f"<{n}@club.example>" for n in (1, 2, 3)]
        assert uow.outbox.latest_turn(topic, 1) == 3
        for newest in (3, 20, 22):
            kept, was = uow.outbox.by_message_id(f"<{newest}@club.example>"), before[newest]
            assert kept is not None
            assert was is not None
            assert kept.mail == was.mail
        older, was = uow.outbox.by_message_id("<2@club.example>"), before[2]
        assert older is not None
        assert was is not None
        letter = replace(
            was.mail.letter, text="", html="", picture="", attachments=(), references=()
        )
        assert older.mail == replace(was.mail, letter=letter)
        assert uow.outbox.thread(match_key(over.id), 1) == []


@pytest.mark.usefixtures("match")
def test_newest_email_of_a_director_and_waiting_email_stay(storage: Storage) -> None:
    offers = [Offer(OfferTerms("lancelot", 2, OPTIONS), (OfferEntry(1),), T0, T0) for _ in range(2)]
    with storage.writing() as uow:
        stands, over = (uow.offers.add(each).number for each in offers)
        uow.offers.save(replace(uow.offers.get(over), state=State.LAPSED))
        of_offers = [OfferTopic(each, 1).key for each in (stands, over)]
        for number, (topic, turn) in enumerate(
            [(DIRECTORS, 1), (DIRECTORS, 2), (DIRECTORS, None), *((each, 1) for each in of_offers)]
        ):
            uow.outbox.add(outgoing(number, player=1, topic=topic, turn=turn), T0)
            uow.outbox.sent([number + 1], T0)
        uow.outbox.add(outgoing(9, player=1), T0)  # waits
        uow.outbox.add(outgoing(10, player=1), SOON)
        uow.outbox.sent([7], SOON)
        assert uow.retention.prune_sent(SOON, 0, 2) == (2, 1)
        assert uow.retention.prune_sent(SOON, 2, 100).last is None
    with storage.reading() as uow:
        left = [n for n in range(11) if uow.outbox.by_message_id(f"<{n}@club.example>")]
        assert left == [1, 2, 3, 9, 10]


def test_old_notices_and_offers_are_pruned(storage: Storage, match: MatchSummary) -> None:
    an_offer = Offer(OfferTerms("lancelot", 2, OPTIONS), (OfferEntry(1), OfferEntry(2)), T0, T0)
    with storage.writing() as uow:
        for at in (T0, SOON):
            uow.absences.add(AbsenceNotice(1, None, at, "away", "until Monday"))
            uow.offers.add(replace(an_offer, expires_at=at, state=State.LAPSED))
        uow.offers.add(an_offer)
        other = uow.matches.add(replace(match, id=0))
        for each in (match, other):
            uow.waiting_notes.add(each.id, 2, Note(1, 1, "hello", T0))
            uow.plans.add(Plan(each.id, 1, 1, (), turn=1, since=0))
            uow.mutes.add(1, Mute(2, each.id))
            for kind in NoteKind:
                uow.notes.add(each.id, Note(1, 1, kind, T0, kind, public=kind is NoteKind.PLAN))
        uow.mutes.add(1, Mute(2))
        ended(uow, other)
        assert uow.retention.prune_words(SOON) >= 3
    with storage.reading() as uow:
        assert [each.at for each in uow.absences.of(1, 9)] == [SOON]
        assert uow.offers.get(2).entries == an_offer.entries
        assert [each.number for each in uow.offers.standing()] == [3]
        with pytest.raises(StorageError):
            uow.offers.get(1)
        assert uow.waiting_notes.of(match.id)
        assert [plan.match_id for plan in uow.plans.of_player(1)] == [match.id]
        assert not uow.waiting_notes.of(other.id)
        assert [note.kind for note in uow.notes.by(1, match.id)] == [*NoteKind]
        assert [note.kind for note in uow.notes.by(1, other.id)] == [NoteKind.MEMO, NoteKind.PLAN]
        assert uow.mutes.of(1) == [Mute(2, match.id), Mute(2)]


def test_old_digests_are_pruned_with_their_exposures(storage: Storage, match: MatchSummary) -> None:
    with storage.writing() as uow:
        old, new = (uow.digests.add(Digest(1, at, {match.id: 1})) for at in (T0, SOON))
        keys = [DigestTopic(each.id).key for each in (old, new)]
        for key, reader, at in zip(keys, (1, 2), (T0, SOON), strict=True):
            uow.exposures.note(key, 1, Exposure(1, 0))
            uow.waiting_news.put(Unseen(match.id, reader, 1, at, at))
        assert uow.retention.prune_words(SOON) == 3
    with storage.reading() as uow:
        assert [uow.digests.of(each.id) for each in (old, new)] == [None, new]
        assert [uow.exposures.of(key, 1) for key in keys] == [None, Exposure(1, 0)]
        assert uow.waiting_news.in_match(match.id).keys() == {2}


def test_leaves_are_pruned_once_no_clock_needs_them(storage: Storage, match: MatchSummary) -> None:
    since = T0 - 9 * MINUTE
    leaves = [
        Leave(T0.date(), T0.date(), since, end)
        for end in (T0 - MINUTE, T0 + MINUTE / 2, T0 + 2 * MINUTE)
    ]
    with storage.writing() as uow:
        uow.leaves.put(1, leaves, since)
        assert uow.retention.prune_leaves(SOON) == 1  # a turn started at T0
        assert uow.leaves.of(1, since) == leaves[1:]
        ended(uow, match)
        assert uow.retention.prune_leaves(SOON) == 1
        assert uow.leaves.of(1, since) == leaves[2:]


def test_caches_keep_only_what_is_needed(storage: Storage, match: MatchSummary) -> None:
    snapshot = Snapshot(20, "a" * 64, 1, "lanko 1")
    with storage.writing() as uow:
        over = uow.matches.add(replace(match, id=0))
        ended(uow, over)
        for each in (match, over):
            uow.snapshots.put(each.id, snapshot)
        for _ in range(3):
            uow.stale.mark(PageKind.MATCH, [match.id])
        before = uow.stale.waiting(PageKind.MATCH, 9)
        uow.retention.prune_caches()
        assert uow.snapshots.of(match.id) == snapshot
        assert uow.snapshots.of(over.id) is None
        after = uow.stale.waiting(PageKind.MATCH, 9)
        assert [each.key for each in after] == [each.key for each in before]
        assert sum(len(each.marks) for each in after) == len(after)
        assert not uow.retention.is_mostly_room()


def test_mostly_empty_file_gives_space_back(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MANY_PAGES", 100)
    with closing(SqlStorage(open_engine(sqlite_url))) as storage:
        with storage.writing() as uow:
            for uid in range(1, 11):
                uow.inbound.add(received(uid, raw=b"x" * 100_000), key(uid), T0)
                uow.inbound.close(uid, InboundState.DONE)
            assert not uow.retention.is_mostly_room()
        with storage.writing() as uow:
            uow.retention.prune_received(SOON, 0, 100)
        with storage.reading() as uow:
            assert uow.retention.is_mostly_room()
        assert storage.wipe()
        with storage.reading() as uow:
            assert not uow.retention.is_mostly_room()
    assert (tmp_path / "pbem.sqlite").stat().st_size < 900_000
