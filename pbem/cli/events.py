"""`pbem series` and `pbem tournament`: several matches that belong together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.contests import Days, Names, OptionTexts, options_of
from pbem.cli.context import ConfigOption, club_of, player_named
from pbem.cli.listing import JsonOption, print_items, print_json
from pbem.cli.match_rows import summary, whole_data, whole_item
from pbem.cli.numbers import NUMBERED_TOGETHER, event_numbered
from pbem.games import game_of
from pbem.matches.events import Event, kind_of
from pbem.matches.match import PlayerId
from pbem.matches.series import Series, summary as series_summary
from pbem.matches.tournaments import Tournament
from pbem.service.start import start_series, start_tournament
from pbem.service.work import Work, reading, writing

series = typer.Typer(
    help=f"Series of games between two players. {NUMBERED_TOGETHER}", no_args_is_help=True
)
tournaments = typer.Typer(
    help=f"Round robins of two-player games. {NUMBERED_TOGETHER}", no_args_is_help=True
)


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
    with club_of(config) as club, writing(club) as work:
        rules = game_of(game)
        players = [player_named(work, name) for name in (a, b)]
        begun = start_series(work, rules, players, options_of(rules, days, option), games)
        typer.echo(f"series {begun.id}")
        _list_matches(work, begun)


@series.command("list")
def list_series(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List all series."""
    _list("series", "there is no series yet", config, as_json=as_json)


@series.command("show")
def show_series(number: int, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show the record of a series."""
    with club_of(config) as club, reading(club) as work:
        shown = event_numbered(work, number, "series")
        assert isinstance(shown, Series)
        played = work.matches.of_event(number)
        if as_json:
            print_json(whole_data(work, shown, played))
            return
        typer.echo(series_summary(shown, played, _names(work, shown)))
        _list_matches(work, shown)


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
    with club_of(config) as club, writing(club) as work:
        rules = game_of(game)
        players = [player_named(work, name) for name in names]
        options = options_of(rules, days, option)
        begun = start_tournament(
            work, rules, players, options, double=double, concurrent=concurrent
        )
        typer.echo(f"tournament {begun.id}")
        _list_matches(work, begun)


@tournaments.command("list")
def list_tournaments(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List all tournaments."""
    _list("tournament", "there is no tournament yet", config, as_json=as_json)


@tournaments.command("show")
def show_tournament(number: int, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show the cross-table of a tournament."""
    with club_of(config) as club, reading(club) as work:
        shown = event_numbered(work, number, "tournament")
        assert isinstance(shown, Tournament)
        played = work.matches.of_event(number)
        if as_json:
            print_json(whole_data(work, shown, played))
            return
        typer.echo(shown.text(played, _names(work, shown)))
        _list_matches(work, shown)


def _list(kind: str, nothing: str, config: Path | None, *, as_json: bool) -> None:
    with club_of(config) as club, reading(club) as work:
        listed = (event for event in work.events.all() if kind_of(event) == kind)
        print_items((whole_item(work, event) for event in listed), nothing, as_json=as_json)


def _names(work: Work, event: Event) -> dict[PlayerId, str]:
    return {player: work.players.get(player).name for player in event.players}


def _list_matches(work: Work, event: Event) -> None:
    for match in work.matches.of_event(event.id):
        typer.echo(summary(work, match))
