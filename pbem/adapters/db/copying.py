"""Copying: the rows of a database put into another one, counted and summed up on both sides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, LargeBinary, MetaData, Row, Table, exists, insert, select, text

from pbem.adapters.db.tables import Row as Model
from pbem.adapters.db.types import Packed

AT_ONCE = 200
"""Rows in memory; a mail can be large."""
SUMS = 2**256


class Content(NamedTuple):
    """What a table holds, to be compared."""

    rows: int = 0
    digest: int = 0
    """Sum of the hashes of all rows: the databases order texts each in its own way."""

    def and_(self, row: Row[Any]) -> Content:
        """With one more row."""
        hashed = hashlib.sha256(repr(tuple(row)).encode("utf-8", "surrogatepass")).digest()
        return Content(self.rows + 1, (self.digest + int.from_bytes(hashed)) % SUMS)


def tables() -> list[Table]:
    """All of them, each after those that it refers to; what is packed stays so."""
    copies = MetaData()
    for table in Model.metadata.sorted_tables:
        for column in table.to_metadata(copies).columns:
            if isinstance(column.type, Packed):
                column.type = LargeBinary()
    return copies.sorted_tables


def is_empty(connection: Connection, table: Table) -> bool:
    """Whether there is no row in it."""
    return not connection.execute(select(exists(select(table.primary_key.columns[0])))).scalar()


def content(connection: Connection, table: Table) -> Content:
    """What a table holds."""
    found = Content()
    for rows in _rows(connection, table):
        for row in rows:
            found = found.and_(row)
    return found


def copied(source: Connection, target: Connection, table: Table) -> Content:
    """Puts the rows of a table into the same one elsewhere; what they were."""
    found = Content()
    statement = insert(table)
    for rows in _rows(source, table):
        target.execute(statement, [dict(row._mapping) for row in rows])
        for row in rows:
            found = found.and_(row)
    return found


def _rows(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    options = {"yield_per": AT_ONCE}
    with connection.execute(select(table), execution_options=options) as result:
        yield from map(list, result.partitions())


def number_on(source: Connection, target: Connection) -> None:
    """New rows get the numbers that SQLite would have given: those of deleted ones never again."""
    given = source.execute(text("SELECT name, seq FROM sqlite_sequence WHERE seq > 0"))
    names = {table.name for table in Model.metadata.sorted_tables}
    for name, last in given:
        if name in names:
            sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
            target.execute(sequence, {"name": name, "last": last})
