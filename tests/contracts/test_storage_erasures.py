"""The contract of a storage: erasing what is known about a member."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import LargeBinary, Text
from sqlalchemy.types import JSON, TypeDecorator

from pbem.adapters.db.erasures import PROSE
from pbem.adapters.db.tables import DatabaseRow
from pbem.archive.site.values import Note, NoteKind
from pbem.mail.topic import DigestTopic, MembershipTopic, match_key
from pbem.matches.history import Happening, Kind
from pbem.matches.match import MatchSummary, Result
from pbem.matches.plans import Plan
from pbem.ports.inbound import NO_FOLDER, InboundState
from pbem.ports.keeping import Exposure
from pbem.ports.people import AbsenceNotice, Mute, OpenQuestion
from pbem.ports.play import Digest, LoggedDecision, Unseen
from pbem.ports.process import StorageError
from pbem.ports.room import Watch, WatchKind
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import (
    MINUTE,
    T0,
    claim,
    key,
    new_match,
    outgoing,
    people,
    received,
    tell_whose,
)

CALLED = "former member 1"
LATER = T0 + MINUTE


def erase(uow: UnitOfWork) -> None:
    """Erase Anna, player 1."""
    uow.erasures.erase(1, CALLED, {"page": "hidden"}, T0)


@pytest.fixture
def match(storage: Storage) -> MatchSummary:
    """A match of Anna, Bob and Carol."""
    return new_match(storage)


def test_plans_memos_and_mutes_of_a_former_member_are_gone(
    storage: Storage, match: MatchSummary
) -> None:
    with storage.writing() as uow:
        for player in (1, 2):
            uow.plans.add(Plan(match.id, player, 1, (), turn=1, since=0))
            uow.notes.add(match.id, Note(1, player, "", T0, NoteKind.MEMO, public=False))
            uow.mutes.add(player, Mute(3 - player, match.id))
            uow.mutes.add(player, Mute(3))
        erase(uow)
        assert not uow.notes.by(1)
        assert uow.notes.by(2)
        assert uow.mutes.of(1) == []
        assert uow.mutes.of(2) == [Mute(3)]
        assert [plan.player for plan in uow.plans.in_match(match.id)] == [2]


def test_digests_of_a_former_member_are_gone(storage: Storage, match: MatchSummary) -> None:
    with storage.writing() as uow:
        digests = [uow.digests.add(Digest(player, T0, {match.id: 1})) for player in (1, 2)]
        for player in (1, 2):
            said = ("The director gives Anna 3 days.",)
            uow.waiting_news.put(Unseen(match.id, player, 1, T0, T0, said))
        erase(uow)
        assert [uow.digests.of(each.id) for each in digests] == [None, digests[1]]
        left = uow.waiting_news.in_match(match.id)
    assert left.keys() == {2}
    assert left[2].said == (f"The director gives {CALLED} 3 days.",)


def test_nobody_watches_a_former_member_or_for_one(storage: Storage, match: MatchSummary) -> None:
    of_game = Watch(2, WatchKind.GAME, match.game_key, T0)
    with storage.writing() as uow:
        uow.watches.add(of_game)
        uow.watches.add(of_game._replace(player=1))
        uow.watches.add(Watch(2, WatchKind.MEMBER, "1", T0))
        uow.watches.stir(match, T0)
        erase(uow)
        assert uow.watches.on(match) == [of_game]
        assert [each.player for each in uow.watches.stirred(9)] == [2]


@pytest.mark.usefixtures("match")
def test_former_member_has_only_a_number(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.players.choose(1, "zone", "Europe/Warsaw")
        assert uow.players.get(1).name == "Anna"
        erase(uow)
        assert uow.players.get(1).name == CALLED
    with storage.writing() as uow:
        former = uow.players.get(1)
        assert (former.name, former.addresses, former.former) == (CALLED, (), True)
        assert former.settings == {"page": "hidden"}
        assert (former.reachable, former.gets_mail) == (False, False)
        assert [player.name for player in uow.players.all()] == ["Bob", "Carol"]
        assert uow.players.named("Anna") is uow.players.named(CALLED) is None
        assert uow.players.at("anna@example.org") is None
        with pytest.raises(StorageError):
            erase(uow)
        again = uow.players.add("Anna", ["anna@example.org"])
        assert (again.id, again.former) == (4, False)


def test_erased_members_email_is_gone_and_others_see_another_name(
    storage: Storage, match: MatchSummary
) -> None:
    topic = match_key(match.id)
    note = "Anna writes:\n\n| my cat is ill\n\nBob, it is your turn."
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1, player=1, topic=topic), T0)
        uow.outbox.add(outgoing(2, to_address="ANNA@example.org"), T0)
        to_bob = {"to_address": "bob@example.org", "to_name": "Bob", "player": 2}
        uow.outbox.add(outgoing(3, **to_bob, topic=topic, text=note, subject="[1] Anna, Bob"), T0)
        html = "<p>Anna &lt;anna%40example.org&gt; and Joanna</p>"
        text = "Anna <Anna@Example.org> and Joanna"
        uow.outbox.add(outgoing(4, **to_bob, text=text, html=html), T0)
        erase(uow)
    with storage.writing() as uow:
        of_match, other = (each.mail.letter for each in claim(uow, LATER, LATER + MINUTE, 9))
        assert (of_match.message_id, of_match.subject) == ("<3@club.example>", f"[1] {CALLED}, Bob")
        assert of_match.text == f"{CALLED} writes:\n\n\nBob, it is your turn."
        assert (of_match.html, of_match.to_name) == ("", "Bob")
        assert other.text == f"{CALLED} <{CALLED}> and Joanna"
        assert other.html == f"<p>{CALLED} &lt;{CALLED}&gt; and Joanna</p>"
        assert uow.outbox.by_message_id("<1@club.example>") is None


def test_digest_that_shows_their_match_loses_its_notes(
    storage: Storage, match: MatchSummary
) -> None:
    text = "Match 1: Lancelot, Anna\n\nAnna writes:\n\n| my cat is ill\n"
    to_bob = {"to_address": "bob@example.org", "to_name": "Bob", "player": 2, "text": text}
    with storage.writing() as uow:
        for number, turns in ((1, {match.id: 1}), (2, {99: 1})):
            digest = uow.digests.add(Digest(2, T0, turns))
            uow.outbox.add(outgoing(number, **to_bob, topic=DigestTopic(digest.id).key), T0)
        erase(uow)
    with storage.writing() as uow:
        shown, other = (each.mail.letter for each in claim(uow, LATER, LATER + MINUTE, 9))
    assert "my cat" not in shown.text
    assert "my cat" in other.text
    assert "Anna" not in shown.text + other.text


BOUNCE = b"Content-Transfer-Encoding: base64\r\n\r\nRm9yIGFubmFAZXhhbXBsZS5vcmcu\r\n"
"""In base64 it says: For anna@example.org."""


def test_raw_email_is_dropped_if_it_is_theirs_or_names_them(
    storage: Storage, match: MatchSummary
) -> None:
    raws = {
        1: b"From: me\r\n\r\nhello",
        2: b"From: bob\r\n\r\nof the match",
        3: BOUNCE,
        4: b"\r\n\r\nJoanna <joanna@example.org> and anna@example.org.uk",
        5: b"\r\n\r\nAnna, still to be read",
    }
    senders = {1: "anna@example.org"}
    with storage.writing() as uow:
        for uid, raw in raws.items():
            sender = senders.get(uid, "bob@example.org")
            uow.inbound.add(received(uid, raw=raw), key(uid, sender), T0)
        tell_whose(uow, 2, 2, match_key(match.id), proven=True)
        for uid in (2, 3, 4):
            uow.inbound.close(uid, InboundState.DONE)
        handed_over = replace(received(2**62), folder=NO_FOLDER, uidvalidity=2**62)
        uow.inbound.add(handed_over, key(9, "anna@example.org"), T0)
        erase(uow)
    with storage.writing() as uow:
        mails = [uow.inbound.get(uid) for uid in raws]
        assert [mail.raw for mail in mails] == [b"", b"", b"", raws[4], raws[5]]
        mine = mails[0]
        assert (mine.sender, mine.message_id, mine.digest) == ("", "", "")
        assert mine.state is InboundState.IGNORED
        assert uow.inbound.pending() == [5]
        left = uow.erasures.left_in_mailbox(9)
        assert [mail.uid for mail in left] == [1, 2, 3]
        uow.erasures.gone_from_mailbox(left[:2])
        assert uow.erasures.left_in_mailbox(9) == left[2:]
        assert uow.erasures.left_in_mailbox(9, ["other:INBOX"]) == left[2:]
        assert uow.erasures.left_in_mailbox(9, [left[0].folder]) == []


def test_erased_members_data_is_gone_and_words_of_others_stay(
    storage: Storage, match: MatchSummary
) -> None:
    topic = match_key(match.id)
    with storage.writing() as uow:
        for player, text in ((1, "mine"), (2, "well played, Anna")):
            uow.notes.add(match.id, Note(1, player, text, T0))
            uow.absences.add(AbsenceNotice(player, match.id, T0, "[1] Anna, Bob", text))
            uow.exposures.note(topic, player, Exposure(1, 1))
            uow.questions.ask(OpenQuestion("unproven", player, topic, LATER))
        uow.questions.ask(OpenQuestion("address", "new@example.org", MembershipTopic(1).key, LATER))
        uow.decisions.add(LoggedDecision(T0, None, match.id, "forfeit 1 Anna", "Anna is gone"))
        erase(uow)
    with storage.reading() as uow:
        (decision,) = uow.decisions.newest(9)
        assert (decision.line, decision.reason) == (f"forfeit 1 {CALLED}", f"{CALLED} is gone")
        assert [note.text for note in uow.notes.of(match.id)] == [f"well played, {CALLED}"]
        assert uow.absences.of(1, 9) == []
        assert [each.subject for each in uow.absences.of(2, 9)] == [f"[1] {CALLED}, Bob"]
        assert uow.exposures.of(topic, 1) is None
        assert uow.exposures.of(topic, 2) is not None
        assert uow.questions.waiting(1, T0) == uow.questions.waiting("new@example.org", T0) == []
        assert len(uow.questions.waiting(2, T0)) == 1


@pytest.mark.usefixtures("match")
def test_leftovers_in_files_are_noted_until_cleaned(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.erasures.left_in_database() is None
        erase(uow)
        uow.erasures.note(LATER)
    assert storage.wipe()
    with storage.writing() as uow:
        uow.erasures.gone_from_database(T0)
        assert uow.erasures.left_in_database() == LATER
        uow.erasures.gone_from_database(LATER)
        assert uow.erasures.left_in_database() is None


def test_records_are_rewritten_after_a_replacement(storage: Storage, match: MatchSummary) -> None:
    with storage.writing() as uow:
        (dora,) = people(uow, "Dora")
        replaced = Happening(1, 1, "S", Kind.REPLACED, T0, "head", f"{dora.id} 1")
        uow.matches.append(match.id, (), [replaced])
        result = Result(("S",), "resignation", dict.fromkeys(match.seats, 0), T0)
        uow.matches.save(replace(match, result=result, to_act=None, turn_started_at=None))
        uow.matches.mark_archived(match.id, T0)
        uow.matches.archive_again(99)
        assert uow.matches.unarchived() == []
        uow.matches.archive_again(dora.id)
        assert uow.matches.unarchived() == [match.id]


def test_every_column_that_may_name_a_member_is_known() -> None:
    """When you add a column, decide what happens to it when a member is erased."""
    apart = {
        "players": "name name_key skeleton settings bot",
        "addresses": "address address_key",
        "inbound": "sender sender_key message_id digest raw folder state topic",
        "outbox": "message_id kind recipient recipient_key bounce_key claimed_by from_name"
        " from_address to_name subject text thread topic html picture reply_to list_id"
        " unsubscribe attachments domain allowance",
        "questions": "kind address address_key about asked_by",
        "exposures": "topic holder_key",
        "erased_mails": "folder message_id",
        "read_until": "folder",
        "notes": "kind",
        "waiting_notes": "kind",
    }
    nobody = {"competitions", "matches", "seats", "actions", "happenings"}
    nobody |= {"deadlines", "service", "stale_pages", "competition_players"}
    nobody |= {
        "plans",
        "digests",
        "watches",
        "watched",
        "announced",
        "rating_steps",
    }  # deleted with their author or reader
    nobody |= {"rated_matches"}  # numbers, dropped once the record says who left
    nobody |= {"rated_names"}  # deleted by the use case with their member
    nobody |= {"imported_matches"}  # other clubs' records; the use case replaces rated names
    nobody |= {"invited_mailboxes"}  # keyed hashes, dropped by the use case
    nobody |= {"offers", "offer_players", "blocks", "mutes", "snapshots", "fingerprints"}
    for table in DatabaseRow.metadata.tables.values():
        row = next((each for each in PROSE if each.__table__ is table), None)  # type: ignore[attr-defined]
        known = {*apart.get(table.name, "").split(), *(PROSE[row] if row else ())}
        written = {column.name for column in table.columns if _holds_words(column.type)}
        assert table.name in nobody or written == known, table.name


def _holds_words(kind: object) -> bool:
    impl = kind.impl if isinstance(kind, TypeDecorator) else kind
    return isinstance(impl, Text | JSON | LargeBinary)
