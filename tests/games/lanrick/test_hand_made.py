"""The engines in every position drawn by hand for the naive ones.

`test_naive.py` judges the naive engines by the rulebook, line by line of its "Worth testing". Its
tests run here again, with the real engine following each match step by step: whatever is legal,
happens and results there must do so in the engine too.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.api import ActionError
from pbem.games.lanrick import (
    LANRICK_1881,
    LANRICK_1893,
    position_1881,
    position_1893,
    rules_1881,
    rules_1893,
)
from pbem.games.lanrick.board import SQUARES
from tests.games.lanrick import test_naive
from tests.games.lanrick.naive_1881 import Naive1881
from tests.games.lanrick.naive_1893 import Naive1893
from tests.games.lanrick.naive_board import NaiveMatch


def mask(match: NaiveMatch, seat: str) -> int:
    return sum(1 << SQUARES[square] for square in match.own(seat))


def drawn_1881(match: Naive1881) -> position_1881.Position1881:
    """Return the position of a naive match."""
    seats = match.SEATS
    return position_1881.Position1881(
        repetition=match.repetition,
        quiet_limit=match.quiet_limit,
        men=(mask(match, seats[0]), mask(match, seats[1])),
        phase=match.phase,
        to_act=seats.index(match.seat),
        mark=None if match.mark is None or match.phase in UNMARKED else SQUARES[match.mark],
        winner=1 - seats.index(match.loser),
        marker=seats.index(match.muster_first),
        first_turn=match.first_turn,
        budget=match.squares_left,
        taken=(match.taken[seats[0]], match.taken[seats[1]]),
        turn=match.turn,
        quiet=match.quiet,
        begun=not match.fresh,
        ending=match.termination,
    )


UNMARKED = ("place", "mark", "equalise", "muster")


def drawn_1893(match: Naive1893) -> position_1893.Position1893:
    """Return the position of a naive match."""
    seats = match.SEATS
    marked = SQUARES[match.mark] if match.mark is not None else None
    return position_1893.Position1893(
        repetition=match.repetition,
        quiet_limit=match.quiet_limit,
        men=(mask(match, seats[0]), mask(match, seats[1])),
        phase=match.phase,
        to_act=seats.index(match.seat),
        mark=marked if marked is not None or match.first_mark else 0,
        rendezvous=sum(1 << SQUARES[square] for square in match.rendezvous),
        open=match.open,
        first_turn=match.first_turn,
        may_claim=match.may_claim,
        budget=match.squares_left,
        turn=match.turn,
        quiet=match.quiet,
        ending=match.termination,
    )


class Followed(NaiveMatch):
    """A naive match with the engine beside it."""

    GAME: Any
    RULES: Any
    engine: Any = None

    @staticmethod
    def position(match: Any) -> Any:
        raise NotImplementedError

    def beside(self) -> Any:
        """Return the engine's position. It starts where the naive match is when first asked."""
        if self.engine is None:
            self.engine = type(self).position(self)
            if self.seen and self.engine.ending is None:
                # The start of a drawn match counts as the first occurrence.
                self.RULES.ask(self.engine)
        return self.engine

    def legal(self) -> list[str]:
        texts = super().legal()
        self.agree(texts)
        return texts

    def play(self, text: str) -> list[str]:
        before, seat = self.beside(), self.to_act()
        try:
            passed = super().play(text)
        except ValueError:
            with pytest.raises(ActionError):
                self.GAME.play(before, self.GAME.parse(before, text, seat))
            raise
        self.engine = self.GAME.play(before, self.GAME.parse(before, text, seat))
        assert list(self.engine.passed) == passed
        self.agree(super().legal())
        return passed

    def agree(self, texts: list[str]) -> None:
        """Check that both give the same answers."""
        position = self.beside()
        assert self.GAME.to_act(position) == self.to_act()
        actions = [action.text for action in self.GAME.legal_actions(position)]
        assert sorted(actions) == sorted(texts)
        assert self.GAME.squares(position)["squares"] == self.board()["squares"]
        outcome = self.GAME.outcome(position)
        told = outcome and {**outcome._asdict(), "winners": list(outcome.winners)}
        assert told == self.outcome()


class Followed1881(Followed, Naive1881):
    GAME, RULES = LANRICK_1881, rules_1881
    position = staticmethod(drawn_1881)


class Followed1893(Followed, Naive1893):
    GAME, RULES = LANRICK_1893, rules_1893
    position = staticmethod(drawn_1893)


DRAWN = [
    name
    for name in dir(test_naive)
    if name.startswith(("test_1881_", "test_1893_"))
    and not getattr(getattr(test_naive, name), "pytestmark", None)
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", DRAWN)
def test_engine_follows_the_naive_match(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_naive, "Naive1881", Followed1881)
    monkeypatch.setattr(test_naive, "Naive1893", Followed1893)
    getattr(test_naive, name)()
