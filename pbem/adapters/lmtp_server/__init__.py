"""What our own mail server hands mail over to, by LMTP (RFC 2033).

The server itself, in `server`, is an extra of the installation.
"""

from __future__ import annotations

from pbem.adapters.lmtp_server.place import (
    ListenPlace,
    PlaceTaken,
    given_sockets,
    opened,
    read_place,
)

__all__ = [
    "ListenPlace",
    "PlaceTaken",
    "given_sockets",
    "opened",
    "read_place",
]
