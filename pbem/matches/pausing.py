"""Pausing: players agree on a break; each step gives the match as it is then, and the events.

Who asks for a pause says how long it is to be. It begins when the last of the others has agreed,
and ends by itself. A move does not decline it: who plays on may agree all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.matches.acting import Change, require_in_play, still_playing, whose
from pbem.matches.event import BreakAgreed, PauseAccepted, PauseAsked, PauseDeclined
from pbem.matches.match import CommandError, Match, PauseOffer, PlayerId

LONGEST = timedelta(days=366)
"""What players can agree on at once."""
STANDS = timedelta(days=14)
"""How long an offer waits for its answers."""


def standing_offer(match: Match, at: datetime) -> PauseOffer | None:
    """The pause that is offered and can still be answered."""
    offer = match.pause_offer
    if offer is None or not offer.left or match.result is not None or at >= offer.at + STANDS:
        return None
    return offer


def unanswered(match: Match, at: datetime) -> tuple[PlayerId, ...]:
    """Who is still to answer: those who were asked, and have neither agreed nor resigned since."""
    offer = standing_offer(match, at)
    left = offer.left if offer is not None else frozenset()
    return tuple(each for each in match.players if each in left and not match.has_resigned(each))


def ask_for_pause(
    match: Match, player: PlayerId, span: timedelta, asked: Iterable[PlayerId], at: datetime
) -> Change:
    """`pause? 2 weeks`: an offer to all who are asked; where nobody has to be, they are agreed.

    It takes the place of one that stands; where somebody else offers the same, it accepts.
    """
    still_playing(match)
    require_in_play(match, player)
    if span > LONGEST:
        raise CommandError("too_long_a_pause", "players agree on a year at most")
    offer = standing_offer(match, at)
    if offer is not None and player in offer.left and offer.span == span:
        return accept_pause(match, player, at, span)
    left = frozenset(each for each in asked if each != player and not match.has_resigned(each))
    event = PauseAsked(*whose(match, player), span)
    if not left:
        return _agreed(match, span, event)
    asked_for = PauseOffer(player, span, at, left, _is_longer(match.pause_offer, span, at))
    return Change(replace(match, pause_offer=asked_for), (event,))


def accept_pause(
    match: Match, player: PlayerId, at: datetime, span: timedelta | None = None
) -> Change:
    """`pause`: it begins once all who were asked have agreed.

    An answer may have been written before another time was asked for, and then says for how long.
    """
    offer = _asked(match, player, at)
    if offer.named and span != offer.span:
        raise CommandError("which_pause", "another pause was asked for before")
    after = replace(match, pause_offer=replace(offer, left=offer.left - {player}))
    event = PauseAccepted(*whose(match, player))
    if unanswered(after, at):
        return Change(after, (event,))
    return _agreed(match, offer.span, event)


def decline_pause(match: Match, player: PlayerId, at: datetime) -> Change:
    """`no pause`: the offer is off; who made it takes it back so."""
    offer = standing_offer(match, at)
    if offer is None or offer.by != player:
        offer = _asked(match, player, at)
    off = replace(offer, left=frozenset[PlayerId]())
    return Change(replace(match, pause_offer=off), (PauseDeclined(*whose(match, player)),))


def _is_longer(before: PauseOffer | None, span: timedelta, at: datetime) -> bool:
    """Whether an answer to an earlier offer of a shorter pause may still be on its way."""
    if before is None or at >= before.at + STANDS:
        return False
    return before.named or before.span < span


def _asked(match: Match, player: PlayerId, at: datetime) -> PauseOffer:
    """The offer that a player is to answer; raises CommandError if there is none."""
    still_playing(match)
    offer = standing_offer(match, at)
    if offer is None or player not in unanswered(match, at):
        raise CommandError("no_pause_offer", "nobody has asked you for a pause")
    return offer


def _agreed(match: Match, span: timedelta, event: PauseAsked | PauseAccepted) -> Change:
    """The break itself begins when what completed the agreement was received."""
    return Change(replace(match, pause_offer=None), (event, BreakAgreed(match.turn, span)))
