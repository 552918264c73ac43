"""Orders: what directors can order for one match, and how to read whom they mean.

An order can be tried on a match without changing anything. It raises DecisionError or ActionError
if it cannot be carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.games.api import Seat
from pbem.games.phrases import ENGLISH
from pbem.matches import director_actions
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import Match, MatchSummary, Player, RecordedAction
from pbem.matches.off_time import read_span, split_span, write_span
from pbem.matches.player_actions import Change
from pbem.matches.words import phrase
from pbem.service.clocks.schedule import counted
from pbem.service.work import Work


@dataclass(frozen=True)
class Order:
    """A director's order for a match."""

    match: int
    line: str
    """The log line, with members by number: `forfeit 12 {7}`."""
    reason: str
    change: Callable[[Work, Match], Change]

    def line_for(self, work: Work) -> str:
        """Return the log line with the names of members."""
        return with_names(work, self.line)


def with_names(work: Work, line: str) -> str:
    """Return a log line with the current names of members."""
    return re.sub(r"\{(\d+)\}", lambda found: work.players.get(int(found[1])).name, line)


def tried(work: Work, order: Order) -> Change:
    """Lock the match and return the change that an order would make."""
    return order.change(work, work.lock_match(order.match))


def cancellation(number: int, reason: str) -> Order:
    """Return an order that cancels a match, so that it never counts."""

    def change(work: Work, match: Match) -> Change:
        return director_actions.cancel(match, reason, work.now)

    return Order(number, f"cancel {number}", reason, change)


def adjudication(number: int, result: str, reason: str) -> Order:
    """Return an order to end a match: `draw`, `void`, or a word for the side that wins."""

    def change(work: Work, match: Match) -> Change:
        if result.casefold() == "void":
            return director_actions.declare_void(match, reason, work.now)
        winners: tuple[Seat, ...] = ()
        if result.casefold() != "draw":
            winners = winners_of(work, match, result)
        return director_actions.adjudge(match, winners, reason, work.now)

    return Order(number, f"adjudicate {number} {_plain(result)}", reason, change)


def forfeiture(work: Work, number: int, name: str, reason: str) -> Order:
    """Return an order to forfeit a match for a player. The others continue if the game allows."""
    player = player_in(work, work.matches.get(number), name)

    def change(work: Work, match: Match) -> Change:
        player_in(work, match, player.name)
        return director_actions.forfeit(match, player.id, reason, work.now)

    return Order(number, f"forfeit {number} {_by_number(player)}", reason, change)


def extension(number: int, span: str, reason: str) -> Order:
    """Return an order to give the player to move more time. Raises DecisionError for a bad span."""
    by = span_of(span)

    def change(work: Work, match: Match) -> Change:
        return director_actions.extend(match, by, reason, _counted(work))

    return Order(number, f"extend {number} {write_span(by)}", reason, change)


def pausing(number: int, text: str) -> Order:
    """Return an order to pause a match, for the span at the start of the text or until resumed."""
    span, reason = split_span(text)

    def change(work: Work, match: Match) -> Change:
        if span is None:
            return director_actions.pause(match, reason, _counted(work))
        return director_actions.pause_for(match, span, reason, _counted(work))

    line = f"pause {number}" if span is None else f"pause {number} {write_span(span)}"
    return Order(number, line, reason, change)


def resumption(number: int, reason: str) -> Order:
    """Return an order to resume a match."""

    def change(work: Work, match: Match) -> Change:
        return director_actions.resume(match, reason, _counted(work))

    return Order(number, f"resume {number}", reason, change)


def substitution(work: Work, number: int, name: str, successor: str, reason: str) -> Order:
    """Return an order to replace a player with another member."""
    player = player_in(work, work.matches.get(number), name)
    new = member_named(work, successor)

    def change(work: Work, match: Match) -> Change:
        player_in(work, match, player.name)
        return director_actions.substitute(match, player, new, reason)

    return Order(number, f"replace {number} {_by_number(player)} {_by_number(new)}", reason, change)


def reopening(number: int, reason: str) -> Order:
    """Return an order to continue a match that was decided, claimed or cancelled."""

    def change(work: Work, match: Match) -> Change:
        change = director_actions.reopen(match, reason, work.now)
        for player in map(work.players.get, match.players):
            if player.former:
                raise DecisionError(phrase("direct.left-club", name=player.name, match=number))
        _require_not_replayed(work, change.match)
        return change

    return Order(number, f"reopen {number}", reason, change)


def _require_not_replayed(work: Work, match: Match) -> None:
    """Raise DecisionError if another match has the place of a match in its competition."""
    if match.place is None:
        return
    work.competitions.lock(match.place.competition)  # no match may start there meanwhile
    other = replay_of(work, match)
    if other is not None:
        raise DecisionError(phrase("direct.replayed", match=match.id, other=other))


def replay_of(work: Work, match: MatchSummary) -> int | None:
    """Return the number of the match that replays a match of a competition, None if none does."""
    place = match.place or match.former_place
    if place is None:
        return None
    for other in work.matches.of_competition(place.competition):
        if other.id != match.id and other.place is not None and other.place.index == place.index:
            return other.id
    return None


def undoing(number: int, to: int, reason: str) -> Order:
    """Return an order to take back a turn and everything after it."""

    def change(work: Work, match: Match) -> Change:
        return director_actions.undo(match, _standing(work, number), to, reason, work.now)

    return Order(number, f"undo {number} to {to}", reason, change)


def acting(number: int, seat: str, text: str) -> Order:
    """Return an order to play actions for the seat to act."""

    def change(work: Work, match: Match) -> Change:
        director_actions.require_rules(match)
        texts = actions_in(match, text)
        return director_actions.act(match, seat_of(match, seat), texts, "", work.now)

    return Order(number, f"act {number} {_plain(seat)} {_plain(text)}", "", change)


def _standing(work: Work, number: int) -> Sequence[RecordedAction]:
    return work.matches.recorded(number)


def _counted(work: Work) -> datetime:
    return counted(work, work.now)


def _by_number(player: Player) -> str:
    return f"{{{player.id}}}"


def _plain(text: str) -> str:
    """Return a text without the braces that mark a member."""
    return text.replace("{", "(").replace("}", ")")


def span_of(text: str) -> timedelta:
    """Read a span such as `3d`, `36h` or `2w`. Raises DecisionError."""
    span = read_span(text)
    if span is None:
        raise DecisionError(f"{text!r} is not a length of time. Write it like 3d, 36h or 2w")
    return span


def player_in(work: Work, match: MatchSummary, name: str) -> Player:
    """Return the player of a match with this name. Raises DecisionError."""
    players = [work.players.get(each) for each in match.players]
    for player in players:
        if player.name.casefold() == name.strip().casefold():
            return player
    names = ", ".join(player.name for player in players)
    raise DecisionError(f"{name} does not play in match {match.id}. Its players are {names}")


def member_named(work: Work, name: str) -> Player:
    """Return the member with this name. Raises DecisionError."""
    player = work.players.named(name.strip())
    if player is None:
        raise DecisionError(f"there is no member {name.strip()}")
    return player


def seat_of(match: MatchSummary, text: str) -> Seat:
    """Return a seat by its name, in any case. Raises DecisionError."""
    wanted, info = text.strip().casefold(), match.game.info
    for seat in match.seats:
        if wanted in (seat.casefold(), ENGLISH.text(info.name_of(seat)).casefold()):
            return seat
    raise DecisionError(
        f"match {match.id} has no seat {text}. Its seats are {', '.join(match.seats)}"
    )


def winners_of(work: Work, match: MatchSummary, text: str) -> tuple[Seat, ...]:
    """Return the seats of the side that a player's name, a seat or a colour names.

    Raises DecisionError if the text does not name exactly one side.
    """
    wanted = text.strip().casefold()
    sides = {side for name, side in _names(work, match) if name.casefold() == wanted}
    if len(sides) == 1:
        return sides.pop()
    names = dict.fromkeys(name for name, _ in _names(work, match))
    raise DecisionError(f"{text} is not a side of match {match.id}. Choose from: {_said(names)}")


def _said(names: dict[str, None]) -> str:
    return ", ".join((*names, "draw", "void"))


def _names(work: Work, match: MatchSummary) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """Yield the words for each side, each with its seats."""
    info = match.game.info
    for seat, player in match.seats.items():
        side = info.side_of(match.player_count, seat)
        yield work.players.get(player).name, side
        yield seat, side
        title = ENGLISH.text(info.seat_titles.get(seat, seat))
        for word in re.findall(r"\w+", title):
            yield word, side


def actions_in(match: MatchSummary, text: str) -> tuple[str, ...]:
    """Read actions as a player would write them. Raises DecisionError or InvalidActionError."""
    texts = tuple(each for line in match.game.read(text) for each in line.actions)
    if not texts:
        raise DecisionError(f"there is no action of {match.game.info.title} in {text!r}")
    return texts
