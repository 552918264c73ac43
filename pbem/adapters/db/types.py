"""Column types: what is true of every moment and every text that is stored."""

from __future__ import annotations

import zlib
from datetime import datetime

from sqlalchemy import JSON, Dialect, LargeBinary, Text
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.types import TypeDecorator
from sqlmodel.sql.sqltypes import UTCDateTime


class NaiveDatetime(DontWrapMixin, ValueError):
    """A datetime without an offset: nobody knows which moment it means."""


class Moment(UTCDateTime):
    """An aware datetime, stored and given back in UTC."""

    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuses a naive datetime by an error of our own, which SQLAlchemy does not wrap."""
        if value is not None and value.utcoffset() is None:
            raise NaiveDatetime(f"{value} has no time zone")
        return super().process_bind_param(value, dialect)


class WordsColumn(TypeDecorator[str]):
    """Text, some of it out of strangers' mails.

    PostgreSQL takes no NUL and no database a lone surrogate; a mail that holds one in a header must
    not be a mail that cannot be recorded, so each becomes a question mark.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Replaces what cannot be stored."""
        if value is None:
            return None
        return value.replace("\0", "?").encode(errors="replace").decode()


LEVEL = 4
"""Of compression: a mail becomes a tenth, in a third of a millisecond."""


class Packed(TypeDecorator[str]):
    """Long text, compressed; none at all where it is empty."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """Compresses it."""
        return zlib.compress(value.encode(errors="replace"), LEVEL) if value else None

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str:
        """The text again."""
        return "" if value is None else zlib.decompress(value).decode()


class Data(TypeDecorator[object]):
    """JSON that keeps the order of its keys; None is SQL's NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True


KEY_LENGTH = 500


def key_of(text: str) -> str:
    """What a name or an address is found by: case-folded.

    PostgreSQL indexes at most 2,700 bytes; a longer address of a stranger must not stop the poll.
    """
    return text.casefold()[:KEY_LENGTH]
