"""A `pbem` in which somebody presses Ctrl-C, once, just before it does something.

python -m tests.support.interrupted_process os.rename backup FILE

That action is the name of an audit event (PEP 578), or the start of an SQL statement.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from sqlalchemy import Engine, event

from pbem.cli import main


class Interruption:
    """Interrupt before an action."""

    def __init__(self, deed: str) -> None:
        self._deed = deed
        self._is_over = False

    def audited(self, name: str, _arguments: tuple[object, ...]) -> None:
        self._look(name == self._deed)

    def executed(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        self._look(statement.startswith(self._deed))

    def _look(self, found: bool) -> None:
        if found and not self._is_over:
            self._is_over = True
            os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    interruption = Interruption(sys.argv.pop(1))
    sys.addaudithook(interruption.audited)
    event.listen(Engine, "before_cursor_execute", interruption.executed)
    main()
