"""Readers of JSON values. Each gets the value's place in the record, which its errors name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from pbem.matches.record.model import RecordError, read_moment

T = TypeVar("T")
MOST_SHOWN = 60


def loaded(text: str) -> object:
    """Return the value of a JSON text. Raises RecordError."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno}: this is not JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise RecordError("this is nested too deep, or a number is too long") from error


Read = Callable[[Any, str], T]
"""Function that reads a value. The second argument is its place in the record, for errors."""


class Object:
    """A JSON object with exactly these keys."""

    def __init__(self, value: object, place: str, keys: Sequence[str]) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"{place} is not an object with {', '.join(keys)}")
        for key in keys:
            if key not in value:
                raise RecordError(f"{place} has no {key!r}")
        if strangers := sorted(set(value).difference(keys)):
            raise RecordError(f"{place} has {strangers[0]!r}, which does not belong there")
        self._values: Mapping[str, Any] = value
        self._place = place

    def has(self, key: str) -> bool:
        """Return whether it has a key."""
        return key in self._values

    def value(self, key: str) -> Any:
        """Return the raw value of a key."""
        return self._values[key]

    def read(self, key: str, read: Read[T]) -> T:
        """Return the value of a key."""
        return read(self._values[key], f"{self._place}, {key}")

    def optional(self, key: str, read: Read[T]) -> T | None:
        """Return the value of a key, None for null."""
        return None if self._values[key] is None else self.read(key, read)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise RecordError(f"a key appears twice among {', '.join(key for key, _ in pairs)}")
    return whole


def shown(value: object) -> str:
    """Return a wrong value as its author knows it, shortened if it is long."""
    return f"{value!r}" if isinstance(value, str) else json.dumps(value)[:MOST_SHOWN]


def integer(value: Any, place: str) -> int:
    """Return a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError(f"{place}: {shown(value)} is not a whole number")
    return value


def switch(value: Any, place: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise RecordError(f"{place}: {shown(value)} is neither true nor false")
    return value


def text(value: Any, place: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise RecordError(f"{place}: {shown(value)} is not a text")
    return value


def moment(value: Any, place: str) -> datetime:
    """Return a moment."""
    try:
        return read_moment(text(value, place))
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from error


def numbered(value: Any, place: str) -> dict[int, str]:
    """Return texts by number. JSON writes numbers as text in keys."""
    return _by_number(mapping_of(text)(value, place), place)


def seconds(value: Any, place: str) -> dict[int, int]:
    """Return seconds by number, with keys as in `numbered`."""
    return _by_number(mapping_of(integer)(value, place), place)


def _by_number(named: Mapping[str, T], place: str) -> dict[int, T]:
    if strangers := [key for key in named if not (key.isascii() and key.isdigit())]:
        raise RecordError(f"{place}: {shown(strangers[0])} is not a whole number")
    return {int(key): name for key, name in named.items()}


def list_of(read: Read[T]) -> Read[list[T]]:
    """Return a reader of lists whose items are all read alike."""

    def read_list(value: Any, place: str) -> list[T]:
        if not isinstance(value, list):
            raise RecordError(f"{place}: this is not a list")
        return [read(item, f"{place}, item {number}") for number, item in enumerate(value, 1)]

    return read_list


def mapping_of(read: Read[T]) -> Read[dict[str, T]]:
    """Return a reader of objects with any keys, whose values are all read alike."""

    def read_mapping(value: Any, place: str) -> dict[str, T]:
        if not isinstance(value, dict):
            raise RecordError(f"{place}: this is not an object")
        return {key: read(item, f"{place}, {key}") for key, item in value.items()}

    return read_mapping
