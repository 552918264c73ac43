"""Check of what keeps this machine's clock."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.adapters.kernel_clock import is_synchronised
from pbem.cli.doctor.finding import Finding
from pbem.config import Config


def look(config: Config) -> Iterator[Finding]:
    """Whether anything does; nothing of a club for trying out, or where the kernel does not say."""
    kept = None if config.club.embedded else is_synchronised()
    if kept is None:
        return
    if kept:
        yield Finding("time", note="the clock of this machine is kept right by NTP")
        return
    yield Finding(
        "time",
        advice="nothing keeps the clock of this machine right, by which the club's clocks run, or"
        " not yet. On Debian: apt-get install systemd-timesyncd. In a container, the machine around"
        " it has to see to that.",
    )
