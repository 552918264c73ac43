"""`pbem games`: list the games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from pbem.cli.listing import JsonOption, json_of
from pbem.games import games as all_games
from pbem.games.phrases import ENGLISH
from pbem.mail.outgoing.offer_view import Agreeable, GameView
from pbem.mail.outgoing.render import in_words
from pbem.matches.time_controls import examples, read_control


def games(as_json: JsonOption = False) -> None:
    """List every game, its number of players and its match options."""
    if as_json:
        typer.echo(json_of([_data(GameView(game.info)) for game in all_games()]))
        return
    for line in (line for game in all_games() for line in _lines(GameView(game.info))):
        typer.echo(line)
    typer.echo("for every game:")
    for example in examples():
        typer.echo(f"  --option {example.replace(' ', ' --option ')}  {_agreed(example)}")


def _lines(game: GameView) -> Iterator[str]:
    info = game.info
    yield f"{info.key}: {info.title}, for {in_words(game.counts, last=' or ')} players"
    for count in game.counts:
        together = game.partners(count)
        partners = f" (partners: {together})" if together else ""
        yield f"  {count} players: {game.seats(count)}{partners}"
    for option in _options(game):
        yield f"  --option {option.key}={option.default}  {option.help}"


def _agreed(example: str) -> str:
    """Say what a time control means."""
    return ENGLISH.text(read_control(example).agreed)


def _options(game: GameView) -> list[Agreeable]:
    """Return the options of a match. Draw offers are an option of every game."""
    default = "on" if game.info.draw_offers else "off"
    draws = Agreeable("draw_offers", default, "on or off", "players may agree on a draw")
    return [*game.options, draws]


def _data(game: GameView) -> dict[str, Any]:
    info = game.info
    return {
        "key": info.key,
        "title": info.title,
        "players": game.counts,
        "seats": {str(count): info.holders[count] for count in game.counts},
        "sides": {str(count): info.sides[count] for count in sorted(info.sides)},
        "options": [option._asdict() for option in _options(game)],
    }
