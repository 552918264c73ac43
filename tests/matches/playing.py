"""A match played by hand in a test: who says what, an hour after the last."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.games import game_of
from pbem.matches.match import (
    Match,
    MatchOptions,
    RecordedAction,
    new_match,
    play,
    position_of,
)
from pbem.matches.record import Record, record_of

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = {1: "Anna", 2: "Bert", 3: "Clara", 4: "Dora", 5: "Emil"}
ANNA, BERT, CLARA, DORA, EMIL = NAMES


def started(key: str, players: int, **options: Any) -> Match:
    """Match 12 between the first so many of the five, entered in this order."""
    match = new_match(game_of(key), list(NAMES)[:players], MatchOptions(**options), START)
    return replace(match, id=12)


class Contest:
    """A match, its position and its actions so far."""

    def __init__(self, match: Match, position: Any = None) -> None:
        self.match = match
        self.position = position_of(match, ()) if position is None else position
        self.actions: list[RecordedAction] = []
        self.now = match.started_at

    def later(self) -> datetime:
        """An hour has gone by."""
        self.now += timedelta(hours=1)
        return self.now

    def says(self, player: int, *texts: str) -> Contest:
        """A mail with actions."""
        change = play(self.match, self.position, player, texts, self.later())
        self.actions += [
            RecordedAction(number, p.turn, p.seat, p.text, p.passed, self.now)
            for number, p in enumerate(change.played, start=len(self.actions) + 1)
        ]
        self.match, self.position = change.match, change.position
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
        return record_of(self.match, names or NAMES, self.actions)
