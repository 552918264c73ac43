"""Kinds of competitions: one module each, found by being in this folder.

A module names its kind `KIND`. What its mails tell is the template of the kind's name in
`templates/mail/competition`, or else `standing`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from pbem.matches.competition import Competition

RECORDED_FIRST = ("set", "series", "tournament")
"""The order in which records and their schema have always named them."""


@cache
def kinds() -> dict[str, type[Competition]]:
    """Every kind by its name, those of today's records first."""
    modules = (
        import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)
    )
    found: dict[str, type[Competition]] = {module.KIND.kind: module.KIND for module in modules}
    return {kind: found[kind] for kind in dict.fromkeys((*RECORDED_FIRST, *sorted(found)))}


def numbered_with(kind: type[Competition]) -> tuple[str, ...]:
    """Kinds that share their numbers with one, itself included."""
    return tuple(name for name, each in kinds().items() if each.numbering == kind.numbering)
