"""Rater: openskill's Bradley-Terry model with all pairs of sides (Weng and Lin 2011, algorithm 1).

Its `PlackettLuce`, the model of its examples, puts a third side above two that share the win (its
issues 155, 176 and 203).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

from pbem.matches.ratings import NEW, Rating
from pbem.ports.ratings import Sides

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull


class OpenSkillRater:
    """Ratings by openskill. Satisfies the port Rater."""

    @cached_property
    def method(self) -> str:
        return f"openskill-{version('openskill')}-bradley-terry-full"

    @cached_property
    def _model(self) -> BradleyTerryFull:
        from openskill.models import BradleyTerryFull

        return BradleyTerryFull(mu=NEW.mean, sigma=NEW.deviation)

    def rate(self, sides: Sides, ranks: Sequence[int]) -> list[list[Rating]]:
        """Return the new ratings. Sides are sorted, since sums depend on the order of addition."""
        order = sorted(range(len(sides)), key=lambda at: (ranks[at], _key(sides[at])))
        rated = self._model.rate(
            [[self._model.rating(each.mean, each.deviation) for each in sides[at]] for at in order],
            [float(ranks[at]) for at in order],
        )
        new = dict(zip(order, rated, strict=True))
        return [
            [
                Rating(after.mu, after.sigma, before.matches + 1)
                for before, after in zip(side, new[at], strict=True)
            ]
            for at, side in enumerate(sides)
        ]


def _key(side: Sequence[Rating]) -> list[tuple[float, float]]:
    return [(each.mean, each.deviation) for each in side]
