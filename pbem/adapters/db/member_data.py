"""What is kept about a member: everything that is theirs, as the tables have it.

Each column of each table that can hold words of people is in PARTS, or a test says why it is not.
What others wrote, or chose, is not theirs; that there is something of the kind may be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import Session, col

from pbem.adapters.db.engine import disposed, explained, open_engine, readers
from pbem.adapters.db.match_mapping import ever_played
from pbem.adapters.db.outbox_line import letter_of
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import (
    AbsenceRow,
    AddressRow,
    BlockRow,
    CompetitionPlayerRow,
    CompetitionRow,
    DatabaseRow,
    DecisionRow,
    ExposureRow,
    InboundRow,
    LeaveRow,
    NoteRow,
    OfferPlayerRow,
    OfferRow,
    OutboxRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
    WaitingNoteRow,
)
from pbem.adapters.db.types import key_of
from pbem.mail.outgoing.letter import Letter
from pbem.mail.topic import MembershipTopic
from pbem.matches.match import PlayerId

Which = ColumnElement[bool]
BATCH = 50
"""Mails that are in memory at once."""


class MemberKeys(NamedTuple):
    """A member, by what rows know them by."""

    player: PlayerId
    keys: tuple[str, ...]
    """Of their addresses."""


class DataPart(NamedTuple):
    """What of a table is theirs."""

    table: type[DatabaseRow]
    columns: tuple[str, ...]
    which: Callable[[MemberKeys], Which]


def _of(table: type[DatabaseRow], column: str = "player_id") -> Callable[[MemberKeys], Which]:
    """Rows that have their number in a column."""
    return lambda whose: getattr(table, column) == whose.player


def _questions(whose: MemberKeys) -> Which:
    return or_(
        col(QuestionRow.player_id) == whose.player,
        col(QuestionRow.address_key).in_(whose.keys),
        col(QuestionRow.about) == MembershipTopic(whose.player).key,
    )


def _exposures(whose: MemberKeys) -> Which:
    return col(ExposureRow.holder_key).in_([key_of(str(whose.player)), *whose.keys])


def _offers(whose: MemberKeys) -> Which:
    asked = col(OfferPlayerRow.player_id) == whose.player
    return col(OfferRow.id).in_(select(col(OfferPlayerRow.offer_id)).where(asked))


def _competitions(whose: MemberKeys) -> Which:
    entered = col(CompetitionPlayerRow.player_id) == whose.player
    theirs = select(col(CompetitionPlayerRow.competition_id)).where(entered)
    return col(CompetitionRow.id).in_(theirs)


def _decisions(whose: MemberKeys) -> Which:
    return or_(
        col(DecisionRow.by_id) == whose.player,
        col(DecisionRow.line).contains(f"{{{whose.player}}}", autoescape=True),
        col(DecisionRow.match_id).in_(ever_played(whose.player)),
    )


def _received(whose: MemberKeys) -> Which:
    return or_(
        col(InboundRow.player_id) == whose.player, col(InboundRow.sender_key).in_(whose.keys)
    )


def _sent(whose: MemberKeys) -> Which:
    return or_(
        col(OutboxRow.player_id) == whose.player, col(OutboxRow.recipient_key).in_(whose.keys)
    )


PARTS: Mapping[str, DataPart] = {
    "member": DataPart(PlayerRow, ("id", "name", "settings"), _of(PlayerRow, "id")),
    "addresses": DataPart(
        AddressRow,
        ("place", "address", "failed_at", "failure", "works_since", "added_at"),
        _of(AddressRow),
    ),
    "blocked": DataPart(BlockRow, ("blocked_id",), _of(BlockRow)),
    "leaves": DataPart(
        LeaveRow, ("first_day", "last_day", "start_at", "end_at", "auto"), _of(LeaveRow)
    ),
    "absences": DataPart(AbsenceRow, ("match_id", "at", "subject", "text"), _of(AbsenceRow)),
    "seats": DataPart(SeatRow, ("match_id", "seat", "playing"), _of(SeatRow)),
    "notes": DataPart(NoteRow, ("match_id", "turn", "text", "at"), _of(NoteRow)),
    "notes_waiting": DataPart(
        WaitingNoteRow,
        ("match_id", "turn", "reader_id", "text", "at"),
        _of(WaitingNoteRow),
    ),
    "notes_for_you": DataPart(
        WaitingNoteRow, ("match_id", "turn", "player_id", "at"), _of(WaitingNoteRow, "reader_id")
    ),
    "offers": DataPart(
        OfferRow,
        (
            *("id", "state", "open", "revision", "terms", "conditions"),
            *("created_at", "expires_at", "begun"),
        ),
        _offers,
    ),
    "places_in_offers": DataPart(
        OfferPlayerRow, ("offer_id", "place", "accepted", "wish"), _of(OfferPlayerRow)
    ),
    "competitions": DataPart(
        CompetitionRow,
        ("id", "kind", "numbering", "number", "game_key", "options", "terms", "created_at"),
        _competitions,
    ),
    "places_in_competitions": DataPart(
        CompetitionPlayerRow, ("competition_id", "place"), _of(CompetitionPlayerRow)
    ),
    "questions": DataPart(
        QuestionRow,
        ("id", "kind", "address", "about", "expires_at", "inbound_id"),
        _questions,
    ),
    "proofs": DataPart(ExposureRow, ("topic", "holder_key", "mail", "turn"), _exposures),
    "decisions": DataPart(
        DecisionRow, ("id", "at", "by_id", "match_id", "line", "reason"), _decisions
    ),
    "mails_from_you": DataPart(
        InboundRow,
        (
            *("id", "received_at", "recorded_at", "sender", "message_id", "topic", "proven"),
            *("state", "reason", "folder", "uidvalidity", "uid"),
        ),
        _received,
    ),
    "mails_to_you": DataPart(
        OutboxRow,
        (
            *("id", "message_id", "kind", "recipient", "to_name", "subject", "topic", "turn"),
            *("queued_at", "written_at", "tried_at", "closed_at", "failed", "attempts", "bounces"),
            *("reply", "urgency"),
        ),
        _sent,
    ),
}
"""By the name under which people find it."""


class TheirMail(NamedTuple):
    """A mail that they wrote, as it came."""

    id: int
    raw: bytes


class TheirLetter(NamedTuple):
    """A mail that was written to them."""

    id: int
    letter: Letter


class MemberData:
    """What is kept about one member, at one moment."""

    def __init__(self, session: Session, player: PlayerId) -> None:
        self._session = session
        held = select(col(AddressRow.address_key)).where(col(AddressRow.player_id) == player)
        self._whose = MemberKeys(player, tuple(run(session, held).scalars()))

    def rows(self, name: str) -> list[dict[str, Any]]:
        """What one of the PARTS has, in the order of its key."""
        table, columns, which = PARTS[name]
        wanted = [getattr(table, column) for column in columns]
        order = table.__table__.primary_key.columns  # type: ignore[attr-defined]
        found = run(self._session, select(*wanted).where(which(self._whose)).order_by(*order))
        return [dict(zip(columns, row, strict=True)) for row in found]

    def matches(self) -> list[int]:
        """Numbers of the matches that they play, or ever played."""
        return sorted(run(self._session, ever_played(self._whose.player)).scalars())

    def mails(self) -> Iterator[TheirMail]:
        """Mails that came from them, but for those of which the bytes are kept no more."""
        for row in self._batches(InboundRow, _received(self._whose)):
            if row.raw:
                yield TheirMail(row.id, row.raw)

    def letters(self) -> Iterator[TheirLetter]:
        """Mails that were written to them, but for those of which the text is kept no more."""
        for row in self._batches(OutboxRow, _sent(self._whose)):
            if row.text:
                yield TheirLetter(row.id, letter_of(row))

    def _batches(self, table: type[InboundRow | OutboxRow], which: Which) -> Iterator[Any]:
        """Rows a few at a time: mails of years are more than the memory."""
        last = 0
        found = select(*table.__table__.columns).where(which)  # type: ignore[union-attr]
        found = found.order_by(col(table.id)).limit(BATCH)
        while rows := run(self._session, found.where(col(table.id) > last)).all():
            yield from rows
            last = rows[-1].id


@contextmanager
def data_about(url: str, player: PlayerId) -> Iterator[MemberData]:
    """What the database of a URL keeps about a member; raises StorageUnavailable."""
    with (
        disposed(open_engine(url)) as engine,
        explained(),
        Session(readers(engine), info={"writing": False}) as session,
    ):
        yield MemberData(session, player)
