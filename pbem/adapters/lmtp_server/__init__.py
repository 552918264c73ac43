"""What our own mail server hands mail over to, by LMTP (RFC 2033)."""

from __future__ import annotations

from pbem.adapters.lmtp_server.place import (
    Place,
    PlaceTaken,
    given_sockets,
    opened,
    read_place,
)
from pbem.adapters.lmtp_server.server import LmtpServer

__all__ = [
    "LmtpServer",
    "Place",
    "PlaceTaken",
    "given_sockets",
    "opened",
    "read_place",
]
