"""Immutable values that are created by the thousand, and copies of them with changed fields."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeVar, dataclass_transform

T = TypeVar("T", bound=Hashable)
R = TypeVar("R")


@dataclass_transform(frozen_default=True)
def value(kind: type[T]) -> type[T]:
    """Make a dataclass that mypy treats as frozen. Nothing enforces this at run time.

    A dataclass that is frozen at run time takes seven times as long to create.
    """
    return dataclass(unsafe_hash=True)(kind)


class once(Generic[T, R]):  # noqa: N801 used as a decorator
    """A property that is computed on first access and kept.

    Like `functools.cached_property` without the lock, which Python 3.12 dropped. Two threads may
    both compute it, but an immutable value gives both the same result.
    """

    def __init__(self, work: Callable[[T], R]) -> None:
        self._work, self._name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, one: T, kind: type[T]) -> R:
        found = one.__dict__[self._name] = self._work(one)
        return found


def copied(old: T) -> T:
    """Return a copy of a value with two or more fields, without cached properties."""
    return type(old)(*_fields(type(old))(old))


def changed(old: T, **changes: Any) -> T:
    """Return a copy with some fields replaced."""
    new = copied(old)
    for name, what in changes.items():
        setattr(new, name, what)
    return new


@cache
def _fields(kind: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    """Return a function that reads all fields of a type of value."""
    return attrgetter(*kind.__match_args__)


__all__ = [
    "changed",
    "copied",
    "once",
    "value",
]
