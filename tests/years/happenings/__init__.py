"""What happens to a club in the course of time; one module each, found by being in this folder.

A module has `HAPPENINGS`, each with how often it happens beside the others.
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
    """All of them."""
    modules = (import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__))
    return tuple(each for module in modules for each in module.HAPPENINGS)
