"""Matches of other clubs, and the members who play in them."""

from __future__ import annotations

import zlib
from collections.abc import Collection

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlmodel import Session, col

from pbem.adapters.db.ratings import SqlRatings
from pbem.adapters.db.room import mark
from pbem.adapters.db.session import insert_into, refused_as, run, table_of
from pbem.adapters.db.tables import ImportedMatchRow, RatedNameRow
from pbem.log import get_logger
from pbem.matches.imported import ImportedMatch, RatedName
from pbem.matches.match import PlayerId
from pbem.matches.record import Record, RecordError, from_json, to_json
from pbem.ports.room import PageKind

log = get_logger(__name__)
_ID = col(ImportedMatchRow.id)
_CLUB = col(ImportedMatchRow.club)
_KEY = "club", "name"


def _of(club: str) -> ColumnElement[bool]:
    return col(ImportedMatchRow.club) == club


class SqlImported:
    """Imported matches in SQL. Satisfies the port ImportedMatches."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, record: Record) -> ImportedMatch:
        values = {**_columns(record), "written": False}
        new = insert(ImportedMatchRow).values(values).returning(_ID)
        with refused_as(self._session, "a match with this club and number is stored"):
            number: int = run(self._session, new).scalar_one()
        self._changed([number], record.club)
        return ImportedMatch(number, record)

    def put(self, match: ImportedMatch) -> None:
        values = {**_columns(match.record), "written": False}
        new = insert_into(self._session, ImportedMatchRow).values(id=match.number, **values)
        with refused_as(self._session, "a match with this club and number is stored"):
            run(self._session, new.on_conflict_do_update(index_elements=["id"], set_=values))
        self._changed([match.number], match.record.club)

    def get(self, number: int) -> ImportedMatch | None:
        return self._one(col(ImportedMatchRow.id) == number)

    def find(self, club: str, match_id: int) -> ImportedMatch | None:
        return self._one(_of(club), col(ImportedMatchRow.match_id) == match_id)

    def _one(self, *which: ColumnElement[bool]) -> ImportedMatch | None:
        found = select(_ID, col(ImportedMatchRow.record)).where(*which)
        try:
            row = run(self._session, found).one_or_none()
            return None if row is None else ImportedMatch(row.id, from_json(row.record))
        except (RecordError, UnicodeDecodeError, zlib.error) as error:
            log.error("imported record cannot be read", error=str(error))
            return None

    def clubs(self) -> dict[str, int]:
        counted = select(_CLUB, func.count().label("matches")).group_by(_CLUB)
        return {row.club: row.matches for row in sorted(run(self._session, counted))}

    def of_club(self, club: str) -> list[int]:
        return self._numbers(_of(club))

    def remove(self, club: str) -> None:
        self._changed(self.of_club(club), club)
        run(self._session, delete(ImportedMatchRow).where(_of(club)))
        run(self._session, delete(RatedNameRow).where(col(RatedNameRow.club) == club))

    def rate(self, name: RatedName) -> None:
        values = {"club": name.club, "name": name.name, "player_id": name.member}
        new = insert_into(self._session, RatedNameRow).values(values)
        changed = {"player_id": name.member}
        with refused_as(self._session, "the member is not stored"):
            run(self._session, new.on_conflict_do_update(index_elements=_KEY, set_=changed))
        self._rate_again(name.club)

    def unrate(self, member: PlayerId) -> None:
        theirs = [each for each in self.rated_names() if each.member == member]
        run(self._session, delete(RatedNameRow).where(col(RatedNameRow.player_id) == member))
        for club in {each.club for each in theirs}:
            self._rate_again(club)

    def rated_names(self) -> list[RatedName]:
        rows = run(self._session, select(*table_of(RatedNameRow).c))
        return sorted(RatedName(row.club, row.name, row.player_id) for row in rows)

    def unwritten(self) -> list[int]:
        return self._numbers(col(ImportedMatchRow.written).is_(False))

    def written(self, numbers: Collection[int]) -> None:
        these = update(ImportedMatchRow).where(_ID.in_(numbers))
        run(self._session, these.values(written=True))

    def _numbers(self, which: ColumnElement[bool]) -> list[int]:
        return [*run(self._session, select(_ID).where(which).order_by(_ID)).scalars()]

    def _rate_again(self, club: str) -> None:
        """Have a club's matches rated and shown again, and the file with the names written."""
        run(self._session, update(ImportedMatchRow).where(_of(club)).values(written=False))
        self._changed(self.of_club(club), club)

    def _changed(self, numbers: Collection[int], club: str) -> None:
        mark(self._session, PageKind.IMPORTED_MATCH, numbers)
        mark(self._session, PageKind.IMPORTED_CLUB, [club])
        SqlRatings(self._session).wait(-each for each in numbers)


def _columns(record: Record) -> dict[str, object]:
    club, match_id = record.club, record.match_id
    return {"club": club, "match_id": match_id, "record": to_json(record)}
