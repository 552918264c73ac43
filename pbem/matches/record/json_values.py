"""Values of a JSON text, each read with its place in the record, so that an error can name it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from pbem.matches.record.model import RecordError, read_moment

T = TypeVar("T")
MOST_SHOWN = 60


def loaded(text: str) -> object:
    """Value of a JSON text; raises RecordError."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno}: this is not JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise RecordError("this is nested too deep, or a number is too long") from error


Read = Callable[[Any, str], T]
"""Reads a value; its place in the record is for the error."""


class Object:
    """A JSON object with exactly these keys."""

    def __init__(self, value: object, place: str, keys: Sequence[str]) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"{place} is not an object with {', '.join(keys)}")
        for key in keys:
            if key not in value:
                raise RecordError(f"{place} lacks {key!r}")
        if strangers := sorted(set(value).difference(keys)):
            raise RecordError(f"{place} has {strangers[0]!r}, which does not belong there")
        self._values: Mapping[str, Any] = value
        self._place = place

    def has(self, key: str) -> bool:
        """Whether it is one of its keys."""
        return key in self._values

    def value(self, key: str) -> Any:
        """What stands there, whatever it is."""
        return self._values[key]

    def read(self, key: str, read: Read[T]) -> T:
        """Value of a key."""
        return read(self._values[key], f"{self._place}, {key}")

    def optional(self, key: str, read: Read[T]) -> T | None:
        """Value of a key, None for null."""
        return None if self._values[key] is None else self.read(key, read)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise RecordError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return whole


def shown(value: object) -> str:
    """A wrong value as its writer knows it, cut where it is long."""
    return f"{value!r}" if isinstance(value, str) else json.dumps(value)[:MOST_SHOWN]


def integer(value: Any, place: str) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError(f"{place}: {shown(value)} is not a whole number")
    return value


def switch(value: Any, place: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise RecordError(f"{place}: {shown(value)} is neither true nor false")
    return value


def text(value: Any, place: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise RecordError(f"{place}: {shown(value)} is not a text")
    return value


def moment(value: Any, place: str) -> datetime:
    """A time."""
    try:
        return read_moment(text(value, place))
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from error


def numbered(value: Any, place: str) -> dict[int, str]:
    """Texts by number, which JSON writes as a text too."""
    return _by_number(mapping_of(text)(value, place), place)


def seconds(value: Any, place: str) -> dict[int, int]:
    """Lengths of time by number, likewise."""
    return _by_number(mapping_of(integer)(value, place), place)


def _by_number(named: Mapping[str, T], place: str) -> dict[int, T]:
    if strangers := [key for key in named if not (key.isascii() and key.isdigit())]:
        raise RecordError(f"{place}: {shown(strangers[0])} is not a whole number")
    return {int(key): name for key, name in named.items()}


def list_of(read: Read[T]) -> Read[list[T]]:
    """A list, all of whose items are read alike."""

    def read_list(value: Any, place: str) -> list[T]:
        if not isinstance(value, list):
            raise RecordError(f"{place}: this is not a list")
        return [read(item, f"{place}, item {number}") for number, item in enumerate(value, 1)]

    return read_list


def mapping_of(read: Read[T]) -> Read[dict[str, T]]:
    """An object with any keys, all of whose values are read alike."""

    def read_mapping(value: Any, place: str) -> dict[str, T]:
        if not isinstance(value, dict):
            raise RecordError(f"{place}: this is not an object")
        return {key: read(item, f"{place}, {key}") for key, item in value.items()}

    return read_mapping
