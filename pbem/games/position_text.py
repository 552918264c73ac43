"""Texts of positions: the name of the form, then a line a field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

MOST = 999_999
"""No counter of a position that somebody sets up is higher."""


class ImpossiblePosition(ValueError):
    """A text that is no position, or a position that no match can reach: why."""


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
    """Text of some fields; their texts are of one line each."""
    return "\n".join([form, *(f"{key} {value}" for key, value in fields.items())])


def fields_of(form: str, text: str) -> dict[str, str]:
    """The fields again; raises ValueError if the text is of another form."""
    name, *lines = text.split("\n")
    if name != form:
        raise ImpossiblePosition(f"the text begins with {name!r}, not {form!r}")
    split = (line.partition(" ") for line in lines)
    return {key: value for key, _, value in split}


def joined(values: Iterable[object]) -> str:
    """Several values in one field; none of them has a space in it."""
    return " ".join(map(str, values))


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers of a field."""
    return tuple(map(int, text.split()))
