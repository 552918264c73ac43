"""PostgreSQL connections: timeouts for each end if the other disappears.

By default, both would wait for two hours: the client with its thread, the server with its locks.
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
"""Driver settings for our end: 25 seconds, whether or not data is in flight."""

SERVER_SETTINGS: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "25s",
}
"""Settings for the server's end, which then releases the session's locks."""


MOST_NAME: Final = 63
"""Maximum number of characters of a name that the server keeps."""


def session_name() -> str:
    """Return this process's name in `pg_stat_activity`: "pbem worker 4711 at two"."""
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return f"{NAMED} {command} {os.getpid()} at {socket.gethostname()}"[:MOST_NAME]


NAMED: Final = "pbem"
"""First word of the names of all our sessions."""


def session_options(settings: Mapping[str, str]) -> str:
    """Return settings for the start of a session, in the driver's form."""
    return " ".join(f"-c {name}={value}" for name, value in settings.items())
