"""Texts of positions: the name of the form, then one line per field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest

from pbem.games.api import AnyGame, GamePosition, Options, PositionText

MOST = 999_999
"""Maximum of any counter in a position that a person sets up."""


class ImpossiblePosition(ValueError):
    """A text that is not a position, or a position that no match can reach, with the reason."""


def require(condition: object, reason: str) -> None:
    """Raise ImpossiblePosition with the reason unless the condition holds."""
    if not condition:
        raise ImpossiblePosition(reason)


def require_number(name: str, number: int, least: int, most: int = MOST) -> None:
    """Raise ImpossiblePosition unless a number is in its range."""
    require(least <= number <= most, f"{name} is {number}, not from {least} to {most}")


def on_one_line(text: str) -> str:
    """Return a text with its fields on one line."""
    return "; ".join(line.rstrip() for line in text.split("\n"))


def on_lines(text: str) -> str:
    """Return a text of one line with each field on its own line."""
    return "\n".join(field.strip() for field in text.split(";"))


def written(form: str, fields: Mapping[str, object]) -> str:
    """Return the text of some fields, each value on one line."""
    return "\n".join([form, *(f"{key} {value}" for key, value in fields.items())])


def fields_of(form: str, text: str) -> dict[str, str]:
    """Return the fields of a text. Raises ImpossiblePosition if it has another form."""
    name, *lines = text.split("\n")
    if name != form:
        raise ImpossiblePosition(f"the text begins with {name!r}, not {form!r}")
    split = (line.partition(" ") for line in lines)
    return {key: value for key, _, value in split}


def joined(values: Iterable[object]) -> str:
    """Return several values, none of which contains a space, as one field."""
    return " ".join(map(str, values))


def numbers(text: str) -> tuple[int, ...]:
    """Return the whole numbers in a field."""
    return tuple(map(int, text.split()))


def position_of(game: AnyGame, players: int, options: Options, text: str) -> GamePosition:
    """Return the position of a text on one line. Raises ImpossiblePosition if it is not one."""
    position: GamePosition
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


def text_of(game: AnyGame, position: GamePosition) -> str:
    """Return the text of a position, on one line."""
    return on_one_line(_texts_of(game).write_position(position))


def _texts_of(game: AnyGame) -> PositionText[GamePosition]:
    if not isinstance(game, PositionText):
        raise ImpossiblePosition(f"positions of {game.info.title} have no texts")
    return game


def _require_same(given: str, again: str) -> None:
    """Raise ImpossiblePosition if a text changes when read and written.

    This finds wrong numbers, wrong order, and repeated or unknown fields.
    """
    for field, expected in zip_longest(given.split("; "), again.split("; "), fillvalue="nothing"):
        require(field == expected, f"it says {field!r} instead of {expected!r}")


__all__ = [
    "ImpossiblePosition",
    "fields_of",
    "joined",
    "numbers",
    "require",
    "require_number",
    "written",
]
