"""Events: contests of several matches between two players each, told apart by their kind.

An event says who plays match `index` (entry_order), which matches are to be started (due), and what
a mail of one of them tells of the whole (text).
"""

from __future__ import annotations

from pbem.matches.series import Series
from pbem.matches.tournaments import Tournament

Event = Series | Tournament


def kind_of(event: Event) -> str:
    """`series` or `tournament`: what it is called wherever it is written down."""
    return "series" if isinstance(event, Series) else "tournament"
