"""`pbem set`, `series`, `tournament` and other kinds of competitions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from pbem.cli import shell
from pbem.cli.arguments import GameArgument, games, members
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, json_of, listed
from pbem.cli.match_rows import competition_data, competition_item, summary
from pbem.cli.matches import Days, Names, OptionTexts, options_of
from pbem.cli.shell import Said, player_named
from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.mail.outgoing.render import painted
from pbem.matches.competition import Common, Competition
from pbem.matches.competitions import kinds, numbered_with
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import PlayerId
from pbem.ports.process import StorageError
from pbem.service.play.start import start_competition
from pbem.service.post.post import standing_of
from pbem.service.work import Work

NUMBERED_TOGETHER = "Series and tournaments share one numbering."


def numbered(work: Work, number: int, kind: type[Competition]) -> Competition:
    """Return a competition of a kind. Raises StorageError that says what else has the number."""
    found = work.competitions.numbered(kind.numbering, number)
    if found is None:
        raise StorageError(f"there is no {kind.kind} {number}{_instead(work, number, kind)}")
    if found.kind != kind.kind:
        raise StorageError(f"{_is_a(found)}. {kind.numbering.capitalize()} share one numbering.")
    if found.unstarted:
        raise StorageError(
            f"{kind.kind} {number} has not started. Try: pbem competition show {number}"
        )
    return found


def _instead(work: Work, number: int, kind: type[Competition]) -> str:
    """Say what exists instead: numbers of this kind, or other kinds with this number."""
    if len(numbered_with(kind)) > 1:
        return _known(work, kind)
    others = dict.fromkeys(each.numbering for each in kinds().values())
    found = (work.competitions.numbered(numbering, number) for numbering in others)
    return "".join(f"; {_is_a(each)}" for each in found if each is not None)


def _is_a(competition: Competition) -> str:
    kind, number = competition.kind, competition.number
    return f"{number} is a {kind}. See pbem {kind} show {number}"


MOST_NAMED = 10


def _known(work: Work, kind: type[Competition]) -> str:
    """Return the newest existing numbers."""
    numbers = [str(each.number) for each in work.competitions.all() if each.kind == kind.kind]
    if not numbers:
        return ""
    more = "…, " if len(numbers) > MOST_NAMED else ""
    return f". The numbers are: {more}{', '.join(numbers[-MOST_NAMED:])}"


sets = group("Manage three-person sets, which have their own numbering.")
series = group(f"Manage series between two players. {NUMBERED_TOGETHER}")
tournaments = group(f"Manage round robins of two-player games. {NUMBERED_TOGETHER}")


@sets.command("new")
@shell.writes
def new_set(
    work: Work,
    board: Annotated[
        str, typer.Argument(metavar="GAME", help="A Lanko game.", autocompletion=games)
    ],
    names: Names,
    days: Days = 5,
    concurrent: Annotated[
        bool, typer.Option("--concurrent", help="Play all three matches at the same time.")
    ] = False,
    option: OptionTexts = None,
) -> Said:
    """Start a three-person set of Lanko: each player is solo once and in the pair twice."""
    game = game_of(board)
    key, options = game.info.key, options_of(game, days, option)
    players = players_named(work, names)
    return start(work, MatchSet(key, players, options, work.now, concurrent=concurrent))


@series.command("new")
@shell.writes
def new_series(
    work: Work,
    game: GameArgument,
    a: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help="The player who moves first in the first game.",
            autocompletion=members,
        ),
    ],
    b: Annotated[
        str, typer.Argument(metavar="SECOND", help="The other player.", autocompletion=members)
    ],
    games: Annotated[int, typer.Option(min=1, help="Number of games.")],
    days: Days = 5,
    option: OptionTexts = None,
) -> Said:
    """Start a series: one game after another, with the first move alternating."""
    rules = game_of(game)
    players = players_named(work, (a, b))
    options = options_of(rules, days, option)
    return start(work, Series(rules.info.key, players, options, work.now, games=games))


@tournaments.command("new")
@shell.writes
def new_tournament(
    work: Work,
    game: GameArgument,
    names: Names,
    double: Annotated[
        bool, typer.Option("--double", help="All players meet twice, each moving first once.")
    ] = False,
    concurrent: Annotated[
        bool, typer.Option("--concurrent", help="Play all rounds at the same time.")
    ] = False,
    days: Days = 5,
    option: OptionTexts = None,
) -> Said:
    """Start a round robin by Berger tables. Players are numbered in the order given."""
    rules = game_of(game)
    key, players = rules.info.key, players_named(work, names)
    options = options_of(rules, days, option)
    of = RoundRobin(key, players, options, work.now, double=double, concurrent=concurrent)
    return start(work, of)


Number = Annotated[
    int, typer.Argument(metavar="NUMBER", help="Number of the competition, as list shows it.")
]


def add_list_and_show(
    app: typer.Typer, kind: type[Competition], plural: str, standing: str
) -> None:
    """Add the commands that all kinds have."""

    @app.command("list", help=f"List all {plural}.")
    @shell.reads
    def list_all(work: Work, as_json: JsonOption = False) -> Said:
        found = (each for each in work.competitions.all() if each.kind == kind.kind)
        items = (competition_item(work, each) for each in found)
        return listed(items, f"there is no {kind.kind} yet", as_json=as_json)

    @app.command("show", help=f"Show {standing}.")
    @shell.reads
    def show(work: Work, number: Number, as_json: JsonOption = False) -> Said:
        view = standing_of(work, numbered(work, number, kind))
        if as_json:
            return json_of(competition_data(work, view))
        table = painted(work.club.renderer, view)
        return (table, *(summary(work, match) for match in view.matches))


add_list_and_show(sets, MatchSet, "sets", "the cross-table of a set")
add_list_and_show(series, Series, "series", "the record of a series")
add_list_and_show(tournaments, RoundRobin, "tournaments", "the cross-table of a tournament")


def players_named(work: Work, names: Sequence[str]) -> tuple[PlayerId, ...]:
    """Return the ids of people. Raises StorageError if a name is unknown."""
    return tuple(player_named(work, name).id for name in names)


def start(work: Work, competition: Competition) -> Iterator[str]:
    """Start a competition, and yield its number and its first matches."""
    begun = start_competition(work, competition)
    yield f"{begun.kind} {begun.number}"
    for match in work.matches.of_competition(begun.id):
        yield summary(work, match)


TermTexts = Annotated[
    list[str] | None, typer.Option("--term", metavar="KEY=VALUE", help="A term of the competition.")
]


def app_of(kind: type[Competition]) -> typer.Typer:
    """Return the commands of a kind: new, list and show."""
    app = group(f"Competitions: {kind.numbering}.")

    @app.command("new", help=f"Start a {kind.kind}.")
    @shell.writes
    def new(
        work: Work,
        game: GameArgument,
        names: Names,
        days: Days = 5,
        term: TermTexts = None,
        option: OptionTexts = None,
    ) -> Said:
        rules = game_of(game)
        options = options_of(rules, days, option)
        players = players_named(work, names)
        common = Common(0, 0, rules.info.key, players, options, work.now)
        return start(work, _with_terms(kind, common, term or []))

    add_list_and_show(app, kind, kind.numbering, f"the standing of a {kind.kind}")
    return app


def _with_terms(kind: type[Competition], common: Common, texts: list[str]) -> Competition:
    terms = dict(text.partition("=")[::2] for text in texts)
    try:
        return kind.with_terms(common, {key: json.loads(text) for key, text in terms.items()})
    except (TypeError, ValueError) as error:
        told = ", ".join(texts)
        raise OptionError(f"these terms do not fit a {kind.kind}: {told}") from error
