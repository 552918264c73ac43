"""Happenings in a club over time. Every module in this folder is used.

A module has `HAPPENINGS`, each with its frequency relative to the others.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.years.years import Years

Happening = Callable[["Years"], None]


@cache
def happenings() -> tuple[tuple[Happening, int], ...]:
    """Return all happenings."""
    modules = (import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__))
    return tuple(each for module in modules for each in module.HAPPENINGS)
