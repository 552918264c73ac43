"""Helpers for repositories: refusals, row locks, counted changes, upserts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import CursorResult, Executable, FromClause, GenerativeSelect, Update, inspect
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.tables import CompetitionRow, DatabaseRow, MatchRow, OfferRow, PlayerRow
from pbem.ports.process import StorageError

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    Insert = sqlite.Insert | postgresql.Insert

RowT = TypeVar("RowT")
SelectT = TypeVar("SelectT", bound=GenerativeSelect)
OwnerT = TypeVar("OwnerT", PlayerRow, CompetitionRow, MatchRow, OfferRow)
ValueT = TypeVar("ValueT")
LARGEST_ID = 2**31 - 1
NO_VALUES: Mapping[str, Any] = {}


@contextmanager
def refused_as(session: Session, reason: str) -> Iterator[None]:
    """Open a block that stores all its rows, or none and raises StorageError with the reason.

    The savepoint lets the unit of work continue, since PostgreSQL aborts a transaction after an
    error.
    """
    try:
        with session.begin_nested():
            yield
    except IntegrityError as error:
        raise StorageError(reason) from error


def locked(session: Session, select: SelectT, *, skip_locked: bool = False) -> SelectT:
    """Return a query that locks its rows until the transaction ends.

    Uses FOR NO KEY UPDATE, since ids never change, so that rows referring to a locked one can be
    added. SQLite needs no row locks, since its writers run one after the other.
    """
    require_writing(session)
    return locking(select, skip_locked=skip_locked)


def locking(select: SelectT, *, skip_locked: bool = False) -> SelectT:
    """Do the same for a prepared query. The caller must check `require_writing`."""
    return select.with_for_update(key_share=True, skip_locked=skip_locked)


def require_writing(session: Session) -> None:
    """Raise RuntimeError in a read-only transaction."""
    if not session.info["writing"]:
        raise RuntimeError("a read-only transaction takes no locks")


def others_write(session: Session) -> bool:
    """Return whether others can write at the same time, so that data read before may be old.

    SQLite has one writer at a time and needs no further locks. Raises RuntimeError in a read-only
    transaction.
    """
    require_writing(session)
    return session.get_bind().dialect.name == "postgresql"


Values = Mapping[str, Any]


def run(
    session: Session, statement: Executable, values: Values | Sequence[Values] = NO_VALUES
) -> CursorResult[Any]:
    """Execute a prepared statement with its values, bypassing the session's objects.

    Building a statement and its objects each time takes ten times as long as SQLite needs to run
    it.
    """
    return session.connection().execute(statement, values)


def attempt(
    session: Session, statement: Executable, rows: Values | Sequence[Values], refusal: str
) -> CursorResult[Any]:
    """Execute a statement whose rows may violate a key. Raises StorageError.

    Uses no savepoint, which would cost two statements. After the error, the unit of work must be
    abandoned.
    """
    try:
        return run(session, statement, rows)
    except IntegrityError as error:
        raise StorageError(refusal) from error


def change(session: Session, statement: Update, missing: str, values: Values = NO_VALUES) -> None:
    """Update one row. Raises StorageError if it does not exist."""
    if run(session, statement, values).rowcount == 0:
        raise StorageError(missing)


def insert_into(session: Session, table: type[DatabaseRow]) -> Insert:
    """Return an INSERT that allows ON CONFLICT, from the dialect of the database."""
    return insert_of(session.get_bind().dialect.name, table)


@cache
def insert_of(dialect: str, table: type[DatabaseRow]) -> Insert:
    """Return the INSERT of a dialect, which is imported only if it is used."""
    insert: Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return insert


def table_of(row: type[DatabaseRow]) -> FromClause:
    """Return the table of a row class, for statements that bypass objects."""
    table: FromClause = inspect(row).local_table
    return table


def possible(number: int) -> bool:
    """Return whether a number can be an id. One from an email may have any length."""
    return 0 < number <= LARGEST_ID


def by_id(
    session: Session, query: SelectOfScalar[RowT], ids: Mapped[int | None], number: int
) -> RowT | None:
    """Return the row with an id, None if there is none."""
    if not possible(number):
        return None
    return session.exec(query.where(ids == number)).one_or_none()


def gathered(rows: Iterable[tuple[OwnerT, ValueT]]) -> list[tuple[OwnerT, list[ValueT]]]:
    """Group the rows of a join by their owners. They must be in that order."""
    groups = (list(group) for _, group in groupby(rows, key=lambda row: row[0].id))
    return [(group[0][0], [value for _, value in group]) for group in groups]
