"""The line to PostgreSQL: how long one end waits for the other that has vanished.

By themselves both would wait for two hours, the one with its thread, the other with the locks.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from typing import Final

CLIENT_WORDS: Final = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""For our end, as the driver has them: 25 seconds, whether something was said or not."""

SERVER_SETTINGS: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "25s",
}
"""For the end of the server, which gives back what the session held."""


MOST_NAME: Final = 63
"""Characters of a name that the server keeps."""


def session_name() -> str:
    """What this process is called in `pg_stat_activity`: "pbem worker 4711 at two"."""
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return f"{NAMED} {command} {os.getpid()} at {socket.gethostname()}"[:MOST_NAME]


NAMED: Final = "pbem"
"""With this word the names of all our sessions begin."""


def session_options(settings: Mapping[str, str]) -> str:
    """Settings with which a session begins, as the driver takes them."""
    return " ".join(f"-c {name}={value}" for name, value in settings.items())
