"""Start: new matches, sets, series and tournaments, with their first mails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games import game_of
from pbem.games.api import AnyGame, OptionError
from pbem.matches.event import MatchBegun
from pbem.matches.events import Event
from pbem.matches.match import Match, MatchOptions, Player, new_match
from pbem.matches.record import opened
from pbem.matches.series import Series
from pbem.matches.sets import MATCHES, MatchSet
from pbem.matches.tournaments import LEAST, Tournament
from pbem.service.notices import News
from pbem.service.notify import notify, start_clock
from pbem.service.work import Work


def start_match(
    work: Work, game: AnyGame, players: Sequence[Player], options: MatchOptions
) -> Match:
    """A match whose first turn mail is queued; players in the order of their first seats.

    Raises OptionError if the game is not for so many or somebody is named twice.
    """
    _require_distinct(players)
    ids = [player.id for player in players]
    return _begin(work, new_match(game, ids, options, work.now))


def start_set(
    work: Work,
    game: AnyGame,
    players: Sequence[Player],
    options: MatchOptions,
    *,
    concurrent: bool = False,
) -> MatchSet:
    """A three-person set with its first match, or with all three if `concurrent`.

    Raises OptionError unless three different people play a game of pairs.
    """
    _require_distinct(players)
    if len(players) != MATCHES or not _has_pairs(game):
        raise OptionError("a set is three matches of Lanko between three persons")
    a, b, c = (player.id for player in players)
    now = work.now
    match_set = work.sets.add(MatchSet(0, game.info.key, (a, b, c), options, now, concurrent))
    for index in range(1, MATCHES + 1 if concurrent else 2):
        start_match_of_set(work, match_set, index)
    return match_set


def start_match_of_set(work: Work, match_set: MatchSet, index: int) -> Match:
    """Match 1, 2 or 3 of a set."""
    game, now = game_of(match_set.game_key), work.now
    match = new_match(
        game,
        match_set.entry_order(index),
        match_set.options,
        now,
        set_id=match_set.id,
        set_index=index,
    )
    return _begin(work, match)


def start_series(
    work: Work,
    game: AnyGame,
    players: Sequence[Player],
    options: MatchOptions,
    games: int,
) -> Series:
    """A series with its first game; the player named first begins it.

    Raises OptionError unless two different people play at least one game for two.
    """
    _require_distinct(players)
    _require_for_two(game)
    if len(players) != 2 or games < 1:
        raise OptionError("a series is one game or more between two persons")
    a, b = (player.id for player in players)
    series = Series(0, game.info.key, (a, b), options, games, work.now)
    series = work.events.add(series)
    start_due_of_event(work, series)
    return series


def start_tournament(
    work: Work,
    game: AnyGame,
    players: Sequence[Player],
    options: MatchOptions,
    *,
    double: bool = False,
    concurrent: bool = False,
) -> Tournament:
    """A round robin with its first round, or with all rounds if `concurrent`.

    Raises OptionError unless three or more different people play a game for two.
    """
    _require_distinct(players)
    _require_for_two(game)
    if len(players) < LEAST:
        raise OptionError("a tournament needs three persons or more; two play a series")
    ids = tuple(player.id for player in players)
    now = work.now
    tournament = Tournament(0, game.info.key, ids, options, now, double, concurrent)
    tournament = work.events.add(tournament)
    start_due_of_event(work, tournament)
    return tournament


def start_due_of_event(work: Work, event: Event) -> None:
    """The matches of a series or tournament whose time has come."""
    game, now = game_of(event.game_key), work.now
    matches = [
        new_match(
            game,
            event.entry_order(index),
            event.options,
            now,
            event_id=event.id,
            event_index=index,
        )
        for index in event.due(work.matches.of_event(event.id))
    ]
    for match in matches:
        _begin(work, match)


def _begin(work: Work, match: Match) -> Match:
    match = replace(match, club=work.club.name)
    match = opened(replace(match, id=work.matches.add(match).id))
    work.matches.save(match)
    start_clock(work, match)
    notify(work, News(match, events=(MatchBegun(),)))
    return match


def _has_pairs(game: AnyGame) -> bool:
    return any(len(side) == 2 for side in game.info.sides.get(MATCHES, ()))


def _require_for_two(game: AnyGame) -> None:
    if 2 not in game.info.holders:
        raise OptionError(f"{game.info.title} is not for two players")


def _require_distinct(players: Sequence[Player]) -> None:
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{name} is named twice; everybody plays once")
