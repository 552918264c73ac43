"""Matches and what they belong to, as lines and as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.cli.listing import Item, minute, moment
from pbem.games.phrases import ENGLISH
from pbem.matches.events import Event, kind_of
from pbem.matches.match import MatchSummary, PlayerId, termination_words
from pbem.matches.sets import MATCHES, MatchSet
from pbem.matches.time_control import DeadlineKind
from pbem.matches.tournaments import Tournament
from pbem.service.work import Work

Whole = MatchSet | Event
"""What several matches belong to."""


def match_item(work: Work, match: MatchSummary) -> Item:
    """A match of a list."""
    return Item(summary(work, match), match_data(work, match))


def summary(work: Work, match: MatchSummary) -> str:
    """One line about a match."""
    seats = ", ".join(f"{seat} {_name(work, player)}" for seat, player in match.seats.items())
    if match.result is not None:
        state = f"ended: {termination_words(match, ENGLISH)}"
    else:
        state = f"turn {match.turn}, {match.to_act} to act, {_due_words(work, match)}"
    return f"match {match.id}: {match.game.info.title}, {seats}; {state}"


def _due_words(work: Work, match: MatchSummary) -> str:
    """Until when, or why there is no such moment."""
    clock, player = match.clock, match.player_to_act
    if clock.control.opening.bank is None:
        return "no clock"
    if clock.flag_at is not None:
        return f"due {minute(clock.flag_at)}"
    if player is not None and not work.players.get(player).reachable:
        return "clock stopped: no address accepts mail"
    return "time is up" if DeadlineKind.FLAG in clock.seen else "no time is running"


def match_data(work: Work, match: MatchSummary) -> dict[str, Any]:
    """A match for programs."""
    result = match.result
    event = None if match.event_id is None else kind_of(work.events.get(match.event_id))
    to_act = match.player_to_act
    return {
        "number": match.id,
        "game": match.game_key,
        "seats": {seat: _name(work, player) for seat, player in match.seats.items()},
        "days": match.options.days,
        "started_at": moment(match.started_at),
        "turn": match.turn,
        "to_act": match.to_act,
        "player_to_act": None if to_act is None else _name(work, to_act),
        "due_at": None if result else moment(match.clock.flag_at),
        "ended_at": None if result is None else moment(result.ended_at),
        "termination": None if result is None else result.termination,
        "winners": None if result is None else list(result.winners),
        "set": match.set_id,
        "series": match.event_id if event == "series" else None,
        "tournament": match.event_id if event == "tournament" else None,
    }


def whole_item(work: Work, whole: Whole) -> Item:
    """A set, series or tournament of a list."""
    data = whole_data(work, whole, matches_of(work, whole))
    players = ", ".join(data["players"])
    state = "over" if data["over"] else f"{data['ended']} of {data['matches']} ended"
    kind = _kind(whole)
    line = f"{kind} {whole.id}: {data['game']}, {players}; {state}"
    return Item(f"{line}, begun {minute(whole.created_at)}", data)


def whole_data(work: Work, whole: Whole, started: Iterable[MatchSummary]) -> dict[str, Any]:
    """A set, series or tournament for programs."""
    matches = list(started)
    ended = sum(match.result is not None for match in matches)
    return {
        "number": whole.id,
        "game": whole.game_key,
        "players": [_name(work, player) for player in whole.players],
        "days": whole.options.days,
        "begun_at": moment(whole.created_at),
        "matches": _matches_in(whole),
        "started": [match.id for match in matches],
        "ended": ended,
        "over": ended == _matches_in(whole),
    }


def matches_of(work: Work, whole: Whole) -> list[MatchSummary]:
    """Those of its matches that have been started, in order."""
    if isinstance(whole, MatchSet):
        return work.matches.of_set(whole.id)
    return work.matches.of_event(whole.id)


def _matches_in(whole: Whole) -> int:
    if isinstance(whole, MatchSet):
        return MATCHES
    return len(whole.pairings) if isinstance(whole, Tournament) else whole.games


def _kind(whole: Whole) -> str:
    return "set" if isinstance(whole, MatchSet) else kind_of(whole)


def _name(work: Work, player: PlayerId) -> str:
    return work.players.get(player).name
