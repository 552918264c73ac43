"""Nine Men's Morris keeps the promises of every game."""

from pathlib import Path

from pbem.testing import FamilyTests
from pbem_morris import FAMILY


class TestMorris(FamilyTests, family=FAMILY):
    """Nine Men's Morris, with counts by count_lines.py."""

    perft = Path(__file__).with_name("perft")
