"""Phrases: a key with values, and the words of a language for it.

The words are in one file per language, `words/en.toml`, next to the code that uses them. A phrase
without a translation is in English. A key has one of three forms:

- a sentence with `{name}` for each value
- a table of `one` and `other`, chosen by the value `count`
- a table of `between` and `last`, the separators of `items`
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from string import Formatter
from types import MappingProxyType
from typing import Any, NamedTuple

DEFAULT = "en"
"""The language that has words for every phrase."""
_LANGUAGE = re.compile(r"[a-z]{2,8}(-[A-Za-z0-9]{2,8})*")


def capitalised(text: str) -> str:
    """Return a text with its first letter capitalised and the rest unchanged."""
    return f"{text[:1].upper()}{text[1:]}"


class PhraseError(Exception):
    """A phrase without words, words that do not fit its values, or a malformed file."""


class Phrase(NamedTuple):
    """A phrase to say: its key in a file, and its values."""

    home: str
    """Package that holds the files."""
    key: str
    values: Mapping[str, Value] = MappingProxyType({})


Value = str | int | Phrase | tuple["Value", ...]
"""A value of a phrase. Tuples are for `items`."""


class Phrases:
    """The phrases of a package. Call it with a key and values to make one.

    Always write the key as a literal, so that a test can check the calls against the files.
    """

    __slots__ = ("home",)

    def __init__(self, home: str) -> None:
        self.home = home

    def __call__(self, key: str, /, **values: Value) -> Phrase:
        """Return a phrase of this package."""
        # Half the cost of calling Phrase. Illegal actions are tried by the hundred.
        return tuple.__new__(Phrase, (self.home, key, values))


@dataclass(frozen=True)
class Form:
    """Words for one key."""

    texts: tuple[str, ...]
    """One sentence, the texts for one and for others, or the separators of items."""
    kind: str = "sentence"

    @property
    def placeholders(self) -> set[str]:
        """Names of the values it needs."""
        found = {name for text in self.texts for _, name, _, _ in Formatter().parse(text) if name}
        return found | {"sentence": set(), "counted": {"count"}, "list": {"items"}}[self.kind]

    @cached_property
    def plain(self) -> str:
        """The words, if they need no values. Otherwise empty."""
        return "" if self.placeholders else self.texts[0].format()

    def filled(self, values: Mapping[str, Any]) -> str:
        """Return the words with their values. Raises KeyError if a value is missing."""
        if self.kind == "list":
            between, before_last = self.texts
            *first, last = values["items"] or ("",)
            return f"{between.join(first)}{before_last}{last}" if first else str(last)
        text = self.texts[self.kind == "counted" and values["count"] != "1"]
        return text.format_map(values)


Forms = Mapping[str, Form]
Source = Callable[[str, str], Forms]
"""Function that returns a package's forms in a language by key, empty if it has none."""

_TABLES = {
    frozenset({"one", "other"}): ("counted", "one", "other"),
    frozenset({"between"}): ("list", "between", "between"),
    frozenset({"between", "last"}): ("list", "between", "last"),
}


def read_forms(text: str) -> Forms:
    """Return the forms in the text of a file. Any other table groups keys: `group.key`."""
    return dict(_forms(tomllib.loads(text), ""))


def _forms(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, Form]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield before + name, Form((value,))
        elif not isinstance(value, dict):
            raise PhraseError(f"{before}{name} is neither text nor a table")
        elif (kind := _TABLES.get(frozenset(value))) and _all_text(value):
            yield before + name, Form((value[kind[1]], value[kind[2]]), kind[0])
        else:
            yield from _forms(value, f"{before}{name}.")


def _all_text(table: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str) for value in table.values())


@cache
def stored(home: str, language: str) -> Forms:
    """Return the forms of a language file in a package, empty if there is no such file."""
    file = files(home).joinpath(f"{language}.toml")
    return read_forms(file.read_text("utf-8")) if file.is_file() else {}


@dataclass(frozen=True)
class Words:
    """The words of a language. Turns phrases into text."""

    language: str
    source: Source = stored

    def __post_init__(self) -> None:
        if not _LANGUAGE.fullmatch(self.language):
            raise PhraseError(f"{self.language!r} is not the short name of a language")

    def text(self, said: Phrase | str) -> str:
        """Return a phrase as text. Text stays as it is. Raises PhraseError if words are missing."""
        if isinstance(said, str):
            return said
        form = self._form(said)
        if not said.values and form.plain:
            return form.plain
        filled = {name: self._filling(value) for name, value in said.values.items()}
        try:
            return form.filled(filled)
        except KeyError as error:
            named = f"{said.key!r} of {said.home} ({self.language})"
            raise PhraseError(f"{named} is said without a value for {error}") from error

    def _filling(self, value: Value) -> str | tuple[str, ...]:
        if isinstance(value, str):
            return value
        if isinstance(value, Phrase):
            return self.text(value)
        if isinstance(value, tuple):
            return tuple([str(self._filling(each)) for each in value])
        return str(value)

    def _form(self, phrase: Phrase) -> Form:
        for language in (self.language, DEFAULT):
            if form := self.source(phrase.home, language).get(phrase.key):
                return form
        raise PhraseError(f"{phrase.home} has no phrase {phrase.key!r}")


ENGLISH = Words(DEFAULT)
"""English, which has words for every phrase."""


def page(package: str, name: str, language: str) -> str:
    """Return a page of a package in a language, for example `RULES.de.md` for `RULES.md`.

    In English if there is no translation.
    """
    stem, dot, ending = name.rpartition(".")
    here = files(package)
    translated = here.joinpath(f"{stem}.{Words(language).language}{dot}{ending}")
    file = translated if translated.is_file() else here.joinpath(name)
    return file.read_text("utf-8")


__all__ = [
    "ENGLISH",
    "Phrase",
    "Phrases",
    "Value",
    "Words",
    "page",
]
