"""Kinds of competitions. Each module in this folder is found automatically.

A module names its kind `KIND`. The text of its emails is the template of the same name in
`templates/mail/competition`, otherwise `standing`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from pbem.matches.competition import Competition

RECORDED_FIRST = (
    "set",
    "series",
    "tournament",
    "knock-out",
    "ladder",
    "league",
    "open-house",
    "set-league",
    "swiss",
    "team-match",
)
"""Kinds in the order in which records and their schema name them."""

SPELLINGS = {
    "round-robin": "tournament",
    "roundrobin": "tournament",
    "knockout": "knock-out",
    "ko": "knock-out",
    "openhouse": "open-house",
    "setleague": "set-league",
    "teammatch": "team-match",
}
"""Other words that people write for a kind."""
COMPETITION = "competition"
"""The word for an announced competition of any kind, since no two have the same number."""


@cache
def kinds() -> dict[str, type[Competition]]:
    """Return all kinds by name, the oldest first."""
    modules = (
        import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)
    )
    found: dict[str, type[Competition]] = {module.KIND.kind: module.KIND for module in modules}
    return {kind: found[kind] for kind in dict.fromkeys((*RECORDED_FIRST, *sorted(found)))}


def kind_named(text: str) -> str:
    """Return the kind that a word means. Any other word is returned in lower case."""
    word = text.casefold()
    return SPELLINGS.get(word, word)


def words_for_kinds() -> tuple[str, ...]:
    """Return all words for kinds, in lower case."""
    return (*kinds(), *SPELLINGS)


def numbered_with(kind: type[Competition]) -> tuple[str, ...]:
    """Return the kinds that share their numbers with a kind, including that kind."""
    return tuple(name for name, each in kinds().items() if each.numbering == kind.numbering)
