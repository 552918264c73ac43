"""Succession: seats go from one player to another, as events and as what becomes of the match.

What a director decides is a decision (`Replaced`); here is what comes of what was agreed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.games.api import Seat
from pbem.matches.match import DrawOffer, MatchSummary, PlayerId, SummaryT


@dataclass(frozen=True)
class HandedOn:
    """The seats of a player have gone to another one."""

    player: PlayerId
    turn: int
    """The turn that was being played."""
    seat: Seat
    """The first one of the player."""
    successor: PlayerId
    name: str
    """Of the player, who is in the match no more."""

    @property
    def text(self) -> str:
        """What a history tells of it: number of the player, then that of who goes on."""
        return f"{self.player} {self.successor}"


class TakenOver(HandedOn):
    """For good, by their partner or by a substitute."""


class KeptByBot(HandedOn):
    """A computer opponent holds them until their player writes."""


class GivenBack(HandedOn):
    """Their player has written, and holds them again."""


def handed_on(match: SummaryT, old: PlayerId, new: PlayerId) -> SummaryT:
    """A match where one player goes on for another, who may be their partner; its clock apart.

    What the player has offered, accepted or resigned goes with them. Where a partner goes on, no
    offer stands any more: who would have to accept it may be who made it. Nor does one of a pause.
    """
    held, joined = match.seats_of(old), new in match.players
    return replace(
        match,
        seats={seat: new if seat in held else holder for seat, holder in match.seats.items()},
        hands=match.hands.left(held, old, match.turn),
        pause_offer=None,
        offer=None if joined else _without(match.offer, old),
        resigned=match.resigned - {old},
    )


def kept_by(match: SummaryT, player: PlayerId, bot: PlayerId) -> SummaryT:
    """A match where a bot holds the seats of a player until they write."""
    seats = match.seats_of(player)
    after = handed_on(match, player, bot)
    return replace(after, hands=after.hands.kept(seats, player))


def keeper(match: MatchSummary, player: PlayerId) -> PlayerId | None:
    """The bot that holds the seats of a player until they write; mostly None."""
    kept = (match.seats[seat] for seat, whose in match.hands.kept_for.items() if whose == player)
    return next(kept, None)


def given_back(match: SummaryT, player: PlayerId) -> SummaryT:
    """A match where a player holds their seats again, if a bot has kept them."""
    bot = keeper(match, player)
    return match if bot is None else handed_on(match, bot, player)


def _without(offer: DrawOffer | None, player: PlayerId) -> DrawOffer | None:
    """A draw offer that somebody has left, who may have made it."""
    if offer is None or offer.by == player:
        return None
    return replace(offer, accepted=offer.accepted - {player})
