"""Setting up a position from a text that somebody wrote: nothing in it is taken on trust."""

from __future__ import annotations

from itertools import zip_longest

from pbem.games.api import AnyGame, Options, Position, PositionText
from pbem.games.position_text import ImpossiblePosition, on_lines, on_one_line, require


def position_of(game: AnyGame, players: int, options: Options, text: str) -> Position:
    """Return the position of a text on one line. Raises ImpossiblePosition if it is none."""
    position: Position
    texts = _texts_of(game)
    try:
        position = texts.read_position(players, options, on_lines(text))
        again = on_one_line(texts.write_position(position))
    except ImpossiblePosition:
        raise
    except LookupError as error:
        raise ImpossiblePosition(f"missing or unknown: {error}") from error
    except ValueError as error:
        raise ImpossiblePosition(f"a value cannot be read: {error}") from error
    _require_same(on_one_line(on_lines(text)), again)
    texts.require_possible(position)
    ended = game.to_act(position) is None
    require(ended or any(True for _ in game.legal_actions(position)), "no action is legal")
    return position


def text_of(game: AnyGame, position: Position) -> str:
    """Return the text of a position, on one line."""
    return on_one_line(_texts_of(game).write_position(position))


def _texts_of(game: AnyGame) -> PositionText[Position]:
    if not isinstance(game, PositionText):
        raise ImpossiblePosition(f"positions of {game.info.title} have no texts")
    return game


def _require_same(given: str, again: str) -> None:
    """Whatever is not read as it was written: a wrong number, order, double or unknown field."""
    for field, expected in zip_longest(given.split("; "), again.split("; "), fillvalue="nothing"):
        require(field == expected, f"it says {field!r} instead of {expected!r}")
