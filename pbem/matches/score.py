"""A match as a list of turns, the last turn of each player, and shares of a result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import Trail
from pbem.games.replay import Played
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.match_options import RESULTS


@dataclass(frozen=True)
class TurnLine:
    """The actions of one seat in a turn."""

    turn: int
    seat: Seat
    texts: tuple[str, ...]
    passed: bool = False
    """Whether the engine passed for the seat."""

    def __str__(self) -> str:
        return f"{self.turn} {self.seat}  {' '.join(self.texts)}"


Turned = RecordedAction | Played
"""An action with its turn, seat and passes, stored or not."""


def turn_lines(
    game: AnyGame, seats: tuple[Seat, ...], actions: Iterable[Turned]
) -> tuple[TurnLine, ...]:
    """Return actions grouped by turn and seat, with the passes between them."""
    lines: list[TurnLine] = []
    for line in _lines(game, seats, actions):
        if lines and (lines[-1].turn, lines[-1].seat) == (line.turn, line.seat):
            lines[-1] = TurnLine(line.turn, line.seat, lines[-1].texts + line.texts)
        else:
            lines.append(line)
    return tuple(lines)


def _lines(game: AnyGame, seats: tuple[Seat, ...], actions: Iterable[Turned]) -> Iterator[TurnLine]:
    for action in actions:
        yield TurnLine(action.turn, action.seat, (action.text,))
        for later, seat in enumerate(action.passed, start=1):
            yield TurnLine(action.turn + later, seat, (game.format_pass(),), passed=True)


def since_last_turn(
    lines: Iterable[TurnLine],
    seats: tuple[Seat, ...],
    by_club: Collection[int] = (),
    *,
    with_own: bool = False,
) -> tuple[TurnLine, ...]:
    """Return the lines after the last one that these seats played themselves, all if none.

    `by_club` are turns that the club played for them. `with_own` includes that last line.
    """
    kept: list[TurnLine] = []
    for line in lines:
        by_hand = line.seat in seats and not line.passed and line.turn not in by_club
        if not by_hand:
            kept = [*kept, line]
        else:
            kept = [line] if with_own else []
    return tuple(kept)


Path = tuple[str, ...]


def trails(
    game: AnyGame, actions: Iterable[Turned], seats: Mapping[Seat, PlayerId]
) -> tuple[Trail, ...]:
    """Return the last turn of each player in which something moved, oldest first."""
    last: dict[PlayerId, Trail] = {}
    for action in actions:
        if paths := game.paths(action.text):
            player = seats[action.seat]
            before = last.get(player)
            going_on = before is not None and before.turn == action.turn
            walked = before.paths if before and going_on else ()
            last[player] = Trail(action.turn, action.seat, joined(walked, paths))
    return tuple(sorted(last.values()))


def joined(walked: tuple[Path, ...], more: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths of a turn. A path from another's end continues it."""
    ways = list(walked)
    for path in more:
        at = next((i for i, way in enumerate(ways) if way[-1] == path[0] and len(path) > 1), None)
        if at is None:
            ways.append(path)
        else:
            ways[at] += path[1:]
    return tuple(ways)


WHOLE = Fraction(1)


def share_of(match: MatchSummary, player: PlayerId) -> Fraction:
    """Return a player's share of the result: all for the last holder, or by the turns they held.

    A player who also plays for a partner gets no more than one result.
    """
    if match.options.of(RESULTS) != "split":
        return WHOLE if player in match.players else Fraction()
    shares = match.hands.shares(match.seats, match.turn - 1)
    firsts = {whose: seat for seat, whose in reversed(tuple(match.began.items()))}
    parts = (shares[seat].get(player, Fraction()) for seat in firsts.values())
    return min(WHOLE, sum(parts, Fraction()))


def seat_held(match: MatchSummary, player: PlayerId) -> Seat:
    """Return a seat that a player holds or held. Raises StopIteration if they never played."""
    held = (spell.seat for spell in match.hands.earlier if spell.player == player)
    return next(iter((*match.seats_of(player), *held)))


def opponents_of(match: MatchSummary, player: PlayerId) -> tuple[PlayerId, ...]:
    """Return the opponents of a player who plays or has played."""
    side = match.game.info.side_of(match.player_count, seat_held(match, player))
    others = (holder for seat, holder in match.seats.items() if seat not in side)
    return tuple(dict.fromkeys(others))
