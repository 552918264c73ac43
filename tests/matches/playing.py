"""A match played by hand in a test: each step comes an hour after the last."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.games import game_of
from pbem.matches.director_actions import adjudge
from pbem.matches.event import FlagFell
from pbem.matches.history import Happening, Kind
from pbem.matches.match import Match, MatchOptions, OfferKind, RecordedAction, new_match
from pbem.matches.match_offers import Earlier, accept, decline, offer
from pbem.matches.player_actions import Change, lost, play, resign
from pbem.matches.record import Record, opened, record_of, written

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = {1: "Anna", 2: "Bert", 3: "Clara", 4: "Dora", 5: "Emil"}
ANNA, BERT, CLARA, DORA, EMIL = NAMES


def started(key: str, players: int, **options: Any) -> Match:
    """Start match 12 with the first players of the five, in this order."""
    match = new_match(game_of(key), list(NAMES)[:players], MatchOptions(**options), START)
    return replace(match, id=12, club="pbem")


class Contest:
    """A match, its position and its actions so far."""

    def __init__(self, match: Match, position: Any = None) -> None:
        self.match = opened(match if position is None else replace(match, position=position))
        self.actions: list[RecordedAction] = []
        self.happenings: list[Happening] = []
        self.now = match.started_at

    @property
    def position(self) -> Any:
        """Return the current position."""
        return self.match.position

    def later(self) -> datetime:
        """Let an hour pass."""
        self.now += timedelta(hours=1)
        return self.now

    def says(self, player: int, *texts: str) -> Contest:
        """Send an email with actions."""
        return self._went_on(play(self.match, player, texts, self.later()), self.now)

    def does(self, kind: Kind, player: int, at: datetime | None = None) -> Contest:
        """Send an email with a command: an offer, an answer to one, a resignation."""
        at, match = at or self.later(), self.match
        if kind is Kind.RESIGNED:
            return self._went_on(resign(match, player, at), at)
        what, _, did = kind.partition("_")
        of, earlier = OfferKind(what), Earlier([each for each in self.actions if not each.undone])
        if did == "declined":
            return self._went_on(decline(match, of, player), at)
        return self._went_on(
            (offer if did == "offered" else accept)(match, of, player, at, earlier), at
        )

    def out_of_time(self, player: int, *, lose: bool = True) -> Contest:
        """Let a player run out of time. Their side loses."""
        at, match = self.later(), self.match
        fell = FlagFell(player, match.turn, match.seats_of(player)[0])
        change = Change(match, (fell,))
        if lose:
            change = lost(match, match.side_of(player), "flag", at, fell)
        return self._went_on(change, at)

    def adjudged_drawn(self) -> Contest:
        """End the match as a draw by the director."""
        at = self.later()
        return self._went_on(adjudge(self.match, (), "an even game", at), at)

    def _went_on(self, change: Change, at: datetime) -> Contest:
        self.match, actions, happenings = written(self.match, change.match, change.events, at)
        self.actions += actions
        self.happenings += happenings
        for each in happenings:
            if each.kind is Kind.UNDONE:
                self._take_back(int(each.text), each.entry)
        return self

    def _take_back(self, turn: int, entry: int) -> None:
        self.actions = [
            each._replace(undone=entry) if each.turn >= turn and not each.undone else each
            for each in self.actions
        ]

    def moves(self, *texts: str) -> Contest:
        """Send emails of the player to move, one action each."""
        for text in texts:
            assert self.match.player_to_act is not None
            self.says(self.match.player_to_act, text)
        return self

    def legal(self) -> list[str]:
        """Return the canonical texts of all legal actions."""
        game = self.match.game
        return [game.format(self.position, a) for a in game.legal_actions(self.position)]

    def record(self, names: dict[int, str] | None = None) -> Record:
        """Return the record of the match so far."""
        return record_of(self.match, names or NAMES, self.actions, self.happenings)
