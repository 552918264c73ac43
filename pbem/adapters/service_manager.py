"""The service manager: systemd, who has started this process and hears from it how it is.

By sd_notify(3): a datagram of lines, to a socket that the environment names.
"""

from __future__ import annotations

import socket
from typing import Final

import structlog

log = structlog.get_logger(__name__)

PATIENCE_S: Final = 5.0
"""A manager who does not read holds nobody up for longer."""


class ServiceManager:
    """Who hears how a process is; at no address nobody does."""

    def __init__(self, address: str) -> None:
        # In the environment @ stands for the zero byte of a name that is in no folder (unix(7)).
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    def hears(self, **said: str) -> None:
        """Is told something: READY="1", STATUS="a sentence"; never raises."""
        if not self._address:
            return
        text = "\n".join(f"{name}={' '.join(value.split())}" for name, value in said.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(PATIENCE_S)
                line.sendto(text.encode(), self._address)
        except OSError as error:
            log.debug("the service manager does not hear", error=str(error))
