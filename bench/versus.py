"""Measure a move now and at an earlier commit, in alternating rounds: noise affects both alike.

`make bench BASE=COMMIT` runs it. The earlier commit is unpacked into `build/base`, and uses the
libraries of this checkout.
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
"""Rounds that only warm up."""
FIGURES = {
    "cpu_seconds": "ms CPU per move",
    "seconds": "ms per move",
    "statements": "SQL statements per move",
}


class Side(NamedTuple):
    """A checkout that plays."""

    process: subprocess.Popen[str]

    def round(self) -> dict[str, float]:
        """Play one move in each of its matches.

        Return the cost. Raises EOFError if it has ended.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return _a_move(json.loads(line))
        raise EOFError("one side ended early. See its output above.")


def _a_move(said: dict[str, Any]) -> dict[str, float]:
    moves = said["moves"]
    ms = {name: 1000 * said[name] / moves for name in ("seconds", "cpu_seconds")}
    return {**ms, "statements": said["statements"]}


@contextmanager
def side(checkout: Path) -> Iterator[Side]:
    """Run a checkout, ready to play, for the length of the block."""
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
    """Unpack a commit. Raises CalledProcessError if there is no such commit."""
    shutil.rmtree(BASE, ignore_errors=True)
    BASE.mkdir(parents=True)
    packed = subprocess.run(
        ["git", "archive", commit], cwd=HERE, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(BASE)], input=packed.stdout, check=True)
    return BASE


def main(arguments: Sequence[str]) -> None:
    """Print the figures of both, and their ratio."""
    [commit] = arguments
    with ExitStack() as stack:
        then, now = (stack.enter_context(side(each)) for each in (taken_out(commit), HERE))
        pairs = [(then.round(), now.round()) for _ in range(IN_VAIN + ROUNDS)][IN_VAIN:]
    print(f"{'':<28}{commit[:12]:>14}{'now':>10}{'now / then':>14}")
    for name, title in FIGURES.items():
        old, new = (median(pair[at][name] for pair in pairs) for at in (0, 1))
        ratio = median(new[name] / old[name] for old, new in pairs)
        print(f"{title:<28}{old:>14.2f}{new:>10.2f}{ratio:>14.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
