"""Matches, members and games that members watch, and what they and the webhook know."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, func, or_, select, tuple_, update
from sqlmodel import Session, col

from pbem.adapters.db.session import insert_into, refused_as, run, table_of
from pbem.adapters.db.tables import AnnouncedRow, WatchedRow, WatchRow
from pbem.matches.match import MatchSummary, PlayerId
from pbem.ports.room import Announced, Watch, Watched, WatchKind


class SqlWatches:
    """Watches in SQL. Satisfies the port Watches."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, watch: Watch) -> None:
        row = {
            "player_id": watch.player,
            "kind": str(watch.kind),
            "what": watch.what,
            "since": watch.since,
        }
        insert = insert_into(self._session, WatchRow).values(row)
        with refused_as(self._session, "the player is not stored"):
            run(self._session, insert.on_conflict_do_nothing())

    def remove(self, player: PlayerId, kind: WatchKind, what: str) -> None:
        this = (col(WatchRow.player_id) == player, col(WatchRow.kind) == str(kind))
        run(self._session, delete(WatchRow).where(*this, col(WatchRow.what) == what))

    def of(self, player: PlayerId) -> list[Watch]:
        return _watches(run(self._session, OF_PLAYER, {"its_player": player}))

    def on(self, match: MatchSummary) -> list[Watch]:
        members = [str(each) for each in match.players]
        of = {"match": str(match.id), "game": match.game_key, "members": members}
        return _watches(run(self._session, ON_ANY, of))

    def stir(self, match: MatchSummary, at: datetime) -> int:
        watchers = sorted({watch.player for watch in self.on(match)})
        rows = [
            {"match_id": match.id, "player_id": each, "turn": 0, "over": False, "news_at": at}
            for each in watchers
        ]
        if rows:
            insert = insert_into(self._session, WatchedRow)
            stirred = insert.on_conflict_do_update(
                index_elements=_KEY,
                set_={"news_at": at},
                where=col(WatchedRow.news_at).is_(None),
            )
            run(self._session, stirred, rows)
        return len(rows)

    def stirred(self, most: int, after: tuple[int, PlayerId] = (0, 0)) -> list[Watched]:
        return _watched(run(self._session, NEWS.where(_later(*after)).limit(most)))

    def stirred_for(self, player: PlayerId) -> list[Watched]:
        return _watched(run(self._session, NEWS.where(col(WatchedRow.player_id) == player)))

    def stirred_since(self) -> dict[PlayerId, datetime]:
        first: dict[PlayerId, datetime] = {}
        for row in run(self._session, NEWS.where(_later(0, 0))):
            first[row.player_id] = min(first.get(row.player_id, row.news_at), row.news_at)
        return first

    def take(self, watched: Watched) -> bool:
        this = (
            col(WatchedRow.match_id) == watched.match_id,
            col(WatchedRow.player_id) == watched.player,
            col(WatchedRow.news_at).is_not(None),
        )
        return run(self._session, update(WatchedRow).where(*this).values(news_at=None)).rowcount > 0

    def told(self, watched: Watched) -> None:
        known = {"turn": watched.turn, "over": watched.over, "news_at": None}
        row = {"match_id": watched.match_id, "player_id": watched.player, **known}
        insert = insert_into(self._session, WatchedRow).values(row)
        with refused_as(self._session, "the match or the player is not stored"):
            run(
                self._session,
                insert.on_conflict_do_update(index_elements=_KEY, set_=known),
            )


def _kind(kind: WatchKind) -> ColumnElement[bool]:
    return col(WatchRow.kind) == str(kind)


_KEY = ["match_id", "player_id"]
ALL = select(*table_of(WatchRow).c).order_by(
    col(WatchRow.since), col(WatchRow.player_id), col(WatchRow.kind), col(WatchRow.what)
)
OF_PLAYER = ALL.where(col(WatchRow.player_id) == bindparam("its_player"))
ON_ANY = ALL.where(
    or_(
        _kind(WatchKind.MATCH) & (col(WatchRow.what) == bindparam("match")),
        _kind(WatchKind.GAME) & (col(WatchRow.what) == bindparam("game")),
        _kind(WatchKind.MEMBER) & col(WatchRow.what).in_(bindparam("members", expanding=True)),
    )
)
"""Watches of a match, its game and its players."""
NEWS = (
    select(*table_of(WatchedRow).c)
    .where(col(WatchedRow.news_at).is_not(None))
    .order_by(col(WatchedRow.match_id), col(WatchedRow.player_id))
)


def _later(match_id: int, player: PlayerId) -> ColumnElement[bool]:
    return tuple_(col(WatchedRow.match_id), col(WatchedRow.player_id)) > tuple_(match_id, player)


def _watches(rows: Iterable[Row[Any]]) -> list[Watch]:
    return [Watch(row.player_id, WatchKind(row.kind), row.what, row.since) for row in rows]


def _watched(rows: Iterable[Row[Any]]) -> list[Watched]:
    return [Watched(row.player_id, row.match_id, row.turn, row.over) for row in rows]


class SqlAnnouncements:
    """Announcements in SQL. Satisfies the port Announcements."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def stir(self, match_id: int, at: datetime) -> None:
        row = {"match_id": match_id, "turn": 0, "over": False, "marks": 1, "since": at}
        insert = insert_into(self._session, AnnouncedRow).values(row)
        changed = {
            "marks": col(AnnouncedRow.marks) + 1,
            "since": func.coalesce(col(AnnouncedRow.since), insert.excluded.since),
        }
        run(
            self._session,
            insert.on_conflict_do_update(index_elements=["match_id"], set_=changed),
        )

    def waiting(self, most: int, after: int = 0) -> list[Announced]:
        later = WAITING.where(col(AnnouncedRow.match_id) > after).limit(most)
        return [Announced._make(row) for row in run(self._session, later)]

    def known(self, match_id: int, turn: int, *, over: bool) -> None:
        this = update(AnnouncedRow).where(col(AnnouncedRow.match_id) == match_id)
        run(self._session, this.values(turn=turn, over=over))

    def settle(self, announced: Announced) -> None:
        same = (
            col(AnnouncedRow.match_id) == announced.match_id,
            col(AnnouncedRow.marks) == announced.marks,
        )
        run(self._session, update(AnnouncedRow).where(*same).values(marks=0, since=None))


WAITING = (
    select(*(col(getattr(AnnouncedRow, name)) for name in Announced._fields))
    .where(col(AnnouncedRow.since).is_not(None))
    .order_by(col(AnnouncedRow.match_id))
)
