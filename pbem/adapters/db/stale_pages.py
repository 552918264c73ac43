"""Stale pages: an outbox of the reading room, to which all that changes a page adds."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from sqlalchemy import Select, Text, bindparam, cast, delete, insert, literal, select
from sqlmodel import Session, col

from pbem.adapters.db.played import ever_played
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import (
    CompetitionPlayerRow,
    CompetitionRow,
    MatchRow,
    PlayerRow,
    StalePageRow,
)
from pbem.matches.match import PlayerId
from pbem.ports.room import PageKind, StalePage


class SqlStalePages:
    """The port StalePages."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def mark(self, kind: PageKind, keys: Iterable[object] = ("",)) -> None:
        mark(self._session, kind, keys)

    def mark_all(self) -> None:
        self._mark_found(PageKind.MATCH, select(cast(col(MatchRow.id), Text)))
        self._mark_found(PageKind.COMPETITION, select(cast(col(CompetitionRow.id), Text)))
        self._mark_found(PageKind.MEMBER, select(cast(col(PlayerRow.id), Text)))

    def mark_where_named(self, player: PlayerId) -> None:
        played = col(MatchRow.id).in_(ever_played(player))
        self._mark_found(PageKind.MATCH, select(cast(col(MatchRow.id), Text)).where(played))
        entered = select(cast(col(CompetitionPlayerRow.competition_id), Text))
        of_them = entered.where(col(CompetitionPlayerRow.player_id) == player)
        self._mark_found(PageKind.COMPETITION, of_them)

    def _mark_found(self, kind: PageKind, keys: Select[Any]) -> None:
        found = keys.add_columns(literal(str(kind)))
        run(self._session, insert(StalePageRow).from_select(["key", "kind"], found))

    def waiting(self, kind: PageKind, most: int) -> list[StalePage]:
        rows = run(self._session, WAITING, {"its_kind": str(kind), "most": most})
        return [
            StalePage(kind, key, tuple(row.id for row in own))
            for key, own in groupby(rows, key=lambda row: row.key)
        ]

    def settle(self, pages: Iterable[StalePage]) -> None:
        if marks := [{"its_id": each} for page in pages for each in page.marks]:
            run(self._session, SETTLED, marks)


def mark(session: Session, kind: PageKind, keys: Iterable[object] = ("",)) -> None:
    """Marks pages in a transaction that changes what they show."""
    if rows := [{"kind": str(kind), "key": str(key)} for key in keys]:
        run(session, NEW_MARK, rows)


_OF_KIND = col(StalePageRow.kind) == bindparam("its_kind")
_FIRST = (
    select(col(StalePageRow.key))
    .where(_OF_KIND)
    .distinct()
    .order_by(col(StalePageRow.key))
    .limit(bindparam("most"))
)
NEW_MARK = insert(StalePageRow)
WAITING = (
    select(col(StalePageRow.key), col(StalePageRow.id))
    .where(_OF_KIND, col(StalePageRow.key).in_(_FIRST))
    .order_by(col(StalePageRow.key), col(StalePageRow.id))
)
SETTLED = delete(StalePageRow).where(col(StalePageRow.id) == bindparam("its_id"))
