"""Check of this machine's clock by what the database says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute
from pbem.service.work import reading

SKEW = timedelta(seconds=5)
"""By so much the clocks of two machines may differ."""
BY_NTP = "Set the clock of this machine, best by NTP."


def look(examined: Examined) -> Iterator[Finding]:
    """Whether it is later than the service was alive, and as late as at the database server."""
    with reading(examined.club) as work:
        beat = work.service.last_beat()
    now = examined.now
    if beat is not None and beat > now:
        alive = f"but the service was alive at {minute(beat)}"
        yield Finding("clock", f"it is {minute(now)} here, {alive}. {BY_NTP}")
        return
    witness = examined.club.witness
    apart = timedelta() if witness is None else witness.now() - examined.now
    if abs(apart) > SKEW:
        seconds, side = abs(apart).total_seconds(), "ahead of" if apart > timedelta() else "behind"
        wrong = f"the clock of the database server is {seconds:.0f} seconds {side} this one"
        yield Finding("clock", f"{wrong}. Set both by NTP.")
        return
    yield Finding("clock", note=f"it is {minute(now)}")
