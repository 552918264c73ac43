"""Checks of what there is to go back to, and whether a club that went back goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute

OLD = timedelta(days=7)
REMEDY = "pbem backup makes one, pbem-backup.timer one every night (docs/restore.md)"


def look(examined: Examined) -> Iterator[Finding]:
    """Of backups nothing where a club is for trying out, or has no members yet."""
    status = examined.status
    if status.held_since is not None:
        since = f"mail is held since the restore of {minute(status.held_since)}"
        yield Finding(
            "restore", f"{since}. See pbem mail held, then let it go on: pbem mail release."
        )
    if examined.config.club.embedded or not status.members:
        return
    if status.backed_up is None:
        yield Finding("backup", advice=f"there is none yet. {REMEDY}.")
        return
    told = f"the last is of {minute(status.backed_up)}"
    is_old = status.now - status.backed_up > OLD
    yield Finding("backup", note=told, advice=f"{told}. {REMEDY}." if is_old else "")
