"""The long run: `python -m tests.years.soak SECONDS [SEED]`, or `make years YEARS_SECONDS=600`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

import structlog

from tests.years.naive_time import DAY
from tests.years.years import Years

STEPS = 60


def main(seconds: float, seed: int) -> int:
    """Live through one club after another until time is up. Return the number of failures."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    end, first, lived, wrong = time.monotonic() + seconds, seed, 0, 0
    print(f"from seed {seed}, {seconds:.0f} seconds", flush=True)
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory() as home:
            years = Years(Path(home), random.Random(seed))
            begun = years.now
            try:
                years.lives(STEPS)
            except Exception:  # noqa: BLE001  any error is a finding
                wrong += 1
                print(f"seed {seed}:", *years.lived[-8:], traceback.format_exc(-3), sep="\n")
            lived += years.now - begun
        seed += 1
    print(f"{seed - first} clubs, {lived / DAY / 365:.0f} years, {wrong} went wrong")
    return wrong


if __name__ == "__main__":
    span = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    sys.exit(main(span, int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()) > 0)
