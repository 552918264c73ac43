"""Print figures next to their aims. `make bench` repeats them all at the end."""

from __future__ import annotations

from pathlib import Path

GATHERED = Path(__file__).resolve().parent.parent / "build" / "aims.txt"
"""Each line is also added to this file."""


def at_least(name: str, figure: float, aim: float) -> None:
    """Print a figure that should be at least its aim."""
    _tell(name, figure, f"at least {aim:g}", aim - figure)


def at_most(name: str, figure: float, aim: float) -> None:
    """Print a figure that should be at most its aim."""
    _tell(name, figure, f"at most {aim:g}", figure - aim)


def _tell(name: str, figure: float, aim: str, lacking: float) -> None:
    met = "met" if lacking <= 0 else f"missed by {lacking:.2f}"
    line = f"{name:<48}{figure:>8.2f}   aim: {aim:<14}{met}"
    print(line, flush=True)
    GATHERED.parent.mkdir(exist_ok=True)
    with GATHERED.open("a") as file:
        file.write(f"{line}\n")
