"""Phrases: what is said as a key with values, and the words of a language for them.

The words stand in one file a language, `words/en.toml`, beside the code that says them. A key has
one of three forms there: a sentence with `{name}` for each value; a table of `one` and `other`,
told apart by the value `count`; or a table of `between` and `last`, what to put between `items`.
What has words in English only is said in English.
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
"""The language in which everything has words."""
_LANGUAGE = re.compile(r"[a-z]{2,8}(-[A-Za-z0-9]{2,8})*")


def capitalised(text: str) -> str:
    """A text as it begins a line; names in it stay as they are."""
    return f"{text[:1].upper()}{text[1:]}"


class PhraseError(Exception):
    """A phrase without words, words that do not fit its values, or a file that is not right."""


class Phrase(NamedTuple):
    """Something said: which of the phrases of a file, and what it is said of."""

    home: str
    """Package in which the files stand."""
    key: str
    values: Mapping[str, Value] = MappingProxyType({})


Value = str | int | Phrase | tuple["Value", ...]
"""What a phrase is said of; a tuple is for what is put between `items`."""


class Phrases:
    """The phrases that stand in a package: called with a key and values, it makes one.

    The key is always written out, so that a test can hold the calls against the files.
    """

    __slots__ = ("home",)

    def __init__(self, home: str) -> None:
        self.home = home

    def __call__(self, key: str, /, **values: Value) -> Phrase:
        """A phrase of that package."""
        # Half the price of calling Phrase: what is refused is tried by the hundred.
        return tuple.__new__(Phrase, (self.home, key, values))


@dataclass(frozen=True)
class Form:
    """Words for one key."""

    texts: tuple[str, ...]
    """A sentence; or what is said of one and of others; or what stands between items, and last."""
    kind: str = "sentence"

    @property
    def placeholders(self) -> set[str]:
        """Names of the values it needs."""
        found = {name for text in self.texts for _, name, _, _ in Formatter().parse(text) if name}
        return found | {"sentence": set(), "counted": {"count"}, "list": {"items"}}[self.kind]

    @cached_property
    def plain(self) -> str:
        """The words, where they need no value."""
        return "" if self.placeholders else self.texts[0].format()

    def filled(self, values: Mapping[str, Any]) -> str:
        """The words with their values; raises KeyError for one that is not there."""
        if self.kind == "list":
            between, before_last = self.texts
            *first, last = values["items"] or ("",)
            return f"{between.join(first)}{before_last}{last}" if first else str(last)
        text = self.texts[self.kind == "counted" and values["count"] != "1"]
        return text.format_map(values)


Forms = Mapping[str, Form]
Source = Callable[[str, str], Forms]
"""Forms of a package in a language, by key; none where it has no words in that language."""

_TABLES = {
    frozenset({"one", "other"}): ("counted", "one", "other"),
    frozenset({"between"}): ("list", "between", "between"),
    frozenset({"between", "last"}): ("list", "between", "last"),
}


def read_forms(text: str) -> Forms:
    """Forms of the text of a file; a table that is none of them groups keys: `group.key`."""
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
    """Forms of the file of a language in a package; none where there is no such file."""
    file = files(home).joinpath(f"{language}.toml")
    return read_forms(file.read_text("utf-8")) if file.is_file() else {}


@dataclass(frozen=True)
class Words:
    """A language: the one place that gives words to phrases."""

    language: str
    source: Source = stored

    def __post_init__(self) -> None:
        if not _LANGUAGE.fullmatch(self.language):
            raise PhraseError(f"{self.language!r} is not the short name of a language")

    def text(self, said: Phrase | str) -> str:
        """Words of a phrase; raises PhraseError. What is text already stays as it is."""
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
"""What everything can be said in."""


def page(package: str, name: str, language: str) -> str:
    """Text of a page in a package, e.g. `RULES.de.md` for `RULES.md`, or else in English."""
    stem, dot, ending = name.rpartition(".")
    here = files(package)
    translated = here.joinpath(f"{stem}.{Words(language).language}{dot}{ending}")
    file = translated if translated.is_file() else here.joinpath(name)
    return file.read_text("utf-8")
