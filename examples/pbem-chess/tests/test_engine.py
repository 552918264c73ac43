"""The engine as a bot: it plays, answers draw offers, and fails without harm."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chess_lines import after, from_fen
from pbem.matches.bots import Interrupted, Scene, Thinking
from pbem_chess import CHESS
from pbem_chess.engine import Engine, EngineError, bots
from pbem_chess.position import ChessPosition

FAKE = Path(__file__).with_name("fake_engine.py")
STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
DANCE = ("Nf3", "Nf6", "Ng1", "Ng8")


@pytest.fixture
def engine(tmp_path: Path) -> Callable[[str], str]:
    """Return the program of an engine that behaves in some way."""

    def program(what: str) -> str:
        path = tmp_path / f"engine-{what}"
        path.write_text(f"#!/bin/sh\nexec {sys.executable} {FAKE} {what}\n")
        path.chmod(0o755)
        return str(path)

    return program


def thinking(*, stops: bool = False) -> Thinking:
    return Thinking(lambda below: 0, lambda: stops)


def plays(bot: Engine, position: ChessPosition) -> str:
    return CHESS.format(position, bot.action(Scene(CHESS, 2, position), thinking()))


def test_engine_plays_in_usual_chess_and_chess960(engine: Callable[[str], str]) -> None:
    bot = Engine(engine("plain"))
    assert plays(bot, after("e4", "e5")) == "a3"
    assert plays(bot, after("Nf3", "Nf6")) == "a3"
    castles = from_fen("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", chess960=True)
    assert plays(bot, castles) == "Kd1"


def test_engine_claims_draw_unless_it_stands_better(engine: Callable[[str], str]) -> None:
    position = after(*DANCE, *DANCE)
    assert plays(Engine(engine("plain")), position) == "claim draw"
    assert plays(Engine(engine("mate")), position) == "claim draw"
    assert plays(Engine(engine("ahead")), position) == "a3"


def test_engine_takes_draw_unless_it_stands_better(engine: Callable[[str], str]) -> None:
    scene = Scene(CHESS, 2, after("e4"))
    ahead, mate = Engine(engine("ahead")), Engine(engine("mate"))
    assert not ahead.takes_draw(scene, "black", thinking())
    assert ahead.takes_draw(scene, "white", thinking())
    assert mate.takes_draw(scene, "black", thinking())
    assert not mate.gives_up(scene, "black", thinking())


@pytest.mark.parametrize(
    ("what", "reason"),
    (("crash", "has ended"), ("nonsense", "no legal move"), ("sleep", "not answered in time")),
)
def test_misbehaving_engine_is_ended_and_named(
    engine: Callable[[str], str], what: str, reason: str
) -> None:
    bot, begun = Engine(engine(what), seconds=2 if what == "sleep" else 60), time.monotonic()
    with pytest.raises(EngineError, match=reason):
        plays(bot, after("e4"))
    assert time.monotonic() - begun < 50


def test_missing_program_is_an_error_of_its_move_only() -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        plays(Engine("/nowhere/engine"), after("e4"))


def test_engine_stops_when_told(engine: Callable[[str], str]) -> None:
    with pytest.raises(Interrupted):
        Engine(engine("sleep")).action(Scene(CHESS, 2, after("e4")), thinking(stops=True))


def test_settings_make_a_bot(engine: Callable[[str], str]) -> None:
    program = engine("plain")
    assert bots({}) == {}
    assert bots({"engine": program}) == {"engine_plain": Engine(program)}
    named = {"engine": program, "bot": "deep", "nodes": 5, "seconds": 9}
    assert bots(named) == {"deep": Engine(program, 5, 9)}


@pytest.mark.parametrize(
    ("settings", "reason"),
    (
        ({"engine": "/nowhere/engine"}, "not a program"),
        ({"engine": sys.executable, "nodes": 0}, "nodes is 0"),
        ({"engine": sys.executable, "bot": "Big Bot"}, "bot is"),
        ({"engin": sys.executable}, "no setting engin"),
    ),
)
def test_unusable_settings_are_named(settings: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        bots(settings)


@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
def test_stockfish_mates_and_is_the_same_each_time() -> None:
    assert STOCKFISH is not None
    bot = Engine(STOCKFISH, nodes=5000)
    assert plays(bot, from_fen("7k/8/6K1/8/8/8/8/1R6 w - - 0 1")) == "Rb8#"
    position = after("e4", "e5", "Nf3", "Nc6")
    assert plays(bot, position) == plays(bot, position)
    assert plays(bot, CHESS.initial(2, {"chess960": 0}))
