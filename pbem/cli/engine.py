"""`pbem engine`: one request line in, one JSON line out (docs/contracts.md, `pbem engine`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from typing import Any, TextIO

from pbem.games import game_of
from pbem.games.api import ActionError, AnyGame, OptionError, Options
from pbem.games.phrases import ENGLISH
from pbem.games.position_text import ImpossiblePosition, position_of, text_of
from pbem.games.replay import Played, play_list
from pbem.games.text_diagram import paint

Answer = dict[str, Any]


class UsageError(Exception):
    """A request line that is not in the protocol."""


class Engine:
    """One conversation: the match and the requests."""

    def __init__(self) -> None:
        self._game: AnyGame | None = None
        self._position: Any = None
        self._players = 0
        self._options: Options = {}
        self._requests: dict[str, Callable[[str], Answer]] = {
            "new": self._new,
            "legal": self._legal,
            "do": self._do,
            "board": self._board,
            "outcome": self._outcome,
            "show": self._show,
            "perft": self._perft,
            "position": self._set_up,
        }

    def answer(self, line: str) -> Answer:
        """Return the answer to a request line. Never raises, whatever the line contains."""
        word, _, rest = line.strip().partition(" ")
        try:
            if word not in self._requests:
                raise UsageError(f"the requests are: {', '.join(self._requests)}")
            return self._requests[word](rest.strip())
        except ActionError as error:
            return {
                "ok": False,
                "error": error.kind,
                "message": str(error),
                "candidates": list(error.candidates),
            }
        except ImpossiblePosition as error:
            return {"ok": False, "error": "invalid", "message": str(error)}
        except (UsageError, OptionError) as error:
            return {"ok": False, "error": "usage", "message": str(error)}

    def _new(self, rest: str) -> Answer:
        key, *settings = rest.split() or [""]
        texts = dict(_setting(setting) for setting in settings)
        players = texts.pop("players", "")
        number = _number(players, "say how many players: new GAME players=N [option=value ...]")
        game = game_of(key)
        seats = game.info.seats_of(number)
        options = game.info.read_options(texts)
        position = game.initial(number, options)
        self._game, self._position = game, position
        self._players, self._options = number, options
        return {"ok": True, "game": game.info.key, "players": number, "seats": list(seats)}

    def _started(self) -> AnyGame:
        if self._game is None:
            raise UsageError("start with: new GAME players=N [option=value ...]")
        return self._game

    def _legal(self, _: str) -> Answer:
        game, position = self._started(), self._position
        actions = [game.format(position, a) for a in game.legal_actions(position)]
        return {"seat": game.to_act(position), "actions": actions}

    def _do(self, rest: str) -> Answer:
        game, position = self._started(), self._position
        seat = game.to_act(position)
        word, _, declared = rest.partition(" ")
        if word == "as":
            name, _, rest = declared.strip().partition(" ")
            seat = self._seat(name)
        played = play_list(game, position, seat or game.info.seats[0], _texts(game, rest))
        self._position = played[-1].position
        return {
            "ok": True,
            "canonical": " ".join(action.text for action in played),
            "seat": played[0].seat,
            "passes": _passes(played),
        }

    def _seat(self, name: str) -> str:
        seats = self._started().info.seats
        for seat in seats:
            if seat.casefold() == name.casefold():
                return seat
        raise UsageError(f"there is no seat {name}. The seats are: {', '.join(seats)}")

    def _board(self, _: str) -> Answer:
        return self._started().squares(self._position)

    def _outcome(self, _: str) -> Answer:
        outcome = self._started().outcome(self._position)
        if outcome is None:
            return {"outcome": None}
        return {"outcome": {**outcome._asdict(), "winners": list(outcome.winners)}}

    def _show(self, rest: str) -> Answer:
        game, position = self._started(), self._position
        seat = self._seat(rest) if rest else game.to_act(position) or game.info.seats[0]
        return {"text": paint(game.diagram(position, seat), {}, ENGLISH)}

    def _set_up(self, rest: str) -> Answer:
        game = self._started()
        if rest:
            self._position = position_of(game, self._players, self._options, rest)
        return {"ok": True, "position": text_of(game, self._position)}

    def _perft(self, rest: str) -> Answer:
        game, position = self._started(), self._position
        return {"nodes": perft(game, position, _number(rest, "perft DEPTH"))}


def _number(text: str, usage: str) -> int:
    """Read a whole number below 100. More players or plies would be a mistake."""
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise UsageError(usage)
    return int(text)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text!r} does not have the form option=value")
    return key, value


def _texts(game: AnyGame, text: str) -> tuple[str, ...]:
    """Return the actions in a line, or the whole line if it has none, so that it is refused."""
    actions = [action for line in game.read(text) for action in line.actions]
    return tuple(actions) or (text,)


def _passes(played: Iterable[Played]) -> list[str]:
    return [seat for action in played for seat in action.passed]


def perft(game: AnyGame, position: Any, depth: int) -> list[int]:
    """Count the positions at depth 1, 2 … `depth` plies. Passes by the engine don't count."""
    if depth <= 0:
        return []
    nodes = [0] * depth
    for action in game.legal_actions(position):
        nodes[0] += 1
        below = perft(game, game.play(position, action), depth - 1)
        for ply, count in enumerate(below, start=1):
            nodes[ply] += count
    return nodes


def engine() -> None:
    """Play over a line protocol on standard input and output: new, legal, do, board, ..."""
    serve(sys.stdin, sys.stdout)


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer every line until the input ends."""
    if isinstance(requests, TextIOWrapper):  # bytes that are not UTF-8 get an answer, too
        requests.reconfigure(encoding="utf-8", errors="replace")
    engine = Engine()
    for line in requests:
        answers.write(json.dumps(engine.answer(line)) + "\n")
        answers.flush()
