"""Competitions, offers, blocks, deadlines and directors' decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import (
    ColumnElement,
    Executable,
    and_,
    bindparam,
    func,
    insert,
    literal_column,
    text,
)
from sqlmodel import Session, col, delete, or_, select, update
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.match_mapping import options_data, options_of
from pbem.adapters.db.room import mark
from pbem.adapters.db.service_log import move
from pbem.adapters.db.session import (
    by_id,
    change,
    gathered,
    insert_into,
    insert_of,
    locked,
    others_write,
    possible,
    refused_as,
    run,
)
from pbem.adapters.db.tables import (
    ANNOUNCED,
    WAITED,
    BlockRow,
    CompetitionPlayerRow,
    CompetitionRow,
    DeadlineRow,
    DecisionRow,
    MatchRow,
    MuteRow,
    OfferPlayerRow,
    OfferRow,
    SeatRow,
)
from pbem.matches.announcement import UNSTARTED, Announcement, Phase
from pbem.matches.competition import Common, Competition
from pbem.matches.competitions import kinds
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.off_time import HOUR
from pbem.matches.offer import Offer, OfferEntry, Reopening, Search, State
from pbem.matches.offer_terms import Begins, OfferTerms
from pbem.matches.reliability import Conditions, RatingRange
from pbem.matches.time_control import FLAG, OVER, DeadlineKind, Due
from pbem.ports.people import Mute, Wait
from pbem.ports.play import CompetitionT, Deadline, LoggedDecision
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind

ONE_BY_ONE = text("LOCK TABLE competitions IN SHARE ROW EXCLUSIVE MODE")
"""Keeps others from adding rows, but not from reading or locking single rows."""


class SqlCompetitions:
    """Competitions in SQL. Satisfies the port Competitions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, competition: CompetitionT) -> CompetitionT:
        row = row_of(competition, self._next_number(competition))
        with refused_as(self._session, "a player is not stored"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            stored = replace(competition, id=row.id, number=row.number)
            self._session.add_all(player_rows(stored))
        self._mark(stored)
        return stored

    def get(self, competition_id: int) -> Competition:
        return self._one(competition_id, select(CompetitionRow))

    def lock(self, competition_id: int) -> Competition:
        return self._one(competition_id, locked(self._session, select(CompetitionRow)))

    def save(self, competition: Competition) -> None:
        this = col(CompetitionRow.id) == competition.id
        missing = f"there is no competition {competition.id}"
        row = row_of(competition, competition.number)
        values = {name: getattr(row, name) for name in _CHANGING}
        change(self._session, update(CompetitionRow).where(this).values(values), missing)
        entered = col(CompetitionPlayerRow.competition_id) == competition.id
        with refused_as(self._session, "a player is not stored"):
            self._session.exec(delete(CompetitionPlayerRow).where(entered))
            self._session.add_all(player_rows(competition))
            self._session.flush()
        self._mark(competition)

    def _mark(self, competition: Competition) -> None:
        if not competition.unstarted:
            mark(self._session, PageKind.COMPETITION, [competition.id])

    def numbered(self, numbering: str, number: int) -> Competition | None:
        if not possible(number):
            return None
        same = select(CompetitionRow).where(col(CompetitionRow.numbering) == numbering)
        row = self._session.exec(same.where(col(CompetitionRow.number) == number)).one_or_none()
        return None if row is None else self._with_players(row)

    def all(self) -> list[Competition]:
        return self._all(col(CompetitionRow.phase).not_in(UNSTARTED))

    def announced(self, phases: Collection[Phase]) -> list[Competition]:
        return self._all(and_(text(ANNOUNCED), col(CompetitionRow.phase).in_(phases)))

    def announced_as(self, number: int) -> Competition | None:
        if not possible(number):
            return None
        this = and_(text(ANNOUNCED), col(CompetitionRow.number) == number)
        return next(iter(self._all(this)), None)

    def _all(self, which: ColumnElement[bool]) -> list[Competition]:
        query = select(CompetitionRow, CompetitionPlayerRow).outerjoin(CompetitionPlayerRow)
        order = col(CompetitionRow.id), col(CompetitionPlayerRow.place)
        rows = self._session.exec(query.where(which).order_by(*order))
        return [_competition_of(row, players) for row, players in gathered(rows)]

    def _next_number(self, competition: Competition) -> int:
        """Return one more than the highest number. Others wait until this transaction ends."""
        if others_write(self._session):
            self._session.connection().execute(ONE_BY_ONE)
        highest = select(func.max(CompetitionRow.number))
        if competition.announcement is None:
            highest = highest.where(col(CompetitionRow.numbering) == competition.numbering)
        return (self._session.exec(highest).one() or 0) + 1

    def _one(self, competition_id: int, query: SelectOfScalar[CompetitionRow]) -> Competition:
        # What this transaction has read before may be old once the row is locked.
        query = query.execution_options(populate_existing=True)
        row = by_id(self._session, query, col(CompetitionRow.id), competition_id)
        if row is None:
            raise StorageError(f"there is no competition {competition_id}")
        return self._with_players(row)

    def _with_players(self, row: CompetitionRow) -> Competition:
        players = select(CompetitionPlayerRow)
        players = players.where(col(CompetitionPlayerRow.competition_id) == row.id)
        in_order = players.order_by(col(CompetitionPlayerRow.place))
        in_order = in_order.execution_options(populate_existing=True)
        return _competition_of(row, self._session.exec(in_order).all())


def row_of(competition: Competition, number: int, own_id: int | None = None) -> CompetitionRow:
    """Return the row of a competition. Without an id, the database assigns one."""
    return CompetitionRow(
        id=own_id,
        kind=competition.kind,
        numbering=competition.numbering,
        number=number,
        game_key=competition.game_key,
        options=options_data(competition.options),
        terms=competition.terms,
        created_at=competition.created_at,
        phase="" if competition.announcement is None else competition.announcement.phase,
        announcement=None if competition.announcement is None else competition.announcement.stored,
    )


_CHANGING = ("terms", "created_at", "phase", "announcement")
"""Columns of a competition that change."""


def player_rows(competition: Competition) -> Iterator[CompetitionPlayerRow]:
    """Yield the rows of a competition's players and of those who wait."""
    announcement = competition.announcement
    waiting, always = (
        ((), ())
        if announcement is None
        else (
            announcement.waiting,
            announcement.always,
        )
    )
    for place, player in enumerate((*competition.players, *waiting)):
        yield CompetitionPlayerRow(
            competition_id=competition.id,
            place=place,
            player_id=player,
            waiting=place >= len(competition.players),
            always=player in always,
        )


def _competition_of(
    row: CompetitionRow, entered: Iterable[CompetitionPlayerRow | None]
) -> Competition:
    assert row.id is not None
    kind = kinds().get(row.kind)
    if kind is None:
        raise StorageError(f"competition {row.id} is a {row.kind}, which this pbem does not know")
    options, rows = options_of(row.options), [each for each in entered if each is not None]
    players = tuple(each.player_id for each in rows if not each.waiting)
    announcement = None
    if row.phase and row.announcement is not None:
        waiting = tuple(each.player_id for each in rows if each.waiting)
        always = frozenset(each.player_id for each in rows if each.always)
        announcement = Announcement.of(row.announcement, Phase(row.phase), waiting, always)
    common = Common(
        row.id, row.number, row.game_key, players, options, row.created_at, announcement
    )
    return kind.with_terms(common, row.terms)


class SqlDecisions:
    """Decisions in SQL. Satisfies the port Decisions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, decision: LoggedDecision) -> None:
        row = DecisionRow(
            at=decision.at,
            by_id=decision.by,
            match_id=decision.match_id,
            line=decision.line,
            reason=decision.reason,
        )
        with refused_as(self._session, "the member or the match is not stored"):
            self._session.add(row)
            self._session.flush()

    def newest(self, limit: int, match_id: int | None = None) -> Sequence[LoggedDecision]:
        wanted = select(DecisionRow).order_by(col(DecisionRow.id).desc()).limit(limit)
        if match_id is not None:
            wanted = wanted.where(DecisionRow.match_id == match_id)
        return [_decision_of(row) for row in self._session.exec(wanted)]


def _decision_of(row: DecisionRow) -> LoggedDecision:
    assert row.id is not None, "it is stored"
    return LoggedDecision(row.at, row.by_id, row.match_id, row.line, row.reason, row.id)


class SqlDeadlines:
    """Deadlines in SQL. Satisfies the port Deadlines."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def due(self, until: datetime) -> list[Deadline]:
        rows = run(self._session, DUE, {"until": until})
        return [Deadline(row.match_id, DeadlineKind(row.kind), row.due_at) for row in rows]

    def reminded(self, until: datetime) -> list[PlayerId]:
        return list(run(self._session, REMINDED, {"until": until}).scalars())

    def of_player(self, player: PlayerId, until: datetime) -> list[int]:
        return list(run(self._session, THEIRS, {"player": player, "until": until}).scalars())


def index(session: Session, matches: Sequence[MatchSummary]) -> None:
    """Replace the deadlines of matches by those of their clocks.

    The caller must hold locks on the rows of the matches.
    """
    if matches:
        run(session, CLEAR, [{"its_match_id": match.id} for match in matches])
        _put(session, [row for match in matches for row in _rows(match, match.clock.dues)])


def index_again(session: Session, before: MatchSummary, after: MatchSummary) -> None:
    """Do the same for a match whose earlier deadlines are known."""
    was, due = before.clock.dues, after.clock.dues
    if {each.kind for each in was} <= {each.kind for each in due}:
        _put(session, _rows(after, [each for each in due if each not in was]))
    else:
        index(session, [after])


def _rows(match: MatchSummary, dues: Iterable[Due]) -> list[dict[str, Any]]:
    return [{"match_id": match.id, "kind": str(each.kind), "due_at": each.due_at} for each in dues]


def _put(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        run(session, _put_with(session.get_bind().dialect.name), rows)


@cache
def _put_with(dialect: str) -> Executable:
    row = insert_of(dialect, DeadlineRow)
    return row.on_conflict_do_update(
        index_elements=["match_id", "kind"], set_={"due_at": row.excluded.due_at}
    )


DUE = (
    select(DeadlineRow.match_id, DeadlineRow.kind, DeadlineRow.due_at)
    .where(col(DeadlineRow.due_at) <= bindparam("until"))
    .order_by(col(DeadlineRow.due_at), col(DeadlineRow.match_id))
)
_TO_ACT = and_(
    col(SeatRow.match_id) == col(DeadlineRow.match_id),
    col(SeatRow.seat) == col(MatchRow.to_act),
)
_BY_THEN = col(DeadlineRow.due_at) <= bindparam("until")
REMINDED = (
    select(SeatRow.player_id)
    .distinct()
    .join(DeadlineRow, col(SeatRow.match_id) == col(DeadlineRow.match_id))
    .join(MatchRow, and_(col(MatchRow.id) == col(DeadlineRow.match_id), _TO_ACT))
    .where(_BY_THEN, col(DeadlineRow.kind).not_in([FLAG, OVER]))
    .order_by(col(SeatRow.player_id))
)
THEIRS = (
    select(DeadlineRow.match_id)
    .distinct()
    .join(MatchRow, col(MatchRow.id) == col(DeadlineRow.match_id))
    .join(SeatRow, _TO_ACT)
    .where(col(SeatRow.player_id) == bindparam("player"), col(SeatRow.playing).is_(True), _BY_THEN)
    .order_by(col(DeadlineRow.match_id))
)
CLEAR = sa.delete(DeadlineRow).where(col(DeadlineRow.match_id) == bindparam("its_match_id"))


SECOND = timedelta(seconds=1)
MOST_WAITS = 200
"""Number of the latest searches whose length is read."""
STANDS = col(OfferRow.state) == literal_column(f"'{State.STANDS}'")
"""Spelled out, since a partial index covers just these."""


class SqlOffers:
    """Offers in SQL. Satisfies the port Offers."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, offer: Offer) -> Offer:
        row = OfferRow(**_columns_of(offer), created_at=offer.created_at)
        with refused_as(self._session, "a player is not stored, or named twice"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._put_entries(row.id, offer.entries)
        return replace(offer, number=row.id)

    def get(self, number: int) -> Offer:
        return self._one(number, select(OfferRow))

    def lock(self, number: int) -> Offer:
        return self._one(number, locked(self._session, select(OfferRow)))

    def save(self, offer: Offer) -> None:
        this = update(OfferRow).where(col(OfferRow.id) == offer.number)
        change(self._session, this.values(**_columns_of(offer)), _missing(offer.number))
        gone = delete(OfferPlayerRow).where(col(OfferPlayerRow.offer_id) == offer.number)
        with refused_as(self._session, "a player is not stored, or named twice"):
            self._session.exec(gone)
            self._put_entries(offer.number, offer.entries)

    def standing(self) -> list[Offer]:
        query = select(OfferRow, OfferPlayerRow).join(OfferPlayerRow).where(STANDS)
        in_order = query.order_by(col(OfferRow.id), col(OfferPlayerRow.place))
        return [_offer_of(row, entries) for row, entries in gathered(self._session.exec(in_order))]

    def of_player(self, player: PlayerId) -> list[Offer]:
        theirs = select(OfferPlayerRow.offer_id).where(col(OfferPlayerRow.player_id) == player)
        standing = select(OfferRow.id).where(STANDS, col(OfferRow.id).in_(theirs))
        found = self._session.exec(standing.order_by(col(OfferRow.id))).all()
        return [self.get(number) for number in found if number is not None]

    def expired(self, now: datetime) -> list[int]:
        late = select(OfferRow.id).where(STANDS, col(OfferRow.expires_at) <= now)
        found = self._session.exec(late.order_by(col(OfferRow.id))).all()
        return [number for number in found if number is not None]

    def waits(self) -> list[Wait]:
        ended = select(OfferRow.terms, OfferRow.waited).where(text(WAITED))
        newest = self._session.exec(ended.order_by(col(OfferRow.id).desc()).limit(MOST_WAITS))
        return [Wait(terms["game"], SECOND * (waited or 0)) for terms, waited in newest]

    def postpone(self, by: timedelta, after: datetime) -> None:
        later = col(OfferRow.expires_at) > after
        move(self._session, OfferRow, "expires_at", by, STANDS, later)

    def _one(self, number: int, query: SelectOfScalar[OfferRow]) -> Offer:
        row = by_id(self._session, query, col(OfferRow.id), number)
        if row is None:
            raise StorageError(_missing(number))
        entries = select(OfferPlayerRow).where(col(OfferPlayerRow.offer_id) == number)
        return _offer_of(row, self._session.exec(entries.order_by(col(OfferPlayerRow.place))).all())

    def _put_entries(self, number: int, entries: Sequence[OfferEntry]) -> None:
        rows = [
            {
                "offer_id": number,
                "place": place,
                "player_id": entry.player,
                "accepted": entry.accepted,
                "wish": entry.place,
            }
            for place, entry in enumerate(entries)
        ]
        run(self._session, insert(OfferPlayerRow), rows)


class SqlBlocks:
    """Blocks in SQL. Satisfies the port Blocks."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, player: PlayerId, blocked: PlayerId) -> None:
        row = {"player_id": player, "blocked_id": blocked}
        insert = insert_into(self._session, BlockRow).values(row)
        with refused_as(self._session, "a player is not stored"):
            self._session.exec(insert.on_conflict_do_nothing())

    def remove(self, player: PlayerId, blocked: PlayerId) -> None:
        both = (col(BlockRow.player_id) == player, col(BlockRow.blocked_id) == blocked)
        self._session.exec(delete(BlockRow).where(*both))

    def of(self, player: PlayerId) -> list[PlayerId]:
        theirs = select(BlockRow.blocked_id).where(col(BlockRow.player_id) == player)
        return list(self._session.exec(theirs.order_by(col(BlockRow.id))))

    def around(self, player: PlayerId) -> frozenset[PlayerId]:
        either = or_(col(BlockRow.player_id) == player, col(BlockRow.blocked_id) == player)
        rows = self._session.exec(select(BlockRow.player_id, BlockRow.blocked_id).where(either))
        return frozenset(one for row in rows for one in row if one != player)

    def among(self, players: Collection[PlayerId]) -> frozenset[frozenset[PlayerId]]:
        theirs = col(BlockRow.player_id).in_(players) & col(BlockRow.blocked_id).in_(players)
        rows = self._session.exec(select(BlockRow.player_id, BlockRow.blocked_id).where(theirs))
        return frozenset(frozenset(row) for row in rows)


class SqlMutes:
    """Mutes in SQL. Satisfies the port Mutes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, player: PlayerId, mute: Mute) -> None:
        if mute not in self.of(player):
            row = MuteRow(player_id=player, muted_id=mute.muted, match_id=mute.match_id)
            with refused_as(self._session, "a player or a match is not stored"):
                self._session.add(row)

    def remove(self, player: PlayerId, mute: Mute) -> None:
        same = (
            col(MuteRow.player_id) == player,
            col(MuteRow.muted_id) == mute.muted,
            col(MuteRow.match_id).is_not_distinct_from(mute.match_id),
        )
        run(self._session, delete(MuteRow).where(*same))

    def of(self, player: PlayerId) -> Sequence[Mute]:
        theirs = select(MuteRow).where(col(MuteRow.player_id) == player).order_by(col(MuteRow.id))
        return [Mute(row.muted_id, row.match_id) for row in self._session.exec(theirs)]


def _columns_of(offer: Offer) -> dict[str, Any]:
    """Return the columns of an offer that may change. Its entries are separate rows."""
    return {
        "state": str(offer.state),
        "open": offer.open,
        "revision": offer.revision,
        "terms": _terms_data(offer.terms),
        "conditions": {
            "only": list(offer.only),
            "met": offer.met,
            "needs": _needs_data(offer.needs),
            **({} if offer.search is None else {"search": True}),
            "again": None if offer.again is None else asdict(offer.again),
        },
        "expires_at": offer.expires_at,
        "begun": offer.begun,
        "waited": None
        if offer.search is None or offer.search.waited is None
        else offer.search.waited // SECOND,
    }


def _offer_of(row: OfferRow, entries: Sequence[OfferPlayerRow]) -> Offer:
    assert row.id is not None
    return Offer(
        terms=_terms_of(row.terms),
        entries=tuple(OfferEntry(each.player_id, each.accepted, each.wish) for each in entries),
        created_at=row.created_at,
        expires_at=row.expires_at,
        open=row.open,
        only=tuple(row.conditions["only"]),
        met=row.conditions["met"],
        needs=_needs_of(row.conditions.get("needs", {})),
        search=_search_of(row),
        again=_reopening_of(row.conditions.get("again")),
        revision=row.revision,
        state=State(row.state),
        begun=row.begun,
        number=row.id,
    )


def _search_of(row: OfferRow) -> Search | None:
    if "search" not in row.conditions:
        return None
    return Search(None if row.waited is None else SECOND * row.waited)


def _reopening_of(data: Mapping[str, Any] | None) -> Reopening | None:
    return None if data is None else Reopening(**{**data, "running": tuple(data["running"])})


def _needs_data(needs: Conditions) -> dict[str, Any]:
    """Return conditions as JSON, empty for nearly all offers."""
    data = {
        "ontime": needs.ontime,
        "pace": None if needs.pace is None else needs.pace // HOUR,
        "rating": list(needs.rating) if any(needs.rating) else None,
        "new": None if needs.new else "no",
    }
    return {key: value for key, value in data.items() if value}


def _needs_of(data: Mapping[str, Any]) -> Conditions:
    pace = data.get("pace")
    return Conditions(
        ontime=data.get("ontime", 0),
        pace=None if pace is None else pace * HOUR,
        rating=RatingRange(*data.get("rating", ())),
        new="new" not in data,
    )


def _terms_data(terms: OfferTerms) -> dict[str, Any]:
    return {
        "game": terms.game_key,
        "players": terms.players,
        "options": options_data(terms.options),
        "begins": str(terms.begins),
        "games": terms.games,
        "private": terms.private,
    }


def _terms_of(data: dict[str, Any]) -> OfferTerms:
    return OfferTerms(
        game_key=data["game"],
        players=data["players"],
        options=options_of(data["options"]),
        begins=Begins(data["begins"]),
        games=data["games"],
        private=data["private"],
    )


def _missing(number: int) -> str:
    return f"there is no offer {number}"
