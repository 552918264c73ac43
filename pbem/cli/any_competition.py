"""`pbem KIND`: competitions of a kind that has no commands made for it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pbem.cli.arguments import GameArgument
from pbem.cli.competitions import add_list_and_show, players_named, start
from pbem.cli.contests import Days, Names, OptionTexts, options_of
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.group import group
from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.matches.competition import Common, Competition
from pbem.service.work import writing

TermTexts = Annotated[
    list[str] | None, typer.Option("--term", metavar="KEY=VALUE", help="A term of its kind.")
]


def app_of(kind: type[Competition]) -> typer.Typer:
    """The commands of a kind: new, list and show."""
    app = group(f"Competitions: {kind.numbering}.")

    @app.command("new", help=f"Start a {kind.kind}.")
    def new(
        game: GameArgument,
        names: Names,
        days: Days = 5,
        term: TermTexts = None,
        option: OptionTexts = None,
        config: ConfigOption = None,
    ) -> None:
        with club_of(config) as club, writing(club) as work:
            rules = game_of(game)
            options = options_of(rules, days, option)
            players = players_named(work, names)
            common = Common(0, 0, rules.info.key, players, options, work.now)
            start(work, _with_terms(kind, common, term or []))

    add_list_and_show(app, kind, kind.numbering, f"how a {kind.kind} stands")
    return app


def _with_terms(kind: type[Competition], common: Common, texts: list[str]) -> Competition:
    terms = dict(text.partition("=")[::2] for text in texts)
    try:
        return kind.with_terms(common, {key: json.loads(text) for key, text in terms.items()})
    except (TypeError, ValueError) as error:
        told = ", ".join(texts)
        raise OptionError(f"these are not the terms of a {kind.kind}: {told}") from error
