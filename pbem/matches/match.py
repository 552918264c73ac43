"""Match: one contest being played, and what its players can do to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from pbem.games import game_of
from pbem.games.api import ActionError, AnyGame, OptionError, Outcome, Seat
from pbem.games.replay import Played, play_written, replay
from pbem.matches.clock import Clock
from pbem.matches.time_control import TimeControl
from pbem.matches.time_controls import read_control
from pbem.matches.time_controls.days import Days

PlayerId = int


@dataclass(frozen=True)
class Player:
    """A person who plays."""

    id: PlayerId
    name: str
    addresses: tuple[str, ...]
    """E-mail addresses, in the order in which mail is sent to them."""
    time_zone: str = "UTC"
    """IANA name; due times are told in it."""
    proof: str = ""
    """What proves that a mail is his, where that differs from the club's rule."""
    failed: frozenset[str] = frozenset()
    """Those of his addresses that accept no mail."""

    @property
    def reachable(self) -> bool:
        """Whether any address of his accepts mail."""
        return not self.failed.issuperset(self.addresses)

    @property
    def address(self) -> str:
        """Where his mail goes: his first address that accepts mail, or the first if none does."""
        accepting = (each for each in self.addresses if each not in self.failed)
        return next(accepting, self.addresses[0])


@dataclass(frozen=True)
class MatchOptions:
    """What was agreed for a match."""

    days: int = 5
    """Days a turn; 0 is without a clock, or with another control."""
    draw_offers: bool = True
    game: Mapping[str, int] = field(default_factory=dict)
    """The game's own options, defaults filled in."""
    time: str = ""
    """Terms of another time control than days a turn, as they are written."""

    @property
    def control(self) -> TimeControl:
        """The time control that was agreed; raises OptionError."""
        return read_control(self.time) if self.time else Days(self.days)


@dataclass(frozen=True)
class Offer:
    """A draw offer that stands."""

    by: PlayerId
    accepted: frozenset[PlayerId] = frozenset()


@dataclass(frozen=True)
class Result:
    """How a match ended, by the rules of its game or by its players."""

    winners: tuple[Seat, ...]
    termination: str
    scores: Mapping[Seat, int]
    ended_at: datetime


COMMON_TERMINATIONS = {
    "resignation": "the other side resigned",
    "draw": "a draw was agreed",
    "flag": "the time ran out",
    "adjudication": "the director decided",
}
"""Ways any match can end beside those of its game: key to a player's words."""


class RecordedAction(NamedTuple):
    """One action as it is stored."""

    number: int
    """From 1 in the match."""
    turn: int
    seat: Seat
    text: str
    """Canonical."""
    passed: tuple[Seat, ...]
    """Seats for which the engine passed right after it; derived, kept for printing."""
    at: datetime
    """When the mail that held it was received, UTC."""
    head: str = ""
    """Hash of the history up to it."""


@dataclass(frozen=True)
class Match:
    """One contest; its position is the replay of its actions."""

    id: int
    game_key: str
    rules_version: int
    seats: Mapping[Seat, PlayerId]
    """Who holds each seat, in turn order."""
    options: MatchOptions
    started_at: datetime
    actions: int = 0
    """How many are recorded."""
    turn: int = 1
    to_act: Seat | None = None
    turn_started_at: datetime | None = None
    """When the turn mail of the seat to act was queued."""
    clock: Clock = field(default_factory=Clock)
    offer: Offer | None = None
    resigned: frozenset[PlayerId] = frozenset()
    """Players of a side whose resignation waits for their partner's."""
    result: Result | None = None
    set_id: int | None = None
    set_index: int | None = None
    """Place in its set, from 1."""
    event_id: int | None = None
    """Its series or tournament; a match of a set has none."""
    event_index: int | None = None
    """Place there, from 1."""
    club: str = ""
    """Name of the club when it began; empty for one begun before that was kept."""
    entries: int = 0
    """How many entries its history has: actions, what happened beside them, the result."""
    head: str = ""
    """Hash of the whole history."""

    @property
    def game(self) -> AnyGame:
        """Rules it is played by."""
        return game_of(self.game_key)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody who plays, once, in order of their first seats."""
        return tuple(dict.fromkeys(self.seats.values()))

    @property
    def player_to_act(self) -> PlayerId | None:
        """Person who has to move."""
        return None if self.to_act is None else self.seats[self.to_act]

    @property
    def sole_winner(self) -> PlayerId | None:
        """The one person who won; None where nobody did, or several share it."""
        winners = {self.seats[seat] for seat in self.result.winners} if self.result else set()
        return winners.pop() if len(winners) == 1 else None

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """Seats a player holds, in turn order."""
        return tuple(seat for seat, holder in self.seats.items() if holder == player)

    def seat_for(self, player: PlayerId) -> Seat:
        """Seat a mail to a player speaks of: the one to act if it is his, else his first."""
        seats = self.seats_of(player)
        return self.to_act if self.to_act in seats and self.to_act else seats[0]

    def side_of(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Players who win and lose with a player, himself included."""
        side = self.game.info.side_of(len(self.players), self.seats_of(player)[0])
        return tuple(dict.fromkeys(self.seats[seat] for seat in side))

    def others(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Everybody but one."""
        return tuple(other for other in self.players if other != player)


class CommandError(Exception):
    """A request that cannot be met now; the key names the template that tells the player."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key
        self.reason = reason


def new_match(
    game: AnyGame,
    players: Sequence[PlayerId],
    options: MatchOptions,
    at: datetime,
    *,
    set_id: int | None = None,
    set_index: int | None = None,
    event_id: int | None = None,
    event_index: int | None = None,
) -> Match:
    """A match before its first action, id 0; players in the order in which they are entered.

    Raises OptionError if the game is not for so many, somebody is entered twice, there is
    no such time control, or an option is not the game's.
    """
    clock, count = Clock(options.control), len(players)
    if len(set(players)) != count:
        raise OptionError("nobody can be entered twice in a match")
    seats = game.info.seats_of(count)
    holders = {
        seat: player
        for player, held in zip(players, game.info.holders[count], strict=True)
        for seat in held
    }
    options = replace(options, game=game.info.with_defaults(options.game))
    position = game.initial(count, options.game)
    return Match(
        id=0,
        game_key=game.info.key,
        rules_version=game.info.rules_version,
        seats={seat: holders[seat] for seat in seats},
        options=options,
        started_at=at,
        turn=position.turn,
        to_act=game.to_act(position),
        turn_started_at=at,
        clock=clock,
        set_id=set_id,
        set_index=set_index,
        event_id=event_id,
        event_index=event_index,
    )


def position_of(match: Match, actions: Iterable[RecordedAction]) -> Any:
    """Position after recorded actions; raises ReplayError."""
    game, players = match.game, len(match.players)
    position = game.initial(players, match.options.game)
    pairs = ((action.seat, action.text) for action in actions)
    for played in replay(game, players, match.options.game, pairs):
        position = played.position
    return position


class Change(NamedTuple):
    """A match after somebody did something to it."""

    match: Match
    position: Any
    played: tuple[Played, ...] = ()


def play(
    match: Match,
    position: Any,
    player: PlayerId,
    texts: Sequence[str],
    at: datetime,
    *,
    begun: bool = False,
) -> Change:
    """Actions of a player, all or none; raises an ActionError, or CommandError after the end.

    A draw offer he was asked lapses with any of them; a move takes back his resignation that waits
    for his partner's, a declaration does not. Who resigns while the others play on takes back an
    offer of their own. `at` is the moment the next turn's clock starts; `begun` tells whether
    other actions of the same mail came before.
    """
    _still_playing(match)
    seat = match.seat_for(player)
    played = play_written(match.game, position, seat, texts, begun=begun)
    if not played:
        return Change(match, position)
    position = played[-1].position
    stays = match.offer is not None and match.offer.by == player
    offer = match.offer if stays and not has_resigned(match, position, player) else None
    moves = any(not action.declaration for action in played)
    moved = replace(
        match,
        actions=match.actions + len(played),
        turn=position.turn,
        to_act=match.game.to_act(position),
        offer=offer,
        resigned=match.resigned - {player} if moves else match.resigned,
    )
    if moved.turn != match.turn:
        moved = replace(moved, turn_started_at=at)
    outcome = match.game.outcome(position)
    if outcome is not None:
        moved = _ended(moved, outcome, at)
    return Change(moved, position, played)


def resign(match: Match, position: Any, player: PlayerId, at: datetime) -> Match:
    """A player gives up; the match ends once all players of his side have."""
    _still_playing(match)
    resigned = match.resigned | {player}
    side = match.side_of(player)
    if not resigned.issuperset(side):
        return replace(match, resigned=resigned)
    return lost(replace(match, resigned=resigned), position, side, "resignation", at)


def lost(
    match: Match, position: Any, losers: Sequence[PlayerId], termination: str, at: datetime
) -> Match:
    """A match that a side loses without the game's own end."""
    seats = [seat for seat, holder in match.seats.items() if holder in losers]
    winners = tuple(seat for seat in match.seats if seat not in seats)
    scores = match.game.forfeit(position, seats)
    return _ended(match, Outcome(winners, termination, _of(match, scores)), at)


def has_resigned(match: Match, position: Any, player: PlayerId) -> bool:
    """Whether a player has given up for good while the others play on."""
    game, seat = match.game, match.seats_of(player)[0]
    if position is None or game.to_act(position) is None:
        return False
    text = game.resignation(position, seat)
    if text is None:
        return False
    try:
        game.parse(position, text, seat)
    except ActionError:
        return True
    return False


def asked(match: Match, position: Any) -> tuple[PlayerId, ...]:
    """Whose consent makes the draw that is offered: all others who still play."""
    by = match.offer.by if match.offer is not None else None
    others = (player for player in match.players if player != by)
    return tuple(player for player in others if not has_resigned(match, position, player))


def offer_draw(match: Match, player: PlayerId, at: datetime, position: Any = None) -> Match:
    """`draw?`: an offer to all others; over a standing one of somebody else it accepts.

    The position tells who has resigned while others play on: they are not asked, and have no say.
    """
    _still_playing(match)
    _require_in_play(match, position, player)
    if not match.options.draw_offers:
        raise CommandError("draw_not_allowed", "draw offers are not part of this match")
    if match.offer is not None and match.offer.by != player:
        return accept_draw(match, player, at, position)
    return replace(match, offer=match.offer or Offer(player))


def accept_draw(match: Match, player: PlayerId, at: datetime, position: Any = None) -> Match:
    """`draw`: the match is drawn once everybody else who still plays has accepted."""
    _still_playing(match)
    _require_in_play(match, position, player)
    if match.offer is None or match.offer.by == player:
        raise CommandError("no_draw_offer", "nobody has offered you a draw")
    accepted = match.offer.accepted | {player}
    if not accepted.issuperset(asked(match, position)):
        return replace(match, offer=replace(match.offer, accepted=accepted))
    nothing = Outcome((), "draw", dict.fromkeys(match.seats, 0))
    return _ended(match, nothing, at)


def decline_draw(match: Match, player: PlayerId, position: Any = None) -> Match:
    """`no draw`: the offer is off."""
    _still_playing(match)
    _require_in_play(match, position, player)
    if match.offer is None or match.offer.by == player:
        raise CommandError("no_draw_offer", "nobody has offered you a draw")
    return replace(match, offer=None)


def _still_playing(match: Match) -> None:
    if match.result is not None:
        raise CommandError("match_has_ended", "the match is over")


def _require_in_play(match: Match, position: Any, player: PlayerId) -> None:
    if has_resigned(match, position, player):
        raise CommandError("has_resigned", "a draw is for those who still play")


def _ended(match: Match, outcome: Outcome, at: datetime) -> Match:
    result = Result(outcome.winners, outcome.termination, outcome.scores, at)
    return replace(match, result=result, to_act=None, offer=None)


def _of(match: Match, scores: Mapping[Seat, int]) -> dict[Seat, int]:
    return {seat: scores[seat] for seat in match.seats}


def termination_words(match: Match) -> str:
    """Why a match ended, in a player's words."""
    if match.result is None:
        raise ValueError("the match goes on")
    own = match.game.info.terminations
    return own.get(match.result.termination) or COMMON_TERMINATIONS[match.result.termination]


__all__ = ["ActionError", "Change", "CommandError", "Match", "MatchOptions", "Player"]
