"""Competitions: rows of one table, each read and written as its kind says.

Deadlines and directors' decisions have tables of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Executable, and_, bindparam, delete, func, text
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.clock_mapping import kind_of
from pbem.adapters.db.match_mapping import options_data, options_of
from pbem.adapters.db.session import (
    DIALECTS,
    Insert,
    by_id,
    gathered,
    locked,
    others_write,
    possible,
    refused_as,
    run,
)
from pbem.adapters.db.stale_pages import mark
from pbem.adapters.db.tables import (
    CompetitionPlayerRow,
    CompetitionRow,
    DeadlineRow,
    DecisionRow,
    MatchRow,
    SeatRow,
)
from pbem.matches.competition import Common, Competition
from pbem.matches.competitions import kinds
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.time_control import FLAG, OVER, Due
from pbem.ports.play import CompetitionT, Deadline, LoggedDecision
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind

ONE_BY_ONE = text("LOCK TABLE competitions IN SHARE ROW EXCLUSIVE MODE")
"""Keeps others from adding rows, neither from reading them nor from locking single ones."""


class SqlCompetitions:
    """The port Competitions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, competition: CompetitionT) -> CompetitionT:
        """Stores a new competition with the next number; raises StorageError."""
        row = row_of(competition, self._next_number(competition.numbering))
        with refused_as(self._session, "a player is not stored"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._session.add_all(
                CompetitionPlayerRow(competition_id=row.id, place=place, player_id=player)
                for place, player in enumerate(competition.players)
            )
        mark(self._session, PageKind.COMPETITION, [row.id])
        return replace(competition, id=row.id, number=row.number)

    def get(self, competition_id: int) -> Competition:
        return self._one(competition_id, select(CompetitionRow))

    def lock(self, competition_id: int) -> Competition:
        return self._one(competition_id, locked(self._session, select(CompetitionRow)))

    def numbered(self, numbering: str, number: int) -> Competition | None:
        if not possible(number):
            return None
        same = select(CompetitionRow).where(col(CompetitionRow.numbering) == numbering)
        row = self._session.exec(same.where(col(CompetitionRow.number) == number)).one_or_none()
        return None if row is None else self._with_players(row)

    def all(self) -> list[Competition]:
        query = select(CompetitionRow, CompetitionPlayerRow.player_id).join(CompetitionPlayerRow)
        order = col(CompetitionRow.id), col(CompetitionPlayerRow.place)
        rows = self._session.exec(query.order_by(*order))
        return [_competition_of(row, players) for row, players in gathered(rows)]

    def _next_number(self, numbering: str) -> int:
        """One more than the highest; whoever else asks waits until this transaction ends."""
        if others_write(self._session):
            self._session.connection().execute(ONE_BY_ONE)
        highest = select(func.max(CompetitionRow.number))
        highest = highest.where(col(CompetitionRow.numbering) == numbering)
        return (self._session.exec(highest).one() or 0) + 1

    def _one(self, competition_id: int, query: SelectOfScalar[CompetitionRow]) -> Competition:
        row = by_id(self._session, query, col(CompetitionRow.id), competition_id)
        if row is None:
            raise StorageError(f"there is no competition {competition_id}")
        return self._with_players(row)

    def _with_players(self, row: CompetitionRow) -> Competition:
        players = select(CompetitionPlayerRow.player_id)
        players = players.where(col(CompetitionPlayerRow.competition_id) == row.id)
        in_order = players.order_by(col(CompetitionPlayerRow.place))
        return _competition_of(row, self._session.exec(in_order).all())


def row_of(competition: Competition, number: int, own_id: int | None = None) -> CompetitionRow:
    """The row of a competition; without an id the database gives it one."""
    return CompetitionRow(
        id=own_id,
        kind=competition.kind,
        numbering=competition.numbering,
        number=number,
        game_key=competition.game_key,
        options=options_data(competition.options),
        terms=competition.terms,
        created_at=competition.created_at,
    )


def _competition_of(row: CompetitionRow, players: Sequence[PlayerId]) -> Competition:
    assert row.id is not None
    kind = kinds().get(row.kind)
    if kind is None:
        raise StorageError(f"this pbem knows no {row.kind}, which competition {row.id} is")
    options = options_of(row.options)
    common = Common(row.id, row.number, row.game_key, tuple(players), options, row.created_at)
    return kind.with_terms(common, row.terms)


class SqlDecisions:
    """The port Decisions."""

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
    """The port Deadlines."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def due(self, until: datetime) -> list[Deadline]:
        rows = run(self._session, DUE, {"until": until})
        return [Deadline(row.match_id, kind_of(row.kind), row.due_at) for row in rows]

    def reminded(self, until: datetime) -> list[PlayerId]:
        return list(run(self._session, REMINDED, {"until": until}).scalars())

    def of_player(self, player: PlayerId, until: datetime) -> list[int]:
        return list(run(self._session, THEIRS, {"player": player, "until": until}).scalars())


def index(session: Session, matches: Sequence[MatchSummary]) -> None:
    """Puts what the clocks of matches say in place of what was due in them.

    Whoever does so holds the rows of the matches.
    """
    if matches:
        run(session, CLEAR, [{"its_match_id": match.id} for match in matches])
        _put(session, [row for match in matches for row in _rows(match, match.clock.dues)])


def index_again(session: Session, before: MatchSummary, after: MatchSummary) -> None:
    """The same for a match of which is known what was due in it."""
    was, due = before.clock.dues, after.clock.dues
    if {each.kind for each in was} <= {each.kind for each in due}:
        _put(session, _rows(after, [each for each in due if each not in was]))
    else:
        index(session, [after])


def _rows(match: MatchSummary, dues: Iterable[Due]) -> list[dict[str, Any]]:
    return [{"match_id": match.id, "kind": str(each.kind), "due_at": each.due_at} for each in dues]


def _put(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        run(session, PUT[session.get_bind().dialect.name], rows)


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
CLEAR = delete(DeadlineRow).where(col(DeadlineRow.match_id) == bindparam("its_match_id"))


def _put_with(dialect: Any) -> Executable:
    row: Insert = dialect.insert(DeadlineRow)
    return row.on_conflict_do_update(
        index_elements=["match_id", "kind"], set_={"due_at": row.excluded.due_at}
    )


PUT = {name: _put_with(dialect) for name, dialect in DIALECTS.items()}
