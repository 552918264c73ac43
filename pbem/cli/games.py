"""`pbem games`: what can be played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from pbem.cli.listing import JsonOption, print_json
from pbem.games import GAMES
from pbem.games.api import GameInfo
from pbem.games.phrases import ENGLISH
from pbem.matches.time_controls import examples, read_control


def games(as_json: JsonOption = False) -> None:
    """List every game with its players and the options of a match."""
    if as_json:
        print_json([_data(game.info) for game in GAMES])
        return
    for line in (line for game in GAMES for line in _lines(game.info)):
        typer.echo(line)
    typer.echo("every game:")
    for example in examples():
        typer.echo(f"  --option {example.replace(' ', ' --option ')}  {_agreed(example)}")


def _lines(info: GameInfo) -> Iterator[str]:
    yield f"{info.key}: {info.title}, for {_counts(info)} players"
    for count in sorted(info.holders):
        yield f"  {count} players: {_seats(info, count)}"
    for option in _options(info):
        yield f"  --option {option['key']}={option['default']}  {option['help']}"


def _agreed(example: str) -> str:
    """What a time control means."""
    return ENGLISH.text(read_control(example).agreed)


def _counts(info: GameInfo) -> str:
    *most, last = map(str, sorted(info.holders))
    return f"{', '.join(most)} or {last}" if most else last


def _seats(info: GameInfo, count: int) -> str:
    """Who sits where, in the order in which they are named, and who wins together."""
    seats = "; ".join("+".join(held) for held in info.holders[count])
    teams = [side for side in info.sides[count] if len(_holders(info, count, side)) > 1]
    together = ", ".join("+".join(side) for side in teams)
    return f"{seats} (partners: {together})" if teams else seats


def _holders(info: GameInfo, count: int, side: tuple[str, ...]) -> set[int]:
    held = info.holders[count]
    return {number for number, seats in enumerate(held) if set(seats) & set(side)}


def _options(info: GameInfo) -> list[dict[str, Any]]:
    """What can be agreed for a match; offering draws can be for every game."""
    draws = {
        "key": "draw_offers",
        "default": "on" if info.draw_offers else "off",
        "values": "on or off",
        "help": "players may agree on a draw",
    }
    own = [
        {
            "key": option.key,
            "default": option.format(option.default),
            "values": "on or off" if option.switch else "a whole number",
            "help": ENGLISH.text(option.help),
        }
        for option in info.options
    ]
    return [*own, draws]


def _data(info: GameInfo) -> dict[str, Any]:
    return {
        "key": info.key,
        "title": info.title,
        "players": sorted(info.holders),
        "seats": {str(count): info.holders[count] for count in sorted(info.holders)},
        "sides": {str(count): info.sides[count] for count in sorted(info.sides)},
        "options": _options(info),
    }
