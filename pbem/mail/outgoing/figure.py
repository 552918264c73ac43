"""Figure: a part of a mail with two forms, one of columns of text and one in HTML.

A template says a figure where it stands. While it is rendered the place is held by a number between
two characters of private use; the text gets the one form there, the letter in HTML the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jinja2 import Environment

if TYPE_CHECKING:
    from pbem.mail.outgoing.typeset.page import Page


@dataclass(frozen=True)
class Figure:
    """One part in both forms."""

    text: str
    html: Callable[[Page], str]
    """Of the letter that it stands in."""
    is_board: bool = False
    has_taps: bool = False
    """Whether its HTML holds what can be tapped, where there is something."""

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.text)


_OPENS, _CLOSES = "\ue000", "\ue001"
PLACE = re.compile(f"{_OPENS}([0-9]+){_CLOSES}")


class Said(str):
    """What a template has said: in it, and in no other text, the places of figures are real."""

    __slots__ = ()


class FigureEnvironment(Environment):
    """Templates whose text may hold places."""

    @staticmethod
    def concat(parts: Iterable[str]) -> Said:
        """What a template, a block or a macro says as a whole."""
        return Said("".join(parts))


_FIGURES: ContextVar[list[Figure] | None] = ContextVar("figures", default=None)


@contextmanager
def collecting() -> Iterator[list[Figure]]:
    """Figures of what is rendered meanwhile, by number."""
    figures: list[Figure] = []
    token = _FIGURES.set(figures)
    try:
        yield figures
    finally:
        _FIGURES.reset(token)


def placed(figure: Figure) -> Said:
    """Place of a figure, numbered; its text where nothing is collected."""
    figures = _FIGURES.get()
    if figures is None:
        return Said(figure.text)
    figures.append(figure)
    return Said(f"{_OPENS}{len(figures) - 1}{_CLOSES}")


def without_places(text: str) -> str:
    """Text from outside, in which nothing is a place."""
    if _OPENS not in text or isinstance(text, Said):
        return text
    own = placed(Figure(_OPENS, lambda _: _OPENS))
    return Said(text.replace(_OPENS, own))


def in_text(said: str) -> str:
    """What a template has said with the texts of its figures."""
    figures = _FIGURES.get()
    return said if figures is None else PLACE.sub(lambda at: figures[int(at[1])].text, said)
