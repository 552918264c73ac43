"""Matches and competitions, as lines and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.cli.listing import ListedItem, moment
from pbem.games.phrases import ENGLISH
from pbem.matches.clock import PauseReason
from pbem.matches.competition import Competition
from pbem.matches.leave import Leave
from pbem.matches.match import MatchSummary, PlayerId, termination_words
from pbem.matches.off_time import standing
from pbem.matches.seat_holders import Audience
from pbem.matches.time_control import FLAG
from pbem.matches.zones import minute
from pbem.service.clocks.schedule import pauses_of
from pbem.service.work import Work

if TYPE_CHECKING:
    from pbem.mail.outgoing.competition_view import CompetitionView


def match_item(work: Work, match: MatchSummary) -> ListedItem:
    """Return a match as an item of a list."""
    return ListedItem(summary(work, match), match_data(work, match))


def summary(work: Work, match: MatchSummary) -> str:
    """Return one line about a match."""
    seats = ", ".join(f"{seat} {_name(work, player)}" for seat, player in match.seats.items())
    if match.result is not None:
        state = f"ended: {termination_words(match, ENGLISH)}"
    else:
        told = [_due_words(work, match), *_hands_words(work, match)]
        state = f"turn {match.turn}, {match.to_act} to act, {', '.join(told)}"
    return f"match {match.id}: {match.game.info.title}, {seats}; {state}"


def _due_words(work: Work, match: MatchSummary) -> str:
    """Return the deadline, or why there is none."""
    clock, player = match.clock, match.player_to_act
    if clock.control.opening is None:
        return "no clock"
    for reason, words in PAUSED.items():
        if reason in clock.pauses:
            return words
    if clock.flag_at is not None:
        return f"due {minute(clock.flag_at)}{_stopped_words(work, match)}"
    if player is not None and not work.players.get(player).reachable:
        return "clock paused: no address accepts email"
    if FLAG in clock.seen and clock.over_at is not None:
        return f"out of time, can still move until {minute(clock.over_at)}"
    return "out of time" if FLAG in clock.seen else "no clock is running"


def _stopped_words(work: Work, match: MatchSummary) -> str:
    """Say that the clock does not run now, and when it resumes."""
    own = standing(match.breaks, work.now)
    wide = [pause.end for pause in pauses_of(work, match)]
    ends = [end for end in (own.end if own else None, *wide) if end is not None]
    if ends:
        return f", paused until {minute(max(ends))}"
    player = match.clock.runs_for
    leave = None if player is None else _leave(work, player)
    return "" if leave is None else f", on leave until {minute(leave.end)}"


def _leave(work: Work, player: PlayerId) -> Leave | None:
    from pbem.service.leave import budget_of  # few lists have a player on leave

    return budget_of(work, work.players.get(player), work.now).at(work.now)


def _hands_words(work: Work, match: MatchSummary) -> Iterator[str]:
    """Yield which seats are offered, and which ones bots keep for someone."""
    for seat, audience in match.hands.offered.items():
        whom = "a partner" if audience is Audience.PARTNER else "substitutes"
        yield f"{seat} is offered to {whom}"
    for seat, player in match.hands.kept_for.items():
        yield f"{seat} is kept for {_name(work, player)}"


PAUSED = {
    PauseReason.GAME: "waits for its game, which is not installed",
    PauseReason.CLUB: "paused with the club",
    PauseReason.COMPETITION: "paused with its competition",
    PauseReason.DIRECTOR: "paused by a director",
}
"""Text for a clock that a director has paused until it is resumed."""


def match_data(work: Work, match: MatchSummary) -> dict[str, Any]:
    """Return a match for programs."""
    result = match.result
    place = match.place
    competition = None if place is None else work.competitions.get(place.competition)
    to_act = match.player_to_act
    return {
        "number": match.id,
        "game": match.game_key,
        "seats": {seat: _name(work, player) for seat, player in match.seats.items()},
        "days": match.options.days,
        "unrated": match.options.unrated,
        "started_at": moment(match.started_at),
        "turn": match.turn,
        "to_act": match.to_act,
        "player_to_act": None if to_act is None else _name(work, to_act),
        "due_at": None if result else moment(match.clock.flag_at),
        "ended_at": None if result is None else moment(result.ended_at),
        "termination": None if result is None else result.termination,
        "winners": None if result is None else list(result.winners),
        "competition": competition and {"kind": competition.kind, "number": competition.number},
        **{
            kind: competition.number if competition and competition.kind == kind else None
            for kind in FIRST_KINDS
        },
    }


FIRST_KINDS = ("set", "series", "tournament")
"""The kinds of competition that have a key of their own, from before there was `competition`."""


def competition_item(work: Work, competition: Competition) -> ListedItem:
    """Return a competition as an item of a list."""
    from pbem.service.post.post import standing_of

    data = competition_data(work, standing_of(work, competition))
    players = ", ".join(data["players"])
    state = "over" if data["over"] else f"{data['ended']} of {data['matches']} ended"
    line = f"{competition.kind} {competition.number}: {data['game']}, {players}; {state}"
    return ListedItem(f"{line}, started {minute(competition.created_at)}", data)


def competition_data(work: Work, view: CompetitionView) -> dict[str, Any]:
    """Return a competition for programs."""
    competition = view.of
    return {
        "number": competition.number,
        "game": competition.game_key,
        "players": [_name(work, player) for player in competition.players],
        "days": competition.options.days,
        "begun_at": moment(competition.created_at),
        "matches": competition.length,
        "started": [match.id for match in view.matches],
        "ended": sum(match.result is not None for match in view.matches),
        "over": view.standing.over,
    }


def _name(work: Work, player: PlayerId) -> str:
    return work.players.get(player).name
