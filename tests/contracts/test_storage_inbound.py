"""The contract of a storage: received mail."""

from __future__ import annotations

import tracemalloc
from dataclasses import asdict, replace

import pytest

from pbem.mail.topic import match_key
from pbem.ports.inbound import (
    CHANGED,
    CONFIRMED,
    FEW,
    HELD,
    PREVIEWED,
    Attribution,
    InboundMail,
    InboundState,
    KeptMail,
    KeyedMail,
    MailboxState,
    MailFilter,
    RecordedMail,
)
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import (
    INBOX,
    MINUTE,
    T0,
    a_match,
    key,
    new_match,
    people,
    received,
    recorded_mail,
    tell_whose,
)


def test_email_comes_back_as_it_was_recorded(storage: Storage) -> None:
    with storage.writing() as uow:
        number = uow.inbound.add(received(5), key(5), T0 + MINUTE)
        assert number is not None
        expected = InboundMail(
            id=number,
            raw=received(5).raw,
            received_at=T0,
            recorded_at=T0 + MINUTE,
            message_id="<5@example.org>",
            digest=f"{5:064x}",
            sender="anna@example.org",
            state=InboundState.NEW,
            reason="",
        )
        assert uow.inbound.lock(number) == expected
    with storage.reading() as uow:
        assert uow.inbound.get(number) == expected


def without_bytes(uow: UnitOfWork, number: int) -> RecordedMail:
    """Return what is known about an email, without its bytes."""
    known = asdict(uow.inbound.get(number))
    del known["raw"]
    return RecordedMail(**known)


def test_uid_is_recorded_once(storage: Storage) -> None:
    with storage.writing() as uow:
        first = recorded_mail(uow, 5)
    with storage.writing() as uow:
        assert uow.inbound.add(received(5), key(6), T0) is None
        assert recorded_mail(uow, 7) > first
        assert uow.inbound.get(first).message_id == "<5@example.org>"


def test_emails_of_a_batch_are_numbered_in_order(storage: Storage) -> None:
    with storage.writing() as uow:
        recorded_mail(uow, 5)
        assert uow.inbound.add_all([], T0) == []
    uids = (9, 5, 8, 20, 9, *range(10, 19))
    with storage.writing() as uow:
        added = uow.inbound.add_all([KeyedMail(received(uid), key(uid)) for uid in uids], T0)
        assert [uid for uid, number in zip(uids, added, strict=True) if number is None] == [5, 9]
        numbers = [number for number in added if number is not None]
        assert numbers == sorted(numbers)
        assert [uow.inbound.get(number).message_id for number in numbers[:3]] == [
            f"<{uid}@example.org>" for uid in (9, 8, 20)
        ]


def test_uid_counts_only_with_its_folder_and_validity(storage: Storage) -> None:
    elsewhere = MailboxState("Other", INBOX.uidvalidity)
    renewed = MailboxState(INBOX.folder, 7)
    with storage.writing() as uow:
        for state in (INBOX, elsewhere, renewed):
            assert uow.inbound.highest(state, T0 + MINUTE) == 0
            assert uow.inbound.add(received(5, state), key(), T0) is not None
            assert uow.inbound.highest(state, T0 + MINUTE) == 5
            assert uow.inbound.known(state, [4, 5]) == {5}


def test_known_uids_are_returned(storage: Storage) -> None:
    with storage.writing() as uow:
        for uid in (3, 1, 700, 1400):
            recorded_mail(uow, uid)
    with storage.reading() as uow:
        assert uow.inbound.known(INBOX, range(1401)) == {1, 3, 700, 1400}, "bots begin with 0"
        assert uow.inbound.known(INBOX, []) == set()
        assert uow.inbound.highest(INBOX, T0 + MINUTE) == 1400
        assert uow.inbound.highest(INBOX, T0) == uow.inbound.highest(INBOX, None) == 0


def test_email_changes_its_state(storage: Storage) -> None:
    with storage.writing() as uow:
        first, second, third = (recorded_mail(uow, uid) for uid in (9, 4, 6))
        assert uow.inbound.pending() == [first, second, third]
        uow.inbound.close(second, InboundState.SHUNTED, "Traceback")
        uow.inbound.close(first, InboundState.DONE)
    with storage.writing() as uow:
        assert uow.inbound.pending() == [third]
        assert (uow.inbound.get(second).state, uow.inbound.get(second).reason) == (
            InboundState.SHUNTED,
            "Traceback",
        )
        uow.inbound.close(second, InboundState.NEW)
        assert uow.inbound.pending() == [second, third]
        assert uow.inbound.get(second).reason == ""
        with pytest.raises(StorageError):
            uow.inbound.close(99, InboundState.DONE)


def test_urgent_emails_come_first_when_many_wait(storage: Storage) -> None:
    with storage.writing() as uow:
        few = [
            uow.inbound.add(received(uid), replace(key(uid), ahead=uid % 5 == 0), T0)
            for uid in range(1, FEW + 1)
        ]
        assert uow.inbound.pending() == few, "in the order of arrival"
        last = uow.inbound.add(received(99), replace(key(99), ahead=True), T0)
        line = uow.inbound.pending()
        assert line[:4] == [few[4], few[9], few[14], last]
        assert line[4:] == [each for each in few if each not in line[:4]]


def test_urgent_emails_are_counted_by_sender(storage: Storage) -> None:
    with storage.writing() as uow:
        for uid, ahead in ((1, True), (2, False), (3, True)):
            uow.inbound.add(received(uid), replace(key(uid), ahead=ahead), T0 + MINUTE * uid)
        bert = key(4, sender="bert@example.org")
        uow.inbound.add(received(4), replace(bert, ahead=True), T0 + MINUTE * 4)
        both = ["Anna@example.org", "bert@example.org", "nobody@example.org"]
        assert uow.inbound.ahead(both, T0) == dict(zip(both, (2, 1, 0), strict=True))
        assert uow.inbound.ahead(["anna@example.org"], T0 + MINUTE * 2) == {"anna@example.org": 1}
        assert uow.inbound.ahead([], T0) == {}


def test_emails_are_listed_by_state(storage: Storage) -> None:
    with storage.writing() as uow:
        numbers = [recorded_mail(uow, uid) for uid in (1, 2, 3)]
        for number in (numbers[2], numbers[0]):
            uow.inbound.close(number, InboundState.STRANGER)
    with storage.reading() as uow:
        strangers = uow.inbound.in_state(InboundState.STRANGER)
        assert strangers == [without_bytes(uow, each) for each in (numbers[0], numbers[2])]
        assert uow.inbound.in_state(InboundState.LIMITED) == []


def test_kept_emails_are_put_back_into_the_queue(storage: Storage) -> None:
    with storage.writing() as uow:
        numbers = [recorded_mail(uow, uid, T0 + MINUTE * uid) for uid in (1, 2, 3, 4)]
        for number in (numbers[2], numbers[0], numbers[3]):
            uow.inbound.close(number, InboundState.KEPT, "over 60 mails an hour")
        uow.inbound.close(numbers[1], InboundState.LIMITED, "why")
        reopened = uow.inbound.reopen(T0 + MINUTE * 3)
        assert reopened == [numbers[0], numbers[2]]
        assert uow.inbound.pending() == [numbers[0], numbers[2]]
        assert uow.inbound.get(numbers[0]).reason == ""
        assert uow.inbound.get(numbers[3]).state is InboundState.KEPT
        assert uow.inbound.reopen(T0 + MINUTE * 3) == []


def test_oldest_waiting_email_is_known(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.inbound.waiting_since() is None
        for uid in (1, 2, 3):
            uow.inbound.add(received(uid, received_at=T0 - MINUTE * uid), key(uid), T0)
        uow.inbound.close(uow.inbound.pending()[2], InboundState.SHUNTED, "a traceback")
        assert uow.inbound.waiting_since() == T0 - MINUTE * 2


def test_newest_emails_are_found_by_filter(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bert = people(uow, "Anna", "Bert")
        match = uow.matches.add(a_match([anna, bert, bert]))
        senders = ("anna@example.org", "Bert@example.org", "eve@example.org", "bert@example.org")
        first, robot, stranger, last = (
            uow.inbound.add(
                received(uid, received_at=T0 + uid * MINUTE), key(uid, sender=sender), T0
            )
            for uid, sender in enumerate(senders)
        )
        assert first is not None
        assert stranger is not None
        assert last is not None
        tell_whose(uow, first, anna.id, match_key(match.id), proven=True)
        tell_whose(uow, last, bert.id, match_key(match.id), proven=True)
        uow.inbound.close(stranger, InboundState.STRANGER, "why")
    with storage.reading() as uow:
        for wanted, limit, found in (
            (MailFilter(), 9, [last, stranger, robot, first]),
            (MailFilter(), 2, [last, stranger]),
            (MailFilter(player=bert), 9, [last, robot]),
            (MailFilter(player=bert), 1, [last]),
            (MailFilter(topic=match_key(match.id)), 9, [last, first]),
            (MailFilter(topic=match_key(match.id), player=anna), 9, [first]),
            (MailFilter(topic=match_key(99)), 9, []),
            (MailFilter(state=InboundState.STRANGER), 9, [stranger]),
            (MailFilter(since=T0 + 2 * MINUTE), 9, [last, stranger]),
        ):
            assert [mail.id for mail in uow.inbound.newest(wanted, limit)] == found
        [mail] = uow.inbound.newest(MailFilter(state=InboundState.STRANGER), 9)
        assert mail == without_bytes(uow, stranger)


def test_emails_recorded_since_a_moment_are_listed(storage: Storage) -> None:
    with storage.writing() as uow:
        for minute in (2, 0, 1):
            uow.inbound.add(received(minute + 1), key(minute), T0 + MINUTE * minute)
    with storage.reading() as uow:
        since = uow.inbound.recorded_since(T0 + MINUTE)
        assert [mail.message_id for mail in since] == ["<2@example.org>", "<1@example.org>"]
        assert uow.inbound.recorded_since(T0 + MINUTE * 3) == []


def test_repeated_email_is_recognised(storage: Storage) -> None:
    def add(uow: UnitOfWork, uid: int, message: int, digest: str) -> InboundMail:
        number = uow.inbound.add(received(uid), key(message, digest=digest), T0)
        assert number is not None
        return uow.inbound.get(number)

    with storage.writing() as uow:
        first = add(uow, 1, message=1, digest="a")
        same_id = add(uow, 2, message=1, digest="b")
        same_body = add(uow, 3, message=2, digest="a")
        again = add(uow, 4, message=1, digest="a")
        uow.inbound.close(first.id, InboundState.DONE)
        mails = first, same_id, same_body, again
        copies = [uow.inbound.copies(mail) for mail in mails]
        copied = [uow.inbound.provenance(mail, T0).copied for mail in mails]
    ids = [[each.id for each in some] for some in copies]
    assert ids == [[], [], [first.id], [first.id, same_body.id]]
    assert copied == [False, False, True, True]
    assert copies[3][0].state is InboundState.DONE


def test_emails_held_by_an_allowance_are_found_newest_first(storage: Storage) -> None:
    reasons = (f"{HELD}a", "over 60 mails an hour", f"{HELD}b", f"{HELD}a")
    with storage.writing() as uow:
        uow.players.add("Anna", ["anna@example.org"])
        numbers = [recorded_mail(uow, uid, T0) for uid in (1, 2, 3, 4)]
        for number, reason in zip(numbers, reasons, strict=True):
            uow.inbound.close(number, InboundState.KEPT, reason, Attribution(1, None, proven=False))
        uow.inbound.close(numbers[3], InboundState.LIMITED, f"{HELD}a")
        kept = uow.inbound.kept_for(HELD)
        assert [each.id for each in kept] == [numbers[2], numbers[0]]
        assert kept[1] == KeptMail(numbers[0], "anna@example.org", f"{HELD}a", T0, 1)
        assert uow.inbound.reopen(T0) == [numbers[1]], "only those held by an hourly limit"


def test_earlier_emails_of_an_address_are_counted(storage: Storage) -> None:
    with storage.writing() as uow:
        for minute, sender in enumerate(("anna@x.example", "bob@x.example", "anna@x.example")):
            uow.inbound.add(received(minute + 1), key(sender=sender), T0 + MINUTE * minute)
        last = uow.inbound.add(received(9), key(sender="anna@x.example"), T0 + MINUTE * 9)
        assert last is not None
        uow.inbound.add(received(10), key(sender="anna@x.example"), T0 + MINUTE * 9)
    with storage.reading() as uow:
        mail = uow.inbound.get(last)
        moments = [T0 + MINUTE * minute for minute in range(4)]
        counts = [uow.inbound.provenance(mail, since).unproven for since in moments]
    assert counts == [2, 1, 1, 0]
    with storage.writing() as uow:
        uow.inbound.close(1, InboundState.DUPLICATE)
        assert uow.inbound.provenance(mail, T0).unproven == 1
        anna = uow.players.add("Anna", ["anna@x.example"])
        for number in (2, 3):
            tell_whose(uow, number, anna.id, None, proven=True)
        assert uow.inbound.provenance(mail, T0)[3:] == (1, 0)
        anna = uow.players.set_addresses(anna.id, ["anna@x.example", "bob@x.example"])
        assert uow.inbound.provenance(mail, T0) == (anna, False, True, 2, 0)
        uow.inbound.close(2, InboundState.DONE, CHANGED)
        assert uow.inbound.provenance(mail, T0).proven == 1


def test_sender_is_noted_once_known(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        first, second = (recorded_mail(uow, uid) for uid in (1, 2))
        tell_whose(uow, first, 2, match_key(1), proven=True)
        tell_whose(uow, second, 3, None, proven=False)
    for mail, player in ((first, 9), (99, 1)):
        with pytest.raises(StorageError), storage.writing() as uow:
            tell_whose(uow, mail, player, match_key(1), proven=True)
    with storage.reading() as uow:
        mails = [uow.inbound.get(number) for number in (first, second)]
    assert [(mail.player, mail.topic, mail.proven) for mail in mails] == [
        (2, "match 1", True),
        (3, None, False),
    ]


def test_proven_emails_are_counted_separately(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        numbers = []
        for minute in range(5):
            number = uow.inbound.add(received(minute), key(minute), T0 + MINUTE * minute)
            assert number is not None
            numbers.append(number)
        about = match_key(1)
        for number, topic, proven in (
            (0, about, True),
            (1, about, False),
            (2, about, True),
            (3, None, True),
        ):
            tell_whose(uow, numbers[number], 1, topic, proven)
        last = uow.inbound.get(numbers[4])
        assert uow.inbound.provenance(last, T0)[3:] == (3, 1)
        for proven, of_match, later in ((True, 2, 1), (False, 1, 1)):
            assert uow.inbound.count_about(about, last.id, T0, proven=proven) == of_match
            since = T0 + MINUTE
            assert uow.inbound.count_about(about, last.id, since, proven=proven) == later
        assert uow.inbound.count_about(about, numbers[2], T0, proven=True) == 1


def test_fruitless_answers_are_counted_since_the_last_change(storage: Storage) -> None:
    new_match(storage)
    fates = (
        (InboundState.REFUSED, "", True),
        (InboundState.DONE, CHANGED, True),
        (InboundState.DONE, "", True),
        (InboundState.PARKED, "unclear", True),
        (InboundState.DONE, CONFIRMED, True),
        (InboundState.DONE, PREVIEWED, True),
        (InboundState.LIMITED, "", True),
        (InboundState.REFUSED, "", False),
        (InboundState.PARKED, "unproven", False),
    )
    with storage.writing() as uow:
        for minute, (state, reason, proven) in enumerate(fates):
            number = uow.inbound.add(received(minute), key(minute), T0 + MINUTE * minute)
            assert number is not None
            tell_whose(uow, number, 1, match_key(1), proven)
            uow.inbound.close(number, state, reason)
        last = uow.inbound.get(recorded_mail(uow, 99))

        def in_vain(since: int, *, proven: bool) -> int:
            return uow.inbound.in_vain(
                last.sender.upper(), last.id, T0 + MINUTE * since, proven=proven
            )

        assert [in_vain(since, proven=True) for since in (0, 2, 3, 4)] == [2, 2, 1, 0]
        assert [in_vain(since, proven=False) for since in (0, 8, 9)] == [2, 1, 0]
        assert uow.inbound.in_vain("who@x.example", last.id, T0, proven=True) == 0


def test_last_proven_contact_is_known(storage: Storage) -> None:
    """Only proven, answered emails count: a machine that writes for them is not the member."""
    new_match(storage)
    fates = (
        ("anna@x.example", InboundState.REFUSED, True),
        ("bob@x.example", InboundState.DONE, False),
        ("carol@x.example", InboundState.IGNORED, True),
    )
    with storage.writing() as uow:
        for uid, (sender, state, proven) in enumerate(fates, start=1):
            number = recorded_mail(uow, uid, sender=sender)
            tell_whose(uow, number, 1, None, proven)
            uow.inbound.close(number, state)
        assert uow.inbound.heard(["dora@x.example", "Anna@X.example"], T0)
        assert not uow.inbound.heard(["anna@x.example"], T0 + MINUTE)
        assert not uow.inbound.heard(["bob@x.example", "carol@x.example"], T0)
        assert not uow.inbound.heard([], T0)


def test_shortened_email_keeps_all_else(storage: Storage) -> None:
    with storage.writing() as uow:
        number = recorded_mail(uow, 1)
        uow.inbound.close(number, InboundState.STRANGER, "why")
        before = uow.inbound.get(number)
        uow.inbound.shorten(number, b"Subject: x\r\n")
    with storage.reading() as uow:
        assert uow.inbound.get(number) == replace(before, raw=b"Subject: x\r\n")


def test_lists_of_large_emails_take_little_memory(storage: Storage) -> None:
    """Only one email at a time is read with its bytes, even if a member sends it many times."""
    large = received(0).raw + b"x" * 500_000
    with storage.writing() as uow:
        for uid in range(1, 21):
            uow.inbound.add(received(uid, raw=large), key(uid, digest="a"), T0)
            uow.inbound.close(uid, InboundState.KEPT, "over a limit")
        last = uow.inbound.get(20)
    tracemalloc.start()
    try:
        with storage.writing() as uow:
            assert len(uow.inbound.copies(last)) == 19
            assert len(uow.inbound.in_state(InboundState.KEPT)) == 20
            assert len(uow.inbound.recorded_since(T0)) == 20
            assert len(uow.inbound.newest(MailFilter(), 20)) == 20
            assert len(uow.inbound.reopen(T0)) == 20
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2 * len(large)
