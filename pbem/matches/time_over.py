"""Time over: apply the agreed consequence when a player's time and grace have run out.

Each function returns the changed match and the events. Impossible requests raise ClaimError.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.clock import PauseReason
from pbem.matches.event import Claimed, Event, LostOnTime, Waited
from pbem.matches.match import FLAG_DRAW, Match, MatchSummary, PlayerId
from pbem.matches.match_options import FLAG
from pbem.matches.player_actions import Change, drawn, ended, lost, play
from pbem.matches.time_control import NOTHING
from pbem.matches.words import phrase

LOSS, CLAIM = "loss", "claim"
"""Agreements about running out of time (`choices.FLAG`)."""
PARTNER_HAS = timedelta(days=2)
"""Time for the partner to take over, from the fall of the flag."""
MOST_WAIT = timedelta(days=14)
"""Maximum time a player can give at once. After that, everyone is asked again."""


class ClaimError(ValueError):
    """Why a player can neither claim a match nor wait."""

    def __init__(self, reason: Phrase, until: datetime | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.until = until
        """When the grace ends, if that is the reason."""

    def __str__(self) -> str:
        return ENGLISH.text(self.reason)


def lose_on_time(match: Match, player: PlayerId, at: datetime, *before: Event) -> Change:
    """Make a player lose on time. If the game allows it, the others continue.

    Otherwise the whole side loses, or draws if nobody else can win any more.
    """
    event = LostOnTime(player, match.turn, match.seats_of(player)[0])
    text = match.game.resignation(match.position, match.seat_for(player))
    if text is None and draws_on_time(match, player):
        return ended(match, drawn(match, FLAG_DRAW, FLAG_DRAW), at, *before)
    if text is None:
        return lost(match, match.side_of(player), "flag", at, *before, event)
    change = play(match, player, [text], at)
    result = change.match.result
    if result is not None:  # only one is left, with nobody to play against
        won = {match.seats[seat] for seat in result.winners}
        losers = [each for each in match.players if each not in won]
        return lost(match, losers, "flag", at, *before, event)
    return change._replace(events=(*before, event, *change.events))


def draws_on_time(match: Match, player: PlayerId) -> bool:
    """Return whether no opponent of a player could still win, for example with a bare king."""
    own = match.side_of(player)
    others = [seat for seat, holder in match.seats.items() if holder not in own]
    return not any(match.game.can_win(match.position, seat) for seat in others)


def grace_for(match: MatchSummary, player: PlayerId) -> timedelta:
    """Return the minimum grace, which lets a partner play for both before the side loses."""
    loses = match.options.of(FLAG) in (LOSS, CLAIM)
    return PARTNER_HAS if loses and len(match.side_of(player)) > 1 else NOTHING


def opponents(match: Match, player: PlayerId) -> tuple[PlayerId, ...]:
    """Return the opponents of a player who still play. They can claim the match or wait."""
    side = match.side_of(player)
    return tuple(
        each for each in match.players if each not in side and not match.has_resigned(each)
    )


def can_claim(match: Match, by: PlayerId, at: datetime) -> bool:
    """Return whether a player can claim a match or wait."""
    try:
        _late(match, by, at)
    except ClaimError:
        return False
    return True


def claim(match: Match, by: PlayerId, at: datetime) -> Change:
    """Claim a match for a player, because the player to act has run out of time."""
    late = _late(match, by, at)
    return lose_on_time(match, late, at, Claimed(by, match.turn, match.seats_of(by)[0]))


def wait(
    match: Match, by: PlayerId, time: timedelta, at: datetime, given: timedelta = NOTHING
) -> Change:
    """Give more time, counted from now, to the player to act, who has run out of time.

    With several opponents, a friend of the late player must not keep the others from claiming
    forever. `given` is the time that opponents have already given in this turn.
    """
    late = _late(match, by, at)
    if time > MOST_WAIT:
        raise ClaimError(phrase("claim.most", days=MOST_WAIT.days))
    others = len(opponents(match, late))
    if others > 1 and given >= MOST_WAIT * others:
        raise ClaimError(phrase("claim.waited", days=MOST_WAIT.days * others))
    event = Waited(by, match.turn, match.seats_of(by)[0], time, late)
    return Change(replace(match, clock=match.clock.extended(time, at)), (event,))


def _late(match: Match, by: PlayerId, at: datetime) -> PlayerId:
    """Return the player who has run out of time, for an opponent. Raises ClaimError."""
    late, clock = match.player_to_act, match.clock
    if match.options.of(FLAG) != CLAIM:
        raise ClaimError(phrase("claim.not-agreed", match=match.id))
    if late is None:
        raise ClaimError(phrase("claim.over", match=match.id))
    if by == late:
        raise ClaimError(phrase("claim.own"))
    if by not in opponents(match, late):
        raise ClaimError(phrase("claim.not-opponent"))
    if clock.pauses.keys() - {PauseReason.UNREACHABLE}:
        raise ClaimError(phrase("claim.paused", match=match.id))
    if clock.is_over:
        return late
    if not clock.had_fallen(at):
        raise ClaimError(phrase("claim.time-left", match=match.id))
    if clock.over_at is None or clock.over_at > at:
        raise ClaimError(phrase("claim.grace", match=match.id), clock.over_at)
    # Earlier emails are read before the next sweep judges the flag.
    raise ClaimError(phrase("claim.just-now", match=match.id))
