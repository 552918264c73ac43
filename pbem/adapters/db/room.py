"""The reading room: public matches as lists, results counted from them, and stale pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    union_all,
)
from sqlmodel import Session, col

from pbem.adapters.db.match_mapping import ever_played, holders_of, match_of
from pbem.adapters.db.session import run, table_of
from pbem.adapters.db.tables import (
    CompetitionPlayerRow,
    CompetitionRow,
    ImportedMatchRow,
    MatchRow,
    PlayerRow,
    RatedNameRow,
    SeatRow,
    StalePageRow,
)
from pbem.archive.site.member_results import with_matches
from pbem.archive.site.values import MemberResults, MonthCount
from pbem.games.api import Seat
from pbem.matches.announcement import UNSTARTED
from pbem.matches.match import MatchSummary, PlayerId, is_drawn
from pbem.matches.statistics import EARLY_ROUNDS, EndedMatch, PlayedMatch, Results, played
from pbem.ports.room import Choices, PageKind, StalePage


class SqlShownMatches:
    """Shown matches in SQL. Satisfies the port ShownMatches."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def running(
        self, which: Choices, most: int | None = None, game_key: str | None = None
    ) -> list[MatchSummary]:
        return self._listed(_newest_begun(), most, _running(which), *_of_game(game_key))

    def ended(self, which: Choices, most: int, game_key: str | None = None) -> list[MatchSummary]:
        return self._listed(_newest_ended(), most, _ended(which), *_of_game(game_key))

    def ended_between(
        self, which: Choices, since: datetime, before: datetime
    ) -> list[MatchSummary]:
        ended_at = col(MatchRow.ended_at)
        in_span = (ended_at >= since, ended_at < before)
        return self._listed(_first_ended(), None, _ended(which), *in_span)

    def of_player(self, which: Choices, player: PlayerId, most: int) -> list[MatchSummary]:
        running = self._listed(_newest_begun(), None, _running(which), _held(player, playing=True))
        ended = self._listed(_newest_ended(), most, _ended(which), _held(player, playing=False))
        return [*running, *ended]

    def running_count(self, which: Choices, game_key: str | None = None) -> int:
        count = select(func.count()).select_from(MatchRow)
        found = run(self._session, count.where(_running(which), *_of_game(game_key)))
        return int(found.scalar_one())

    def months(self, which: Choices) -> list[MonthCount]:
        month = month_of_end(self._session.get_bind().dialect.name)
        columns = month.label("month"), func.count().label("matches")
        counted = select(*columns).where(_ended(which)).group_by(month).order_by(month)
        rows = run(self._session, counted)
        return [MonthCount(int(row.month[:4]), int(row.month[5:]), row.matches) for row in rows]

    def results(self, which: Choices, game_key: str) -> list[Results]:
        return of_game(self._session, _ended(which), game_key)

    def results_of(self, which: Choices, player: PlayerId) -> list[MemberResults]:
        changed = CHANGED_HANDS
        own = of_player(self._session, and_(_ended(which), ~changed), player)
        theirs = col(MatchRow.id).in_(ever_played(player))
        others = self._listed(_first_ended(), None, _ended(which), changed, theirs)
        are_bots = select(col(PlayerRow.id)).where(col(PlayerRow.bot) != "")
        bots = set(run(self._session, are_bots).scalars())
        return list(with_matches(own, player, others, bots))

    def played(
        self, which: Choices, player: PlayerId, game_key: str | None = None
    ) -> list[PlayedMatch]:
        theirs = _ended(which), _held(player, playing=False), *_of_game(game_key)
        rows = run(self._session, select(*_PLAYED, _computers(player)).where(*theirs)).all()
        seats = self._holders(player)
        found = (
            played(_ended_match(row), player, seats[row.id], computers=bool(row.computers))
            for row in rows
        )
        return sorted(each for each in found if each is not None)

    def _holders(self, player: PlayerId) -> dict[int, dict[Seat, PlayerId]]:
        """Return the seats of all ended matches of a player, as plain columns."""
        its_match = col(SeatRow.match_id)
        theirs = select(its_match).where(
            col(SeatRow.player_id) == player, col(SeatRow.playing).is_(False)
        )
        held = select(its_match, col(SeatRow.seat), col(SeatRow.player_id))
        in_order = held.where(its_match.in_(theirs)).order_by(its_match, col(SeatRow.place))
        holders: dict[int, dict[Seat, PlayerId]] = {}
        for row in run(self._session, in_order):
            holders.setdefault(row.match_id, {})[row.seat] = row.player_id
        return holders

    def longest(self, which: Choices, game_key: str, most: int) -> list[MatchSummary]:
        order = col(MatchRow.turn).desc(), col(MatchRow.id)
        return self._listed(order, most, _ended(which), *_of_game(game_key))

    def ended_early(self, since: datetime) -> list[MatchSummary]:
        lately = col(MatchRow.ended_at) > since, col(MatchRow.ended_at).is_not(None)
        early = col(MatchRow.began_with) == 2, col(MatchRow.turn) <= 4 * EARLY_ROUNDS
        found = self._listed(_first_ended(), None, *lately, *early)
        return [each for each in found if each.turn <= EARLY_ROUNDS * len(each.seats)]

    def players(self, which: Choices) -> set[PlayerId]:
        held = select(col(SeatRow.player_id)).join(MatchRow).where(_shown(which)).distinct()
        return set(run(self._session, held).scalars())

    def competitions(self, which: Choices) -> set[int]:
        its = col(MatchRow.competition_id)
        rows = run(self._session, select(its).where(_shown(which), its.is_not(None)).distinct())
        return set(rows.scalars())

    def _listed(
        self,
        order: Sequence[Any],
        most: int | None,
        *conditions: ColumnElement[bool],
    ) -> list[MatchSummary]:
        wanted = select(*table_of(MatchRow).c).where(*conditions).order_by(*order).limit(most)
        rows = run(self._session, wanted).all()
        if not rows:
            return []
        seats = self._seats([row.id for row in rows])
        return [match_of(row, holders_of(seats[row.id])) for row in rows]

    def _seats(self, ids: Sequence[int]) -> dict[int, list[Any]]:
        its_match, place = col(SeatRow.match_id), col(SeatRow.place)
        held = select(*table_of(SeatRow).c).where(its_match.in_(ids)).order_by(its_match, place)
        rows = run(self._session, held)
        return {match_id: list(own) for match_id, own in groupby(rows, lambda row: row.match_id)}


def _running(which: Choices) -> ColumnElement[bool]:
    going_on = col(MatchRow.ended_at).is_(None)
    return and_(going_on, col(MatchRow.public).in_(sorted(which.running)))


def _ended(which: Choices) -> ColumnElement[bool]:
    over = col(MatchRow.ended_at).is_not(None)
    return and_(over, col(MatchRow.public).in_(sorted(which.ended)))


def _shown(which: Choices) -> ColumnElement[bool]:
    return or_(_running(which), _ended(which))


def _of_game(game_key: str | None) -> list[ColumnElement[bool]]:
    return [] if game_key is None else [col(MatchRow.game_key) == game_key]


def _held(player: PlayerId, *, playing: bool) -> ColumnElement[bool]:
    held = select(col(SeatRow.match_id)).where(
        col(SeatRow.player_id) == player, col(SeatRow.playing).is_(playing)
    )
    return col(MatchRow.id).in_(held)


def _newest_begun() -> Sequence[Any]:
    return [col(MatchRow.id).desc()]


def _newest_ended() -> Sequence[Any]:
    return [col(MatchRow.ended_at).desc(), col(MatchRow.id).desc()]


def _first_ended() -> Sequence[Any]:
    return [col(MatchRow.ended_at), col(MatchRow.id)]


_RESULT = type_coerce(col(MatchRow.result), JSON)
_TERMINATION = _RESULT["termination"].as_string()
_WINNERS = cast(_RESULT["winners"], Text)
"""The winners as JSON text, since PostgreSQL cannot group by a JSON value."""

CHANGED_HANDS = cast(col(MatchRow.hands), Text) != "{}"
"""Whether seats changed players. Such matches are few, and their shares are not counted in SQL."""


_PLAYED = (
    *(col(MatchRow.ended_at), col(MatchRow.id), col(MatchRow.game_key), col(MatchRow.began_with)),
    *(col(MatchRow.turn), _TERMINATION.label("termination"), _WINNERS.label("winners")),
)


def _ended_match(row: Row[Any]) -> EndedMatch:
    how = row.termination, json.loads(row.winners)
    return EndedMatch(row.ended_at, row.id, row.game_key, row.began_with, row.turn, *how)


def _computers(player: PlayerId) -> ColumnElement[bool]:
    return and_(with_computers(player), ~CHANGED_HANDS).label("computers")


def month_of_end(dialect: str) -> ColumnElement[str]:
    """Return the month in which a match ended, such as `2026-11`."""
    if dialect == "postgresql":
        return func.to_char(func.timezone("UTC", col(MatchRow.ended_at)), "YYYY-MM")
    return func.strftime("%Y-%m", col(MatchRow.ended_at))


OTHER, EARLIER = (table_of(SeatRow).alias(name) for name in ("other", "earlier"))
BOT = table_of(PlayerRow).alias("bot")


def with_computers(player: PlayerId | None = None) -> ColumnElement[bool]:
    """Return the condition that a match has a bot among its players, other than the given one."""
    them = [] if player is None else [OTHER.c.player_id != player]
    return exists().where(
        OTHER.c.match_id == col(MatchRow.id),
        OTHER.c.player_id == BOT.c.id,
        BOT.c.bot != "",
        *them,
    )


def of_game(session: Session, shown: ColumnElement[bool], game_key: str) -> list[Results]:
    """Return a game's results by number of players, those without bots first.

    Matches whose seats changed players count as without bots, since a bot may only have filled in.
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
    """Return a player's results by game, those without bots first.

    With several seats, the first counts, since they win together.
    """
    is_first = ~exists().where(
        EARLIER.c.match_id == col(SeatRow.match_id),
        EARLIER.c.player_id == player,
        EARLIER.c.place < col(SeatRow.place),
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


class SqlStalePages:
    """Stale pages in SQL. Satisfies the port StalePages."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def mark(self, kind: PageKind, keys: Iterable[object] = ("",)) -> None:
        mark(self._session, kind, keys)

    def mark_all(self) -> None:
        self._mark_found(PageKind.MATCH, select(cast(col(MatchRow.id), Text)))
        started = col(CompetitionRow.phase).not_in(UNSTARTED)
        competitions = select(cast(col(CompetitionRow.id), Text)).where(started)
        self._mark_found(PageKind.COMPETITION, competitions)
        self._mark_found(PageKind.MEMBER, select(cast(col(PlayerRow.id), Text)))
        imported = select(cast(col(ImportedMatchRow.id), Text))
        self._mark_found(PageKind.IMPORTED_MATCH, imported)
        self._mark_found(PageKind.IMPORTED_CLUB, select(col(ImportedMatchRow.club)).distinct())

    def mark_where_named(self, player: PlayerId) -> None:
        played = col(MatchRow.id).in_(ever_played(player))
        self._mark_found(PageKind.MATCH, select(cast(col(MatchRow.id), Text)).where(played))
        entered = select(cast(col(CompetitionPlayerRow.competition_id), Text))
        entered = entered.join(CompetitionRow).where(col(CompetitionRow.phase).not_in(UNSTARTED))
        of_them = entered.where(col(CompetitionPlayerRow.player_id) == player)
        self._mark_found(PageKind.COMPETITION, of_them)
        theirs = select(col(RatedNameRow.club)).where(col(RatedNameRow.player_id) == player)
        rated = col(ImportedMatchRow.club).in_(theirs)
        imported = select(cast(col(ImportedMatchRow.id), Text)).where(rated)
        self._mark_found(PageKind.IMPORTED_MATCH, imported)
        self._mark_found(PageKind.IMPORTED_CLUB, theirs.distinct())

    def _mark_found(self, kind: PageKind, keys: Select[Any]) -> None:
        found = keys.add_columns(literal(str(kind)))
        run(self._session, insert(StalePageRow).from_select(["key", "kind"], found))

    def kinds(self) -> list[PageKind]:
        return [PageKind(kind) for kind in run(self._session, KINDS).scalars()]

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
    """Mark pages as stale, in the transaction that changes what they show."""
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
KINDS = union_all(
    *(
        select(literal(str(kind))).where(exists().where(col(StalePageRow.kind) == str(kind)))
        for kind in PageKind
    )
)
"""In the order of writing, by one look at the index for each kind."""
WAITING = (
    select(col(StalePageRow.key), col(StalePageRow.id))
    .where(_OF_KIND, col(StalePageRow.key).in_(_FIRST))
    .order_by(col(StalePageRow.key), col(StalePageRow.id))
)
SETTLED = delete(StalePageRow).where(col(StalePageRow.id) == bindparam("its_id"))
