"""Terms of a time control, as they are read: whole numbers of days and turns, and bare words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.games.api import OptionError
from pbem.matches.time_control import MOST_DAYS
from pbem.matches.words import phrase

_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)


def number(key: str, text: str) -> int:
    """A whole number; raises OptionError."""
    if not _NUMBER.fullmatch(text):
        raise OptionError(phrase("clock.number", key=key, text=repr(text)))
    return int(text)


def require(key: str, count: int, most: int = MOST_DAYS) -> None:
    """Raises OptionError unless a number is between 1 and the most."""
    if not 1 <= count <= most:
        raise OptionError(phrase("clock.between", key=key, most=most, count=count))


def word(key: str, terms: Mapping[str, str]) -> bool:
    """Whether a term that is a word alone is there; raises OptionError if it has a value."""
    if terms.get(key):
        raise OptionError(phrase("clock.word", key=key, text=repr(terms[key])))
    return key in terms
