"""Competitions: rows of one table, each read and written as its kind says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import func, text
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.match_mapping import options_data, options_of
from pbem.adapters.db.session import by_id, gathered, locked, others_write, possible, refused_as
from pbem.adapters.db.stale_pages import mark
from pbem.adapters.db.tables import CompetitionPlayerRow, CompetitionRow
from pbem.matches.competition import Common, Competition
from pbem.matches.competitions import kinds
from pbem.matches.match import PlayerId
from pbem.service.ports import CompetitionT, PageKind, StorageError

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
        """Raises StorageError if there is none."""
        return self._one(competition_id, select(CompetitionRow))

    def lock(self, competition_id: int) -> Competition:
        """Like get; nobody else can lock it until this unit of work ends."""
        return self._one(competition_id, locked(self._session, select(CompetitionRow)))

    def numbered(self, numbering: str, number: int) -> Competition | None:
        """The one that has a number among those that are numbered together."""
        if not possible(number):
            return None
        same = select(CompetitionRow).where(col(CompetitionRow.numbering) == numbering)
        row = self._session.exec(same.where(col(CompetitionRow.number) == number)).one_or_none()
        return None if row is None else self._with_players(row)

    def all(self) -> list[Competition]:
        """Every competition, oldest first."""
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
