"""Find the families of games that installed distributions provide, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import metadata

from pbem.games.api import API_VERSIONS, Family, Game
from pbem.games.phrases import Phrase
from pbem.games.words import phrase

GROUP = "pbem.games"
"""Group of entry points. Each is the name of a family and the object that is it."""
OURS = "pbem"
"""The distribution whose games go ahead of all others'."""


@dataclass(frozen=True)
class Installed:
    """A family as it was found: what provides it, and the reason if it cannot be used."""

    name: str
    distribution: str
    version: str
    family: Family | None
    problem: Phrase | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of its games, none if it is broken."""
        return tuple(game.info.key for game in self.family.games) if self.family else ()

    def broken(self, problem: Phrase) -> Installed:
        """Return it without its games."""
        return replace(self, family=None, problem=problem)


def installed(built_in: Mapping[str, Family]) -> tuple[Installed, ...]:
    """Return our families, then those of other distributions by name. Imports them."""
    ours = metadata.version(OURS)
    found = [Installed(name, OURS, ours, family) for name, family in built_in.items()]
    theirs = (_loaded(entry, dist) for dist, entry in sorted(_entries(), key=_order))
    return (*found, *theirs)


def _entries() -> Iterator[tuple[metadata.Distribution, metadata.EntryPoint]]:
    seen = set[str]()
    for dist in metadata.distributions():
        entries = dist.entry_points.select(group=GROUP)
        if entries and dist.name not in seen:  # Python imports the first on the path
            seen.add(dist.name)
            yield from ((dist, entry) for entry in entries)


def _order(found: tuple[metadata.Distribution, metadata.EntryPoint]) -> tuple[str, str]:
    dist, entry = found
    return dist.name, entry.name


def _loaded(entry: metadata.EntryPoint, dist: metadata.Distribution) -> Installed:
    it = Installed(entry.name, dist.name, dist.version, None)
    try:
        family = entry.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001  code of others may raise anything
        return it.broken(phrase("family.import", error=f"{type(error).__name__}: {error}"))
    if not isinstance(family, Family):
        return it.broken(phrase("family.type", entry=entry.value, type=type(family).__name__))
    problem = _problem(family)
    return it.broken(problem) if problem else replace(it, family=family)


def _problem(family: Family) -> Phrase | None:
    """Return why a family cannot be used, None if it can."""
    if family.api not in API_VERSIONS:
        known = phrase("list.names", items=API_VERSIONS)
        return phrase("family.api", api=str(family.api), known=known)
    for game in (*family.games, *family.older):
        if not isinstance(game, Game):
            return phrase("family.type", entry="games", type=type(game).__name__)
    return None


def without_rivals(found: Iterable[Installed]) -> tuple[Installed, ...]:
    """Return the families so that each key has one game. Ours go ahead of all others."""
    every = tuple(found)
    return tuple(_unrivalled(each, every) for each in every)


def _unrivalled(one: Installed, every: Iterable[Installed]) -> Installed:
    if one.distribution == OURS:
        return one
    for other in every:
        shared = set(one.keys) & set(other.keys)
        if other is not one and shared:
            return one.broken(
                phrase("family.rival", key=min(shared), distribution=other.distribution)
            )
    return one
