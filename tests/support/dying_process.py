"""A `pbem` that is killed just before it does something.

python -m tests.support.dying_process os.rename backup FILE

That action is the name of an audit event (PEP 578).
"""

from __future__ import annotations

import os
import signal
import sys

from pbem.cli import main


def strike_at(deed: str) -> None:
    """Kill this process before the action."""

    def look(event: str, _arguments: tuple[object, ...]) -> None:
        if event == deed:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


if __name__ == "__main__":
    wanted = sys.argv.pop(1)
    strike_at(wanted)
    main()
