"""Check of this machine's clock by what the database says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute

SKEW = timedelta(seconds=5)
"""By so much the clocks of two machines differ where nobody sets them right."""


def look(examined: Examined) -> Iterator[Finding]:
    """Whether it is later than the service was alive, and as late as at the database server."""
    status = examined.status
    if status.last_beat is not None and status.last_beat > status.now:
        alive = f"but the service was alive at {minute(status.last_beat)}"
        told = f"it is {minute(status.now)} here, {alive}"
        yield Finding("clock", f"{told}. Set the clock of this machine, best by NTP.")
        return
    ahead = status.ahead or timedelta()
    if abs(ahead) > SKEW:
        side, seconds = "ahead of" if ahead > timedelta() else "behind", abs(ahead).total_seconds()
        wrong = f"the clock of this machine is {seconds:.0f} seconds {side} the database server's"
        yield Finding("clock", f"{wrong}. Let NTP set both.")
        return
    yield Finding("clock", note=f"it is {minute(status.now)}")
