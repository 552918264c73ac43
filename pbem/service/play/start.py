"""Start: new matches with their first mails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.api import AnyGame, OptionError
from pbem.matches.event import BEGUN, MatchBegun
from pbem.matches.match import Match, MatchOptions, Player, new_match
from pbem.matches.record import opened
from pbem.service.clocks.start import start_clock
from pbem.service.play.notices import News
from pbem.service.play.notify import notify
from pbem.service.work import Work


def start_match(
    work: Work,
    game: AnyGame,
    players: Sequence[Player],
    options: MatchOptions,
    public: str = "",
    begun: MatchBegun = BEGUN,
) -> Match:
    """A match whose first turn mail is queued; players in the order of their first seats.

    It is public when the club's are, unless told otherwise; `begun` says what it comes of. Raises
    OptionError if the game is not for so many or somebody is named twice.
    """
    require_distinct(players)
    ids = [player.id for player in players]
    return begin(work, replace(new_match(game, ids, options, work.now), public=public), begun)


def begin(work: Work, match: Match, begun: MatchBegun = BEGUN) -> Match:
    """Stores a new match, starts its clock and queues its first mails."""
    match = stored(work, match)
    notify(work, News(match, events=(begun,)))
    return match


def stored(work: Work, match: Match) -> Match:
    """A new match as it is stored, its clock started; nobody has heard of it."""
    match = replace(match, club=work.club.name)
    match = start_clock(work, opened(replace(match, id=work.matches.add(match).id)))
    work.matches.save(match)
    return match


def require_distinct(players: Sequence[Player]) -> None:
    """Raises OptionError if somebody is named twice."""
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{name} is named twice; everybody plays once")
