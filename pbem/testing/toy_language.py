"""A toy language: English with every word reversed, made from the English files alone."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from pbem.games.phrases import ENGLISH, Forms, Words, stored
from pbem.testing.phrase_files import homes

_WORD = re.compile(r"(\{[^{}]*\})|([^\W\d_]{2,})")
"""A placeholder, which stays as it is, or a word. Anything shorter is notation."""
PBEM = "pbem"


def turned(text: str) -> str:
    """Return a text with every word reversed."""
    return _WORD.sub(lambda found: found[1] or found[2][::-1], text)


@cache
def turned_forms(home: str, language: str) -> Forms:
    """Return the forms of a package in the toy language."""
    forms = stored(home, ENGLISH.language)
    return {key: replace(form, texts=tuple(map(turned, form.texts))) for key, form in forms.items()}


TOY = Words("toy", turned_forms)


def words_in(text: str) -> set[str]:
    """Return the words of a text, in any case."""
    return {found[2].casefold() for found in _WORD.finditer(text) if found[2]}


@cache
def vocabulary(*packages: str) -> frozenset[str]:
    """Return all the words of the toy language that pbem and other packages use."""
    known = {home for package in (PBEM, *packages) for home in homes(package)}
    forms = [form for home in known for form in turned_forms(home, TOY.language).values()]
    return frozenset(word for form in forms for text in form.texts for word in words_in(text))


def strange_words(text: str, data: str = "", package: str = PBEM) -> set[str]:
    """Return words of a text that are neither in the toy language nor in its data."""
    return words_in(text) - vocabulary(package) - words_in(data)
