"""Write a revision after a change of the tables: `python db/revise.py "what changes"`.

Writes a new revision, to be checked and corrected by hand, and updates schema.sql. Without words,
updates only schema.sql. Works on its own SQLite file.
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
    """Return the schema of a SQLite database as text."""
    with readers(engine).connect() as connection:
        rows = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE sql NOTNULL AND tbl_name NOT LIKE 'sqlite_%' "
            "AND tbl_name <> 'alembic_version' ORDER BY tbl_name, type DESC, name"
        )
        return "\n".join([HEAD, *(f"{_tidy(sql)};\n" for (sql,) in rows)])


def _tidy(sql: str) -> str:
    """Remove stray spaces and sort constraints by name, since recreated tables have any order."""
    lines = [line.replace("\t", "    ").rstrip(" ,") for line in sql.splitlines()]
    if len(lines) < 3:
        return sql
    first, *inner, last = lines
    inner.sort(key=lambda line: line if line.startswith("    CONSTRAINT ") else "")
    return "\n".join([first, ",\n".join(inner), last])


def revise(engine: Engine, words: str) -> None:
    """Write a new revision, numbered after the last."""
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
