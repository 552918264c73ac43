"""Ratings, and the matches behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    bindparam,
    delete,
    insert,
    or_,
    outerjoin,
    select,
    text,
    tuple_,
    update,
)
from sqlmodel import Session, col

from pbem.adapters.db.session import attempt, insert_into, others_write, run, table_of
from pbem.adapters.db.tables import (
    MatchRow,
    PlayerRow,
    RatedMatchRow,
    RatingStepRow,
    UnratedMatchRow,
)
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
from pbem.ports.ratings import KeptMatch, ListRatings

ONE_BY_ONE = text("LOCK TABLE rated_matches IN SHARE ROW EXCLUSIVE MODE")


class SqlRatings:
    """Ratings in SQL. Satisfies the port Ratings."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, which: RatingList, players: Collection[PlayerId]) -> dict[PlayerId, Rating]:
        rows = run(self._session, OF_PLAYERS, {**_list(which), "players": list(players)})
        return dict.fromkeys(players, NEW) | {each.player: each.rating for each in _rated(rows)}

    def lists_of(self, player: PlayerId) -> dict[RatingList, Rating]:
        rows = run(self._session, THEIR_LISTS, {"player": player})
        lists = [RatingList(row.game_key, row.computers) for row in rows]
        return {which: self.of(which, [player])[player] for which in lists}

    def standing(self, which: RatingList) -> list[RatedPlayer]:
        rows = run(self._session, STANDING, _list(which))
        return sorted(_rated(rows), key=lambda each: (-each.rating.mean, each.player))

    def course(self, which: RatingList, player: PlayerId) -> list[RatingStep]:
        rows = run(self._session, COURSE, {**_list(which), "player": player})
        return [RatingStep(RatedPlace(row.ended_at, row.match_id), _rating(row)) for row in rows]

    def before(
        self, which: RatingList, players: Collection[PlayerId], place: RatedPlace
    ) -> dict[PlayerId, Rating]:
        values = {**_list(which), **place._asdict(), "players": list(players)}
        rows = run(self._session, BEFORE, values)
        return dict.fromkeys(players, NEW) | {each.player: each.rating for each in _rated(rows)}

    def put(self, matches: Iterable[tuple[RatedMatch, ListRatings]], method: str) -> None:
        found = list(matches)
        if not found:
            return
        refusal = "a match is stored, or a player is not"
        rows = [{**_columns(match), "method": method} for match, _ in found]
        attempt(self._session, NEW_MATCH, rows, refusal)
        steps = [row for match, ratings in found for row in _steps(match, ratings)]
        attempt(self._session, NEW_STEPS, steps, refusal)

    def drop(self, matches: Collection[int]) -> None:
        rows = [{"its_match": each} for each in matches]
        for statement in (DROP_STEPS, DROP_MATCHES) if rows else ():
            run(self._session, statement, rows)

    def rated(self, matches: Collection[int]) -> dict[int, KeptMatch]:
        rows = run(self._session, RATED, {"its_matches": list(matches)})
        return {row.match_id: KeptMatch(_match(row), row.method) for row in rows}

    def outdate(self, match_id: int) -> None:
        run(self._session, OUTDATE, {"its_match": match_id})

    def everything(self) -> list[RatedMatch]:
        return [_match(row) for row in run(self._session, IN_ORDER)]

    def after(self, match_id: int) -> dict[RatingList, dict[PlayerId, Rating]]:
        found: dict[RatingList, dict[PlayerId, Rating]] = {}
        for row in run(self._session, STEPS, {"its_match": match_id}):
            which = RatingList(row.game_key, row.computers)
            found.setdefault(which, {})[row.player_id] = _rating(row)
        return found

    def since(self, place: RatedPlace, most: int) -> list[RatedMatch]:
        rows = run(self._session, SINCE, {**place._asdict(), "most": most})
        return [_match(row) for row in rows]

    def first_of_other_method(self, method: str) -> RatedMatch | None:
        others = IN_ORDER.where(col(RatedMatchRow.method) != method).limit(1)
        row = run(self._session, others).one_or_none()
        return None if row is None else _match(row)

    def wait(self, matches: Iterable[int]) -> None:
        if rows := [{"match_id": each} for each in sorted(set(matches))]:
            waits = insert_into(self._session, UnratedMatchRow)
            # An update locks a waiting row, so that nobody settles it before this change is seen.
            again = waits.on_conflict_do_update(index_elements=["match_id"], set_={"aside": False})
            run(self._session, again, rows)

    def waiting(self, most: int) -> list[int]:
        return [*run(self._session, WAITING, {"most": most}).scalars()]

    def lock(self) -> None:
        if others_write(self._session):
            run(self._session, ONE_BY_ONE)

    def settle(self, matches: Collection[int]) -> None:
        if rows := [{"its_match": each} for each in matches]:
            run(self._session, SETTLE, rows)

    def put_aside(self, matches: Collection[int]) -> None:
        if rows := [{"its_match": each} for each in matches]:
            run(self._session, PUT_ASIDE, rows)

    def take_up(self) -> None:
        run(self._session, TAKE_UP)


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
    # An outer join, so that the database goes through the players and not through all steps.
    found = (step.c.match_id == last) & (step.c.game_key == bindparam("list_game"))
    join = outerjoin(table_of(PlayerRow), step, (step.c.player_id == player) & found)
    numbers = (step.c[name] for name in ("mean", "deviation", "matches"))
    return select(player.label("player_id"), *numbers).select_from(join)


def _of_players(query: Select[Any]) -> Select[Any]:
    return query.where(col(PlayerRow.id).in_(bindparam("players", expanding=True)))


def _this(row: type[RatedMatchRow | RatingStepRow | UnratedMatchRow]) -> ColumnElement[bool]:
    return col(row.match_id) == bindparam("its_match")


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
STEPS = select(*table_of(RatingStepRow).c).where(_this(RatingStepRow))
RATED = select(*table_of(RatedMatchRow).c).where(
    col(RatedMatchRow.match_id).in_(bindparam("its_matches", expanding=True))
)
IN_ORDER = select(*table_of(RatedMatchRow).c).order_by(
    col(RatedMatchRow.ended_at), col(RatedMatchRow.match_id)
)
SINCE = IN_ORDER.where(~_earlier(RatedMatchRow)).limit(bindparam("most"))
NEW_MATCH, NEW_STEPS = insert(RatedMatchRow), insert(RatingStepRow)
OUTDATE = update(RatedMatchRow).where(_this(RatedMatchRow)).values(method="")
DROP_MATCHES = delete(RatedMatchRow).where(_this(RatedMatchRow))
DROP_STEPS = delete(RatingStepRow).where(_this(RatingStepRow))
PUT_ASIDE = update(UnratedMatchRow).where(_this(UnratedMatchRow)).values(aside=True)
TAKE_UP = update(UnratedMatchRow).where(col(UnratedMatchRow.aside)).values(aside=False)
SETTLE = delete(UnratedMatchRow).where(_this(UnratedMatchRow))
WAITING = (
    select(col(UnratedMatchRow.match_id))
    .outerjoin(MatchRow, col(MatchRow.id) == col(UnratedMatchRow.match_id))
    .where(
        col(UnratedMatchRow.aside).is_(False),
        or_(col(MatchRow.ended_at).is_(None), col(MatchRow.archived_at).is_not(None)),
    )
    .order_by(col(UnratedMatchRow.match_id))
    .limit(bindparam("most"))
)


def _columns(match: RatedMatch) -> dict[str, Any]:
    return {
        **match.place._asdict(),
        "game_key": match.game,
        "computers": match.computers,
        "sides": [[side.rank, list(side.players)] for side in match.sides],
    }


def _steps(match: RatedMatch, ratings: ListRatings) -> Iterator[dict[str, Any]]:
    for which, theirs in ratings.items():
        for player, rating in theirs.items():
            yield {
                **match.place._asdict(),
                "game_key": which.game,
                "computers": which.computers,
                "player_id": player,
                **asdict(rating),
            }


def _rated(rows: Iterable[Row[Any]]) -> list[RatedPlayer]:
    """Return the players of last steps, without those who have none."""
    return [RatedPlayer(row.player_id, _rating(row)) for row in rows if row.matches is not None]


def _rating(row: Row[Any]) -> Rating:
    return Rating(row.mean, row.deviation, row.matches)


def _match(row: Row[Any]) -> RatedMatch:
    sides = tuple(RatedSide(tuple(players), rank) for rank, players in row.sides)
    return RatedMatch(RatedPlace(row.ended_at, row.match_id), row.game_key, row.computers, sides)
