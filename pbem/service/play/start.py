"""Start: new matches and competitions, with their first emails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.api import AnyGame, OptionError
from pbem.matches.event import BEGUN, MatchBegun
from pbem.matches.match import Match, MatchOptions, Player, new_match
from pbem.ports.play import CompetitionT
from pbem.service.play.change import begin, start_due
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


def start_competition(
    work: Work, competition: CompetitionT, public: str = "", told: MatchBegun = BEGUN
) -> CompetitionT:
    """Store a competition and start the matches that are due at once.

    They are public when the club's are, unless told otherwise; `told` says what it comes of.

    Raises OptionError if its players cannot play it, or somebody is named twice.
    """
    require_distinct([work.players.get(player) for player in competition.players])
    competition.require_playable()
    competition = work.competitions.add(competition)
    start_due(work, competition, public, told)
    return competition


def require_distinct(players: Sequence[Player]) -> None:
    """Raises OptionError if somebody is named twice."""
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{name} is named twice; everybody plays once")
