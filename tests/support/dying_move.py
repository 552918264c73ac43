"""A `pbem upgrade` that is killed on its way.

python -m tests.support.dying_move LOCK|COMMIT upgrade --to-postgresql URL

LOCK kills before anything is copied. COMMIT kills right after the copy is committed, before it is
reported.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from pbem.cli import main


class Blow:
    """Kill after a statement. Only those after the lock belong to the move."""

    def __init__(self, after: str) -> None:
        self.after = after
        self.locked = False

    def executed(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        self.locked = self.locked or statement.startswith("LOCK")
        if self.locked and self.after == "LOCK":
            self.strike()

    def commit(self, connection: Any) -> None:
        """Replace the dialect's own commit."""
        connection.commit()
        if self.locked:
            self.strike()

    def strike(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    blow = Blow(sys.argv.pop(1))
    event.listen(Engine, "after_cursor_execute", blow.executed)
    PGDialect_psycopg.do_commit = blow.commit  # type: ignore[assignment,method-assign]
    main()
