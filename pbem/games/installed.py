"""Find the families of games that installed distributions provide, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata

from pbem.games.api import API_VERSIONS, AnyGame, Family, Game
from pbem.games.phrases import ENGLISH, Phrase
from pbem.games.words import phrase

GROUP = "pbem.games"
"""Group of entry points. Each has the name of a family and the object that is the family."""
OURS = "pbem"
"""The distribution whose games go ahead of all others'."""
ALL = "*"
"""In place of a name: all games."""

_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SEAT = re.compile(r"[A-Za-z]{1,20}")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")
_SUFFIX = re.compile(r"[a-z0-9]{1,8}")
OUR_SUFFIXES = frozenset({"html", "js", "json", "png", "svg", "txt"})
"""Suffixes of the files that every match has."""
MOST_KEY, MOST_TITLE = 30, 40


@dataclass(frozen=True)
class Choice:
    """The games that a club wants: by key, or as `DISTRIBUTION:KEY`."""

    enabled: tuple[str, ...] = (ALL,)
    disabled: tuple[str, ...] = ()
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """The operator's settings by name of family: `[games.NAME]`."""

    def takes(self, distribution: str, key: str) -> bool:
        """Return whether a game takes new matches."""
        names = {ALL, key, f"{distribution}:{key}"}
        return not names.isdisjoint(self.enabled) and names.isdisjoint(self.disabled)

    def prefers(self, distribution: str, key: str) -> bool:
        """Return whether this distribution's game of a key is wanted, if others have one too."""
        return f"{distribution}:{key}" in self.enabled


@dataclass(frozen=True)
class Installed:
    """A family as it was found: what provides it, and the reason if it cannot be used."""

    name: str
    distribution: str
    version: str
    family: Family | None
    problem: Phrase | None = None

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """Its games under their newest rules, none if it is broken."""
        return self.family.games if self.family else ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Their keys."""
        return tuple(game.info.key for game in self.games)

    @property
    def every(self) -> tuple[AnyGame, ...]:
        """Its games under all rules that it knows, none if it is broken."""
        return (*self.family.games, *self.family.older) if self.family else ()

    @property
    def is_ours(self) -> bool:
        """Whether pbem itself provides it."""
        return self.distribution == OURS

    @property
    def provider(self) -> str:
        """What provides it, as matches remember it: `pbem-chess 1.2.0`. Empty for pbem itself."""
        return "" if self.is_ours else f"{self.distribution} {self.version}"

    def broken(self, problem: Phrase) -> Installed:
        """Return it without its games."""
        return replace(self, family=None, problem=problem)


def installed(built_in: Mapping[str, Family]) -> tuple[Installed, ...]:
    """Return our families, then those of other distributions by name. Imports them."""
    ours = metadata.version(OURS)
    found = [Installed(name, OURS, ours, family) for name, family in built_in.items()]
    return (*found, *(_loaded(*each) for each in sorted(_entries(), key=_order)))


def normal(distribution: str) -> str:
    """Return the name of a distribution as all its spellings are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _entries() -> Iterator[tuple[metadata.Distribution, metadata.EntryPoint]]:
    seen = set[str]()
    for dist in metadata.distributions():
        entries = dist.entry_points.select(group=GROUP)
        if entries and normal(dist.name) not in seen:  # Python imports the first on the path
            seen.add(normal(dist.name))
            yield from ((dist, entry) for entry in entries)


def _order(found: tuple[metadata.Distribution, metadata.EntryPoint]) -> tuple[str, str]:
    dist, entry = found
    return normal(dist.name), entry.name


def _loaded(dist: metadata.Distribution, entry: metadata.EntryPoint) -> Installed:
    """Return a family of another distribution, broken if anything in it is wrong."""
    it = Installed(entry.name, normal(dist.name), dist.version, None)
    try:
        family = entry.load()
        problem = _problem(family, entry.value)
    except (Exception, SystemExit) as error:  # noqa: BLE001  code of others may raise anything
        return it.broken(phrase("family.error", error=f"{type(error).__name__}: {error}"))
    return it.broken(problem) if problem else replace(it, family=family)


def _problem(family: object, value: str) -> Phrase | None:
    """Return why an object cannot be used as a family, None if it can. May raise anything."""
    if not isinstance(family, Family):
        return phrase("family.type", value=value, type=type(family).__name__)
    if family.api not in API_VERSIONS:
        known = phrase("list.names", items=API_VERSIONS)
        return phrase("family.api", api=str(family.api), known=known)
    if not family.games:
        return phrase("family.empty", value=value)
    for game in (*family.games, *family.older):
        if not isinstance(game, Game):
            return phrase("family.type", value=value, type=type(game).__name__)
        if problem := _problem_of(game):
            return problem
    for form in family.formats:
        if not _SUFFIX.fullmatch(form.suffix) or form.suffix in OUR_SUFFIXES:
            return phrase("family.suffix", suffix=repr(form.suffix))
    keys = [game.info.key for game in family.games]
    if len(set(keys)) < len(keys) or {game.info.key for game in family.older}.difference(keys):
        return phrase("family.keys", keys=phrase("list.names", items=tuple(keys)))
    return None


def _problem_of(game: AnyGame) -> Phrase | None:
    """Return what is wrong with a game: its names, its words, its rules or its first boards."""
    info = game.info
    if not _KEY.fullmatch(info.key) or len(info.key) > MOST_KEY:
        return phrase("family.key", key=repr(info.key))
    if not info.title.isprintable() or not 0 < len(info.title.strip()) <= MOST_TITLE:
        return phrase("family.title", key=info.key, title=repr(info.title))
    for pattern, names in (
        (_SEAT, info.seats),
        (_NAME, (*info.terminations, *(option.key for option in info.options))),
    ):
        for name in names:
            if not pattern.fullmatch(name):
                return phrase("family.name", key=info.key, name=repr(name))
    try:
        for said in _said(game):
            ENGLISH.text(said)
        if not game.rules("en").strip():
            return phrase("family.rules", key=info.key)
        for players in info.holders:
            game.diagram(game.initial(players, info.with_defaults({})), info.seats_of(players)[0])
    except Exception as error:  # noqa: BLE001  code of others may raise anything
        return phrase("family.game", key=info.key, error=f"{type(error).__name__}: {error}")
    return None


def _said(game: AnyGame) -> Iterator[Phrase | str]:
    """Yield all that a game's facts say."""
    info = game.info
    yield from (info.summary, info.score)
    yield from (*info.terminations.values(), *(option.help for option in info.options))
    yield from (*info.seat_titles.values(), *info.seat_names.values())


def without_rivals(found: Iterable[Installed], choice: Choice) -> tuple[Installed, ...]:
    """Return the families so that each key has one game.

    Ours go ahead of all others. Among others, only a distribution that the club names for a key
    can have it.
    """
    every = tuple(found)
    return tuple(_unrivalled(each, every, choice) for each in every)


def _unrivalled(one: Installed, every: Iterable[Installed], choice: Choice) -> Installed:
    for game in () if one.is_ours else one.games:
        key = game.info.key
        rivals = [each for each in every if each is not one and key in each.keys]
        wanted = choice.prefers(one.distribution, key)
        for rival in rivals:
            if rival.is_ours:
                return one.broken(phrase("family.ours", key=key))
            if not wanted or choice.prefers(rival.distribution, key):
                name = f"{one.distribution}:{key}"
                return one.broken(
                    phrase("family.rival", key=key, other=rival.distribution, name=name)
                )
    return one
