"""Ratings, and the matches behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    bindparam,
    delete,
    insert,
    select,
    text,
    tuple_,
)
from sqlmodel import Session, col

from pbem.adapters.db.session import attempt, insert_into, others_write, run, table_of
from pbem.adapters.db.tables import PlayerRow, RatedMatchRow, RatingStepRow, UnratedMatchRow
from pbem.matches.match import PlayerId
from pbem.matches.ratings import (
    NEW,
    RatedMatch,
    RatedPlace,
    RatedPlayer,
    RatedSide,
    Rating,
    RatingList,
    RatingStep,
)

ONE_BY_ONE = text("LOCK TABLE rated_matches IN SHARE ROW EXCLUSIVE MODE")


class SqlRatings:
    """Ratings in SQL. Satisfies the port Ratings."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, which: RatingList, players: Collection[PlayerId]) -> dict[PlayerId, Rating]:
        rows = run(self._session, OF_PLAYERS, {**_list(which), "players": list(players)})
        return dict.fromkeys(players, NEW) | {row.player_id: _rating(row) for row in rows}

    def lists_of(self, player: PlayerId) -> dict[RatingList, Rating]:
        rows = run(self._session, THEIR_LISTS, {"player": player})
        lists = [RatingList(row.game_key, row.computers) for row in rows]
        return {which: self.of(which, [player])[player] for which in lists}

    def standing(self, which: RatingList) -> list[RatedPlayer]:
        rows = run(self._session, STANDING, _list(which))
        rated = [RatedPlayer(row.player_id, _rating(row)) for row in rows]
        return sorted(rated, key=lambda each: (-each.rating.mean, each.player))

    def course(self, which: RatingList, player: PlayerId) -> list[RatingStep]:
        rows = run(self._session, COURSE, {**_list(which), "player": player})
        return [RatingStep(RatedPlace(row.ended_at, row.match_id), _rating(row)) for row in rows]

    def before(
        self, which: RatingList, players: Collection[PlayerId], place: RatedPlace
    ) -> dict[PlayerId, Rating]:
        values = {**_list(which), **place._asdict(), "players": list(players)}
        rows = run(self._session, BEFORE, values)
        return dict.fromkeys(players, NEW) | {row.player_id: _rating(row) for row in rows}

    def put(
        self,
        match: RatedMatch,
        ratings: Mapping[RatingList, Mapping[PlayerId, Rating]],
        method: str,
    ) -> None:
        self.drop([match.place.match_id])
        refusal = "the match or a player is not stored"
        place = {"match_id": match.place.match_id, "ended_at": match.place.ended_at}
        row = {
            **place,
            "game_key": match.game,
            "computers": match.computers,
            "sides": [[side.rank, list(side.players)] for side in match.sides],
            "method": method,
        }
        steps = [
            {
                **place,
                "game_key": which.game,
                "computers": which.computers,
                "player_id": player,
                "mean": rating.mean,
                "deviation": rating.deviation,
                "matches": rating.matches,
            }
            for which, theirs in ratings.items()
            for player, rating in sorted(theirs.items())
        ]
        attempt(self._session, NEW_MATCH, row, refusal)
        attempt(self._session, NEW_STEPS, steps, refusal)

    def drop(self, matches: Collection[int]) -> None:
        for statement in (DROP_STEPS, DROP_MATCHES):
            run(self._session, statement, {"its_matches": list(matches)})

    def rated(self, matches: Collection[int]) -> dict[int, RatedMatch]:
        rows = run(self._session, RATED, {"its_matches": list(matches)})
        return {row.match_id: _match(row) for row in rows}

    def since(self, place: RatedPlace, most: int) -> list[RatedMatch]:
        rows = run(self._session, SINCE.limit(most), place._asdict())
        return [_match(row) for row in rows]

    def of_other_methods(self, method: str) -> list[int]:
        others = select(col(RatedMatchRow.match_id)).where(col(RatedMatchRow.method) != method)
        return [*run(self._session, others.order_by(col(RatedMatchRow.match_id))).scalars()]

    def wait(self, matches: Iterable[int]) -> None:
        if rows := [{"match_id": each} for each in sorted(set(matches))]:
            waits = insert_into(self._session, UnratedMatchRow).on_conflict_do_nothing()
            attempt(self._session, waits, rows, "a match is not stored")

    def waiting(self, most: int) -> list[int]:
        return [*run(self._session, WAITING.limit(most)).scalars()]

    def lock(self) -> None:
        if others_write(self._session):
            run(self._session, ONE_BY_ONE)

    def settle(self, matches: Collection[int]) -> None:
        run(self._session, SETTLE, {"its_matches": list(matches)})


def _in_list() -> ColumnElement[bool]:
    game = col(RatingStepRow.game_key) == bindparam("list_game")
    return game & (col(RatingStepRow.computers) == bindparam("list_computers"))


def _list(which: RatingList) -> dict[str, Any]:
    return {"list_game": which.game, "list_computers": which.computers}


def _earlier(row: type[RatedMatchRow | RatingStepRow]) -> ColumnElement[bool]:
    place = tuple_(bindparam("ended_at", type_=_ENDED_AT), bindparam("match_id"))
    return tuple_(col(row.ended_at), col(row.match_id)) < place


_ENDED_AT = table_of(RatingStepRow).c.ended_at.type
_NEWEST = col(RatingStepRow.ended_at).desc(), col(RatingStepRow.match_id).desc()


def _last_steps(*until: ColumnElement[bool]) -> Select[Any]:
    """Return a query for each player's last step in a list. The index gives it at once."""
    step, player = table_of(RatingStepRow).alias("step"), col(PlayerRow.id)
    theirs = select(col(RatingStepRow.match_id)).where(
        _in_list(), col(RatingStepRow.player_id) == player, *until
    )
    last = theirs.order_by(*_NEWEST).limit(1).correlate(PlayerRow).scalar_subquery()
    return (
        select(step.c.player_id, step.c.mean, step.c.deviation, step.c.matches)
        .join_from(PlayerRow, step, step.c.player_id == player)
        .where(step.c.match_id == last, step.c.game_key == bindparam("list_game"))
    )


def _of_players(query: Select[Any]) -> Select[Any]:
    return query.where(col(PlayerRow.id).in_(bindparam("players", expanding=True)))


def _these(row: type[RatedMatchRow | RatingStepRow | UnratedMatchRow]) -> ColumnElement[bool]:
    return col(row.match_id).in_(bindparam("its_matches", expanding=True))


STANDING = _last_steps()
OF_PLAYERS = _of_players(STANDING)
BEFORE = _of_players(_last_steps(_earlier(RatingStepRow)))
_ITS_PLAYER = col(RatingStepRow.player_id) == bindparam("player")
_LIST_COLUMNS = col(RatingStepRow.game_key), col(RatingStepRow.computers)
THEIR_LISTS = select(*_LIST_COLUMNS).where(_ITS_PLAYER).distinct().order_by(*_LIST_COLUMNS)
COURSE = (
    select(*table_of(RatingStepRow).c)
    .where(_in_list(), _ITS_PLAYER)
    .order_by(*(each.asc() for each in (col(RatingStepRow.ended_at), col(RatingStepRow.match_id))))
)
RATED = select(*table_of(RatedMatchRow).c).where(_these(RatedMatchRow))
SINCE = (
    select(*table_of(RatedMatchRow).c)
    .where(~_earlier(RatedMatchRow))
    .order_by(col(RatedMatchRow.ended_at), col(RatedMatchRow.match_id))
)
NEW_MATCH, NEW_STEPS = insert(RatedMatchRow), insert(RatingStepRow)
DROP_MATCHES = delete(RatedMatchRow).where(_these(RatedMatchRow))
DROP_STEPS = delete(RatingStepRow).where(_these(RatingStepRow))
WAITING = select(col(UnratedMatchRow.match_id)).order_by(col(UnratedMatchRow.match_id))
SETTLE = delete(UnratedMatchRow).where(_these(UnratedMatchRow))


def _rating(row: Row[Any]) -> Rating:
    return Rating(row.mean, row.deviation, row.matches)


def _match(row: Row[Any]) -> RatedMatch:
    sides = tuple(RatedSide(tuple(players), rank) for rank, players in row.sides)
    return RatedMatch(RatedPlace(row.ended_at, row.match_id), row.game_key, row.computers, sides)
