"""Random matches pass through short notation and PGN, out and in, without loss."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import chess.pgn
import pytest

from pbem.games.api import Outcome
from pbem.games.transcript import Transcript, TranscriptAction
from pbem_chess import CHESS, STARTS
from pbem_chess.pgn import read, write
from pbem_chess.position import SEATS, USUAL, ChessPosition

MATCHES, FEW = 10_000, 20
LONGEST = 120
"""Moves after which most matches are given up. Random ones can last for hundreds."""
NOTES = ("Anna: a {brave} move / or not?", "Bert: thanks [%emt 0:00:01]", "Anna: zwölf  Züge")


def played(seed: int) -> Iterator[tuple[ChessPosition, str]]:
    """Yield the positions and texts of a random match. Every twentieth is played to its end."""
    chance = random.Random(seed)
    number = USUAL if seed % 2 else chance.randrange(STARTS)
    position, most = CHESS.initial(2, {"chess960": number}), chance.randrange(LONGEST)
    while CHESS.to_act(position) and (position.turn <= most or seed % 20 == 0):
        action = chance.choice(list(CHESS.legal_actions(position)))
        yield position, CHESS.format(position, action)
        position = CHESS.play(position, action)
    yield position, ""


def transcript(seed: int, texts: list[str], last: ChessPosition, number: int) -> Transcript:
    """Return a random match as PGN needs it."""
    chance, outcome = random.Random(f"notes {seed}"), CHESS.outcome(last)
    if outcome is None:
        outcome = Outcome((last.seat,), "resignation", {})
    actions = [
        TranscriptAction(
            SEATS[at % 2],
            text,
            timedelta(seconds=chance.randrange(10**6)) if text != "claim draw" else None,
            (chance.choice(NOTES),) if text != "claim draw" and chance.random() < 0.1 else (),
        )
        for at, text in enumerate(texts)
    ]
    return Transcript(
        game_key="chess",
        players={"white": "Anna Öhm", "black": 'Bert "B"'},
        actions=tuple(actions),
        options={"chess960": number},
        winners=outcome.winners,
        termination=outcome.termination,
        club="Plus & Cross",
        match_id=seed + 1,
        competition="tournament 3.7" if seed % 3 else "",
        started_at=datetime(2026, 11, 21, 3, 30, tzinfo=UTC),
        time="10d+1d",
    )


def plain(action: TranscriptAction) -> TranscriptAction:
    """Return an action with its notes as a comment can hold them."""
    said = (note.replace("{", "(").replace("}", ")").replace("[%", "[") for note in action.notes)
    return action._replace(
        notes=tuple(" ".join(each.split()).replace(" / ", " - ") for each in said)
    )


@pytest.mark.timeout(4 * 3600)
def test_self_play_goes_out_and_in(every: bool) -> None:
    for seed in range(MATCHES if every else FEW):
        steps = list(played(seed))
        positions, texts = [at for at, _ in steps], [text for _, text in steps[:-1]]
        number = positions[0].board.chess960_pos()
        assert number is not None
        whole = transcript(seed, texts, positions[-1], number)
        text = write(whole)
        (back,) = read(text)
        assert back == Transcript(**{**vars(whole), "actions": tuple(map(plain, whole.actions))})
        for action, (before, after) in zip(back.actions, pairwise(positions), strict=True):
            meant = CHESS.parse(before, action.text, action.seat)
            assert CHESS.format(before, meant) == action.text
            assert CHESS.play(before, meant) == after
        if seed % 10 == 0:
            check_python_chess(text, positions[-1])


def test_claim_after_the_move_of_the_opponent_keeps_both() -> None:
    day = timedelta(days=1)
    actions = (
        TranscriptAction("white", "Nf3", day, ("Anna: hello",)),
        TranscriptAction("black", "claim draw"),
    )
    whole = Transcript("chess", {"white": "Anna", "black": "Bert"}, actions, winners=())
    (back,) = read(write(whole))
    assert back.actions == actions


def check_python_chess(text: str, last: ChessPosition) -> None:
    """Check that python-chess reads the same match from its PGN."""
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert game.end().board().fen() == last.board.fen()


def test_pgn_has_standard_tags() -> None:
    short = Transcript("chess", {"white": "Anna", "black": "Bert"}, (), winners=None)
    tags = chess.pgn.read_headers(io.StringIO(write(short)))
    assert tags is not None
    assert tags["Result"] == "*"
    assert tags["Termination"] == "unterminated"
    assert tags["Mode"] == "EM"
    other = Transcript(
        "chess", short.players, (), {"chess960": 0}, winners=("black",), termination="flag"
    )
    tags = chess.pgn.read_headers(io.StringIO(write(other)))
    assert tags is not None
    assert (tags["Variant"], tags["SetUp"]) == ("Chess960", "1")
    assert tags["FEN"] == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    assert (tags["Result"], tags["Termination"]) == ("0-1", "time forfeit")


@pytest.mark.parametrize(
    ("text", "reason"),
    (
        ("", "no game"),
        ('[White "A"]\n\n1. e4 e5 2. Ke3 *\n', "illegal san"),
        ('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n[SetUp "1"]\n\n1. O-O *\n', "starting position"),
    ),
)
def test_unusable_pgn_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read(text)
