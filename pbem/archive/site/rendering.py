"""Render pages from templates and data. Everything is escaped, and all links are relative."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.archive.site.sides import sides_of, winners_of
from pbem.archive.site.values import Person, Site
from pbem.archive.words import and_then, signed
from pbem.games import game_of, games
from pbem.games.phrases import DEFAULT, ENGLISH, Phrase, capitalised
from pbem.matches.match import PlayerId, termination_words
from pbem.matches.table import SIGNED, Column
from pbem.resources import folder

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy of a page: it may load its own style, scripts and pictures.

A server can send the same policy, plus `frame-ancestors`, which only works as a header.
"""


def rendered(site: Site, name: str, template: str, /, **data: Any) -> ArchiveFile:
    """Return a file of the site, from a template in `templates/web/en`."""
    return ArchiveFile(name, page_of(template, site=site, page=name, **data).encode())


def page_of(template: str, **data: Any) -> str:
    """Return the text of a template in `templates/web/en`."""
    return _environment().get_template(template).render(**data)


def macros(template: str, **data: Any) -> Any:
    """Return the macros of such a template, given the values that they use."""
    return _environment().get_template(template).make_module(data)


@cache
def _environment(language: str = DEFAULT) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder("templates") / "web" / language),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_finalized,
    )
    environment.filters |= {
        "day": day,
        "capitalised": lambda phrase: capitalised(ENGLISH.text(phrase)),
        "cell": cell,
        "ending": lambda match: termination_words(match, ENGLISH),
        "link": _link,
        "moment": moment,
        "names": _names,
        "part": lambda part: type(part).__name__.lower(),
        "points": points,
        "signed": signed,
        "stamp": stamp,
    }
    environment.globals |= {
        "at": addresses,
        "kind_of": lambda competition: ENGLISH.text(competition.called or competition.kind),
        "csp": CSP,
        "game_of": game_of,
        "games": games,
        "sides_of": sides_of,
        "winners_of": winners_of,
        "months": _phrases(language)["months"],
    }
    return environment


@cache
def _phrases(language: str = DEFAULT) -> dict[str, Any]:
    """Return the phrases of a language's pages that are not in templates."""
    file = folder("templates") / "web" / language / "phrases.toml"
    return tomllib.loads(file.read_text("utf-8"))


def _finalized(said: object) -> object:
    return ENGLISH.text(said) if isinstance(said, Phrase) else said


def _names(players: Iterable[PlayerId], people: Mapping[PlayerId, Person]) -> str:
    return and_then([people[player].name for player in players])


@pass_context
def _link(context: Context, to: str) -> str:
    return addresses.link(context["page"], to)


def day(at: datetime) -> Markup:
    """Return a day for people and programs: `21 Nov 2026`, in UTC."""
    at = at.astimezone(UTC)
    return _time(f"{at:%Y-%m-%d}", day_words(at))


def moment(at: datetime) -> Markup:
    """Return a moment for people and programs: `21 Nov 2026, 14:05 UTC`."""
    at = at.astimezone(UTC)
    return _time(stamp(at), f"{day_words(at)}, {at:%H:%M} UTC")


def day_words(at: datetime) -> str:
    """Return a day in UTC: `21 Nov 2026`."""
    at = at.astimezone(UTC)
    return f"{at.day} {_phrases()['short_months'][at.month - 1]} {at.year}"


def _time(exact: str, shown: str) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(exact, shown)


def stamp(at: datetime) -> str:
    """Return a moment as in RFC 3339, to the second."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def latest(moments: Iterable[datetime]) -> datetime:
    """Return the last of some moments, 1970 if there are none."""
    return max(moments, default=datetime(1970, 1, 1, tzinfo=UTC))


def cell(value: Fraction, column: Column) -> str:
    """Return a number in a table: credits with a sign, Sonneborn-Berger in quarters."""
    if column.key in SIGNED:
        return signed(value)
    return points(value) if value.denominator <= 2 else f"{float(value):.2f}"


def points(worth: Fraction | int) -> str:
    """Return points as `2`, `½` or `2½`, and other fractions as `7/3`."""
    whole, rest = divmod(worth, 1)
    if rest == Fraction(1, 2):
        return f"{whole or ''}½"
    return str(worth)
