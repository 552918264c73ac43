"""The line to PostgreSQL: how long one end waits for the other that has vanished.

By themselves both would wait for two hours, the one with its thread, the other with the locks.
"""

from __future__ import annotations

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


def session_options(settings: Mapping[str, str]) -> str:
    """Settings with which a session begins, as the driver takes them."""
    return " ".join(f"-c {name}={value}" for name, value in settings.items())
