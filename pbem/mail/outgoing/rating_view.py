"""Rating view: rating lists as templates show them, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.diagram import WIDTH
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import table
from pbem.matches.ratings import Rating

MOST_ROWS = 100
"""Maximum number of rows of a list in an email."""


class RatedName(NamedTuple):
    """A member of a list, with their rating."""

    name: str
    rating: Rating


@dataclass(frozen=True)
class RatingRows:
    """A rating list. Provisional ratings are separate, since a lucky beginner would lead."""

    computers: bool
    """Whether it is the list of matches with computer opponents."""
    rated: Sequence[RatedName]
    """The best first."""

    @property
    def left_out(self) -> int:
        """Number of members not shown."""
        return sum(max(0, len(some) - MOST_ROWS) for some in (self._settled, self._provisional))

    @property
    def _settled(self) -> list[RatedName]:
        return [each for each in self.rated if not each.rating.provisional]

    @property
    def _provisional(self) -> list[RatedName]:
        return [each for each in self.rated if each.rating.provisional]

    @property
    def settled(self) -> Figure | None:
        """Table of place, name, rating and number of matches. None if it is empty."""
        return _table(self._settled, placed=True)

    @property
    def provisional(self) -> Figure | None:
        """The same for provisional ratings, without places."""
        return _table(self._provisional, placed=False)


def _table(rated: Sequence[RatedName], *, placed: bool) -> Figure | None:
    if not rated:
        return None
    lines = [
        [
            f"{place}" if placed else "",
            each.name,
            f"{each.rating.value} ± {each.rating.uncertainty}",
            f"{each.rating.matches}",
        ]
        for place, each in enumerate(rated[:MOST_ROWS], 1)
    ]
    width = min(max(len(name) for _, name, *_ in lines), WIDTH - 28)
    text = "\n".join(
        f"{place:>4} {name[:width]:{width}}{rating:>14}{matches:>7}"
        for place, name, rating, matches in lines
    )
    return Figure(text, lambda _: table([""] * 4, lines, names=1))
