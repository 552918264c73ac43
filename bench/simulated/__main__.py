"""Simulate months of a club, with the members and processes of your choice."""

from __future__ import annotations

import argparse
import os
import sys
import time

from bench.simulated.checks import report as report_season
from bench.simulated.club import lived
from bench.simulated.figures import report
from bench.simulated.life import Life
from bench.simulated.season import Season
from pbem.cli.logs import log_from

SEED = 14


def main() -> None:
    """Run the simulation and print its cost."""
    wanted = _options().parse_args()
    log_from("error")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    print(", ".join(f"{name} {value}" for name, value in vars(wanted).items()), end="\n\n")
    with lived(wanted.workers, wanted.seed, site=wanted.site) as life:
        lived_by: Life | Season = Season(life) if wanted.competitions else life
        lived_by.begins(wanted.members)
        began = time.monotonic()
        lived_by.lives(wanted.months)
        report(life, wanted.months, time.monotonic() - began)
        if isinstance(lived_by, Season):
            found = report_season(lived_by.competitions(), lived_by.compared, lived_by.wrong)
            sys.exit(0 if found else 1)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--months", type=float, default=1)
    parser.add_argument(
        "--workers", type=int, default=2, help="on PostgreSQL, or 0 for one process on SQLite"
    )
    parser.add_argument("--site", action="store_true", help="also write the reading room")
    parser.add_argument(
        "--competitions", action="store_true", help="only play competitions of all kinds"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    return parser


if __name__ == "__main__":
    main()
