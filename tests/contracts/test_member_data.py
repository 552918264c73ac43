"""The export of a member's data, on both databases: all that is theirs, nothing of others."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from sqlalchemy import LargeBinary, Text
from sqlalchemy.types import JSON, TypeDecorator

from pbem.adapters.db.member_data import PARTS, data_about
from pbem.adapters.db.tables import DatabaseRow
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.archive.site.values import Note
from pbem.cli.membership import ABOUT
from pbem.mail.topic import match_key
from pbem.matches.competitions.series import Series
from pbem.matches.imported import RatedName
from pbem.matches.leave import Leave
from pbem.matches.offer import Offer, OfferEntry
from pbem.matches.offer_terms import OfferTerms
from pbem.matches.plans import Plan, Step
from pbem.matches.ratings import RatedMatch, RatedPlace, Rating, RatingList
from pbem.matches.reliability import TurnTime
from pbem.ports.keeping import Exposure
from pbem.ports.people import AbsenceNotice, Mute, OpenQuestion
from pbem.ports.play import Digest, LoggedDecision, Unseen
from pbem.ports.room import Watch, Watched, WatchKind
from tests.support.stored import MINUTE, OPTIONS, T0, action, key, new_match, outgoing, received

THEIRS, OF_OTHERS = "walnut", "hazel"
"""Words in texts that Anna wrote or was sent, and in Bob's."""


def all_data(url: str, player: int) -> dict[str, Any]:
    """Return all data by part, emails with their contents."""
    with data_about(url, player) as data:
        found: dict[str, Any] = {part: data.rows(part) for part in PARTS}
        found["matches"] = data.matches()
        found["raws"] = [mail.raw for mail in data.mails()]
        found["letters"] = [each.letter for each in data.letters()]
    return found


def test_export_has_the_members_data_and_not_that_of_others(
    sql_storage: SqlStorage, database_url: str
) -> None:
    match = new_match(sql_storage)
    topic = match_key(match.id)
    with sql_storage.writing() as uow:
        for player, word in ((1, THEIRS), (2, OF_OTHERS)):
            name = uow.players.get(player).name.casefold()
            uow.notes.add(match.id, Note(1, player, f"note {word}", T0))
            uow.absences.add(AbsenceNotice(player, match.id, T0, f"away {word}", word))
            uow.exposures.note(topic, player, Exposure(1, player))
            uow.questions.ask(OpenQuestion(word, player, topic, T0))
            timed = TurnTime(player, MINUTE)
            uow.matches.append(match.id, [action(player)], timed=timed)
            uow.leaves.put(
                player, [Leave(date(2027, 1, player), date(2027, 2, 1), T0, T0 + MINUTE)], T0
            )
            uow.players.choose(player, "colour", word)
            uow.blocks.add(player, 3 - player)
            for about in (None, match.id):
                uow.mutes.add(player, Mute(3 - player, about))
            lines = ((Step(False, ("any",)), Step(True, (word,))),)
            uow.plans.add(Plan(match.id, player, 1, lines, turn=1, since=0))
            uow.digests.add(Digest(player, T0, {match.id: 1}))
            uow.waiting_news.put(Unseen(match.id, player, 1, T0, T0, (word,)))
            uow.watches.add(Watch(player, WatchKind.GAME, word, T0))
            uow.imported.rate(RatedName("Alpha", word, player))
            uow.watches.told(Watched(player, match.id, 3, over=False))
            mail = received(player, raw=f"From: {name}\r\n\r\n{word}".encode())
            uow.inbound.add(mail, key(player, f"{name}@example.org"), T0)
            uow.outbox.add(
                outgoing(player, player=player, to_address=f"{name}@example.org", text=word), T0
            )
        rated = RatedMatch(RatedPlace(T0, match.id), "lanko-68", False, ())
        uow.ratings.put([(rated, {RatingList(): dict.fromkeys((1, 2), Rating())})], "elo")
        uow.outbox.add(outgoing(3, to_address="ANNA@example.org", text=f"2 {THEIRS}"), T0)
        uow.outbox.add(outgoing(4, text="", subject=f"its text is gone: {THEIRS}"), T0)
        uow.waiting_notes.add(match.id, 2, Note(1, 1, THEIRS, T0))
        uow.waiting_notes.add(match.id, 1, Note(1, 2, OF_OTHERS, T0))
        for players in ((1, 2), (2, 3)):
            uow.competitions.add(Series("lanrick-1881", players, OPTIONS, T0, games=2))
            entries = tuple(map(OfferEntry, players))
            uow.offers.add(Offer(OfferTerms("lanko-68", 2, OPTIONS), entries, T0, T0 + MINUTE))
        uow.decisions.add(LoggedDecision(T0, None, None, "role {1} director", THEIRS))
        uow.decisions.add(LoggedDecision(T0, None, None, "role {11} director", OF_OTHERS))
    found = all_data(database_url, 1)
    assert [name for name, rows in found.items() if not rows] == []
    assert len(found["competitions"]) == len(found["offers"]) == 1
    assert found["member"] == [
        {
            "id": 1,
            "name": "Anna",
            "settings": {"colour": THEIRS},
            "joined_at": None,
            "unbanned_at": None,
        }
    ]
    assert found["blocked"] == [{"blocked_id": 2}]
    assert found["muted"] == [{"muted_id": 2}]
    assert found["muted_in_matches"] == [{"match_id": match.id}]
    assert found["matches"] == [match.id]
    assert [each.text for each in found["letters"]] == [THEIRS, f"2 {THEIRS}"]
    assert len(found["mails_to_you"]) == len(found["letters"]) + 1
    assert OF_OTHERS not in str(found)


def test_every_text_column_is_exported_or_known_to_be_exempt() -> None:
    """When you add a column, decide whether its owner gets to see it."""
    whole = {"matches": "records", "actions": "records", "happenings": "records", "seats": "parts"}
    nobodys = {
        "snapshots",
        "deadlines",
        "pauses",
        "announced",
        "service",
        "stale_pages",
        "erased_mails",
    }
    # Which emails were read: neither their contents nor their senders.
    nobodys |= {"read_until", "fingerprints"}
    nobodys |= {"rated_matches", "unrated_matches"}  # derived from records
    nobodys |= {"imported_matches"}  # other clubs' records
    nobodys |= {"invited_mailboxes"}  # keyed hashes of strangers' addresses
    apart = {
        # Keys by which names and addresses are found.
        "players": "name_key skeleton bot",
        "addresses": "address_key",
        # Digests that detect copies, and the bytes, which are files.
        "inbound": "sender_key digest raw",
        # Already in the email itself, which is a file, or technical details of delivery.
        "outbox": "recipient_key bounce_key claimed_by from_name from_address text thread html"
        " picture reply_to list_id unsubscribe attachments domain allowance",
        # Actions to be done after an answer. A director's question is about someone else.
        "questions": "address_key asked_by data",
    }
    told: dict[str, set[str]] = {}
    for part in PARTS.values():
        told.setdefault(str(part.table.__tablename__), set()).update(part.columns)
    for table in DatabaseRow.metadata.tables.values():
        if table.name in whole or table.name in nobodys:
            continue
        written = {column.name for column in table.columns if _holds_words(column.type)}
        left_out = set(apart.get(table.name, "").split())
        assert written - told.get(table.name, set()) == left_out, table.name


def test_every_part_is_explained() -> None:
    assert ABOUT.keys() == PARTS.keys()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_consists_of_existing_columns(part: str) -> None:
    table = PARTS[part].table
    assert set(PARTS[part].columns) <= set(table.model_fields)


def _holds_words(kind: object) -> bool:
    impl = kind.impl if isinstance(kind, TypeDecorator) else kind
    return isinstance(impl, Text | JSON | LargeBinary)
