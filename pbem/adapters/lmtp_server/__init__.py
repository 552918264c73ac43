"""LMTP: the server that our mail server hands email to (RFC 2033).

`server` needs an optional package.
"""

from __future__ import annotations

from pbem.adapters.lmtp_server.listen_address import (
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
