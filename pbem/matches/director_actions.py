"""Directing: the director's changes to a match. Each function returns the match and the events.

An impossible decision raises DecisionError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.games.api import Outcome, Seat
from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.clock import PauseReason
from pbem.matches.decision import (
    Adjudged,
    BreakOrdered,
    Cancelled,
    Directed,
    Extended,
    Forfeited,
    Paused,
    Reopened,
    Replaced,
    Resumed,
    Undone,
)
from pbem.matches.event import PlaysOnWithout
from pbem.matches.match import (
    ADJUDICATED_DRAW,
    CANCELLED,
    REOPENABLE,
    VOID,
    Match,
    Player,
    PlayerId,
    RecordedAction,
)
from pbem.matches.match_offers import back_to
from pbem.matches.off_time import HOUR, standing, with_break, without
from pbem.matches.player_actions import Change, drawn, ended, lost, play
from pbem.matches.seat_changes import handed_on
from pbem.matches.time_control import NOTHING
from pbem.matches.words import phrase

FREELY_CANCELLED = 4
"""First turn from which cancelling a match needs everyone's consent."""
LEAST_TIME = timedelta(days=3)
"""Least time for the turn in which a match is reopened, or the opening time if that is less."""


class DecisionError(ValueError):
    """Why a director cannot do something to a match as it is."""

    def __init__(self, reason: Phrase | str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return ENGLISH.text(self.reason)


def cancel(match: Match, reason: str, at: datetime) -> Change:
    """Cancel a match as if it had never been played. It does not count and leaves its competition.

    The caller checks whether the players must agree (`needs_consent`).
    """
    _require_end_here(match)
    nothing = Outcome((), CANCELLED, dict.fromkeys(match.seats, 0))
    change = ended(match, nothing, at, Cancelled(match.turn, reason))
    return change._replace(match=replace(change.match, place=None))


def needs_consent(match: Match) -> bool:
    """Return whether so much was played that everyone must agree to a cancellation."""
    return match.turn >= FREELY_CANCELLED


def adjudge(match: Match, winners: Sequence[Seat], reason: str, at: datetime) -> Change:
    """Decide the winners. Without any, those who have not resigned share a draw."""
    require_rules(match)
    if not set(winners) <= set(match.in_play):
        raise DecisionError(phrase("direct.has-lost", match=match.id))
    event = Adjudged(match.turn, reason)
    if winners:
        losers = [player for player in match.players if match.seats_of(player)[0] not in winners]
        return lost(match, losers, "adjudication", at, event)
    return ended(match, drawn(match, "adjudication", ADJUDICATED_DRAW), at, event)


def declare_void(match: Match, reason: str, at: datetime) -> Change:
    """End the match without a result. It does not count."""
    _require_end_here(match)
    nothing = Outcome((), VOID, dict.fromkeys(match.seats, 0))
    return ended(match, nothing, at, Adjudged(match.turn, reason))


def forfeit(match: Match, player: PlayerId, reason: str, at: datetime) -> Change:
    """Make a player lose. The others continue if the game allows it, otherwise the side loses."""
    require_rules(match)
    if match.has_resigned(player):
        raise DecisionError(phrase("direct.has-resigned", match=match.id))
    event = Forfeited(match.turn, reason, player, match.seats_of(player)[0])
    text = match.game.resignation(match.position, match.seat_for(player))
    if text is None:
        return lost(match, match.side_of(player), "forfeit", at, event)
    change = play(match, player, [text], at)
    if change.match.result is not None:  # only one is left, with nobody to play against
        losers = [each for each in match.players if each != change.match.sole_winner]
        return lost(match, losers, "forfeit", at, event)
    return change._replace(events=(event, *change.events, PlaysOnWithout(player)))


def reopen(match: Match, reason: str, at: datetime) -> Change:
    """Continue a match that was decided or claimed, as it was before. Offers have lapsed.

    A player with too little time gets more (`LEAST_TIME`).
    """
    result = match.result
    if result is None:
        raise DecisionError(phrase("direct.not-over", match=match.id))
    if match.lacks_rules:
        raise DecisionError(phrase("direct.game-missing", match=match.id))
    if result.termination not in REOPENABLE:
        raise DecisionError(phrase("direct.not-decided", match=match.id))
    before = result.before
    if before is None and result.termination == CANCELLED:
        raise DecisionError(phrase("direct.too-old", match=match.id))
    after = replace(
        match,
        result=None,
        to_act=match.game.to_act(match.position),
        turn_started_at=at,
        clock=match.clock if before is None else before.clock,
        place=match.place if before is None else before.place,
        public=match.public if before is None else before.public,
    )
    more = _with_least_time(after, at)
    return more._replace(events=(Reopened(match.turn, reason), *more.events))


def _with_least_time(match: Match, at: datetime) -> Change:
    """Give the player to act at least a time for the turn, in whole hours."""
    player, opening = match.player_to_act, match.clock.control.opening
    left = None if player is None else match.clock.left(player, at)
    if player is None or opening is None or left is None:
        return Change(match)
    by = -(-(min(LEAST_TIME, opening) - max(left, NOTHING)) // HOUR) * HOUR
    if by <= NOTHING:
        return Change(match)
    clock = match.clock.added(player, by - min(left, NOTHING), at)
    event = Extended(match.turn, "", player, match.seats_of(player)[0], by)
    return Change(replace(match, clock=clock), (event,))


def extend(match: Match, by: timedelta, reason: str, at: datetime) -> Change:
    """Give the player to act more time for the turn."""
    _require_played(match)
    player = match.player_to_act
    if player is None or match.clock.runs_for != player:
        raise DecisionError(phrase("direct.no-clock", match=match.id))
    try:
        clock = match.clock.extended(by, at)
    except ValueError as error:
        raise DecisionError(phrase("direct.no-clock", match=match.id)) from error
    event = Extended(match.turn, reason, player, match.seats_of(player)[0], by)
    return Change(replace(match, clock=clock), (event,))


def pause_for(match: Match, span: timedelta, reason: str, at: datetime) -> Change:
    """Charge no time for a while. Turns played meanwhile count."""
    _require_played(match)
    if PauseReason.DIRECTOR in match.clock.pauses:
        raise DecisionError(phrase("direct.is-paused", match=match.id))
    now = standing(match.breaks, at)
    if now is not None and now.end >= at + span:
        raise DecisionError(phrase("direct.is-paused-longer", match=match.id))
    after = replace(match, breaks=with_break(match.breaks, at, span, agreed=False))
    return Change(after, (BreakOrdered(match.turn, reason, span),))


def pause(match: Match, reason: str, at: datetime) -> Change:
    """Charge no time until the director resumes the match. Turns played meanwhile count."""
    _require_played(match)
    if PauseReason.DIRECTOR in match.clock.pauses:
        raise DecisionError(phrase("direct.is-paused", match=match.id))
    clock = match.clock.pause(PauseReason.DIRECTOR, at)
    return Change(replace(match, clock=clock), (Paused(match.turn, reason),))


def resume(match: Match, reason: str, at: datetime) -> Change:
    """Charge time again, unless the clock is paused for another reason. End agreed pauses too."""
    _require_played(match)
    paused = PauseReason.DIRECTOR in match.clock.pauses or standing(match.breaks, at) is not None
    if not paused:
        raise DecisionError(phrase("direct.not-paused", match=match.id))
    breaks, start = without(match.breaks, at), match.clock.pauses.get(PauseReason.DIRECTOR)
    if start is not None and start < at:  # its length is now known
        breaks = with_break(breaks, start, at - start, agreed=False)
    clock = match.clock.resume(PauseReason.DIRECTOR, at)
    return Change(replace(match, clock=clock, breaks=breaks), (Resumed(match.turn, reason),))


def substitute(match: Match, player: Player, successor: Player, reason: str) -> Change:
    """Let another member take over from a player, with the time that is left.

    The player's offers, acceptances and resignation end.
    """
    _require_played(match)
    if successor.id in match.players:
        raise DecisionError(phrase("direct.plays-already", name=successor.name, match=match.id))
    old, new = player.id, successor.id
    name = match.name_of_seats(old) if match.hides_names else player.name
    event = Replaced(match.turn, reason, old, match.seats_of(old)[0], new, name)
    owner = match.hands.kept_for.get(event.seat, old)  # a bot that keeps a seat has no time
    clock = match.clock.handed_over(owner, new)
    return Change(replace(handed_on(match, old, new), clock=clock), (event,))


def undo(
    match: Match, actions: Sequence[RecordedAction], to: int, reason: str, at: datetime
) -> Change:
    """Take back a turn and everything after it. That turn is played again.

    `actions` are all that were not taken back before. Offers and resignations are taken back too.
    """
    require_rules(match)
    if to not in {action.turn for action in actions}:
        raise DecisionError(phrase("direct.no-turn", turn=to, match=match.id))
    return Change(back_to(match, actions, to, at), (Undone(match.turn, reason, to),))


def act(match: Match, seat: Seat, texts: Sequence[str], reason: str, at: datetime) -> Change:
    """Play actions for the seat to act, as if its player had sent them.

    Their end also ends a turn that is still open. Raises DecisionError or ActionError.
    """
    require_rules(match)
    player = match.player_to_act
    if player is None or seat != match.to_act:
        to_act = match.game.info.name_of(match.to_act) if match.to_act else ""
        raise DecisionError(phrase("direct.not-to-act", seat=to_act, match=match.id))
    event = Directed(match.turn, reason, player, match.seats_of(player)[0])
    change = play(match, player, texts, at)
    closing = match.game.closing(change.match.position) if change.match.result is None else None
    if closing is not None and change.match.to_act == seat:
        last = play(change.match, player, [closing], at, begun=True)
        change = Change(last.match, (*change.events, *last.events))
    return change._replace(events=(event, *change.events))


def require_rules(match: Match) -> None:
    """Raise DecisionError unless a match is played and its rules are installed."""
    _require_played(match)
    if match.lacks_rules:
        raise DecisionError(phrase("direct.game-missing", match=match.id))


def _require_end_here(match: Match) -> None:
    """Raise DecisionError unless a match can end without a result.

    Without its game, its competition could not start the next matches.
    """
    _require_played(match)
    if match.place is not None:
        require_rules(match)


def _require_played(match: Match) -> None:
    if match.result is not None:
        if match.result.termination in REOPENABLE:
            raise DecisionError(phrase("direct.decided", match=match.id))
        raise DecisionError(phrase("direct.over", match=match.id))
