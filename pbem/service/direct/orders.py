"""Orders: what directors ask for about one match, and who and what they mean.

An order can be tried on a match without anything being changed; it raises DecisionError, or an
ActionError, where it cannot be carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.games.api import Seat
from pbem.games.phrases import ENGLISH
from pbem.matches import directing
from pbem.matches.acting import Change
from pbem.matches.directing import DecisionError
from pbem.matches.match import Match, MatchSummary, Player, RecordedAction
from pbem.matches.quiet import read_span, split_span, write_span
from pbem.service.clocks.schedule import counted
from pbem.service.work import Work


@dataclass(frozen=True)
class Order:
    """Something to be done to a match by a director."""

    match: int
    line: str
    """As it is logged, members by number: `forfeit 12 {7}`."""
    reason: str
    change: Callable[[Work, Match], Change]

    def line_for(self, work: Work) -> str:
        """The line with the names of members."""
        return with_names(work, self.line)


def with_names(work: Work, line: str) -> str:
    """A line as it is logged, with the names that members have now."""
    return re.sub(r"\{(\d+)\}", lambda found: work.players.get(int(found[1])).name, line)


def tried(work: Work, order: Order) -> Change:
    """What would come of an order; the match stays locked, and as it is."""
    return order.change(work, work.lock_match(order.match))


def cancellation(number: int, reason: str) -> Order:
    """The match is as if it had not been."""

    def change(work: Work, match: Match) -> Change:
        return directing.cancel(match, reason, work.now)

    return Order(number, f"cancel {number}", reason, change)


def adjudication(number: int, result: str, reason: str) -> Order:
    """It ends as decided: `draw`, `void`, or the side that a name stands for wins."""

    def change(work: Work, match: Match) -> Change:
        if result.casefold() == "void":
            return directing.declare_void(match, reason, work.now)
        winners: tuple[Seat, ...] = ()
        if result.casefold() != "draw":
            winners = winners_of(work, match, result)
        return directing.adjudge(match, winners, reason, work.now)

    return Order(number, f"adjudicate {number} {_plain(result)}", reason, change)


def forfeiture(work: Work, number: int, name: str, reason: str) -> Order:
    """A player loses; where the game lets them, the others play on."""
    player = player_in(work, work.matches.get(number), name)

    def change(work: Work, match: Match) -> Change:
        player_in(work, match, player.name)
        return directing.forfeit(match, player.id, reason, work.now)

    return Order(number, f"forfeit {number} {_by_number(player)}", reason, change)


def extension(number: int, span: str, reason: str) -> Order:
    """Whoever is to act has more time; raises DecisionError for what is no span."""
    by = span_of(span)

    def change(work: Work, match: Match) -> Change:
        return directing.extend(match, by, reason, _counted(work))

    return Order(number, f"extend {number} {write_span(by)}", reason, change)


def pausing(number: int, text: str) -> Order:
    """No time is charged until it is resumed, or for the span with which the text begins."""
    span, reason = split_span(text)

    def change(work: Work, match: Match) -> Change:
        if span is None:
            return directing.pause(match, reason, _counted(work))
        return directing.pause_for(match, span, reason, _counted(work))

    line = f"pause {number}" if span is None else f"pause {number} {write_span(span)}"
    return Order(number, line, reason, change)


def resumption(number: int, reason: str) -> Order:
    """The pause is over."""

    def change(work: Work, match: Match) -> Change:
        return directing.resume(match, reason, _counted(work))

    return Order(number, f"resume {number}", reason, change)


def substitution(work: Work, number: int, name: str, successor: str, reason: str) -> Order:
    """Another member goes on for a player."""
    player = player_in(work, work.matches.get(number), name)
    new = member_named(work, successor)

    def change(work: Work, match: Match) -> Change:
        player_in(work, match, player.name)
        return directing.substitute(match, player, new, reason)

    return Order(number, f"replace {number} {_by_number(player)} {_by_number(new)}", reason, change)


def undoing(number: int, to: int, reason: str) -> Order:
    """What was played in a turn and after it is taken back."""

    def change(work: Work, match: Match) -> Change:
        return directing.undo(match, _standing(work, number), to, reason, work.now)

    return Order(number, f"undo {number} to {to}", reason, change)


def acting(number: int, seat: str, text: str) -> Order:
    """Actions for the seat to act."""

    def change(work: Work, match: Match) -> Change:
        texts = actions_in(match, text)
        return directing.act(match, seat_of(match, seat), texts, "", work.now)

    return Order(number, f"act {number} {_plain(seat)} {_plain(text)}", "", change)


def _standing(work: Work, number: int) -> Sequence[RecordedAction]:
    return work.matches.recorded(number)


def _counted(work: Work) -> datetime:
    return counted(work, work.now)


def _by_number(player: Player) -> str:
    return f"{{{player.id}}}"


def _plain(text: str) -> str:
    """A text without what would stand for a member."""
    return text.replace("{", "(").replace("}", ")")


def span_of(text: str) -> timedelta:
    """`3d`, `36h`, `2w`; raises DecisionError."""
    span = read_span(text)
    if span is None:
        raise DecisionError(f"a time is written like 3d, 36h or 2w, not {text!r}")
    return span


def player_in(work: Work, match: MatchSummary, name: str) -> Player:
    """Who plays a match under a name; raises DecisionError."""
    players = [work.players.get(each) for each in match.players]
    for player in players:
        if player.name.casefold() == name.strip().casefold():
            return player
    names = ", ".join(player.name for player in players)
    raise DecisionError(f"{name} does not play match {match.id}, but {names} do")


def member_named(work: Work, name: str) -> Player:
    """A member; raises DecisionError."""
    player = work.players.named(name.strip())
    if player is None:
        raise DecisionError(f"there is no member {name.strip()}")
    return player


def seat_of(match: MatchSummary, text: str) -> Seat:
    """A seat by its name, in any case; raises DecisionError."""
    wanted, info = text.strip().casefold(), match.game.info
    for seat in match.seats:
        if wanted in (seat.casefold(), ENGLISH.text(info.name_of(seat)).casefold()):
            return seat
    raise DecisionError(f"match {match.id} has the seats {', '.join(match.seats)}, not {text}")


def winners_of(work: Work, match: MatchSummary, text: str) -> tuple[Seat, ...]:
    """Seats of the side that a player's name, a seat or a colour stands for; raises DecisionError.

    Of several sides that a word fits none is meant.
    """
    wanted = text.strip().casefold()
    sides = {side for name, side in _names(work, match) if name.casefold() == wanted}
    if len(sides) == 1:
        return sides.pop()
    names = dict.fromkeys(name for name, _ in _names(work, match))
    raise DecisionError(f"{text} is not one side of match {match.id}; name one of {_said(names)}")


def _said(names: dict[str, None]) -> str:
    return ", ".join((*names, "draw", "void"))


def _names(work: Work, match: MatchSummary) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """What can be said for each side."""
    info = match.game.info
    for seat, player in match.seats.items():
        side = info.side_of(match.player_count, seat)
        yield work.players.get(player).name, side
        yield seat, side
        title = ENGLISH.text(info.seat_titles.get(seat, seat))
        for word in re.findall(r"\w+", title):
            yield word, side


def actions_in(match: MatchSummary, text: str) -> tuple[str, ...]:
    """Actions as a player would write them; raises DecisionError, or an InvalidAction."""
    texts = tuple(each for line in match.game.read(text) for each in line.actions)
    if not texts:
        raise DecisionError(f"there is no action of {match.game.info.title} in {text!r}")
    return texts
