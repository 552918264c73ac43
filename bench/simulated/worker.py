"""A worker of a simulated club: `python -m bench.simulated.worker CONFIG CLOCK QUEUES`.

It is the one of `pbem worker`, but for its clock.
"""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import structlog

from bench.simulated.clock import SharedClock
from pbem.bootstrap import build_club, servers_of, shift_of
from pbem.config import load_config
from pbem.serve import stop_on_signals
from pbem.worker import WorkService

ERRORS_ALONE = 40


def main(config: Path, clock: Path, queues: str) -> None:
    """Works until SIGTERM."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(ERRORS_ALONE))
    settings = load_config(config)
    told = SharedClock(clock)
    club = replace(build_club(settings), clock=told, witness=told)
    with closing(club.storage):
        stop, servers = stop_on_signals(), servers_of(settings)
        shift, close = shift_of(settings, club, servers, stop, queues.split(","), 1)
        WorkService(shift, close).run_until(stop)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
