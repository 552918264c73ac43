"""`pbem series` and `pbem tournament`: several matches that belong together."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.contests import Days, Names, OptionTexts, options_of, summary
from pbem.cli.context import ConfigOption, club_of, player_named
from pbem.games import game_of
from pbem.matches.events import Event
from pbem.matches.match import PlayerId
from pbem.matches.series import Series, summary as series_summary
from pbem.matches.tournaments import Tournament
from pbem.service.ports import StorageError, UnitOfWork
from pbem.service.start import start_series, start_tournament

series = typer.Typer(help="Series of games between two players.", no_args_is_help=True)
tournaments = typer.Typer(help="Round robins of two-player games.", no_args_is_help=True)


@series.command("new")
def new_series(
    game: str,
    a: Annotated[str, typer.Argument(help="Who begins the first game.")],
    b: str,
    games: Annotated[int, typer.Option(min=1, help="How many games.")],
    days: Days = 5,
    option: OptionTexts = None,
    config: ConfigOption = None,
) -> None:
    """Start a series: its games follow one another, and the first move alternates."""
    with club_of(config) as club, club.storage.writing() as uow:
        rules = game_of(game)
        players = [player_named(uow, name) for name in (a, b)]
        begun = start_series(club, uow, rules, players, options_of(rules, days, option), games)
        typer.echo(f"series {begun.id}")
        _list_matches(uow, begun)


@series.command("show")
def show_series(number: int, config: ConfigOption = None) -> None:
    """Show the record of a series."""
    with club_of(config) as club, club.storage.reading() as uow:
        shown = uow.events.get(number)
        if not isinstance(shown, Series):
            raise StorageError(f"there is no series {number}; it is a tournament")
        played = uow.matches.of_event(number)
        typer.echo(series_summary(shown, played, _names(uow, shown)))
        _list_matches(uow, shown)


@tournaments.command("new")
def new_tournament(
    game: str,
    names: Names,
    double: Annotated[
        bool, typer.Option("--double", help="Everybody meets twice, each beginning once.")
    ] = False,
    concurrent: Annotated[
        bool, typer.Option("--concurrent", help="Play all rounds at once.")
    ] = False,
    days: Days = 5,
    option: OptionTexts = None,
    config: ConfigOption = None,
) -> None:
    """Start a round robin by Berger tables; names in the order of their numbers there."""
    with club_of(config) as club, club.storage.writing() as uow:
        rules = game_of(game)
        players = [player_named(uow, name) for name in names]
        options = options_of(rules, days, option)
        begun = start_tournament(
            club, uow, rules, players, options, double=double, concurrent=concurrent
        )
        typer.echo(f"tournament {begun.id}")
        _list_matches(uow, begun)


@tournaments.command("show")
def show_tournament(number: int, config: ConfigOption = None) -> None:
    """Show the cross-table of a tournament."""
    with club_of(config) as club, club.storage.reading() as uow:
        shown = uow.events.get(number)
        if not isinstance(shown, Tournament):
            raise StorageError(f"there is no tournament {number}; it is a series")
        typer.echo(shown.text(uow.matches.of_event(number), _names(uow, shown)))
        _list_matches(uow, shown)


def _names(uow: UnitOfWork, event: Event) -> dict[PlayerId, str]:
    return {player: uow.players.get(player).name for player in event.players}


def _list_matches(uow: UnitOfWork, event: Event) -> None:
    for match in uow.matches.of_event(event.id):
        typer.echo(summary(uow, match))
