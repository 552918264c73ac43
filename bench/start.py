"""Measure how long commands take to start, and which imports take the time.

`make bench` runs it. Each command runs several times, and the median counts. `python -X importtime`
reports the imports, which are added up by package.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.aims import at_most

TIMES = 7
AIMS = {
    "--version": 0.5,
    "--help": 0.5,
    "member --help": 0.5,
    "games": 1.0,
    "match list": 1.6,
    "member list": 1.6,
    "status": 1.6,
}
"""Processor time that a command may take, in multiples of importing SQLModel."""
LOOKED_INTO = "match list"
MOST_SHOWN = 12
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\w+)")


def main() -> None:
    """Print both tables."""
    with TemporaryDirectory() as folder:
        _ran("init --defaults", Path(folder))
        _ran("member add Anna anna@mail.example", Path(folder))
        print("command          wall ms   processor ms")
        costs = {command: _cost(["-m", "pbem", *command.split()], Path(folder)) for command in AIMS}
        for command, (wall, processor) in costs.items():
            print(f"{command:15}{wall:9.0f}{processor:15.0f}")
        _, measure = _cost(["-c", "import sqlmodel"], Path(folder))
        print(f"import sqlmodel{'':9}{measure:15.0f}")
        for command, aim in AIMS.items():
            at_most(
                f"pbem {command}, relative to import sqlmodel", costs[command][1] / measure, aim
            )
        print(f"\nimported by pbem {LOOKED_INTO}, ms")
        for package, ms in _dearest(LOOKED_INTO, Path(folder)):
            print(f"{package:20}{ms:6.0f}")


def _ran(command: str, folder: Path, *options: str) -> str:
    words = [sys.executable, *options, "-m", "pbem", *command.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.stderr


def _cost(words: Sequence[str], folder: Path) -> tuple[float, float]:
    """Return the milliseconds of wall-clock time and of processor time."""
    costs = []
    for _ in range(TIMES):
        began, before = time.perf_counter(), os.times()
        subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, check=False)
        after = os.times()
        used = after.children_user - before.children_user
        used += after.children_system - before.children_system
        costs.append((1000 * (time.perf_counter() - began), 1000 * used))
    return median(wall for wall, _ in costs), median(used for _, used in costs)


def _dearest(command: str, folder: Path) -> list[tuple[str, float]]:
    """Return packages with the milliseconds of their own modules, slowest first."""
    packages: dict[str, float] = defaultdict(float)
    for line in _ran(command, folder, "-X", "importtime").splitlines():
        if found := _IMPORT.match(line):
            packages[found[2]] += int(found[1]) / 1000
    return sorted(packages.items(), key=lambda each: -each[1])[:MOST_SHOWN]


if __name__ == "__main__":
    main()
