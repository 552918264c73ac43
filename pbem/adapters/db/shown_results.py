"""How shown matches ended, counted by the database: twenty thousand are not read one by one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import JSON, ColumnElement, Row, Text, cast, exists, func, select, type_coerce
from sqlmodel import Session, col

from pbem.adapters.db.session import run
from pbem.adapters.db.tables import MatchRow, SeatRow
from pbem.archive.site.values import MemberResults, Results
from pbem.matches.match import PlayerId

_RESULT = type_coerce(col(MatchRow.result), JSON)
_TERMINATION = _RESULT["termination"].as_string()
_WINNERS = cast(_RESULT["winners"], Text)
"""As JSON: in PostgreSQL a list itself cannot be grouped by."""

CHANGED_HANDS = cast(col(MatchRow.hands), Text) != "{}"
"""Few matches are; whose they were in which part is not for the database to count."""


def month_of_end(dialect: str) -> ColumnElement[str]:
    """The month in which a match ended, `2026-11`."""
    if dialect == "postgresql":
        return func.to_char(func.timezone("UTC", col(MatchRow.ended_at)), "YYYY-MM")
    return func.strftime("%Y-%m", col(MatchRow.ended_at))


def of_game(session: Session, shown: ColumnElement[bool], game_key: str) -> list[Results]:
    """By the number of players."""
    groups: tuple[ColumnElement[Any], ...] = (
        col(MatchRow.began_with).label("players"),
        col(MatchRow.turn).label("turns"),
        _TERMINATION.label("termination"),
        _WINNERS.label("winners"),
    )
    counted = (
        select(*groups, func.count().label("matches"))
        .where(shown, col(MatchRow.game_key) == game_key)
        .group_by(*groups)
        .order_by(*groups)
    )
    rows = run(session, counted).all()
    by_players = sorted({row.players for row in rows})
    return [_results(n, [row for row in rows if row.players == n]) for n in by_players]


def _results(players: int, rows: Iterable[Row[Any]]) -> Results:
    won, lengths, terminations = Counter[str](), Counter[int](), Counter[str]()
    drawn = 0
    for row in rows:
        winners = json.loads(row.winners)
        drawn += 0 if winners else row.matches
        won.update(dict.fromkeys(winners, row.matches))
        lengths[row.turns] += row.matches
        terminations[row.termination] += row.matches
    return Results(players, lengths.total(), drawn, dict(won), dict(lengths), dict(terminations))


def of_player(
    session: Session, shown: ColumnElement[bool], player: PlayerId
) -> list[MemberResults]:
    """By game; of several seats of a player the first counts, as they win together."""
    earlier = SeatRow.__table__.alias("earlier")  # type: ignore[attr-defined]
    is_first = ~exists().where(
        earlier.c.match_id == col(SeatRow.match_id),
        earlier.c.player_id == player,
        earlier.c.place < col(SeatRow.place),
    )
    groups = col(MatchRow.game_key), col(SeatRow.seat), _WINNERS.label("winners")
    counted = (
        select(*groups, func.count().label("matches"))
        .join(SeatRow, col(SeatRow.match_id) == col(MatchRow.id))
        .where(shown, col(SeatRow.player_id) == player, is_first)
        .group_by(*groups)
        .order_by(*groups)
    )
    rows = run(session, counted).all()
    games = sorted({row.game_key for row in rows})
    return [_fared(game, [row for row in rows if row.game_key == game]) for game in games]


def _fared(game_key: str, rows: Iterable[Row[Any]]) -> MemberResults:
    matches = won = drawn = 0
    for row in rows:
        winners = json.loads(row.winners)
        matches += row.matches
        won += row.matches if row.seat in winners else 0
        drawn += 0 if winners else row.matches
    return MemberResults(game_key, matches, won, drawn)
