"""`pbem games`: list the games, and what is wrong with those that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from pbem.cli.context import ConfigOption
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.listing import JsonOption, json_of, printable
from pbem.games import choose, families, is_offered
from pbem.games.api import AnyGame
from pbem.games.installed import Installed
from pbem.games.phrases import ENGLISH
from pbem.mail.outgoing.offer_view import Agreeable, GameView
from pbem.mail.outgoing.render import in_words
from pbem.matches.time_controls import examples, read_control
from pbem.run.config import ConfigError, find_config, load_config


def games(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List every game: where it comes from, its number of players and its match options."""
    with errors_as_sentences():
        try:
            file = find_config(config)
        except ConfigError:
            if config is not None:
                raise
        else:
            choose(load_config(file).games.choice)
    every = [(family, game) for family in families() for game in family.games]
    if as_json:
        typer.echo(json_of([_data(*each) for each in every]))
        return
    for line in (line for each in every for line in _lines(*each)):
        typer.echo(line)
    typer.echo("for every game:")
    for example in examples():
        typer.echo(f"  --option {example.replace(' ', ' --option ')}  {_agreed(example)}")
    for family in families():
        if family.problem is not None:
            typer.echo(printable(f"cannot be used: {broken(family)}"))


def broken(family: Installed) -> str:
    """Return a family that cannot be used, and why."""
    assert family.problem is not None, "it is broken"
    named = f"{family.name}, from {family.distribution} {family.version}"
    return f"{named}: {ENGLISH.text(family.problem)}"


def _lines(family: Installed, game: AnyGame) -> Iterator[str]:
    view, info = GameView(game.info), game.info
    yield f"{info.key}: {info.title}, for {in_words(view.counts, last=' or ')} players"
    disabled = "" if is_offered(info.key) else "; takes no new matches"
    origin = f"{family.distribution} {family.version}"
    yield f"  from {origin}, rules version {info.rules_version}{disabled}"
    for count in view.counts:
        together = view.partners(count)
        partners = f" (partners: {together})" if together else ""
        yield f"  {count} players: {view.seats(count)}{partners}"
    for option in _options(view):
        yield f"  --option {option.key}={option.default}  {option.help}"


def _agreed(example: str) -> str:
    """Say what a time control means."""
    return ENGLISH.text(read_control(example).agreed)


def _options(game: GameView) -> list[Agreeable]:
    """Return the options of a match. Draw offers are an option of every game."""
    default = "on" if game.info.draw_offers else "off"
    draws = Agreeable("draw_offers", default, "on or off", "players may agree on a draw")
    return [*game.options, draws]


def _data(family: Installed, game: AnyGame) -> dict[str, Any]:
    view, info = GameView(game.info), game.info
    return {
        "key": info.key,
        "title": info.title,
        "distribution": family.distribution,
        "version": family.version,
        "rules_version": info.rules_version,
        "offered": is_offered(info.key),
        "players": view.counts,
        "seats": {str(count): info.holders[count] for count in view.counts},
        "sides": {str(count): info.sides[count] for count in sorted(info.sides)},
        "options": [option._asdict() for option in _options(view)],
    }
