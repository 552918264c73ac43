"""How shown matches ended, counted by the database: twenty thousand are not read one by one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import JSON, ColumnElement, Row, Text, and_, cast, exists, func, select, type_coerce
from sqlmodel import Session, col

from pbem.adapters.db.session import run
from pbem.adapters.db.tables import MatchRow, PlayerRow, SeatRow
from pbem.archive.site.values import MemberResults, Results
from pbem.matches.match import PlayerId, is_drawn

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


def with_computers(player: PlayerId | None = None) -> ColumnElement[bool]:
    """Whether a computer is among the players of a match, other than a player."""
    other = SeatRow.__table__.alias("other")  # type: ignore[attr-defined]
    bot = PlayerRow.__table__.alias("bot")  # type: ignore[attr-defined]
    them = [] if player is None else [other.c.player_id != player]
    return exists().where(
        other.c.match_id == col(MatchRow.id),
        other.c.player_id == bot.c.id,
        bot.c.bot != "",
        *them,
    )


def of_game(session: Session, shown: ColumnElement[bool], game_key: str) -> list[Results]:
    """By the number of players, those among people first.

    A match whose seats have changed hands is among these: a computer may have come for somebody.
    """
    groups: tuple[ColumnElement[Any], ...] = (
        col(MatchRow.began_with).label("players"),
        and_(with_computers(), ~CHANGED_HANDS).label("computers"),
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
    kinds = sorted({(row.players, bool(row.computers)) for row in rows})
    return [
        _results(*kind, [row for row in rows if (row.players, bool(row.computers)) == kind])
        for kind in kinds
    ]


def _results(players: int, computers: bool, rows: Iterable[Row[Any]]) -> Results:
    won, lengths, terminations = Counter[str](), Counter[int](), Counter[str]()
    drawn = 0
    for row in rows:
        winners = json.loads(row.winners)
        if is_drawn(winners, row.termination):
            drawn += row.matches
        else:
            won.update(dict.fromkeys(winners, row.matches))
        lengths[row.turns] += row.matches
        terminations[row.termination] += row.matches
    counts = dict(won), dict(lengths), dict(terminations)
    return Results(players, lengths.total(), drawn, *counts, computers)


def of_player(
    session: Session, shown: ColumnElement[bool], player: PlayerId
) -> list[MemberResults]:
    """By game, those against people first; of several seats the first counts: they win together."""
    earlier = SeatRow.__table__.alias("earlier")  # type: ignore[attr-defined]
    is_first = ~exists().where(
        earlier.c.match_id == col(SeatRow.match_id),
        earlier.c.player_id == player,
        earlier.c.place < col(SeatRow.place),
    )
    groups: tuple[Any, ...] = (
        col(MatchRow.game_key),
        with_computers(player).label("computers"),
        col(SeatRow.seat),
        _TERMINATION.label("termination"),
        _WINNERS.label("winners"),
    )
    counted = (
        select(*groups, func.count().label("matches"))
        .join(SeatRow, col(SeatRow.match_id) == col(MatchRow.id))
        .where(shown, col(SeatRow.player_id) == player, is_first)
        .group_by(*groups)
        .order_by(*groups)
    )
    rows = run(session, counted).all()
    kinds = sorted({(row.game_key, bool(row.computers)) for row in rows})
    return [
        _fared(*kind, [row for row in rows if (row.game_key, bool(row.computers)) == kind])
        for kind in kinds
    ]


def _fared(game_key: str, computers: bool, rows: Iterable[Row[Any]]) -> MemberResults:
    matches = won = drawn = 0
    for row in rows:
        winners = json.loads(row.winners)
        matches += row.matches
        if not is_drawn(winners, row.termination):
            won += row.matches if row.seat in winners else 0
        elif row.seat in winners or not winners:
            drawn += row.matches
    return MemberResults(game_key, matches, won, drawn, computers)
