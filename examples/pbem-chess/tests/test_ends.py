"""How a match ends: by itself, or by a claim (FIDE 5 and 9)."""

from __future__ import annotations

import pytest

from chess_lines import after, from_fen, meaning, played
from pbem.games.api import IllegalActionError
from pbem.games.position_text import ImpossiblePosition, position_of, text_of
from pbem_chess import CHESS
from pbem_chess.position import SEATS, ChessPosition

DANCE = ("Nf3", "Nf6", "Ng1", "Ng8")
WON = {"white": 1, "black": 0}
EVEN = {"white": 0, "black": 0}


def texts(position: ChessPosition) -> list[str]:
    return [CHESS.format(position, action) for action in CHESS.legal_actions(position)]


@pytest.mark.parametrize(
    ("position", "termination", "winners"),
    (
        (after("f3", "e5", "g4", "Qh4"), "checkmate", ("black",)),
        (after("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"), "checkmate", ("white",)),
        (played(from_fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "Qf7"), "stalemate", ()),
        (played(from_fen("7k/8/8/8/8/8/1r6/K7 w - - 0 1"), "Kxb2"), "insufficient", ()),
        (played(from_fen("7k/8/8/8/8/8/8/KR6 w - - 149 90"), "Rb2"), "seventyfive", ()),
        (played(from_fen("7k/8/8/8/8/8/8/KR6 w - - 99 90"), "Rb2 claim draw"), "fifty", ()),
        (after(*DANCE, *DANCE[:3], "Ng8 claim draw"), "threefold", ()),
        (after(*DANCE, *DANCE, "claim draw"), "threefold", ()),
        (after(*DANCE, *DANCE, *DANCE, *DANCE), "fivefold", ()),
    ),
)
def test_match_ends(position: ChessPosition, termination: str, winners: tuple[str, ...]) -> None:
    outcome = CHESS.outcome(position)
    assert outcome is not None
    assert (outcome.termination, outcome.winners) == (termination, winners)
    assert outcome.scores == (EVEN if not winners else {s: int(s in winners) for s in SEATS})
    assert CHESS.to_act(position) is None
    assert not texts(position)


def test_mate_with_the_last_move_before_a_limit_wins() -> None:
    position = played(from_fen("7k/8/6K1/8/8/8/8/1R6 w - - 149 90"), "Rb8")
    outcome = CHESS.outcome(position)
    assert outcome is not None
    assert outcome.termination == "checkmate"


@pytest.mark.parametrize(
    ("position", "claims"),
    (
        (after(*DANCE), []),
        (after(*DANCE, *DANCE[:3]), ["Ng8 claim draw"]),
        (after(*DANCE, *DANCE), ["claim draw", "Nf3 claim draw"]),
        (after(*DANCE, *DANCE, "e4", "e5"), []),
        (from_fen("7k/8/8/8/8/8/8/K6P w - - 98 90"), []),
    ),
)
def test_only_rightful_claims_are_legal(position: ChessPosition, claims: list[str]) -> None:
    assert [text for text in texts(position) if "claim" in text] == claims


def test_claim_may_be_written_in_many_ways() -> None:
    position = after(*DANCE, *DANCE[:3])
    for text in (
        "Ng8, I claim a draw",
        "Ng8 and claim the draw",
        "7...Ng8 claims a draw by repetition",
    ):
        (line,) = CHESS.read(text)
        assert [meaning(position, each) for each in line.actions] == ["Ng8 claim draw"]
    ended = after(*DANCE, *DANCE)
    for text in ("I claim a draw", "Claim draw!", "claim the draw by threefold repetition"):
        (line,) = CHESS.read(text)
        assert [meaning(ended, each) for each in line.actions] == ["claim draw"]


def test_lost_right_to_castle_makes_another_position() -> None:
    """FIDE 9.2.3.2: positions are not the same if a right to castle has been lost."""
    start = after("e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5")
    rooks = ("Rg1", "Rg8", "Rh1", "Rh8")
    assert "claim draw" not in texts(played(start, *rooks, *rooks))
    assert "claim draw" in texts(played(start, *rooks, *rooks, *rooks))


def test_impossible_en_passant_makes_no_other_position() -> None:
    """FIDE 9.2.3.1: a double step counts only if a pawn could really capture en passant."""
    position = after("Nf3", "Nf6", "e4", *("Ng8", "Ng1", "Nf6", "Nf3") * 2)
    assert "claim draw" in texts(position)


def test_wrong_claim_offers_the_move_alone() -> None:
    with pytest.raises(IllegalActionError) as caught:
        meaning(after("e4", "e5"), "Nf3 claim draw")
    assert caught.value.candidates == ("Nf3",)


def test_forfeit_gives_the_point_to_the_other() -> None:
    assert CHESS.forfeit(after("e4"), ["black"]) == WON
    assert CHESS.score(after("e4")) == EVEN


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    (
        ("7k/7p/8/8/8/8/8/K7 w - - 0 60", False, True),
        ("7k/7p/8/8/8/8/8/KB6 w - - 0 60", True, True),
        ("7k/7q/8/8/8/8/8/KN6 w - - 0 60", False, True),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 60", True, False),
        ("7k/8/8/8/8/8/8/KR6 w - - 0 60", True, False),
    ),
)
def test_side_without_the_pieces_for_mate_cannot_win(fen: str, *, white: bool, black: bool) -> None:
    """FIDE 6.9 counts any mate, with the help of the other side: a bishop, against a pawn."""
    position = from_fen(fen)
    assert [CHESS.can_win(position, seat) for seat in CHESS.info.seats] == [white, black]


def test_board_shows_repetitions_and_quiet_moves() -> None:
    said = [group.title.key for group in CHESS.diagram(after(*DANCE), "white").groups]
    assert said == ["repeated"]
    claimed = CHESS.diagram(after(*DANCE, *DANCE[:3], "Ng8 claim draw"), "white")
    assert claimed.groups == (), "it is over"
    quiet = from_fen("7k/8/8/8/8/8/8/KR6 b - - 70 90")
    assert [group.title.key for group in CHESS.diagram(quiet, "white").groups] == ["moved"]


def test_position_text_remembers_repetitions() -> None:
    position = after(*DANCE, *DANCE[:3])
    again = position_of(CHESS, 2, {}, text_of(CHESS, position))
    assert isinstance(again, ChessPosition)
    assert again == position
    assert texts(again)[-1] == "Ng8 claim draw"


@pytest.mark.parametrize(
    "text",
    (
        "chess 1; fen 8/8/8/8/8/8/8/8 w - - 0 1; moves -; recent -; claimed -",
        "chess 1; fen 7k/8/8/8/8/8/8/K6R w - - 0 1; moves h1h2; recent -; claimed threefold",
        "chess 1; fen 7k/8/8/8/8/8/7P/K7 w - - 0 1; moves h2h4; recent -; claimed -",
        "chess 1; fen 7k/8/8/8/8/8/7P/K7 w KQ - 0 1; moves -; recent -; claimed -",
        "chess 1; fen 7k/8/8/8/8/8/7P/K7 w - - 0 1; moves -; recent a1-b9; claimed -",
        "chess 2; fen 7k/8/8/8/8/8/7P/K7 w - - 0 1; moves -; recent -; claimed -",
    ),
)
def test_impossible_position_is_refused(text: str) -> None:
    with pytest.raises(ImpossiblePosition):
        position_of(CHESS, 2, {}, text)
