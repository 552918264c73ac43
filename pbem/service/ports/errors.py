"""What storage cannot do."""

from __future__ import annotations


class StorageError(Exception):
    """What was asked for is not stored, or cannot be as it would be there twice."""


class StorageUnavailable(Exception):
    """The database cannot be reached or written now (locked, full, gone): try again later."""


class ClockWrong(StorageUnavailable):
    """This machine has another time than the database: what it dates now would be wrong."""


class StorageGone(StorageUnavailable):
    """The database is not the one it was: what is written now may be lost, so nothing is."""
