"""Checks of the club itself: its database, its pages, its backups, the names of its members."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.accounts import own_name
from pbem.adapters.db.engine import file_of, without_password
from pbem.cli.doctor.finding import Examined, Finding
from pbem.cli.listing import minute
from pbem.commands import command_words
from pbem.ports.process import SchemaDiffers
from pbem.run.config import Config
from pbem.service.members.names import misleading_names
from pbem.service.work import reading


def storage(examined: Examined) -> Iterator[Finding]:
    """Name the data folder and the database; the status was read from them, so they work."""
    folder = examined.config.club.data_dir
    yield Finding("data", note=f"{folder} is closed to all but {own_name()}")
    yield Finding("database", note=f"{_place(examined.config)}; schema {examined.status.schema}")


def _place(config: Config) -> str:
    """The place of the database, without a password."""
    return f"{file_of(config.database_url) or without_password(config.database_url)}"


def away(error: Exception) -> Finding:
    """The finding for a database that cannot be used."""
    if isinstance(error, SchemaDiffers):  # which says what to do
        return Finding("database", f"{error}.")
    return Finding("database", f"{error}. Look at url in [database] and data_dir in [club].")


def reading_room(examined: Examined) -> Iterator[Finding]:
    """Check that pages can be written to the configured folder.

    If several machines share a configuration, only one of them writes pages.
    """
    room, config = examined.club.room, examined.config
    if room is None:
        return
    folder = config.site_dir
    if config.has_queue and not folder.exists():
        yield Finding("reading room", note=f"{folder} is not here; another machine has it")
        return
    try:
        with room.store.alone():
            pass
    except OSError as error:
        trouble = f"{folder} cannot be written: {error.strerror}. Look at folder in [site]."
        yield Finding("reading room", trouble)
        return
    yield Finding("reading room", note=f"its pages go to {folder}")


OLD = timedelta(days=7)
MAKE_ONE = "pbem backup makes one, pbem-backup.timer one every night (docs/restore.md)"


def backups(examined: Examined) -> Iterator[Finding]:
    """Check the age of the last backup, and whether email is still held after a restore.

    A club for trying out needs no backup, and neither does one without members."""
    status = examined.status
    if status.held_since is not None:
        since = f"mail is held since the restore of {minute(status.held_since)}"
        yield Finding(
            "restore", f"{since}. See pbem mail held, then let it go on: pbem mail release."
        )
    if examined.config.club.embedded or not status.members:
        return
    if status.backed_up is None:
        yield Finding("backup", advice=f"there is none yet. {MAKE_ONE}.")
        return
    told = f"the last is of {minute(status.backed_up)}"
    is_old = status.now - status.backed_up > OLD
    yield Finding("backup", note=told, advice=f"{told}. {MAKE_ONE}." if is_old else "")


MOST_SHOWN = 5


def member_names(examined: Examined) -> Iterator[Finding]:
    """List members whose names would not be allowed today; they keep them."""
    with reading(examined.club) as work:
        names = misleading_names(work, command_words())
    if names:
        shown = ", ".join(names[:MOST_SHOWN])
        more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
        what = "These names can mislead people, and nobody can take them today"
        remedy = "pbem member rename gives a member another one"
        yield Finding("names", advice=f"{what}: {shown}{more}. {remedy}.")
