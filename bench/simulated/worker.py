"""A worker of a simulated club: `python -m bench.simulated.worker CONFIG CLOCK QUEUES`.

It equals `pbem worker` except for its clock.
"""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bench.simulated.clock import SharedClock
from pbem.cli.logs import log_from
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.processes import shift_of
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import load_config
from pbem.run.serve import stop_on_signals
from pbem.run.worker import WorkService


def main(config: Path, clock: Path, queues: str) -> None:
    """Work until SIGTERM."""
    log_from("error")
    settings = load_config(config)
    told = SharedClock(clock)
    club = replace(build_club(settings), clock=told, witness=told)
    with closing(club.storage):
        stop, servers = stop_on_signals(), servers_of(settings)
        shift, close = shift_of(settings, club, servers, stop, queues.split(","), 1)
        WorkService(shift, close).run_until(stop)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
