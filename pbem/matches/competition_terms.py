"""Terms that a kind of competition adds when it is announced, with their types and words.

A kind names its terms in `announces`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.tie_breaks import ALL_MEET, require_known
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Term:
    """A term that a kind of competition adds, as directors write and members read it."""

    key: str
    """Key in `KEY=VALUE`."""
    read: Callable[[str], Any]
    """Function that returns the value of a text. Raises OptionError."""
    said: Callable[[Any], Phrase | None]
    """Function that returns a value in words, None for one that goes without saying."""
    name: str = ""
    """Field of the competition, if it is not called like the key."""
    required: bool = False

    @property
    def field(self) -> str:
        """The field of the competition."""
        return self.name or self.key.replace("-", "_")


def whole(key: str, least: int, most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers. It raises OptionError for others."""

    def read(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) < 6
        if not (digits and least <= int(text) <= most):
            reason = phrase("competing.whole", key=key, least=least, most=most, text=repr(text))
            raise OptionError(reason)
        return int(text)

    return read


def switch(key: str) -> Callable[[str], bool]:
    """Return a reader of `yes` and `no`. The key alone means yes."""

    def read(text: str) -> bool:
        if text.casefold() not in ("", "yes", "no"):
            raise OptionError(phrase("competing.switch", key=key, text=repr(text)))
        return text.casefold() != "no"

    return read


def one_of(key: str, *choices: str) -> Callable[[str], str]:
    """Return a reader of a few words. It raises OptionError for others."""

    def read(text: str) -> str:
        if text.casefold() not in choices:
            values = phrase("list.values", items=choices)
            raise OptionError(phrase("choice.none", key=key, values=values, text=repr(text)))
        return text.casefold()

    return read


def day(key: str) -> Callable[[str], str]:
    """Return a reader of dates like 2027-01-15. It raises OptionError for others."""

    def read(text: str) -> str:
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError as error:
            raise OptionError(phrase("competing.day", key=key, text=repr(text))) from error

    return read


def names(text: str) -> tuple[str, ...]:
    """Read names separated by commas."""
    return tuple(each.strip() for each in text.split(",") if each.strip())


def _chain(text: str) -> tuple[str, ...]:
    """Read a chain of tie-breaks. Raises OptionError for an unknown one."""
    chain = names(text.casefold())
    require_known(chain)
    return chain


def tie_break_names(chain: Sequence[str]) -> tuple[Phrase | str, ...]:
    """Return the names of tie-breaks in words."""
    known = {
        "direct": phrase("meaning.direct"),
        "buchholz": phrase("meaning.buchholz"),
        "sonneborn-berger": phrase("meaning.sonneborn-berger"),
        "wins": phrase("meaning.wins"),
        "lots": phrase("meaning.lots"),
    }
    return tuple(known.get(each, each) for each in chain)


DOUBLE = Term(
    "double",
    switch("double"),
    lambda on: phrase("competing.double") if on else phrase("competing.single"),
)
CONCURRENT = Term(
    "concurrent",
    switch("concurrent"),
    lambda on: phrase("competing.concurrent") if on else phrase("competing.by-rounds"),
)
TIE_BREAKS = Term(
    "tie-breaks",
    _chain,
    lambda chain: phrase(
        "competing.tie-breaks", chain=phrase("list.items", items=tie_break_names(chain or ALL_MEET))
    ),
)
"""Terms that several kinds share."""
