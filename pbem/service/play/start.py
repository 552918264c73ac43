"""Start: new matches and competitions, with their first emails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games import game_of, is_offered
from pbem.games.api import AnyGame, OptionError
from pbem.games.words import phrase
from pbem.matches.event import BEGUN, MatchBegun
from pbem.matches.match import Match, MatchOptions, Player, new_match
from pbem.ports.play import CompetitionT
from pbem.service.play.change import begin, start_due, store
from pbem.service.work import Work


def start_match(
    work: Work,
    game: AnyGame,
    players: Sequence[Player],
    options: MatchOptions,
    public: str = "",
    begun: MatchBegun = BEGUN,
) -> Match:
    """Start a match and queue the email for its first turn.

    Players are in the order of their first seats. `public` is empty for the club's setting. `begun`
    says where the match comes from. Raises OptionError if the game does not allow that number of
    players or takes no new matches, or somebody is named twice.
    """
    require_offered(game)
    require_distinct(players)
    ids = [player.id for player in players]
    return begin(work, replace(new_match(game, ids, options, work.now), public=public), begun)


def open_match(
    work: Work,
    game: AnyGame,
    players: Sequence[Player],
    options: MatchOptions,
    public: str = "",
) -> Match:
    """Start a match like `start_match`, but queue no email. Its caller does. Raises OptionError."""
    require_offered(game)
    require_distinct(players)
    ids = [player.id for player in players]
    return store(work, replace(new_match(game, ids, options, work.now), public=public))


def start_competition(
    work: Work, competition: CompetitionT, public: str = "", told: MatchBegun = BEGUN
) -> CompetitionT:
    """Store a competition and start the matches that are due at once.

    `public` is empty for the club's setting. `told` says where the matches come from. Raises
    OptionError if the players cannot play it, or somebody is named twice.
    """
    require_offered(game_of(competition.game_key))
    require_distinct([work.players.get(player) for player in competition.players])
    competition.require_playable()
    competition = work.competitions.add(competition)
    start_due(work, competition, public, told)
    return competition


def require_offered(game: AnyGame) -> None:
    """Raise OptionError if the club starts no matches of a game. Those in play continue."""
    if not is_offered(game.info.key):
        raise OptionError(phrase("terms.not-offered", game=game.info.title))


def require_distinct(players: Sequence[Player]) -> None:
    """Raise OptionError if somebody is named twice."""
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{name} is named twice. Name each player once")
