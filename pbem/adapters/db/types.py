"""Column types: conversions for all stored times and texts."""

from __future__ import annotations

import zlib
from datetime import datetime

from sqlalchemy import JSON, Dialect, LargeBinary, Text
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.types import TypeDecorator
from sqlmodel.sql.sqltypes import UTCDateTime


class NaiveDatetime(DontWrapMixin, ValueError):
    """Raised for a datetime without an offset, which does not say which moment it means."""


class Moment(UTCDateTime):
    """An aware datetime, stored and returned in UTC."""

    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Raise NaiveDatetime for a naive datetime, which SQLAlchemy does not wrap."""
        if value is not None and value.utcoffset() is None:
            raise NaiveDatetime(f"{value} has no time zone")
        return super().process_bind_param(value, dialect)


class WordsColumn(TypeDecorator[str]):
    """Text, which may come from strangers' emails.

    PostgreSQL cannot store NUL, and no database can store a lone surrogate. Emails with these in a
    header must still be recorded, so each becomes a question mark.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Replace characters that cannot be stored."""
        if value is None:
            return None
        return value.replace("\0", "?").encode(errors="replace").decode()


LEVEL = 4
"""Compression level. An email shrinks to a tenth in a third of a millisecond."""


class Packed(TypeDecorator[str]):
    """Long text, compressed. NULL if it is empty."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """Compress a text."""
        return zlib.compress(value.encode(errors="replace"), LEVEL) if value else None

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str:
        """Decompress a text."""
        return "" if value is None else zlib.decompress(value).decode()


class Data(TypeDecorator[object]):
    """JSON that keeps the order of its keys. None is SQL's NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True


KEY_LENGTH = 500


def key_of(text: str) -> str:
    """Return the case-folded key of a name or an address.

    PostgreSQL indexes at most 2,700 bytes, and a stranger's longer address must not stop the poll.
    """
    return text.casefold()[:KEY_LENGTH]
