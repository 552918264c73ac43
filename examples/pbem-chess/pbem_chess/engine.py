"""A bot that asks a chess engine over UCI. A limit in nodes makes it equally strong everywhere.

Each answer starts the program again. So nothing it remembers changes its play, a crash costs one
answer, and nothing is left behind when the club stops.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

import chess

from pbem.games.api import Seat
from pbem.matches.bots.thinking import Bot, BotError, Interrupted, Scene, Thinking
from pbem_chess.position import ChessAction, ChessPosition
from pbem_chess.rules import claim_after, claim_now

NODES, SECONDS = 20_000, 60
"""Positions that the engine looks at, and the time after which it is stopped, by default."""
LOOK_S = 0.1
"""Time between two checks whether to stop."""
MATE = 100_000
"""Score of a forced mate, in hundredths of a pawn."""


class EngineError(BotError):
    """An engine that cannot be started, ends too early, or does not answer in time."""


class Advice(NamedTuple):
    """The engine's move, and its score for the side to move in hundredths of a pawn."""

    move: chess.Move
    score: int


@dataclass(frozen=True)
class Engine:
    """The bot. It never resigns. It takes and claims a draw unless it stands better."""

    program: str
    nodes: int = NODES
    seconds: float = SECONDS

    def action(self, scene: Scene, thinking: Thinking) -> ChessAction:
        """Return the engine's move, or a claim. Raises Interrupted and EngineError."""
        position: ChessPosition = scene.position
        move, score = self.advice(position, thinking)
        if score <= 0 and claim_now(position):
            return ChessAction(position.seat, None, claims=True)
        claims = score <= 0 and claim_after(position, move) is not None
        return ChessAction(position.seat, move, claims)

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Return False."""
        return False

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Return whether a seat does not stand better. Raises Interrupted and EngineError."""
        score = self.advice(scene.position, thinking).score
        return (score if scene.seat == seat else -score) <= 0

    def advice(self, position: ChessPosition, thinking: Thinking) -> Advice:
        """Ask the engine. Raises Interrupted and EngineError."""
        with _running(self.program) as process:
            talk = _Talk(self.program, process, thinking, time.monotonic() + self.seconds)
            talk.says("uci")
            known = {line.split()[2] for line in talk.until("uciok") if _OPTION.match(line)}
            wanted = {"Threads": "1", "Hash": "16", "UCI_Chess960": str(position.chess960).lower()}
            for name in known & set(wanted):
                talk.says(f"setoption name {name} value {wanted[name]}")
            moves = f" moves {' '.join(position.moves)}" if position.moves else ""
            talk.says("isready", f"position fen {position.base}{moves}", f"go nodes {self.nodes}")
            *lines, last = talk.until("bestmove")
        try:
            move = position.board.parse_uci(last.split()[1])
        except (ValueError, IndexError) as error:
            raise EngineError(f"{self.program} answers {last!r}, which is no legal move") from error
        scores = (score for line in reversed(lines) if (score := _score(line)) is not None)
        return Advice(move, next(scores, 0))


_OPTION = re.compile(r"option name \S+ type ")
_SCORE = re.compile(r"info .*\bscore (cp|mate) (-?\d+)")


def _score(line: str) -> int | None:
    found = _SCORE.match(line)
    if not found:
        return None
    number = int(found[2])
    return number if found[1] == "cp" else MATE if number > 0 else -MATE


@contextmanager
def _running(program: str) -> Iterator[subprocess.Popen[str]]:
    """Run an engine, and kill it at the end, whatever happens. Raises EngineError."""
    try:
        process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise EngineError(f"{program} cannot be started: {error.strerror}") from error
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):  # a script may have started the engine
                os.killpg(process.pid, signal.SIGKILL)
            assert process.stdin is not None, "it has a pipe"
            with suppress(OSError):  # an engine that has ended reads nothing more
                process.stdin.close()


class _Talk:
    """A conversation with an engine that runs."""

    def __init__(
        self, program: str, process: subprocess.Popen[str], thinking: Thinking, deadline: float
    ) -> None:
        self._program, self._process = program, process
        self._thinking, self._deadline = thinking, deadline
        self._lines = SimpleQueue[str | None]()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Pass on all lines, then None. A pipe cannot be read with a time limit everywhere."""
        assert self._process.stdout is not None, "it has a pipe"
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def says(self, *lines: str) -> None:
        """Send lines to the engine. Raises EngineError if it has ended."""
        assert self._process.stdin is not None, "it has a pipe"
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines))
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def until(self, word: str) -> Iterator[str]:
        """Yield the engine's lines up to one that starts with a word.

        Raises EngineError and Interrupted.
        """
        line: str | None = ""
        while line is not None and not line.startswith(word):
            try:
                line = self._lines.get(timeout=LOOK_S)
            except Empty:
                line = ""
            else:
                if line is not None:
                    yield line
            if self._thinking.stopping():
                raise Interrupted
            if time.monotonic() > self._deadline:
                raise EngineError(f"{self._program} has not answered in time")
        if line is None:
            raise self._ended()

    def _ended(self) -> EngineError:
        return EngineError(f"{self._program} has ended without an answer")


def bots(settings: Mapping[str, object]) -> Mapping[str, Bot]:
    """Return the bot of the operator's `[games.chess]`, none without an engine.

    Raises ValueError if a setting is unusable or the program is missing.
    """
    given = dict(settings)
    program, name = given.pop("engine", ""), given.pop("bot", "")
    nodes, seconds = given.pop("nodes", NODES), given.pop("seconds", SECONDS)
    if given:
        raise ValueError(f"there is no setting {min(given)}. Use engine, bot, nodes and seconds")
    if not program:
        return {}
    if not isinstance(program, str) or shutil.which(program) is None:
        raise ValueError(f"engine is {program!r}, which is not a program. Install it or correct it")
    for key, value in (("nodes", nodes), ("seconds", seconds)):
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"{key} is {value!r}. Write a whole number from 1")
    called = str(name) or re.sub(r"\W+", "_", Path(program).stem.lower())
    if not re.fullmatch(r"[a-z]\w{0,19}", called, re.ASCII):
        raise ValueError(f"bot is {called!r}. Write a short word in small letters")
    return {called: Engine(program, int(str(nodes)), int(str(seconds)))}
