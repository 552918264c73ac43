"""A toy language: English with every word reversed, made from the English files alone."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from pbem.games.phrases import ENGLISH, Forms, Words, stored
from tests.games.phrase_files import HOMES

_WORD = re.compile(r"(\{[^{}]*\})|([^\W\d_]{2,})")
"""A placeholder, which stays as it is, or a word. Anything shorter is notation."""


def turned(text: str) -> str:
    """Return a text with every word reversed."""
    return _WORD.sub(lambda found: found[1] or found[2][::-1], text)


@cache
def turned_forms(home: str, language: str) -> Forms:
    forms = stored(home, ENGLISH.language)
    return {key: replace(form, texts=tuple(map(turned, form.texts))) for key, form in forms.items()}


TOY = Words("toy", turned_forms)


def words_in(text: str) -> set[str]:
    """Return the words of a text, in any case."""
    return {found[2].casefold() for found in _WORD.finditer(text) if found[2]}


def _vocabulary() -> set[str]:
    forms = [form for home in HOMES for form in turned_forms(home, "toy").values()]
    return {word for form in forms for text in form.texts for word in words_in(text)}


VOCABULARY = _vocabulary()
"""All the words of the toy language."""


def strange_words(text: str, data: str = "") -> set[str]:
    """Return words of a text that are neither in the toy language nor in its data."""
    return words_in(text) - VOCABULARY - words_in(data)
