"""Writes what a change of the tables entails: `python db/revise.py "what changes"`.

That is a new revision, to be read and mended by hand, and schema.sql anew; without words schema.sql
alone. It works on a SQLite file of its own.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from sqlalchemy import Engine

from pbem.adapters.db.engine import open_engine, readers, writers
from pbem.adapters.db.migrate import config, upgrade

SNAPSHOT = Path(__file__).with_name("schema.sql")
HEAD = "-- The schema on SQLite after all migrations; written by db/revise.py.\n"


def schema_of(engine: Engine) -> str:
    """The schema of a SQLite database as text."""
    with readers(engine).connect() as connection:
        rows = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE sql NOTNULL AND tbl_name NOT LIKE 'sqlite_%' "
            "AND tbl_name <> 'alembic_version' ORDER BY tbl_name, type DESC, name"
        )
        return "\n".join([HEAD, *(f"{_tidy(sql)};\n" for (sql,) in rows)])


def _tidy(sql: str) -> str:
    """Without stray spaces, constraints by name: a table made anew has them in any order."""
    lines = [line.replace("\t", "    ").rstrip(" ,") for line in sql.splitlines()]
    if len(lines) < 3:
        return sql
    first, *inner, last = lines
    inner.sort(key=lambda line: line if line.startswith("    CONSTRAINT ") else "")
    return "\n".join([first, ",\n".join(inner), last])


def revise(engine: Engine, words: str) -> None:
    """A new revision, numbered on from the last."""
    with writers(engine).begin() as connection:
        versions = (SNAPSHOT.parent / "versions").glob("[0-9]*.py")
        last = max(int(each.name[:4]) for each in versions)
        command.revision(config(connection), words, autogenerate=True, rev_id=f"{last + 1:04}")


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        engine = open_engine(f"sqlite:///{scratch}/schema.sqlite")
        upgrade(engine)
        if sys.argv[1:]:
            revise(engine, " ".join(sys.argv[1:]))
            upgrade(engine)
        SNAPSHOT.write_text(schema_of(engine))
        engine.dispose()
