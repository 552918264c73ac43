"""The long fuzz run:

`python -m tests.mail.fuzz SECONDS [SEED]`, or `make fuzz FUZZ_SECONDS=600`.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
import traceback

from tests.mail.corpus import DATA
from tests.mail.mutations import corpus, mutated
from tests.mail.promises import check

SLOW = 5.0
"""Seconds of processor time after which an email counts as a finding."""


def main(seconds: float, seed: int) -> int:
    """Mutate and check until time is up. Return how many emails broke something."""
    mails, seen = corpus(), set[str]()
    end, tried = time.monotonic() + seconds, 0
    print(f"seed {seed}, {len(mails)} mails, {seconds:.0f} seconds", flush=True)
    while time.monotonic() < end:
        raw = mutated(random.Random(f"{seed} {tried}"), mails)
        tried += 1
        complaint = _complaint(raw)
        if complaint and complaint not in seen:
            seen.add(complaint)
            print(f"{_keep(raw)}: {complaint}", flush=True)
    print(f"{tried} mails tried, {len(seen)} ways to break something found", flush=True)
    return len(seen)


def _complaint(raw: bytes) -> str:
    """Return where an email breaks something, or an empty text."""
    begun = time.process_time()
    try:
        check(raw)
    except Exception as error:  # noqa: BLE001  whatever it is, it is a finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {place.filename}:{place.lineno}"
    took = time.process_time() - begun
    return "slow" if took > SLOW else ""


def _keep(raw: bytes) -> str:
    folder = DATA / "fuzz"
    folder.mkdir(exist_ok=True)
    file = folder / f"{hashlib.sha256(raw).hexdigest()[:12]}.eml"
    file.write_bytes(raw)
    return str(file)


if __name__ == "__main__":
    span = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    sys.exit(main(span, int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()) > 0)
