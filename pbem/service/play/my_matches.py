"""My matches: those of a player as a list shows them, by who is to act and what time is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.mail.outgoing.due import Due, due
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.service.work import Work

MOST_LISTED = 50
"""Matches of a kind in one list."""
_LATER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class MyMatch:
    """One of them."""

    match: MatchSummary
    others: Sequence[str]
    """Names of those whom they play with."""
    to_act: str
    """Name of who is; empty after the end."""
    due: Due | None
    """When the flag of that player falls, as the reader counts time."""
    winners: Sequence[str]
    """Names, after the end; none of a drawn match."""


@dataclass(frozen=True)
class Listed:
    """The first of some matches."""

    matches: Sequence[MyMatch]
    left_out: int


@dataclass(frozen=True)
class MyMatches:
    """All of them, or as many as a mail takes."""

    yours: Listed
    """The player is to act; the one that is due first leads."""
    others: Listed
    """Somebody else is."""
    ended: Listed
    """The newest first."""


def my_matches(work: Work, player: Player, *, ended: bool = False) -> MyMatches:
    """The matches of a player; ended ones only if they are asked for."""
    listing = _Listing(work, player)
    found = work.matches.of_player(player.id, playing=not ended)
    running = sorted((each for each in found if each.result is None), key=_by_due)
    over = sorted((each for each in found if each.result is not None), key=_by_end, reverse=True)
    return MyMatches(
        listing.listed([each for each in running if each.player_to_act == player.id]),
        listing.listed([each for each in running if each.player_to_act != player.id]),
        listing.listed(over),
    )


def _by_due(match: MatchSummary) -> tuple[datetime, int]:
    return match.clock.flag_at or _LATER, match.id


def _by_end(match: MatchSummary) -> tuple[datetime, int]:
    return (match.result.ended_at if match.result else _LATER), match.id


class _Listing:
    """Makes one list; each player is read once."""

    def __init__(self, work: Work, reader: Player) -> None:
        self._work = work
        self._reader = reader
        self._names = {reader.id: reader.name}

    def listed(self, matches: Sequence[MatchSummary]) -> Listed:
        """The first of them."""
        shown = [self._shown(match) for match in matches[:MOST_LISTED]]
        return Listed(shown, len(matches) - len(shown))

    def _shown(self, match: MatchSummary) -> MyMatch:
        moment, to_act = match.clock.flag_at, match.player_to_act
        over, won = match.result is not None, match.result.winners if match.result else ()
        return MyMatch(
            match,
            [self._name(each) for each in match.others(self._reader.id)],
            "" if to_act is None else self._name(to_act),
            None if moment is None or over else due(moment, self._reader.time_zone, self._work.now),
            list(dict.fromkeys(self._name(match.seats[seat]) for seat in won)),
        )

    def _name(self, player: PlayerId) -> str:
        if player not in self._names:
            self._names[player] = self._work.players.get(player).name
        return self._names[player]
