"""Compile SQL statements once for all engines of the tests.

Normally each engine compiles its own, and each test has an engine. That is most of the cost of a
short test.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event


class Compiled(dict[Any, Any]):
    """Compiled statements by SQLAlchemy's keys, with each dialect replaced by its name."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a statement compiled for an engine of the same dialect."""
        return super().get(_of_any_engine(key), default)

    def __setitem__(self, key: Any, statement: Any) -> None:
        super().__setitem__(_of_any_engine(key), statement)


def _of_any_engine(key: Any) -> Any:
    dialect, *rest = key
    return (dialect.name, *rest)


COMPILED = Compiled()


@event.listens_for(Engine, "engine_connect")
def _share(connection: Connection) -> None:
    connection.execution_options(compiled_cache=COMPILED)
