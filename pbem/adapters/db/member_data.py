"""Member data: everything that is stored about a member, by table.

Each column that can have people's words is in PARTS, or a test says why it is not. Words
and choices of others are left out, but their existence may be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, or_, select, text
from sqlmodel import Session, col

from pbem.adapters.db.engine import disposed, explained, open_engine, readers
from pbem.adapters.db.match_mapping import ever_played
from pbem.adapters.db.outbox_line import letter_of
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import (
    TIMED,
    AbsenceRow,
    ActionRow,
    AddressRow,
    BlockRow,
    CompetitionPlayerRow,
    CompetitionRow,
    DatabaseRow,
    DecisionRow,
    DigestRow,
    ExposureRow,
    InboundRow,
    LeaveRow,
    MuteRow,
    NoteRow,
    OfferPlayerRow,
    OfferRow,
    OutboxRow,
    PlanRow,
    PlayerRow,
    QuestionRow,
    RatedNameRow,
    RatingStepRow,
    SeatRow,
    WaitingNewsRow,
    WaitingNoteRow,
    WatchedRow,
    WatchRow,
)
from pbem.adapters.db.types import key_of
from pbem.mail.outgoing.letter import Letter
from pbem.mail.topic import MembershipTopic
from pbem.matches.match import PlayerId

Which = ColumnElement[bool]
BATCH = 50
"""Emails in memory at once."""


class MemberKeys(NamedTuple):
    """The values by which rows refer to a member."""

    player: PlayerId
    keys: tuple[str, ...]
    """Keys of their addresses."""


class DataPart(NamedTuple):
    """The rows and columns of a table that belong to a member."""

    table: type[DatabaseRow]
    columns: tuple[str, ...]
    which: Callable[[MemberKeys], Which]


def _of(table: type[DatabaseRow], column: str = "player_id") -> Callable[[MemberKeys], Which]:
    """Return a condition for rows with the member's number in a column."""
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
    "member": DataPart(
        PlayerRow, ("id", "name", "settings", "joined_at", "unbanned_at"), _of(PlayerRow, "id")
    ),
    "addresses": DataPart(
        AddressRow,
        ("place", "address", "failed_at", "failure", "works_since", "added_at"),
        _of(AddressRow),
    ),
    "blocked": DataPart(BlockRow, ("blocked_id",), _of(BlockRow)),
    "muted": DataPart(
        MuteRow,
        ("muted_id",),
        lambda whose: and_(col(MuteRow.player_id) == whose.player, col(MuteRow.match_id).is_(None)),
    ),
    # Not whom: in a blind match, that would show who plays.
    "muted_in_matches": DataPart(
        MuteRow,
        ("match_id",),
        lambda whose: and_(
            col(MuteRow.player_id) == whose.player, col(MuteRow.match_id).is_not(None)
        ),
    ),
    "leaves": DataPart(
        LeaveRow, ("first_day", "last_day", "start_at", "end_at", "auto"), _of(LeaveRow)
    ),
    "absences": DataPart(AbsenceRow, ("match_id", "at", "subject", "text"), _of(AbsenceRow)),
    "seats": DataPart(SeatRow, ("match_id", "seat", "playing"), _of(SeatRow)),
    "turns": DataPart(
        ActionRow,
        ("match_id", "turn", "at", "spent", "late"),
        lambda whose: and_(col(ActionRow.player_id) == whose.player, text(TIMED)),
    ),
    "notes": DataPart(NoteRow, ("match_id", "turn", "kind", "text", "at", "public"), _of(NoteRow)),
    "plans": DataPart(
        PlanRow,
        ("match_id", "number", "lines", "turn", "since", "ended", "told"),
        _of(PlanRow),
    ),
    "digests": DataPart(DigestRow, ("id", "at", "turns"), _of(DigestRow)),
    "news_for_you": DataPart(
        WaitingNewsRow,
        ("match_id", "turn", "due_at", "safe_until", "said"),
        _of(WaitingNewsRow, "reader_id"),
    ),
    "ratings": DataPart(
        RatingStepRow,
        ("match_id", "game_key", "computers", "ended_at", "mean", "deviation", "matches"),
        _of(RatingStepRow),
    ),
    "names_elsewhere": DataPart(RatedNameRow, ("club", "name"), _of(RatedNameRow)),
    "watches": DataPart(WatchRow, ("kind", "what", "since"), _of(WatchRow)),
    "watched": DataPart(WatchedRow, ("match_id", "turn", "over", "news_at"), _of(WatchedRow)),
    "notes_waiting": DataPart(
        WaitingNoteRow,
        ("match_id", "turn", "kind", "reader_id", "text", "at"),
        _of(WaitingNoteRow),
    ),
    "notes_for_you": DataPart(
        WaitingNoteRow,
        ("match_id", "turn", "kind", "player_id", "at"),
        _of(WaitingNoteRow, "reader_id"),
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
        (
            "id",
            "kind",
            "numbering",
            "number",
            "game_key",
            "options",
            "terms",
            "created_at",
            "phase",
            "announcement",
        ),
        _competitions,
    ),
    "places_in_competitions": DataPart(
        CompetitionPlayerRow,
        ("competition_id", "place", "waiting", "always"),
        _of(CompetitionPlayerRow),
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
"""Parts by the name that members see."""


class TheirMail(NamedTuple):
    """An email that the member wrote, as received."""

    id: int
    raw: bytes


class TheirLetter(NamedTuple):
    """An email that was written to the member."""

    id: int
    letter: Letter


class MemberData:
    """Everything stored about one member, as of one moment."""

    def __init__(self, session: Session, player: PlayerId) -> None:
        self._session = session
        held = select(col(AddressRow.address_key)).where(col(AddressRow.player_id) == player)
        self._whose = MemberKeys(player, tuple(run(session, held).scalars()))

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of one of the PARTS, in the order of their primary key."""
        table, columns, which = PARTS[name]
        wanted = [getattr(table, column) for column in columns]
        order = table.__table__.primary_key.columns  # type: ignore[attr-defined]
        found = run(self._session, select(*wanted).where(which(self._whose)).order_by(*order))
        return [dict(zip(columns, row, strict=True)) for row in found]

    def matches(self) -> list[int]:
        """Return the numbers of all matches that the member plays or played."""
        return sorted(run(self._session, ever_played(self._whose.player)).scalars())

    def mails(self) -> Iterator[TheirMail]:
        """Yield the emails from the member whose bytes are still kept."""
        for row in self._batches(InboundRow, _received(self._whose)):
            if row.raw:
                yield TheirMail(row.id, row.raw)

    def letters(self) -> Iterator[TheirLetter]:
        """Yield the emails to the member whose text is still kept."""
        for row in self._batches(OutboxRow, _sent(self._whose)):
            if row.text:
                yield TheirLetter(row.id, letter_of(row))

    def _batches(self, table: type[InboundRow | OutboxRow], which: Which) -> Iterator[Any]:
        """Yield rows in batches, since emails of years would not fit into memory."""
        last = 0
        found = select(*table.__table__.columns).where(which)  # type: ignore[union-attr]
        found = found.order_by(col(table.id)).limit(BATCH)
        while rows := run(self._session, found.where(col(table.id) > last)).all():
            yield from rows
            last = rows[-1].id


@contextmanager
def data_about(url: str, player: PlayerId) -> Iterator[MemberData]:
    """Open the data that a database has about a member. Raises StorageUnavailable."""
    with (
        disposed(open_engine(url)) as engine,
        explained(),
        Session(readers(engine), info={"writing": False}) as session,
    ):
        yield MemberData(session, player)
