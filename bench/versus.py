"""A move now and at an earlier commit, by turns in one run, so that noise falls on both alike.

`make bench BASE=COMMIT` runs it. The earlier commit is taken out of the repository into
`build/base`, and runs with the libraries of this one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent.parent
BASE = HERE / "build" / "base"
ROUNDS = 9
IN_VAIN = 2
"""Rounds before those that count: everything has been used before."""
FIGURES = {
    "cpu_seconds": "ms CPU a move",
    "seconds": "ms a move",
    "statements": "SQL statements a move",
}


class Side(NamedTuple):
    """A checkout that plays."""

    process: subprocess.Popen[str]

    def round(self) -> dict[str, float]:
        """What one move in each of its matches has cost; raises EOFError if it has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return _a_move(json.loads(line))
        raise EOFError("a side has ended before its time; what it said stands above")


def _a_move(said: dict[str, Any]) -> dict[str, float]:
    moves = said["moves"]
    ms = {name: 1000 * said[name] / moves for name in ("seconds", "cpu_seconds")}
    return {**ms, "statements": said["statements"]}


@contextmanager
def side(checkout: Path) -> Iterator[Side]:
    """A checkout, ready to play; it ends with the block."""
    path = f"PYTHONPATH={checkout}"
    words = ["env", path, sys.executable, "-P", str(HERE / "bench" / "side.py")]
    process = subprocess.Popen(
        words,
        cwd=checkout,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Side(process)


def taken_out(commit: str) -> Path:
    """The files of a commit; raises CalledProcessError if there is none of that name."""
    shutil.rmtree(BASE, ignore_errors=True)
    BASE.mkdir(parents=True)
    packed = subprocess.run(
        ["git", "archive", commit], cwd=HERE, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(BASE)], input=packed.stdout, check=True)
    return BASE


def main(arguments: Sequence[str]) -> None:
    """Prints the figures of both, and their ratio."""
    [commit] = arguments
    with ExitStack() as stack:
        then, now = (stack.enter_context(side(each)) for each in (taken_out(commit), HERE))
        pairs = [(then.round(), now.round()) for _ in range(IN_VAIN + ROUNDS)][IN_VAIN:]
    print(f"{'':<28}{commit[:12]:>14}{'now':>10}{'now to then':>14}")
    for name, title in FIGURES.items():
        old, new = (median(pair[at][name] for pair in pairs) for at in (0, 1))
        ratio = median(new[name] / old[name] for old, new in pairs)
        print(f"{title:<28}{old:>14.2f}{new:>10.2f}{ratio:>14.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
