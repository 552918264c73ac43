"""A tiny UCI engine: `python fake_engine.py WHAT` plays the first legal move, or misbehaves."""

from __future__ import annotations

import sys
import time
from itertools import takewhile

import chess


def main(what: str) -> None:
    board, options = chess.Board(), dict[str, str]()
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                if what == "crash":
                    return
                print("id name Fake\noption name UCI_Chess960 type check default false\nuciok")
            case ["setoption", "name", name, "value", value]:
                options[name] = value
            case ["isready"]:
                print("readyok")
            case ["position", "fen", *words]:
                fen = " ".join(takewhile(lambda word: word != "moves", words))
                board = chess.Board(fen, chess960=options.get("UCI_Chess960") == "true")
                for move in words[7:]:
                    board.push_uci(move)
            case ["go", "nodes", _]:
                if what == "sleep":
                    time.sleep(60)
                move = "a1a8" if what == "nonsense" else min(map(chess.Move.uci, board.legal_moves))
                score = {"ahead": "cp 50", "mate": "mate -3"}.get(what, "cp 0")
                print(f"info depth 1 score {score} nodes 1 pv {move}\nbestmove {move}")
        sys.stdout.flush()


main(sys.argv[1])
