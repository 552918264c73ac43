"""What people write is read as they mean it, or asked about."""

from __future__ import annotations

import pytest

from chess_lines import after, from_fen, meaning
from pbem.games.api import AmbiguousActionError, IllegalActionError, InvalidActionError
from pbem_chess import CHESS
from pbem_chess.position import ChessPosition

QUIET = after("e4", "e5")
ITALIAN = after("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
PROMOTES = from_fen("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1")
EN_PASSANT = after("e4", "a6", "e5", "d5")
B_FILE = from_fen("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1")
BISHOP = from_fen("4k3/8/8/8/8/2p5/3B4/4K3 w - - 0 1")
PAWN = from_fen("4k3/8/8/8/8/2p5/1P6/4K3 w - - 0 1")
TWO_KNIGHTS = from_fen("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1")
BOTH_SIDES = from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")

READ = {
    "short": (QUIET, "Nf3", "Nf3 nf3 NF3 N-f3 knight-f3 ♘f3 Nf3! Nf3!? Nf3+ *Nf3* Nf3."),
    "long": (QUIET, "Nf3", "Ng1-f3 g1f3 g1-f3 Ng1f3 G1F3 ng1–f3 g1→f3 Ngf3 N1f3 g1>f3"),
    "numbers": (QUIET, "Nf3", "2.Nf3 2.g1f3 2)Nf3 2...Nf3 2…Nf3 ...Nf3"),
    "castling": (ITALIAN, "O-O", "O-O 0-0 o-o O–O e1g1 e1-g1 Ke1-g1 e1h1 O-O! castles castling"),
    "promotion": (PROMOTES, "e8=Q+", "e8=Q e8Q e8/Q e8(Q) e8=q e7e8q e7-e8=Q e8=Q+ e8=queen E8=Q"),
    "capture": (PROMOTES, "exd8=N", "exd8=N ed8N e:d8N e7d8n e7xd8=N exd8/N exd8(N)"),
    "en-passant": (EN_PASSANT, "exd6", "exd6 exd6e.p. ed6 e5d6 e5xd6 exd6ep EXD6"),
    "b-pawn": (B_FILE, "bxc3", "bxc3 bc3 b2xc3 b2c3 b2-c3 b:c3"),
    "b-bishop": (B_FILE, "Bxc3", "Bxc3 Bc3 d2c3 Bd2xc3 B:c3"),
    "only-bishop": (BISHOP, "Bxc3", "bxc3 Bxc3 BXC3 bc3"),
    "only-pawn": (PAWN, "bxc3", "bxc3 Bxc3 BXC3 Bc3"),
    "long-castling": (BOTH_SIDES, "O-O-O", "O-O-O 0-0-0 o-o-o e1c1 e1a1 Ke1c1"),
}
SENTENCES = {
    "12. Nf3": (QUIET, "Nf3"),
    "2. ... Nf3": (QUIET, "Nf3"),
    "knight to f3": (QUIET, "Nf3"),
    "Knight g1 to f3": (QUIET, "Nf3"),
    "castles kingside": (BOTH_SIDES, "O-O"),
    "castle queen's side": (BOTH_SIDES, "O-O-O"),
    "king-side castling": (BOTH_SIDES, "O-O"),
    "exd6 e.p.": (EN_PASSANT, "exd6"),
    "pawn takes d8 = knight": (PROMOTES, "exd8=N"),
    "bishop takes c3": (B_FILE, "Bxc3"),
    "Bxc3 check": (BISHOP, "Bxc3"),
}
READINGS = [
    *((key, spelling) for key, (_, _, spellings) in READ.items() for spelling in spellings.split()),
]


@pytest.mark.parametrize(("key", "text"), READINGS)
def test_spelling_is_read_as_its_move(key: str, text: str) -> None:
    position, move, _ = READ[key]
    (line,) = CHESS.read(text)
    assert line.counts
    assert [meaning(position, each) for each in line.actions] in ([move], [f"{move}+"])


@pytest.mark.parametrize("text", SENTENCES)
def test_words_are_read_as_their_move(text: str) -> None:
    position, move = SENTENCES[text]
    (line,) = CHESS.read(text)
    assert [meaning(position, each) for each in line.actions] == [move]


@pytest.mark.parametrize(
    ("position", "text", "candidates"),
    (
        (PROMOTES, "e8", "e8=B e8=N e8=Q+ e8=R+"),
        (TWO_KNIGHTS, "Nd2", ""),
        (from_fen("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"), "Nd2", "Nbd2 Nfd2"),
        (B_FILE, "BXC3", "Bxc3 bxc3"),
        (BOTH_SIDES, "castles", "O-O O-O-O"),
    ),
)
def test_several_meanings_are_asked_about(
    position: ChessPosition, text: str, candidates: str
) -> None:
    if not candidates:
        assert meaning(position, text) == "Nd2"
        return
    with pytest.raises(AmbiguousActionError) as caught:
        meaning(position, text)
    assert list(caught.value.candidates) == candidates.split()


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    (
        (QUIET, "Nxf3", "no piece"),
        (QUIET, "e5", "no piece"),
        (from_fen("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1"), "Nc3", "your king would be in check"),
        (from_fen("4r1k1/8/8/8/8/8/8/4K1N1 w - - 0 1"), "Nf3", "still be in check"),
        (QUIET, "Nf3 claim draw", "three times"),
        (QUIET, "claim draw", "three times"),
    ),
)
def test_illegal_move_is_refused_with_its_reason(
    position: ChessPosition, text: str, reason: str
) -> None:
    with pytest.raises(IllegalActionError, match=reason):
        meaning(position, text)


PROSE = (
    *(
        "Hello Anna,",
        "a",
        "Ooo!",
        "claim",
        "draw",
        "draw?",
        "no draw",
        "resign",
        "I am ready",
        "Be",
    ),
    *("back in a week", "e4 is good", "see you at 8", "Best", "Nf3 or Nc3?", "Ed", "12.", "castle"),
)


@pytest.mark.parametrize("line", PROSE)
def test_prose_and_commands_are_no_moves(line: str) -> None:
    (reading,) = CHESS.read(line)
    assert not reading.actions or line == "castle"


def test_moves_in_prose_are_suggested() -> None:
    assert CHESS.mentioned("I thought of Nf3 or 0-0, or exd5") == ("Nf3", "0-0", "exd5")
    assert CHESS.mentioned("See you on 4 May at noon") == ()


def test_list_of_moves_is_read_move_by_move() -> None:
    (line,) = CHESS.read("2. Nf3 Nc6 3. Bb5 a6; 4. O-O")
    assert [text.split()[-1] for text in line.actions] == ["Nf3", "Nc6", "Bb5", "a6", "O-O"]


def test_other_text_gets_an_example_of_a_move() -> None:
    with pytest.raises(InvalidActionError, match="Nf3, exd5, O-O"):
        meaning(QUIET, "hello")


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    (
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "O-O"),
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O", "O-O"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "O-O-O"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1c1", "Kc1"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "Kc1", "Kc1"),
        ("4k3/8/8/8/8/8/8/R4K2 w A - 0 1", "f1c1", "O-O-O"),
    ),
)
def test_castling_in_chess960_is_read_in_every_form(fen: str, text: str, move: str) -> None:
    position = from_fen(fen, chess960=True)
    assert meaning(position, text).rstrip("+") == move
