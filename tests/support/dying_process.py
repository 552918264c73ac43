"""A `pbem` that is struck dead as it is about to do something.

python -m tests.support.dying_process os.rename backup FILE

What it is about to do is named as the interpreter tells of it (PEP 578).
"""

from __future__ import annotations

import os
import signal
import sys

from pbem.cli import main


def strike_at(deed: str) -> None:
    """Kills this process before it does so."""

    def look(event: str, _arguments: tuple[object, ...]) -> None:
        if event == deed:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


if __name__ == "__main__":
    wanted = sys.argv.pop(1)
    strike_at(wanted)
    main()
