"""What a figure is to be, told beside it; `make bench` gathers them all at its end."""

from __future__ import annotations

from pathlib import Path

GATHERED = Path(__file__).resolve().parent.parent / "build" / "aims.txt"
"""Every line is added to it as well."""


def at_least(name: str, figure: float, aim: float) -> None:
    """Tells a figure that is to be as large as its aim, or larger."""
    _tell(name, figure, f"at least {aim:g}", aim - figure)


def at_most(name: str, figure: float, aim: float) -> None:
    """Tells a figure that is to be as small as its aim, or smaller."""
    _tell(name, figure, f"at most {aim:g}", figure - aim)


def _tell(name: str, figure: float, aim: str, lacking: float) -> None:
    met = "met" if lacking <= 0 else f"missed by {lacking:.2f}"
    line = f"{name:<48}{figure:>8.2f}   aim: {aim:<14}{met}"
    print(line, flush=True)
    GATHERED.parent.mkdir(exist_ok=True)
    with GATHERED.open("a") as file:
        file.write(f"{line}\n")
