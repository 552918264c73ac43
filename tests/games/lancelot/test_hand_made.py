"""The engine in every position drawn by hand for the naive one.

`test_naive.py` judges the naive engine by the rulebook, its "Worth testing" and the examples of the
source. Its tests run here again, with the real engine following each match step by step.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.api import ActionError
from pbem.games.lancelot import LANCELOT
from pbem.games.lancelot.board import board_for, square_of
from pbem.games.lancelot.position import KNIGHTS, LancelotPosition, LancelotTerms
from tests.games.lancelot import test_naive
from tests.games.lancelot.naive import NaiveLancelot


def position_of(match: NaiveLancelot) -> LancelotPosition:
    """Return the position of a naive match."""
    board, seats = match.board()["squares"], match.seats
    diagonals = any(len(lines) > 2 for lines in match.lines_through.values())

    def mask(piece: str) -> int:
        return sum(1 << (square_of(label) or 0) for label, other in board.items() if other == piece)

    return LancelotPosition(
        terms=LancelotTerms(
            board_for(match.players, diagonals), tuple(seats), match.target, match.excalibur
        ),
        knights=tuple(mask(seat[0]) for seat in seats),
        placed=tuple(KNIGHTS - match.left[seat] for seat in seats),
        defeated=tuple(match.defeated[seat] for seat in seats),
        to_act=seats.index(match.seat),
        sword=mask("*"),
        called=tuple(seats.index(seat) for seat in match.forced),
        resigned=frozenset(seats.index(seat) for seat in match.resigned),
        turn=match.turn,
        idle=match.passes_in_a_row,
        ending=match.termination,
    )


class Followed(NaiveLancelot):
    """A naive match with the engine beside it."""

    engine: LancelotPosition | None = None
    at_rest = True
    """Whether the naive match is between two actions, so that both can be compared."""

    @classmethod
    def from_squares(cls, *arguments: Any, **options: Any) -> NaiveLancelot:
        cls.at_rest = False
        try:
            return super().from_squares(*arguments, **options)
        finally:
            cls.at_rest = True

    def beside(self) -> LancelotPosition:
        """Return the engine's position. It starts where the naive match is when first asked."""
        if self.engine is None:
            self.engine = position_of(self)
        return self.engine

    def is_legal(self, text: str) -> bool:
        legal = super().is_legal(text)
        if self.at_rest and text == text.upper() and " " not in text:
            assert self.takes(text) == legal
        return legal

    def takes(self, text: str) -> bool:
        """Return whether the engine would play a text."""
        try:
            LANCELOT.parse(self.beside(), text, self.seat)
        except ActionError:
            return False
        return True

    def play(self, text: str) -> list[str]:
        before, seat = self.beside(), self.seat
        self.at_rest = False
        try:
            passed = super().play(text)
        finally:
            self.at_rest = True
        self.engine = LANCELOT.play(before, LANCELOT.parse(before, text, seat))
        self.agree(passed)
        return passed

    def resign(self, seat: str) -> list[str]:
        before = self.beside()
        self.at_rest = False
        passed = super().resign(seat)
        self.at_rest = True
        if self.players > 2:
            self.engine = LANCELOT.play(before, LANCELOT.parse(before, "resign", seat))
            self.agree(passed)
        return passed

    def agree(self, passed: list[str]) -> None:
        """Check that both give the same answers."""
        position = self.beside()
        assert list(position.passed) == passed
        assert LANCELOT.to_act(position) == self.to_act()
        assert LANCELOT.squares(position) == self.board()
        outcome = LANCELOT.outcome(position)
        told = outcome and {**outcome._asdict(), "winners": list(outcome.winners)}
        assert told == self.outcome()


DRAWN = [
    name
    for name in dir(test_naive)
    if name.startswith("test_") and not getattr(getattr(test_naive, name), "pytestmark", None)
]


@pytest.mark.parametrize("name", DRAWN)
def test_engine_follows_the_naive_match(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_naive, "NaiveLancelot", Followed)
    getattr(test_naive, name)()
