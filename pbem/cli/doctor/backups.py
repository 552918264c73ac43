"""Checks of what there is to go back to, and whether a club that went back goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute
from pbem.service.work import reading

OLD = timedelta(days=3)
"""Older than that no newest backup is where one is made every night."""


def look(examined: Examined) -> Iterator[Finding]:
    """How old the newest backup is, and whether mail is held since a restore."""
    with reading(examined.club) as work:
        newest, held_since = work.service.last_backup(), work.service.held_since()
    if held_since is not None:
        since = f"mail is held since the restore of {minute(held_since)}"
        yield Finding(
            "restore", f"{since}. See pbem mail held, then let it go on: pbem mail release."
        )
    if newest is None:
        yield Finding("backup", note="there is none yet; pbem backup makes one")
    elif examined.now - newest > OLD:
        old = f"the newest is of {minute(newest)}"
        yield Finding("backup", f"{old}. Make one (pbem backup), and see why none was made since.")
    else:
        yield Finding("backup", note=f"the newest is of {minute(newest)}")
