"""Succession: events by which seats go to another player, and their effect on the match.

A director's decision is `Replaced`. This module covers what players agreed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pbem.games.api import Seat
from pbem.matches.match import MatchOffer, MatchSummary, OfferKind, PlayerId, SummaryT


@dataclass(frozen=True)
class HandedOn:
    """A player's seats have gone to another player."""

    player: PlayerId
    turn: int
    """Current turn when it happened."""
    seat: Seat
    """First seat of the player."""
    successor: PlayerId
    name: str
    """Name of the player, who is no longer in the match."""

    @property
    def text(self) -> str:
        """Text in the history: number of the player, then that of the successor."""
        return f"{self.player} {self.successor}"


class TakenOver(HandedOn):
    """The partner or a substitute has taken over for good."""


class KeptByBot(HandedOn):
    """A bot holds the seats until their player writes."""


class GivenBack(HandedOn):
    """The player has written and holds the seats again."""


def handed_on(match: SummaryT, old: PlayerId, new: PlayerId) -> SummaryT:
    """Return a match in which a player takes over from another, without changing its clock.

    The old player's offers, acceptances and resignation end. If the new one is the partner, every
    offer ends: the player who must accept it may be the one who made it. Offers of a pause or to
    take a turn back end too.
    """
    held, joined = match.seats_of(old), new in match.players
    return replace(
        match,
        seats={seat: new if seat in held else holder for seat, holder in match.seats.items()},
        hands=match.hands.left(held, old, match.turn),
        pause_offer=None,
        offers=() if joined else tuple(_without(match.offers, old)),
        resigned=match.resigned - {old},
    )


def kept_by(match: SummaryT, player: PlayerId, bot: PlayerId) -> SummaryT:
    """Return a match in which a bot holds a player's seats until they write."""
    seats = match.seats_of(player)
    after = handed_on(match, player, bot)
    return replace(after, hands=after.hands.kept(seats, player))


def keeper(match: MatchSummary, player: PlayerId) -> PlayerId | None:
    """Return the bot that holds a player's seats until they write, None if there is none."""
    kept = (match.seats[seat] for seat, whose in match.hands.kept_for.items() if whose == player)
    return next(kept, None)


def given_back(match: SummaryT, player: PlayerId) -> SummaryT:
    """Return a match in which a player holds their seats again, if a bot kept them."""
    bot = keeper(match, player)
    return match if bot is None else handed_on(match, bot, player)


def _without(offers: Iterable[MatchOffer], player: PlayerId) -> Iterator[MatchOffer]:
    """Yield the offers of others without a player's acceptance."""
    for offer in offers:
        if offer.by != player and offer.kind is not OfferKind.TAKEBACK:
            yield replace(offer, accepted=offer.accepted - {player})
