"""What the repositories share of a session: refusals, row locks, counted changes, upserts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import CursorResult, Executable, FromClause, GenerativeSelect, Update, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.tables import CompetitionRow, DatabaseRow, MatchRow, OfferRow, PlayerRow
from pbem.ports.process import StorageError

RowT = TypeVar("RowT")
SelectT = TypeVar("SelectT", bound=GenerativeSelect)
OwnerT = TypeVar("OwnerT", PlayerRow, CompetitionRow, MatchRow, OfferRow)
ValueT = TypeVar("ValueT")
LARGEST_ID = 2**31 - 1
NO_VALUES: Mapping[str, Any] = {}
DIALECTS: Mapping[str, Any] = {"sqlite": sqlite, "postgresql": postgresql}
Insert = sqlite.Insert | postgresql.Insert


@contextmanager
def refused_as(session: Session, reason: str) -> Iterator[None]:
    """A block whose rows are all stored, or none with a StorageError for the reason.

    The savepoint lets the unit of work go on: PostgreSQL gives up a transaction after an error.
    """
    try:
        with session.begin_nested():
            yield
    except IntegrityError as error:
        raise StorageError(reason) from error


def locked(session: Session, select: SelectT, *, skip_locked: bool = False) -> SelectT:
    """A query that locks its rows until the transaction ends.

    FOR NO KEY UPDATE, since nobody changes an id: rows that refer to the locked one can be added.
    SQLite has no row locks and needs none; its writers come one after the other.
    """
    require_writing(session)
    return locking(select, skip_locked=skip_locked)


def locking(select: SelectT, *, skip_locked: bool = False) -> SelectT:
    """The same for a query that is written down once; who runs it requires writing."""
    return select.with_for_update(key_share=True, skip_locked=skip_locked)


def require_writing(session: Session) -> None:
    """Raises RuntimeError in a transaction that may only read."""
    if not session.info["writing"]:
        raise RuntimeError("a read-only transaction takes no locks")


def others_write(session: Session) -> bool:
    """Whether others may write while this transaction does, and what was read may be old.

    SQLite has one writer at a time, and needs no lock beside its own. Raises RuntimeError in a
    transaction that may only read.
    """
    require_writing(session)
    return session.get_bind().dialect.name == "postgresql"


Values = Mapping[str, Any]


def run(
    session: Session, statement: Executable, values: Values | Sequence[Values] = NO_VALUES
) -> CursorResult[Any]:
    """A statement that is written down once, with its values, past the objects of the session.

    To build a statement and its objects anew each time takes ten times as long as SQLite needs to
    run it.
    """
    return session.connection().execute(statement, values)


def attempt(
    session: Session, statement: Executable, rows: Values | Sequence[Values], refusal: str
) -> CursorResult[Any]:
    """Like run, for rows that a key may refuse.

    No savepoint, which would be two statements more: after the StorageError nothing can be done in
    the unit of work but to give it up.
    """
    try:
        return run(session, statement, rows)
    except IntegrityError as error:
        raise StorageError(refusal) from error


def change(session: Session, statement: Update, missing: str, values: Values = NO_VALUES) -> None:
    """An update of one row; raises StorageError if it is not there."""
    if run(session, statement, values).rowcount == 0:
        raise StorageError(missing)


def insert_into(session: Session, table: type[DatabaseRow]) -> Insert:
    """INSERT with ON CONFLICT; both databases have it, each by a construct of its own."""
    insert: Insert = DIALECTS[session.get_bind().dialect.name].insert(table)
    return insert


def table_of(row: type[DatabaseRow]) -> FromClause:
    """The table of a class of rows, for statements that are past its objects."""
    table: FromClause = inspect(row).local_table
    return table


def possible(number: int) -> bool:
    """Whether a number can be an id; one out of a mail can be of any length."""
    return 0 < number <= LARGEST_ID


def by_id(
    session: Session, query: SelectOfScalar[RowT], ids: Mapped[int | None], number: int
) -> RowT | None:
    """The row with an id, None if there is none."""
    if not possible(number):
        return None
    return session.exec(query.where(ids == number)).one_or_none()


def gathered(rows: Iterable[tuple[OwnerT, ValueT]]) -> list[tuple[OwnerT, list[ValueT]]]:
    """Rows of a join, in order of their owners: each owner with what belongs to it."""
    groups = (list(group) for _, group in groupby(rows, key=lambda row: row[0].id))
    return [(group[0][0], [value for _, value in group]) for group in groups]
