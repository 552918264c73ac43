"""Immutable values that are made by the thousand, and copies of them with some fields replaced."""

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
    """A dataclass that mypy takes for a frozen one: whoever changes it is told by mypy alone.

    One that is frozen while it runs takes seven times as long to make.
    """
    return dataclass(unsafe_hash=True)(kind)


class once(Generic[T, R]):  # noqa: N801 it is written as a decorator
    """A property that a value works out when it is first asked for it, and keeps.

    It is `functools.cached_property` without the lock, which Python has dropped with 3.12: of an
    immutable value the same is worked out by whoever comes second.
    """

    def __init__(self, work: Callable[[T], R]) -> None:
        self._work, self._name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, one: T, kind: type[T]) -> R:
        found = one.__dict__[self._name] = self._work(one)
        return found


def copied(old: T) -> T:
    """A copy of a value of two fields or more; what it had cached is left behind."""
    return type(old)(*_fields(type(old))(old))


def changed(old: T, **changes: Any) -> T:
    """A copy with some fields replaced."""
    new = copied(old)
    for name, what in changes.items():
        setattr(new, name, what)
    return new


@cache
def _fields(kind: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    """What reads all the fields of a value of a kind."""
    return attrgetter(*kind.__match_args__)
