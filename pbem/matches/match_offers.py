"""Offers in a match: a draw, to take a turn back, or to abandon the match.

Everyone asked must accept. Each function returns the changed match and the events, and raises
CommandError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pbem.games.api import Outcome, Seat
from pbem.games.replay import replay_from
from pbem.matches.event import OfferAccepted, OfferDeclined, OfferMade, TakenBack
from pbem.matches.match import (
    ABANDONED,
    DRAW,
    CommandError,
    Match,
    MatchOffer,
    MatchSummary,
    OfferCount,
    OfferKind,
    PlayerId,
    RecordedAction,
    has_resigned,
    position_of,
)
from pbem.matches.match_options import TAKEBACKS
from pbem.matches.player_actions import (
    Change,
    drawn,
    ended,
    refused,
    require_in_play,
    still_playing,
    whose,
    without_offer,
)
from pbem.matches.time_control import TimeAccount

REFUSALS = 2
"""Refusals of a player's offers of one kind after which the next has to wait."""
WAIT = 10
"""Turns from the last refusal to that offer."""


class Why(StrEnum):
    """Why a player cannot make an offer now."""

    OFF = "off"
    """The match is played without it."""
    OTHERS = "others"
    """Another player's offer to take a turn back stands."""
    WAIT = "wait"
    """Their offers were refused, or they have made one in this turn."""
    NO_TURN = "no-turn"
    """They have played no turn that could be taken back."""
    SAME_EMAIL = "same-email"
    """The turn is in the same email."""
    RESIGNED = "resigned"
    """Somebody has resigned since their last turn, or would like to."""
    HANDS = "hands"
    """A seat has changed hands since their last turn."""


class CannotOfferError(CommandError):
    """An offer that a player cannot make now."""

    def __init__(self, kind: OfferKind, why: Why, turn: int = 0) -> None:
        super().__init__("cannot_offer", f"{kind} cannot be offered now: {why}")
        self.kind = kind
        self.why = why
        self.turn = turn
        """First turn in which they can. 0 if that is unknown."""


class NoOfferError(CommandError):
    """There is no offer of a kind that a player could answer."""

    def __init__(self, kind: OfferKind) -> None:
        super().__init__("no_draw_offer", f"nobody has offered you a {kind}")
        self.kind = kind


class Earlier(NamedTuple):
    """What a match needs to go back to an earlier turn."""

    actions: Sequence[RecordedAction] = ()
    """All actions that were not taken back."""
    accounts: Sequence[tuple[Seat, TimeAccount]] = ()
    """Time accounts of seats' players before they acted, since the turn to go back to, in order."""


NO_TURNS = Earlier()


def offer(
    match: Match, kind: OfferKind, player: PlayerId, at: datetime, earlier: Earlier = NO_TURNS
) -> Change:
    """Make an offer to everyone else, or accept another player's offer of the same kind.

    If the player's own offer stands, nothing changes.
    Players who resigned while others continue are not asked and have no say. `earlier` is needed to
    take a turn back.
    """
    still_playing(match)
    require_in_play(match, player)
    if kind is OfferKind.DRAW and not match.options.draw_offers:
        raise CommandError("draw_not_allowed", "draw offers are not part of this match")
    if kind is OfferKind.TAKEBACK and match.options.of(TAKEBACKS) == "off":
        raise CannotOfferError(kind, Why.OFF)
    standing = match.offer(kind)
    if standing is not None and standing.by == player:
        return Change(match)
    if standing is not None and kind is OfferKind.TAKEBACK:
        raise CannotOfferError(kind, Why.OTHERS)
    if standing is not None:
        return accept(match, kind, player, at)
    made = MatchOffer(kind, player)
    if kind is OfferKind.TAKEBACK:
        made = _to_take_back(match, player, earlier.actions)
    after = _counted(match, kind, player)
    after = replace(after, offers=(*match.offers, made))
    return Change(after, (OfferMade(*whose(match, player), kind),))


def turns_to_wait(match: MatchSummary, kind: OfferKind, player: PlayerId) -> int:
    """Return in how many turns a player can make an offer of a kind, 0 for now.

    They can make one in a turn, and must wait longer after refusals.
    """
    before = _count(match, kind, player)
    if before is None:
        return 0
    first = before.refused_in + WAIT if before.refused >= REFUSALS else 0
    return max(before.last + 1, first, match.token_turn) - match.token_turn


def _count(match: MatchSummary, kind: OfferKind, player: PlayerId) -> OfferCount | None:
    mine = (each for each in match.offered if (each.kind, each.by) == (kind, player))
    return next(mine, None)


def _counted(match: Match, kind: OfferKind, player: PlayerId) -> Match:
    """Count an offer that a player makes. Raises CannotOfferError if it is too early."""
    if turns := turns_to_wait(match, kind, player):
        raise CannotOfferError(kind, Why.WAIT, match.turn + turns)
    before = _count(match, kind, player) or OfferCount(kind, player, 0)
    others = (each for each in match.offered if each != before)
    return replace(match, offered=(*others, replace(before, last=match.token_turn)))


def _to_take_back(match: Match, player: PlayerId, actions: Sequence[RecordedAction]) -> MatchOffer:
    """Return an offer to take back a player's last turn.

    It asks everyone who has acted since and the player to act, who has seen that turn. If no
    opponent is among them, it asks all others.
    """
    kind, seats = OfferKind.TAKEBACK, match.seats_of(player)
    start = match.game.initial(match.player_count, match.options.game)
    played = list(replay_from(match.game, start, ((each.seat, each.text) for each in actions)))
    if (played[-1].position if played else start) != match.position:
        raise CannotOfferError(kind, Why.SAME_EMAIL)
    own = [each.turn for each in played if each.seat in seats and not each.declaration]
    if not own:
        raise CannotOfferError(kind, Why.NO_TURN)
    to = own[-1]
    before = next(i for i, each in enumerate(played) if each.turn >= to)
    position = played[before - 1].position if before else start
    if any(spell.until > to for spell in match.hands.earlier):
        raise CannotOfferError(kind, Why.HANDS)
    then = tuple(s for s in match.seats if not has_resigned(match.game, position, s))
    if match.resigned or then != match.in_play:
        raise CannotOfferError(kind, Why.RESIGNED)
    since = {match.seats[each.seat] for each in played[before:]} | {match.player_to_act}
    others = match.others(player)
    asked = frozenset(each for each in others if each in since)
    if asked.issubset(match.side_of(player)):  # partners must not decide it among themselves
        asked = frozenset(others)
    return MatchOffer(kind, player, to=to, asked=asked)


def accept(
    match: Match, kind: OfferKind, player: PlayerId, at: datetime, earlier: Earlier = NO_TURNS
) -> Change:
    """Accept an offer. It is agreed once everyone asked has accepted."""
    standing = _asked_of(match, kind, player)
    accepted = replace(standing, accepted=standing.accepted | {player})
    event = OfferAccepted(*whose(match, player), kind)
    others = without_offer(match, standing).offers
    after = replace(match, offers=(*others, accepted))
    if after.unanswered(accepted):
        return Change(after, (event,))
    if kind is OfferKind.DRAW:
        return ended(match, drawn(match, DRAW, DRAW), at, event)
    if kind is OfferKind.ABANDON:
        nothing = Outcome((), ABANDONED, dict.fromkeys(match.seats, 0))
        return ended(match, nothing, at, event)
    after = back_to(match, earlier.actions, standing.to, at)
    before = {match.seats[seat]: account for seat, account in reversed(earlier.accounts)}
    before = {each: _with_gifts(match, each, account) for each, account in before.items()}
    clock = replace(after.clock, accounts={**after.clock.accounts, **before})
    taken_back = TakenBack(match.turn, standing.to)
    return Change(replace(after, clock=clock), (event, taken_back))


def _with_gifts(match: Match, player: PlayerId, before: TimeAccount) -> TimeAccount:
    """Return an earlier time account with what its player has been given since."""
    return before.given(match.clock.account(player).added - before.added)


def decline(match: Match, kind: OfferKind, player: PlayerId) -> Change:
    """Decline an offer, which cancels it for everyone."""
    standing = _asked_of(match, kind, player)
    return Change(
        refused(match, standing, match.token_turn), (OfferDeclined(*whose(match, player), kind),)
    )


def back_to(match: Match, actions: Sequence[RecordedAction], to: int, at: datetime) -> Match:
    """Return a match before a turn, which is played again. Offers and resignations are taken back.

    Nobody is charged for the current turn. `actions` are all that were not taken back before.
    """
    position = position_of(match, [action for action in actions if action.turn < to])
    return replace(
        match,
        position=position,
        turn=position.turn,
        to_act=match.game.to_act(position),
        turn_started_at=at,
        clock=match.clock.dropped(),
        offers=(),
        pause_offer=None,
        resigned=frozenset(),
        hands=match.hands.taken_back(to),
        lead=match.token_turn + 1 - position.turn,
    )


def _asked_of(match: Match, kind: OfferKind, player: PlayerId) -> MatchOffer:
    """Return the offer that a player was asked about. Raises NoOfferError if there is none."""
    still_playing(match)
    require_in_play(match, player)
    standing = match.offer(kind)
    if standing is None or player not in match.asked(standing):
        raise NoOfferError(kind)
    return standing
