"""A match played by hand in a test: who says what, an hour after the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.games import game_of
from pbem.games.replay import Played
from pbem.matches.history import Happened, Happening, Kind
from pbem.matches.match import (
    Match,
    MatchOptions,
    RecordedAction,
    accept_draw,
    decline_draw,
    lost,
    new_match,
    offer_draw,
    play,
    position_of,
    resign,
)
from pbem.matches.record import Record, opened, record_of, written

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = {1: "Anna", 2: "Bert", 3: "Clara", 4: "Dora", 5: "Emil"}
ANNA, BERT, CLARA, DORA, EMIL = NAMES


def started(key: str, players: int, **options: Any) -> Match:
    """Match 12 between the first so many of the five, entered in this order."""
    match = new_match(game_of(key), list(NAMES)[:players], MatchOptions(**options), START)
    return replace(match, id=12, club="pbem")


class Contest:
    """A match, its position and its actions so far."""

    def __init__(self, match: Match, position: Any = None) -> None:
        self.position = position_of(match, ()) if position is None else position
        self.match = opened(match)
        self.actions: list[RecordedAction] = []
        self.happenings: list[Happening] = []
        self.now = match.started_at

    def later(self) -> datetime:
        """An hour has gone by."""
        self.now += timedelta(hours=1)
        return self.now

    def says(self, player: int, *texts: str) -> Contest:
        """A mail with actions."""
        change = play(self.match, self.position, player, texts, self.later())
        self.position = change.position
        return self._went_on(change.match, change.played, self.now)

    def does(self, kind: Kind, player: int, at: datetime | None = None) -> Contest:
        """A mail with a word: an offer, an answer to one, a resignation."""
        at = at or self.later()
        if kind is Kind.RESIGNED:
            after = resign(self.match, self.position, player, at)
        elif kind is Kind.DRAW_OFFERED:
            after = offer_draw(self.match, player, at)
        elif kind is Kind.DRAW_ACCEPTED:
            after = accept_draw(self.match, player, at)
        else:
            after = decline_draw(self.match, player)
        return self._went_on(after, [self._happened(kind, player)], at)

    def out_of_time(self, player: int, *, lose: bool = True) -> Contest:
        """The flag of a player falls; his side loses by it."""
        at, match = self.later(), self.match
        after = lost(match, self.position, match.side_of(player), "flag", at) if lose else match
        return self._went_on(after, [self._happened(Kind.FLAG_FELL, player)], at)

    def _happened(self, kind: Kind, player: int) -> Happened:
        return Happened(kind, self.match.turn, self.match.seats_of(player)[0])

    def _went_on(self, after: Match, history: Sequence[Played | Happened], at: datetime) -> Contest:
        self.match, actions, happenings = written(self.match, after, history, at)
        self.actions += actions
        self.happenings += happenings
        return self

    def moves(self, *texts: str) -> Contest:
        """Mails of whoever is to act, one action each."""
        for text in texts:
            assert self.match.player_to_act is not None
            self.says(self.match.player_to_act, text)
        return self

    def legal(self) -> list[str]:
        """Canonical texts of what is legal now."""
        game = self.match.game
        return [game.format(self.position, a) for a in game.legal_actions(self.position)]

    def record(self, names: dict[int, str] | None = None) -> Record:
        """Record of it as it stands."""
        return record_of(self.match, names or NAMES, self.actions, self.happenings)
