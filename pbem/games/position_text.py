"""Texts of positions: the name of the form, then a line a field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def written(form: str, fields: Mapping[str, object]) -> str:
    """Text of some fields; their texts are of one line each."""
    return "\n".join([form, *(f"{key} {value}" for key, value in fields.items())])


def fields_of(form: str, text: str) -> dict[str, str]:
    """The fields again; raises ValueError if the text is of another form."""
    name, *lines = text.split("\n")
    if name != form:
        raise ValueError(f"the text of a position is of the form {name!r}, not {form!r}")
    split = (line.partition(" ") for line in lines)
    return {key: value for key, _, value in split}


def joined(values: Iterable[object]) -> str:
    """Several values in one field; none of them has a space in it."""
    return " ".join(map(str, values))


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers of a field."""
    return tuple(map(int, text.split()))
