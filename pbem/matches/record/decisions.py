"""Whether a result that the rules do not give is what the history leads to: who did what for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pbem.games.api import Outcome, Seat
from pbem.games.replay import Played
from pbem.matches.history import Kind
from pbem.matches.match import PlayerId
from pbem.matches.record.model import Record


@dataclass
class _Standing:
    """What stands besides the position as the history goes on, by the players' numbers."""

    offered_by: PlayerId | None = None
    accepted: bool = False
    resigned: set[PlayerId] = field(default_factory=set)
    flags: set[PlayerId] = field(default_factory=set)

    def acts(self, player: PlayerId, played: Played) -> None:
        """An action lets an offer of somebody else lapse; a move takes a resignation back."""
        if self.offered_by != player:
            self.offered_by, self.accepted = None, False
        if not played.declaration:
            self.resigned.discard(player)

    def happens(self, kind: Kind, player: PlayerId) -> None:
        """Something beside the actions."""
        if kind is Kind.DRAW_OFFERED and self.offered_by is None:
            self.offered_by = player
        elif kind is Kind.DRAW_ACCEPTED:
            self.accepted = self.offered_by not in (None, player)
        elif kind is Kind.DRAW_DECLINED:
            self.offered_by, self.accepted = None, False
        elif kind is Kind.RESIGNED:
            self.resigned.add(player)
        elif kind is Kind.FLAG_FELL:
            self.flags.add(player)


def decision_problems(record: Record, played: Iterable[Played]) -> Iterator[str]:
    """Where the result says that somebody did what the history does not tell of."""
    if record.result is None or not record.chained:
        return
    standing, kinds = _standing(record, played), {entry.kind for entry in record.entries}
    result = record.result
    if result.termination == "resignation":
        yield from _resignation_problems(record, result, standing)
    elif Kind.CHAINED in kinds:
        return  # who offered a draw was not kept then
    elif result.termination == "draw" and not standing.accepted:
        yield "The result is a draw; the history tells of no offer that was accepted."
    elif result.termination == "flag" and not standing.flags.intersection(_losers(record, result)):
        yield "The result is a loss on time; the history does not tell whose time ran out."
    elif result.termination == "adjudication" and Kind.ADJUDGED not in kinds:
        yield "The director is said to have decided; the history does not tell of it."


def _standing(record: Record, played: Iterable[Played]) -> _Standing:
    standing, actions = _Standing(), iter(played)
    for entry in record.entries:
        if entry.kind is Kind.ACTION:
            standing.acts(record.numbers[entry.seat], next(actions))
        elif entry.seat:
            standing.happens(entry.kind, record.numbers[entry.seat])
    return standing


def _resignation_problems(record: Record, result: Outcome, standing: _Standing) -> Iterator[str]:
    if not standing.resigned.issuperset(_losers(record, result)):
        lost = [seat for seat in record.players if seat not in result.winners]
        resigned = [seat for seat in record.players if record.numbers[seat] in standing.resigned]
        yield (
            f"By the result {_seats(lost)} resigned; "
            f"by the history {_seats(resigned) or 'nobody'} did."
        )


def _losers(record: Record, result: Outcome) -> set[PlayerId]:
    return {number for seat, number in record.numbers.items() if seat not in result.winners}


def _seats(seats: list[Seat]) -> str:
    return " and ".join(seats)
