"""Shares: whose the result of a match is where a seat has changed hands."""

from __future__ import annotations

from fractions import Fraction

from pbem.games.api import Seat
from pbem.matches.choices import RESULTS
from pbem.matches.match import MatchSummary, PlayerId

WHOLE = Fraction(1)


def share_of(match: MatchSummary, player: PlayerId) -> Fraction:
    """The part of the result that is a player's: all of it at the end, or by the turns they held.

    Who has played for a partner too has no more than one result.
    """
    if match.options.of(RESULTS) != "split":
        return WHOLE if player in match.players else Fraction()
    shares = match.hands.shares(match.seats, match.turn - 1)
    firsts = {whose: seat for seat, whose in reversed(tuple(match.began.items()))}
    parts = (shares[seat].get(player, Fraction()) for seat in firsts.values())
    return min(WHOLE, sum(parts, Fraction()))


def seat_held(match: MatchSummary, player: PlayerId) -> Seat:
    """A seat that a player holds, or held; raises StopIteration for who never played."""
    held = (spell.seat for spell in match.hands.earlier if spell.player == player)
    return next(iter((*match.seats_of(player), *held)))


def opponents_of(match: MatchSummary, player: PlayerId) -> tuple[PlayerId, ...]:
    """Who plays on other sides than somebody who plays, or has played."""
    side = match.game.info.side_of(match.player_count, seat_held(match, player))
    others = (holder for seat, holder in match.seats.items() if seat not in side)
    return tuple(dict.fromkeys(others))
