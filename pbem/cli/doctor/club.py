"""Checks of the club itself: its database, its pages, its backups, the names of its members."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.accounts import own_name
from pbem.adapters.db.engine import file_of, without_password
from pbem.cli.doctor.finding import Examined, Finding
from pbem.commands import command_words
from pbem.matches.zones import minute
from pbem.ports.process import SchemaDiffers
from pbem.run.config import Config
from pbem.service.members.names import misleading_names
from pbem.service.work import reading


def storage(examined: Examined) -> Iterator[Finding]:
    """Name the data folder and the database. The status was read from them, so they work."""
    folder = examined.config.club.data_dir
    yield Finding("data", note=f"only {own_name()} can read {folder}")
    yield Finding("database", note=f"{_place(examined.config)}; schema {examined.status.schema}")


def _place(config: Config) -> str:
    """Return where the database is, without a password."""
    return f"{file_of(config.database_url) or without_password(config.database_url)}"


def away(error: Exception) -> Finding:
    """Return the finding for a database that cannot be used."""
    if isinstance(error, SchemaDiffers):  # which already says what to do
        return Finding("database", f"{error}.")
    return Finding("database", f"{error}. Check url in [database] and data_dir in [club].")


def reading_room(examined: Examined) -> Iterator[Finding]:
    """Check that pages can be written to the configured folder.

    If several machines share a configuration, only one of them writes pages.
    """
    room, config = examined.club.room, examined.config
    if room is None:
        return
    folder = config.site_dir
    if config.has_queue and not folder.exists():
        yield Finding(
            "reading room", note=f"{folder} is not on this machine; another machine writes it"
        )
        return
    try:
        with room.store.alone():
            pass
    except OSError as error:
        trouble = f"cannot write to {folder}: {error.strerror}. Check folder in [site]."
        yield Finding("reading room", trouble)
        return
    yield Finding("reading room", note=f"its pages are in {folder}")


OLD = timedelta(days=7)
MAKE_ONE = "Make one with pbem backup, or every night with pbem-backup.timer (docs/restore.md)"
TEST_ONE = (
    "Test the newest with pbem restore --test, or every morning with pbem-backup-test.timer"
    " (docs/restore.md)"
)


def backups(examined: Examined) -> Iterator[Finding]:
    """Check the age of the last backup, and whether email is still held after a restore.

    A trial club needs no backup, and neither does a club without members.
    """
    status = examined.status
    if status.held_since is not None:
        since = f"emails have been held since the restore of {minute(status.held_since)}"
        yield Finding(
            "restore",
            f"{since}. List them with pbem mail held, then continue with pbem mail release.",
        )
    if examined.config.club.embedded or not status.members:
        return
    if status.backed_up is None:
        yield Finding("backup", advice=f"there is no backup yet. {MAKE_ONE}.")
        return
    told = f"the last backup is from {minute(status.backed_up)}"
    is_old = status.now - status.backed_up > OLD
    yield Finding("backup", note=told, advice=f"{told}. {MAKE_ONE}." if is_old else "")
    tested = status.backup_tested
    if tested is None or status.now - tested > OLD:
        last = "never" if tested is None else minute(tested)
        yield Finding("backup test", advice=f"the last test of a backup: {last}. {TEST_ONE}.")


MOST_SHOWN = 5


def member_names(examined: Examined) -> Iterator[Finding]:
    """List members whose names would not be allowed today. Members keep such names."""
    with reading(examined.club) as work:
        names = misleading_names(work, command_words())
    if names:
        shown = ", ".join(names[:MOST_SHOWN])
        more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
        what = "these names can be mistaken for others, and are no longer allowed"
        remedy = "Change a name with pbem member rename"
        yield Finding("names", advice=f"{what}: {shown}{more}. {remedy}.")
