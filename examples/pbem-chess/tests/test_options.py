"""Chess960: the position is agreed by its number or computed from a published seed."""

from __future__ import annotations

import hashlib

import chess
import pytest

from pbem.games.api import OptionError
from pbem_chess import CHESS, STARTS

OPTION = CHESS.info.options[0]


@pytest.mark.parametrize(
    ("number", "rank"), ((0, "bbqnnrkr"), (518, "rnbqkbnr"), (959, "rkrnnqbb"), (534, "rnbkqbnr"))
)
def test_numbers_are_scharnagls(number: int, rank: str) -> None:
    board = CHESS.initial(2, {"chess960": number}).board
    assert board.fen().startswith(rank)


def test_every_start_is_different() -> None:
    starts = {CHESS.initial(2, {"chess960": number}).base for number in range(STARTS)}
    assert len(starts) == STARTS


def test_usual_chess_is_position_518() -> None:
    assert CHESS.initial(2, {}).base == chess.STARTING_FEN
    assert OPTION.read("off") == OPTION.read("518") == 518
    assert OPTION.format(518) == "off"


def test_seed_can_be_checked_with_sha256sum() -> None:
    digest = hashlib.sha256(b"lotto-2026-11-28").hexdigest()
    assert OPTION.read("seed:lotto-2026-11-28") == int(digest, 16) % 960


@pytest.mark.parametrize("text", ("960", "-1", "seed:", "random", "1.5", "seed:a b"))
def test_other_values_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="from 0 to 959"):
        OPTION.read(text)
