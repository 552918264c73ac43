"""Test the line protocol of `pbem engine` (docs/contracts.md, `pbem engine`), row by row."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from pbem.cli.engine import Engine, serve
from pbem.games import games, keys
from pbem.games.api import AnyGame
from tests.games.lanko.drawing import drawn
from tests.games.lanko.test_endings import PACKED

OPENING_68 = "[41-36] [42-35] [42-36] [42-N] [43-37] [43-38] [43-N] [44-37] [O-36] [O-37] [O-N]"


@pytest.fixture
def engine() -> Engine:
    """Start a match of lanko-68."""
    engine = Engine()
    assert engine.answer("new lanko-68 players=4")["ok"]
    return engine


def engine_at(key: str, drawing: str, seat: str = "S", **state: Any) -> Engine:
    """Return an engine at a drawn position."""
    engine = Engine()
    assert engine.answer(f"new {key} players=4")["ok"]
    engine._position = drawn(key, drawing, seat, **state)
    return engine


# ------------------------------------------------------------------ new


@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("key", ("lanko-88", "lanko-68", "lanko-103"))
def test_new_starts_every_lanko_with_every_number_of_players(key: str, players: int) -> None:
    assert Engine().answer(f"new {key} players={players}") == {
        "ok": True,
        "game": key,
        "players": players,
        "seats": ["S", "W", "N", "E"],
    }


def test_new_takes_options() -> None:
    engine = Engine()
    assert engine.answer("new lanko-68 players=2 repetition=off quiet_limit=1")["ok"]
    assert engine.answer("do 42-36")["ok"]
    assert engine.answer("outcome") == {
        "outcome": {
            "winners": [],
            "termination": "quiet",
            "scores": {"S": 0, "W": 0, "N": 0, "E": 0},
        }
    }


@pytest.mark.parametrize(
    "request_line",
    (
        *("new", "new lanko-68", "new chess players=2", "new players=2", "new lanko-68 players"),
        *("new lanko-68 players=1", "new lanko-68 players=5", "new lanko-68 players=two"),
        *("new lanko-68 players=", "new lanko-68 players=²", "new lanko-68 players=-2"),
        *("new lanko-68 players=2 colour=red", "new lanko-68 players=2 repetition=maybe"),
        *("new lanko-68 players=2 quiet_limit=-1", "new lanko-68 players=2 quiet_limit=x"),
        *("new lanko-68 players=2 repetition", "new lanko-68 4", "NEW lanko-68 players=2"),
        f"new lanko-68 players={'9' * 5000}",
        f"new lanko-68 players=2 quiet_limit={'9' * 5000}",
    ),
)
def test_invalid_new_leaves_the_match_unchanged(engine: Engine, request_line: str) -> None:
    engine.answer("do 42-36")
    before = engine.answer("board")
    answer = engine.answer(request_line)
    assert (answer["ok"], answer["error"]) == (False, "usage")
    assert answer["message"]
    assert engine.answer("board") == before


@pytest.mark.parametrize(
    "request_line",
    ("legal", "do 42-36", "board", "outcome", "show", "show S", "perft 1", "position"),
)
def test_request_without_a_match_asks_for_one(request_line: str) -> None:
    answer = Engine().answer(request_line)
    assert (answer["ok"], answer["error"]) == (False, "usage")
    assert "new GAME" in answer["message"]


# ------------------------------------------------------------------ legal, board, outcome, show


def test_legal_lists_opening_actions(engine: Engine) -> None:
    answer = engine.answer("legal")
    assert answer["seat"] == "S"
    assert sorted(answer["actions"]) == OPENING_68.split(" ")


def test_board_lists_occupied_squares() -> None:
    engine = Engine()
    engine.answer("new lanko-103 players=4")
    answer = engine.answer("board")
    assert list(answer) == ["squares"]
    assert answer["squares"].keys() & {"#N", "#E", "#S", "#W", "G", "(N)"} == {
        *("#N", "#E", "#S", "#W")
    }
    assert answer["squares"]["A"] == "B"
    assert answer["squares"]["#W"] == "p"
    assert answer["squares"]["14"] == "s"
    assert len(answer["squares"]) == 44


def test_board_names_middle_and_end_squares_as_printed() -> None:
    engine = engine_at(
        "lanko-68",
        """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . b XSs . . . .
        . . . . B . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    assert engine.answer("do M-X")["canonical"] == "[M-(X)]"
    assert engine.answer("board") == {"squares": {"A": "B", "H": "b", "X": "BSs"}}
    engine = engine_at(
        "lanko-103",
        """
                . . B _ .
                . . . . .
                . . . . .
                . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        b . . . . . S . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ . P .
        """,
    )
    engine.answer("do g-n")
    assert engine.answer("board") == {"squares": {"A": "B", "D": "b", "(N)": "S", "#S": "P"}}


def test_outcome_ends_the_match(engine: Engine) -> None:
    assert engine.answer("outcome") == {"outcome": None}
    engine = engine_at(
        "lanko-68",
        """
            P . . . .
            . . . . .
        p . . . . . . . p
        . . . . . . . . .
        . . . . Xb . . . .
        . . . . B . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    assert engine.answer("do M-X") == {
        "ok": True,
        "canonical": "[M-(X)]",
        "seat": "S",
        "passes": [],
    }
    assert engine.answer("outcome") == {
        "outcome": {
            "winners": ["W", "E"],
            "termination": "no-entry",
            "scores": {"S": -2, "W": 2, "N": -2, "E": 2},
        }
    }
    assert engine.answer("legal") == {"seat": None, "actions": []}
    assert engine.answer("perft 3") == {"nodes": [0, 0, 0]}
    for request_line in ("do 1-5", "do +++", "do as N 1-5", "do as W +++"):
        answer = engine.answer(request_line)
        assert (answer["ok"], answer["error"]) == (False, "illegal")
        assert "over" in answer["message"]


def test_show_takes_a_seat(engine: Engine) -> None:
    south = engine.answer("show")["text"]
    assert south == engine.answer("show S")["text"] == engine.answer("show s")["text"]
    assert south.split("\n\n")[0].splitlines()[-1].split() == ["45P", "46S", "PB", "47S", "48P"]
    west = engine.answer("show W")["text"]
    assert west.split("\n\n")[0].splitlines()[-1].split() == ["9p", "17s", "Eb", "25s", "33p"]
    engine.answer("do 42-36")
    assert engine.answer("show") == engine.answer("show W")
    answer = engine.answer("show X")
    assert (answer["ok"], answer["error"]) == (False, "usage")
    assert "S, W, N, E" in answer["message"]


# ------------------------------------------------------------------ do


def test_do_prints_canonical_action(engine: Engine) -> None:
    assert engine.answer("do 42-n.") == {
        "ok": True,
        "canonical": "[42-N]",
        "seat": "S",
        "passes": [],
    }
    assert engine.answer("legal")["seat"] == "W"


def test_do_names_passed_seats() -> None:
    engine = engine_at(
        "lanko-68",
        """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . b
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . B . .
        """,
    )
    assert engine.answer("do P-46")["passes"] == ["W"]
    assert engine.answer("legal")["seat"] == "N"


def test_do_plays_several_actions_of_the_same_turn() -> None:
    engine = engine_at("lanko-103", PACKED)
    answer = engine.answer("do [40-38]; [#s-40]")
    assert answer == {
        "ok": True,
        "canonical": "[40-38] [#S-40]",
        "seat": "S",
        "passes": ["W", "N", "E"],
    }
    assert engine.answer("outcome")["outcome"]["termination"] == "no-entry"


@pytest.mark.parametrize(
    ("request_line", "error"),
    (
        ("do 40-38 #S-41", "invalid"),
        ("do 40-38 40-38", "illegal"),
        ("do 40-38 hello", "invalid"),
        ("do [40-38] [hello]", "invalid"),
        ("do 40-38 #S-40 39-33", "illegal"),
    ),
)
def test_do_plays_all_actions_or_none(request_line: str, error: str) -> None:
    engine = engine_at("lanko-103", PACKED)
    before = engine.answer("board"), engine.answer("legal"), engine.answer("show")
    answer = engine.answer(request_line)
    assert (answer["ok"], answer["error"]) == (False, error)
    assert (engine.answer("board"), engine.answer("legal"), engine.answer("show")) == before


def test_do_as_plays_a_declaration_out_of_turn(engine: Engine) -> None:
    assert engine.answer("do as n +++") == {
        "ok": True,
        "canonical": "[N+++]",
        "seat": "N",
        "passes": [],
    }
    assert engine.answer("legal")["seat"] == "S"
    assert engine.answer("do 42-36 +++")["canonical"] == "[42-36 +++]"
    assert engine.answer("do as W +++")["ok"]
    assert engine.answer("outcome") == {"outcome": None}
    assert engine.answer("do as E [E+++]")["canonical"] == "[E+++]"
    assert engine.answer("outcome")["outcome"]["termination"] == "agreed"


def test_do_as_refuses_moves_out_of_turn_and_unknown_seats(engine: Engine) -> None:
    answer = engine.answer("do as W 26-27")
    assert (answer["ok"], answer["error"]) == (False, "illegal")
    assert "S's turn" in answer["message"]
    answer = engine.answer("do as W [N+++]")
    assert (answer["ok"], answer["error"]) == (False, "illegal")
    for request_line in ("do as", "do as X +++"):
        assert engine.answer(request_line)["error"] == "usage"


def test_do_refuses_unreadable_text(engine: Engine) -> None:
    for text in ("", "hello", "42-99", "42-", "---", "[---]", "42 36"):
        answer = engine.answer(f"do {text}")
        assert set(answer) == {"ok", "error", "message", "candidates"}
        assert (answer["ok"], answer["error"], answer["candidates"]) == (False, "invalid", [])


def test_illegal_do_names_legal_candidates(engine: Engine) -> None:
    answer = engine.answer("do 42-29")
    assert (answer["ok"], answer["error"]) == (False, "illegal")
    assert set(answer["candidates"]) == {"[42-36]", "[42-35]", "[42-N]"}
    assert answer["message"]


def test_ambiguous_do_names_the_readings() -> None:
    # The pawn on 26 captures four men in either direction.
    engine = engine_at(
        "lanko-68",
        """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . p . . . . . .
        . p . p X . . . b
        . P p . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    answer = engine.answer("do 26:20")
    assert (answer["ok"], answer["error"]) == (False, "ambiguous")
    assert sorted(answer["candidates"]) == ["[26:18:20:28:26]", "[26:28:20:18:26]"]
    assert engine.answer("do 26:18:20")["canonical"] == "[26:18:20:28:26]"


# ------------------------------------------------------------------ perft


def test_perft_counts_nodes_to_a_depth(engine: Engine) -> None:
    assert engine.answer("perft 1") == {"nodes": [11]}
    assert engine.answer("perft 3") == {"nodes": [11, 121, 1331]}
    assert engine.answer("perft 0") == {"nodes": []}


def test_perft_does_not_count_passes() -> None:
    engine = engine_at("lanko-103", PACKED)
    # The standby pawn's move ends the match. After the other two moves everyone passes, and S fills
    # the gap.
    assert engine.answer("perft 3") == {"nodes": [3, 2, 0]}


@pytest.mark.parametrize("depth", ("", "-1", "x", "1.5", "²", "1 2", "9" * 5000, "100000000000"))
def test_perft_refuses_invalid_depth(engine: Engine, depth: str) -> None:
    answer = engine.answer(f"perft {depth}")
    assert (answer["ok"], answer["error"]) == (False, "usage")


# ------------------------------------------------------------------ anything else


@pytest.mark.parametrize(
    "request_line",
    ("", " ", "hello", "Legal", "legals", "quit", "do42-36", "\x00", "ö", "{}", '{"do": 1}', "-- "),
)
def test_unknown_request_gets_usage(engine: Engine, request_line: str) -> None:
    answer = engine.answer(request_line)
    assert (answer["ok"], answer["error"]) == (False, "usage")
    for word in ("new", "legal", "do", "board", "outcome", "show", "perft"):
        assert word in answer["message"]


def test_random_lines_are_answered_with_json(engine: Engine) -> None:
    chance = random.Random(1)
    words = ["new", "legal", "do", "as", "S", "board", "outcome", "show", "perft", "lanko-68", "2"]
    words += ["players=2", "=", "[", "]", "42-36", "+++", "x", "\x00", "\ud800", "é", "9" * 30, ":"]
    for _ in range(2000):
        line = " ".join(chance.choices(words, k=chance.randrange(6))).replace("perft 2", "perft 1")
        assert json.loads(json.dumps(engine.answer(line)))


def test_line_of_a_mebibyte_is_answered(engine: Engine) -> None:
    for line in ("x" * 2**20, "do " + "[8-B] " * 2**17, "show " + "S" * 2**20):
        assert engine.answer(line)["ok"] is False


# ------------------------------------------------------------------ every game


@pytest.mark.parametrize("game", games(), ids=keys())
def test_whole_match_of_every_game(game: AnyGame) -> None:
    chance = random.Random(game.info.key)
    engine = Engine()
    players = max(game.info.holders)
    seats = engine.answer(f"new {game.info.key} players={players}")["seats"]
    assert seats == list(game.info.seats_of(players))
    while (legal := engine.answer("legal"))["actions"]:
        text = chance.choice(legal["actions"])
        answer = engine.answer(f"do {text.lower()}")
        assert answer["ok"] is True
        assert answer["canonical"] == text
        assert answer["seat"] == legal["seat"]
        assert set(answer["passes"]) <= set(seats)
    assert legal["seat"] is None
    outcome = engine.answer("outcome")["outcome"]
    assert outcome["termination"] in game.info.terminations
    assert list(outcome["scores"]) == seats
    assert set(outcome["winners"]) <= set(seats)
    for seat in seats:
        assert engine.answer(f"show {seat}")["text"]


def test_explicit_end_of_turn_needs_an_open_turn() -> None:
    """An email may end a turn that has already ended. The protocol follows the rulebook."""
    engine = Engine()
    assert engine.answer("new lanrick-1893 players=2")["ok"]
    for refused in ("do .", "do @d5 ."):
        assert engine.answer(refused)["error"] == "illegal"
    assert engine.answer("do @d5")["ok"]
    answer = engine.answer("do a4-a5 h8-g8 .")
    assert (answer["ok"], answer["error"]) == (False, "illegal")
    assert "you have used all your squares" in answer["message"]
    assert engine.answer("do a4-a5 .")["canonical"] == "a4-a5 ."


# ------------------------------------------------------------------ lines in, lines out


def test_each_line_gets_one_line_flushed_at_once() -> None:
    class Answers(io.StringIO):
        def __init__(self) -> None:
            super().__init__()
            self.flushed: list[str] = []

        def flush(self) -> None:
            self.flushed.append(self.getvalue())

    answers = Answers()
    serve(io.StringIO("new lanko-68 players=2\n\nlegal\nnonsense\nshow\noutcome"), answers)
    lines = answers.getvalue().splitlines()
    assert [sorted(json.loads(line)) for line in lines] == [
        ["game", "ok", "players", "seats"],
        ["error", "message", "ok"],
        ["actions", "seat"],
        ["error", "message", "ok"],
        ["text"],
        ["outcome"],
    ]
    assert [text.count("\n") for text in answers.flushed] == [1, 2, 3, 4, 5, 6]


@pytest.mark.servers
def test_engine_command_answers_any_bytes_and_ends_with_the_input() -> None:
    requests = b"new lanko-68 players=2\r\n\xff\xfe do\n\ndo 42\xe2\x80\x9336\ndo \xff\noutcome\n"
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "engine"],
        input=requests,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        timeout=60,
    )
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("ok") for answer in answers] == [True, False, False, True, False, None]
    assert answers[3]["canonical"] == "[42-36]"
    assert answers[4]["error"] == "invalid"
    assert answers[5] == {"outcome": None}


# ------------------------------------------------------------------ position


@pytest.mark.parametrize("game", games(), ids=keys())
def test_printed_position_can_be_set_up(game: AnyGame) -> None:
    engine, other = Engine(), Engine()
    new = f"new {game.info.key} players={max(game.info.holders)}"
    assert engine.answer(new)["ok"]
    assert other.answer(new)["ok"]
    for _ in range(12):
        engine.answer(f"do {engine.answer('legal')['actions'][0]}")
        text = engine.answer("position")["position"]
        assert other.answer(f"position {text}") == {"ok": True, "position": text}
        for request_line in ("legal", "board", "outcome", "show", "position"):
            assert other.answer(request_line) == engine.answer(request_line)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    (
        ("turn 3", "turn 03", "'turn 03' instead of 'turn 3'"),
        ("placed 1 1", "placed 2 1", "1 knights have left the board, but 0 are defeated"),
        ("placed 1 1", "placed 31 1", "placed is 31, not from 1 to 30"),
        ("knights D5 F6", "knights D5 D5", "two pieces are on one square"),
        ("knights D5 F6", "knights A1 F6", "a piece is outside the area"),
        ("sword -", "sword E5", "Excalibur is not in this match"),
        ("last blue F6", "last blue F7", "the last move is not on the board"),
        ("to-act red", "to-act green", "a value cannot be read"),
        ("; idle 0", "", "'idle'"),
    ),
)
def test_impossible_position_is_refused(before: str, after: str, reason: str) -> None:
    text = (
        "lancelot 1; knights D5 F6; placed 1 1; defeated 0 0; to-act red; sword -; called; "
        "resigned; turn 3; idle 0; passed; last blue F6 - first; ending -"
    )
    engine = Engine()
    engine.answer("new lancelot players=2")
    assert engine.answer(f"position {text}") == {"ok": True, "position": text}
    answer = engine.answer(f"position {text.replace(before, after)}")
    assert (answer["ok"], answer["error"]) == (False, "invalid")
    assert reason in answer["message"]
    assert engine.answer("position") == {"ok": True, "position": text}
