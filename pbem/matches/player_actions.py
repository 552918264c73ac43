"""Acting: players' changes to a match. Each function returns the changed match and the events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.games.api import ActionError, Outcome, Seat
from pbem.games.replay import Played, play_written
from pbem.matches.event import (
    ActionsPlayed,
    BreakAgreed,
    Event,
    MatchEnded,
    PauseAccepted,
    PauseAsked,
    PauseDeclined,
    PlaysOnWithout,
    Resigned,
)
from pbem.matches.match import (
    RESIGNATION,
    CommandError,
    Match,
    MatchOffer,
    OfferKind,
    PauseOffer,
    PlayerId,
    Result,
)


class Change(NamedTuple):
    """A changed match and the events that led to it."""

    match: Match
    events: tuple[Event, ...] = ()


def play(
    match: Match, player: PlayerId, texts: Sequence[str], at: datetime, *, begun: bool = False
) -> Change:
    """Play actions of a player, all or none.

    A move, unlike a declaration, withdraws the player's resignation if it still waits for the
    partner's. `at` is when the clock of the next turn starts. `begun` says whether other actions of
    the same email came before. Raises ActionError, and CommandError after the end of the match.
    """
    still_playing(match)
    seat = match.seat_for(player)
    played = play_written(match.game, match.position, seat, texts, begun=begun)
    if not played:
        return Change(match)
    played = _for_all_seats(match, player, texts, played)
    position = played[-1].position
    moves = any(not action.declaration for action in played)
    moved = replace(
        match,
        actions=match.actions + len(played),
        position=position,
        turn=position.turn,
        to_act=match.game.to_act(position),
        resigned=match.resigned - {player} if moves else match.resigned,
    )
    moved = _expire_offers(moved, player, match.token_turn)
    if moved.turn != match.turn:
        moved = replace(moved, turn_started_at=at)
    outcome = match.game.outcome(position)
    events = ActionsPlayed(player, played)
    return Change(moved, (events,)) if outcome is None else ended(moved, outcome, at, events)


def _expire_offers(match: Match, player: PlayerId, turn: int) -> Match:
    """Drop offers when a player acts without answering them, or resigns after making them.

    Their author may move, unless they asked for a turn back.
    """
    for offer in match.offers:
        if player in match.unanswered(offer):
            match = refused(match, offer, turn)
        elif offer.by != player or offer.kind is OfferKind.TAKEBACK or match.has_resigned(player):
            match = without_offer(match, offer)
    return match


def _without_takeback(match: Match) -> Match:
    offer = match.offer(OfferKind.TAKEBACK)
    return match if offer is None else without_offer(match, offer)


def without_offer(match: Match, offer: MatchOffer) -> Match:
    """Return a match without an offer."""
    return replace(match, offers=tuple(each for each in match.offers if each is not offer))


def refused(match: Match, offer: MatchOffer, turn: int) -> Match:
    """Return a match without an offer that was refused in a turn, and count the refusal."""
    counted = (
        replace(each, refused=each.refused + 1, refused_in=turn)
        if (each.kind, each.by) == (offer.kind, offer.by)
        else each
        for each in match.offered
    )
    return replace(without_offer(match, offer), offered=tuple(counted))


def _for_all_seats(
    match: Match, player: PlayerId, texts: Sequence[str], played: tuple[Played, ...]
) -> tuple[Played, ...]:
    """Add declarations for a partner's seats. One player declares for all seats they play."""
    if not match.hands.earlier or not all(each.declaration for each in played):
        return played
    held = match.seats_of(player)
    for seats in match.game.info.holders[match.player_count]:
        position = played[-1].position
        if match.game.to_act(position) is None:
            break
        if seats[0] in held and played[0].seat not in seats:
            with suppress(ActionError):  # it may concern only one seat
                played += play_written(match.game, position, seats[0], texts)
    return played


def resign(match: Match, player: PlayerId, at: datetime) -> Change:
    """Resign for a player. The match ends once all players of their side have resigned.

    If the others continue, resigning is an action of the game.
    """
    still_playing(match)
    text = match.game.resignation(match.position, match.seat_for(player))
    if text is not None:
        change = play(match, player, [text], at)
        return change._replace(events=(*change.events, PlaysOnWithout(player)))
    match = _without_takeback(match)
    resigned, side = match.resigned | {player}, match.side_of(player)
    waits = not resigned.issuperset(side)
    after, event = replace(match, resigned=resigned), Resigned(*whose(match, player), waits)
    return Change(after, (event,)) if waits else lost(after, side, RESIGNATION, at, event)


def lost(
    match: Match, losers: Sequence[PlayerId], termination: str, at: datetime, *events: Event
) -> Change:
    """Return a match that a side loses other than by the game's rules, after some events."""
    seats = [seat for seat, holder in match.seats.items() if holder in losers]
    winners = tuple(seat for seat in match.seats if seat not in seats)
    scores = match.game.forfeit(match.position, seats)
    return ended(match, Outcome(winners, termination, _of(match, scores)), at, *events)


def drawn(match: Match, termination: str, shared: str) -> Outcome:
    """Return a draw without points, which ends a match by `termination`.

    Seats that have resigned have no share in it. The match then ends by `shared`.
    """
    nothing = dict.fromkeys(match.seats, 0)
    if len(match.in_play) == len(match.seats):
        return Outcome((), termination, nothing)
    return Outcome(match.in_play, shared, nothing)


def still_playing(match: Match) -> None:
    """Raise CommandError if the match has ended."""
    if match.result is not None:
        raise CommandError("match_has_ended", "the match is over")


def require_in_play(match: Match, player: PlayerId) -> None:
    """Raise CommandError if a player has resigned while the others continue."""
    if match.has_resigned(player):
        raise CommandError("has_resigned", "only those still playing can agree on a draw")


def ended(match: Match, outcome: Outcome, at: datetime, *events: Event) -> Change:
    """Return a match that ends with an outcome, after some events."""
    result = Result(outcome.winners, outcome.termination, outcome.scores, at)
    after = replace(match, result=result, to_act=None, offers=(), pause_offer=None)
    return Change(after, (*events, MatchEnded(after.agreed)))


def whose(match: Match, player: PlayerId) -> tuple[PlayerId, int, Seat]:
    """Return a player, the turn and their first seat, the fields of their events."""
    return player, match.turn, match.seats_of(player)[0]


def _of(match: Match, scores: Mapping[Seat, int]) -> dict[Seat, int]:
    return {seat: scores[seat] for seat in match.seats}


LONGEST = timedelta(days=366)
"""Longest pause that players can agree on at once."""
STANDS = timedelta(days=14)
"""Time in which an offer of a pause can be answered."""


def standing_offer(match: Match, at: datetime) -> PauseOffer | None:
    """Return the offer of a pause that can still be answered, None if there is none."""
    offer = match.pause_offer
    if offer is None or not offer.left or match.result is not None or at >= offer.at + STANDS:
        return None
    return offer


def unanswered(match: Match, at: datetime) -> tuple[PlayerId, ...]:
    """Return the players who were asked and have neither agreed nor resigned."""
    offer = standing_offer(match, at)
    left = offer.left if offer is not None else frozenset()
    return tuple(each for each in match.players if each in left and not match.has_resigned(each))


def ask_for_pause(
    match: Match, player: PlayerId, span: timedelta, asked: Iterable[PlayerId], at: datetime
) -> Change:
    """Offer a pause to the players asked (`pause? 2 weeks`). It is agreed if nobody has to be.

    It replaces an earlier offer. If another player offered the same pause, it accepts that offer.
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
    """Accept a pause (`pause`). It starts once everyone asked has agreed.

    If a shorter pause was offered recently, the answer must name the length, since it may be late.
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
    """Decline a pause (`no pause`), or withdraw one's own offer."""
    offer = standing_offer(match, at)
    if offer is None or offer.by != player:
        offer = _asked(match, player, at)
    off = replace(offer, left=frozenset[PlayerId]())
    return Change(replace(match, pause_offer=off), (PauseDeclined(*whose(match, player)),))


def _is_longer(before: PauseOffer | None, span: timedelta, at: datetime) -> bool:
    """Return whether an answer to an earlier offer of a shorter pause may still arrive."""
    if before is None or at >= before.at + STANDS:
        return False
    return before.named or before.span < span


def _asked(match: Match, player: PlayerId, at: datetime) -> PauseOffer:
    """Return the pause offer a player must answer. Raises CommandError if there is none."""
    still_playing(match)
    offer = standing_offer(match, at)
    if offer is None or player not in unanswered(match, at):
        raise CommandError("no_pause_offer", "nobody has asked you for a pause")
    return offer


def _agreed(match: Match, span: timedelta, event: PauseAsked | PauseAccepted) -> Change:
    """Agree on a pause. It starts when the email that completed the agreement was received."""
    return Change(replace(match, pause_offer=None), (event, BreakAgreed(match.turn, span)))
