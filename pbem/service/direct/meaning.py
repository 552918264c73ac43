"""Meaning: what a director names: a player, a seat, who wins, a span of time, actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from pbem.games.api import Seat
from pbem.games.phrases import ENGLISH
from pbem.matches.directing import DecisionError
from pbem.matches.match import MatchSummary, Player
from pbem.matches.spans import read_span
from pbem.service.work import Work


def span_of(text: str) -> timedelta:
    """`3d`, `36h`, `2w`; raises DecisionError."""
    span = read_span(text)
    if span is None:
        raise DecisionError(f"a time is written like 3d, 36h or 2w, not {text!r}")
    return span


def player_in(work: Work, match: MatchSummary, name: str) -> Player:
    """Who plays a match under a name; raises DecisionError."""
    players = [work.players.get(each) for each in match.players]
    for player in players:
        if player.name.casefold() == name.strip().casefold():
            return player
    names = ", ".join(player.name for player in players)
    raise DecisionError(f"{name} does not play match {match.id}, but {names} do")


def member_named(work: Work, name: str) -> Player:
    """A member; raises DecisionError."""
    player = work.players.named(name.strip())
    if player is None:
        raise DecisionError(f"there is no member {name.strip()}")
    return player


def seat_of(match: MatchSummary, text: str) -> Seat:
    """A seat by its name, in any case; raises DecisionError."""
    wanted, info = text.strip().casefold(), match.game.info
    for seat in match.seats:
        if wanted in (seat.casefold(), ENGLISH.text(info.name_of(seat)).casefold()):
            return seat
    raise DecisionError(f"match {match.id} has the seats {', '.join(match.seats)}, not {text}")


def winners_of(work: Work, match: MatchSummary, text: str) -> tuple[Seat, ...]:
    """Seats of the side that a player's name, a seat or a colour stands for; raises DecisionError.

    Of several sides that a word fits none is meant.
    """
    wanted = text.strip().casefold()
    sides = {side for name, side in _names(work, match) if name.casefold() == wanted}
    if len(sides) == 1:
        return sides.pop()
    names = dict.fromkeys(name for name, _ in _names(work, match))
    raise DecisionError(f"{text} is not one side of match {match.id}; name one of {_said(names)}")


def _said(names: dict[str, None]) -> str:
    return ", ".join((*names, "draw", "void"))


def _names(work: Work, match: MatchSummary) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """What can be said for each side."""
    info = match.game.info
    for seat, player in match.seats.items():
        side = info.side_of(match.player_count, seat)
        yield work.players.get(player).name, side
        yield seat, side
        title = ENGLISH.text(info.seat_titles.get(seat, seat))
        for word in re.findall(r"\w+", title):
            yield word, side


def actions_in(match: MatchSummary, text: str) -> tuple[str, ...]:
    """Actions as a player would write them; raises DecisionError, or an InvalidAction."""
    texts = tuple(each for line in match.game.read(text) for each in line.actions)
    if not texts:
        raise DecisionError(f"there is no action of {match.game.info.title} in {text!r}")
    return texts
