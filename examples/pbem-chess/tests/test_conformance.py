"""Chess keeps the promises of every game."""

from __future__ import annotations

from pbem.testing import FamilyTests
from pbem_chess import FAMILY


class TestChess(FamilyTests, family=FAMILY):
    """Chess and Chess960."""
