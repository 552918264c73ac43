"""What storage cannot do."""

from __future__ import annotations


class StorageError(Exception):
    """What was asked for is not stored, or cannot be as it would be there twice."""


class StorageUnavailable(Exception):
    """The database cannot be reached or written now (locked, full, gone): try again later."""


class Deadlock(StorageUnavailable):
    """Two units of work waited for each other, and this one gave way: do it again."""


class Unfit(StorageUnavailable):
    """This process must do no more work with the database; one that begins anew perhaps may."""


class ClockWrong(Unfit):
    """This machine has another time than the database: what it dates now would be wrong."""


class StorageGone(Unfit):
    """The database is not the one it was: what is written now may be lost, so nothing is."""


class SchemaDiffers(Unfit):
    """The schema of the database is an older or a newer one than this pbem works with."""
