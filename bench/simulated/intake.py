"""Take email for a simulated club: `python -m bench.simulated.intake CONFIG CLOCK`.

It equals `pbem lmtp` except for its clock.
"""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bench.simulated.clock import SharedClock
from pbem.cli.logs import log_from
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.processes import intake_of
from pbem.run.config import load_config
from pbem.run.lmtp import IntakeService
from pbem.run.serve import stop_on_signals


def main(config: Path, clock: Path) -> None:
    """Take email until SIGTERM."""
    log_from("error")
    settings = load_config(config)
    told = SharedClock(clock)
    club = replace(build_club(settings), clock=told, witness=told)
    with closing(club.storage), intake_of(settings, club) as intake:
        assert intake is not None, "the configuration names a socket"
        IntakeService(intake).run_until(stop_on_signals())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
